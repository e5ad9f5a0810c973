package schematree_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/explain/schematree"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// A node alone is what it is in the whole outline, apart from its fields.
func TestAtIsANodeOfTheOutline(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "golden", "*", "crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range crdread.Load(name, bytes.NewReader(text)).CRDs {
			for _, v := range c.Versions {
				b := structural.NewBehavior(c, v, structural.APIServer)
				if b.Schema == nil {
					continue
				}
				var walk func(n *schematree.Node, path prunert.Path)
				walk = func(n *schematree.Node, path prunert.Path) {
					outer := path
					for rest := n.Type; len(path) > 0; {
						var list, isMap bool
						if rest, list = strings.CutPrefix(rest, "[]"); list {
							path = append(path[:len(path):len(path)], prunert.Step{Index: 0})
						} else if rest, isMap = strings.CutPrefix(rest, "map[string]"); isMap {
							path = append(path[:len(path):len(path)], prunert.Step{Name: "any.key", Index: -1})
						} else {
							break
						}
					}
					for _, f := range n.Fields {
						if len(path) > 0 && path[len(path)-1].Name == "metadata" {
							continue // the outline has only what the CRD says about it
						}
						at := append(path[:len(path):len(path)], prunert.Step{Name: f.Name, Index: -1})
						have := schematree.At(b, at)
						if have == nil { // a schema can have fields and elements
							at = append(outer[:len(outer):len(outer)], prunert.Step{Name: f.Name, Index: -1})
							have = schematree.At(b, at)
						}
						if have == nil {
							t.Errorf("%s: nothing at %s", name, at)
							continue
						}
						compared++
						want := *f
						want.Path, have.Path = "", ""
						if line(have) != line(&want) || have.Description != f.Description {
							t.Errorf("%s: %s at %s, want %s", name, line(have), at, line(&want))
						}
						walk(f, at)
					}
				}
				walk(schematree.Of(b), nil)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("compared %d nodes", compared)
	}
}
