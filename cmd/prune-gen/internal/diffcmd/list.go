package diffcmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// smallList is how large a list can be that is read at once, with the places of its objects.
const smallList = 8 << 20

// largeList returns a reader of a JSON list, as kubectl get -o json prints it, that is too large to be read at once. What it looks at is
// read again.
func largeList(f *input.Opened) (io.Reader, bool) {
	if f.Wrong != nil {
		return nil, false
	}
	in := bufio.NewReaderSize(f.Reader, smallList)
	f.Reader = in
	head, _ := in.Peek(smallList)
	return in, len(head) == smallList && bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) && bytes.Contains(head[:1<<10], []byte(`"items"`))
}

// list compares the objects of a list one by one. Their places are not known; findings name the objects. Only the first findings are listed.
func (c *comparison) list(name string, m *meter.Meter, r io.Reader) {
	report := c.diff.report
	fail := func(err error) {
		report.Add(findings.Snippets([]structural.Finding{{Rule: structural.RuleUnreadable, File: name, Severity: structural.SeverityError, Message: err.Error()}}, nil))
	}
	var list meter.List
	more := 0
	in := &bounded{r: r}
	err := eachItem(in, func(item []byte) error {
		in.read = 0
		restore := m.Save()
		defer restore()
		found, _, _ := c.text(name, item, false)
		for _, f := range found {
			f.Line, f.Column = 0, 0
			if !list.Add(len(f.Message)) {
				more++
				continue
			}
			report.Add(findings.Snippets([]structural.Finding{f}, nil))
		}
		return m.Err()
	})
	if err != nil {
		fail(err)
	}
	if more > 0 {
		report.Add(findings.Snippets([]structural.Finding{{Rule: yamltext.RuleTooLarge, File: name, Severity: structural.SeverityNote,
			Message: fmt.Sprintf("only the first findings are listed: there are %d more", more)}}, nil))
	}
}

// eachItem calls use with each element of the field items of JSON objects, one after the other.
func eachItem(r io.Reader, use func(item []byte) error) error {
	d := json.NewDecoder(r)
	for {
		switch start, err := d.Token(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case start != json.Delim('{'):
			return fmt.Errorf("invalid JSON: got %v, want {", start)
		}
		if err := eachItemOfList(d, use); err != nil {
			return err
		}
	}
}

// eachItemOfList calls use with each element of the field items of the object that d is in.
func eachItemOfList(d *json.Decoder, use func(item []byte) error) error {
	isList := false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if key != "items" {
			if err := d.Decode(&value); err != nil {
				return err
			}
			continue
		}
		isList = true
		if err := expect(d, json.Delim('[')); err != nil {
			return err
		}
		for d.More() {
			if err := d.Decode(&value); err != nil {
				return err
			}
			if err := use(value); err != nil {
				return err
			}
		}
		if err := expect(d, json.Delim(']')); err != nil {
			return err
		}
	}
	if err := expect(d, json.Delim('}')); err != nil || isList {
		return err
	}
	return fmt.Errorf("an object is not in a list: a file of more than %d MiB must have lists only", smallList>>20)
}

func expect(d *json.Decoder, want json.Delim) error {
	got, err := d.Token()
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	if err == nil && got != want {
		err = fmt.Errorf("invalid JSON: got %v, want %v", got, want)
	}
	return err
}

// bounded reads no more for an item than a run may read.
type bounded struct {
	r    io.Reader
	read int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.read > meter.Bytes {
		return 0, fmt.Errorf("an object is larger than %d MiB", meter.Bytes>>20)
	}
	n, err := b.r.Read(p)
	b.read += n
	return n, err
}
