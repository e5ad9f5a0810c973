package input

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/prune-gen/prune-gen/structural"
)

// A stream that breaks off is a finding, whatever reads it.
func TestAStreamThatBreaksIsReported(t *testing.T) {
	stdin := Args{Names: []string{"-"}}
	broken := func() *strings.Reader { return strings.NewReader("a: b\n") }
	check := func(what string, f structural.Finding) {
		t.Helper()
		if f.ID != structural.IDUnreadable || f.Message != "the stream broke" || f.Severity != structural.SeverityError || f.Line != 0 {
			t.Errorf("%s: %+v", what, f)
		}
	}
	reader := func() *brokenReader { return &brokenReader{r: broken()} }
	err := EachText(stdin, reader(), func(text *Text, done, total int) {
		if text.Wrong == nil || text.Name != "<stdin>" || done != 1 || total != 1 {
			t.Fatalf("%+v, %d of %d", text, done, total)
		}
		check("a text", *text.Wrong)
	})
	if err != nil {
		t.Error(err)
	}
	if err := Each(stdin, iotest.ErrReader(errors.New("the stream broke")), func(src *Source, _, _ int) {
		if len(src.Findings) != 1 || !strings.Contains(src.Findings[0].Message, "the stream broke") {
			t.Errorf("%+v", src.Findings)
		}
	}); err != nil {
		t.Error(err)
	}
}

// brokenReader fails after the text of another reader.
type brokenReader struct{ r *strings.Reader }

func (b *brokenReader) Read(p []byte) (int, error) {
	if b.r.Len() == 0 {
		return 0, errors.New("the stream broke")
	}
	return b.r.Read(p)
}
