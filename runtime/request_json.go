package prunert

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
)

// decodeObject decodes a valid JSON document as the API server does, and returns the paths of the keys that an object in it
// has twice: each once, in the order of the document, and no more than MaxDuplicates. The object is nil for a null.
func decodeObject(data []byte) (obj map[string]any, duplicates []string, err error) {
	d := objectDecoder{Decoder: json.NewDecoder(bytes.NewReader(data))}
	d.UseNumber()
	v, err := d.value()
	if err != nil {
		return nil, nil, err
	}
	obj, _ = v.(map[string]any)
	return obj, d.duplicates, nil
}

// objectDecoder decodes a document token by token, because only tokens show duplicate keys.
type objectDecoder struct {
	*json.Decoder
	path       []byte // of the value that is decoded
	depth      int    // of objects
	duplicates []string
	seen       map[string]bool
	compared   int // bytes of paths that were looked up in seen
}

func (d *objectDecoder) value() (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '[' {
			return d.list()
		}
		return d.fields()
	case json.Number:
		return number(t)
	}
	return token, nil
}

func (d *objectDecoder) fields() (any, error) {
	obj := map[string]any{}
	above := len(d.path)
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := token.(string)
		if d.depth > 0 {
			d.path = append(d.path, '.')
		}
		d.path = append(d.path, key...)
		if _, ok := obj[key]; ok {
			d.duplicate()
		}
		d.depth++
		if obj[key], err = d.value(); err != nil {
			return nil, err
		}
		d.depth--
		d.path = d.path[:above]
	}
	_, err := d.Token() // the brace
	return obj, err
}

func (d *objectDecoder) list() (any, error) {
	list := []any{}
	above := len(d.path)
	for d.More() {
		d.path = append(strconv.AppendInt(append(d.path, '['), int64(len(list)), 10), ']')
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		d.path = d.path[:above]
	}
	_, err := d.Token() // the bracket
	return list, err
}

// duplicate notes that the key at the end of the path is a duplicate. It gives up when that would take too long: a short key can be
// repeated below a long one.
func (d *objectDecoder) duplicate() {
	limit := prunelimits.Current().Bytes
	if len(d.duplicates) == MaxDuplicates || limit > 0 && d.compared > limit {
		return
	}
	if d.compared += len(d.path); d.seen[string(d.path)] {
		return
	}
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	path := string(d.path)
	d.seen[path] = true
	d.duplicates = append(d.duplicates, path)
}

// number returns the value of a number: an int64 where it is one.
func number(n json.Number) (any, error) {
	if i, err := n.Int64(); err == nil {
		return i, nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil, errors.New("json: cannot unmarshal number " + n.String() + " into Go value of type float64")
	}
	return f, nil
}
