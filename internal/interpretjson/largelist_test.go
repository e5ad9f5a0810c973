package interpretjson_test

import (
	"bytes"
	"io"
	"strings"
)

// largeList returns a list of n items that is made while it is read: head, the items with commas between them, and tail.
func largeList(head, item, tail string, n int) io.Reader {
	return io.MultiReader(strings.NewReader(head), &repeated{text: []byte(item), more: []byte("," + item), left: n}, strings.NewReader(tail))
}

// repeated reads a text, and then more again and again.
type repeated struct {
	text, more []byte
	left       int
	rest       bytes.Reader
	began      bool
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.rest.Len() == 0 {
		if r.left == 0 {
			return 0, io.EOF
		}
		r.left--
		r.rest.Reset(r.more)
		if !r.began {
			r.rest.Reset(r.text)
			r.began = true
		}
	}
	return r.rest.Read(p)
}
