package assist_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/editor/assist"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// The object that is proposed for an empty document has every required field and no other, in block style and as JSON.
func TestProposedObjectsAreComplete(t *testing.T) {
	tried := 0
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "golden", "*", "crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var crds []*structural.CRD
		for _, c := range crdread.Load(name, strings.NewReader(string(text))).CRDs {
			accepted := true
			for _, v := range c.Versions {
				accepted = accepted && len(lint.Refusals(c, v)) == 0
			}
			if accepted {
				crds = append(crds, c)
			}
		}
		s := manifest.FromCRDs(nil, dynamic.Compile, crds...)
		for _, around := range []string{"|", "{|}"} {
			at := strings.Index(around, "|")
			before, after := around[:at], around[at+1:]
			all, _ := assist.Complete(s, []byte(before+after), at)
			for _, p := range all {
				if p.Kind != assist.KindName {
					continue
				}
				tried++
				object := strings.NewReplacer("name: \"\"", "name: x", `"name": ""`, `"name": "x"`).Replace(before + p.Text + after)
				read := 0
				file := manifest.Read(objects.NewText("", []byte(object)), func(o manifest.Object) []structural.Finding {
					read++
					return s.Answer(o, manifest.Strict).Findings
				}, s)
				for _, f := range file.Findings {
					if f.ID == manifest.IDRequired || f.ID == manifest.IDUnknownField || f.ID == manifest.IDType || strings.HasPrefix(string(f.ID), "yaml") {
						t.Errorf("%s: %s\n%s", name, f.Message, object)
					}
				}
				if read != 1 {
					t.Errorf("%s: %d objects in\n%s\n%v", name, read, object, file.Findings)
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("%d objects", tried)
	}
}
