package manifest_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/text/objects"
)

// A text of a directory is skipped if none of its objects is pruned, and if it is broken, if it does not mention a group either. One that
// was named, that is held, or that can be read only once is not.
func TestSkips(t *testing.T) {
	const (
		known   = `{"apiVersion": "example.com/v1", "kind": "App", "spec": {}}`
		foreign = `{"apiVersion": "v1", "kind": "Pod"}`
	)
	for _, test := range []struct {
		name, text string
		change     func(*objects.Text)
		unknown    int
		skips      bool
	}{
		{"foreign", foreign, nil, 1, true},
		{"two foreign ones", foreign + "\n" + foreign, nil, 2, true},
		{"a list of foreign ones", `{"kind": "List", "apiVersion": "v1", "items": [` + foreign + "," + foreign + "]}", nil, 2, true},
		{"known", known, nil, 0, false},
		{"known after a foreign one", foreign + known, nil, 0, false},
		{"broken", foreign + `{"a": `, nil, 1, true},
		{"broken, with a group", foreign + `{"apiVersion": "example.com/v1", `, nil, 1, false},
		{"named", foreign, func(t *objects.Text) { t.Listed = false }, 0, false},
		{"read only once", foreign, func(t *objects.Text) { t.Again = nil }, 0, false},
		{"held", foreign, func(t *objects.Text) { t.Reader = nil }, 0, false},
		{"gone", foreign, func(t *objects.Text) { t.Again = func() (io.ReadCloser, error) { return nil, errors.New("gone") } }, 0, false},
	} {
		text := &objects.Text{Source: objects.Source{Name: "f.json", Listed: true, Reader: strings.NewReader(""), Again: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(test.text)), nil
		}}}
		if test.change != nil {
			test.change(text)
		}
		if unknown, skips := newServer(t, pageCRD).Skips(text); unknown != test.unknown || skips != test.skips {
			t.Errorf("%s: %d unknown, skipped is %t; want %d, %t", test.name, unknown, skips, test.unknown, test.skips)
		}
	}
}

// An object of a kind that is not known is told the versions of its kind, or those of the only kind.
func TestPagesNameTheKindsThatAreKnown(t *testing.T) {
	both := []string{pageCRD, strings.NewReplacer("apps", "jobs", "App", "Job", "app", "job").Replace(pageCRD)}
	for _, test := range []struct {
		crds       []string
		text, want string
	}{
		{both[:1], "apiVersion: example.com/v2\nkind: App\n", "example.com/v2 App is not known: want example.com/v1 App"},
		{both[:1], "apiVersion: v1\nkind: Pod\n", "v1 Pod is not known: want example.com/v1 App"},
		{both, "apiVersion: example.com/v2\nkind: App\n", "example.com/v2 App is not known: want example.com/v1 App"},
		{both, "apiVersion: example.com/v2\nkind: Job\n", "example.com/v2 Job is not known: want example.com/v1 Job"},
		{both, "apiVersion: v1\nkind: Pod\n", "v1 Pod is not known"},
	} {
		marks := newServer(t, test.crds...).Page([]byte(test.text), nil).Marks
		if len(marks) != 1 || marks[0].Message != test.want {
			t.Errorf("%s%+v\nwant %s", test.text, marks, test.want)
		}
	}
}
