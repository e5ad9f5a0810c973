package run

import (
	"testing"

	"github.com/prune-gen/prune-gen/golden/internal/cases"
	"github.com/prune-gen/prune-gen/internal/jsondocs"
)

// FuzzStream holds what generated code makes of a document, and of a stream that may be too large for its limit, against the
// reference.
func FuzzStream(f *testing.F) {
	for i, text := range jsondocs.All() {
		if len(text.JSON) > 1000 {
			continue
		}
		around := jsondocs.Around(text.JSON)
		f.Add([]byte([]string{text.JSON, around["known"], around["an item"]}[i%3]), []int{0, 20, 30}[i%3])
	}
	all, err := cases.All("..")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range all {
		if c.Name != "json" {
			continue
		}
		r := c.Resources()[0]
		generated, reference := resources[r.Key()], interpreted(f, r)
		f.Fuzz(func(t *testing.T, doc []byte, limit int) {
			if err := jsondocs.Check(generated, doc); err != nil {
				t.Error(err)
			}
			if err := jsondocs.Agree(reference, generated, doc); err != nil {
				t.Error(err)
			}
			compareStreams(t, reference, generated, string(doc), limit%1000)
		})
	}
}
