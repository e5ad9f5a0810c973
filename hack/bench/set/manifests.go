package set

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/internal/interpret"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Manifests finds the objects of each kind that the modules ship as examples and for tests: what people write, which has
// far fewer fields than what is made from a schema. Each counts once. Those with something to prune in them are left out.
func Manifests(kinds []*Kind, modules []corpus.Module) ([]measure.Object, error) {
	finder := newFinder(kinds)
	for _, m := range modules {
		if err := finder.addFS(os.DirFS(m.Dir)); err != nil {
			return nil, fmt.Errorf("read the manifests of %s: %w", m.Query, err)
		}
	}
	for _, o := range finder.found {
		if len(o.Documents) == 0 {
			return nil, fmt.Errorf("no module of the corpus ships a %s", o.Kind)
		}
	}
	return finder.found, nil
}

// finder collects manifests by kind.
type finder struct {
	kinds []*Kind
	found []measure.Object
	seen  map[string]bool
}

func newFinder(kinds []*Kind) *finder {
	f := &finder{seen: map[string]bool{}, found: make([]measure.Object, len(kinds)), kinds: kinds}
	for i, k := range kinds {
		f.found[i] = measure.Object{Kind: k.Name(), Size: "manifests", State: measure.Real}
	}
	return f
}

func (f *finder) addFS(fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || path.Ext(file) != ".yaml" && path.Ext(file) != ".yml" {
			return err
		}
		data, err := fs.ReadFile(fsys, file)
		if err == nil {
			f.addFile(data)
		}
		return err
	})
}

// addFile adds the manifests of one file. What cannot be read, such as a template, is none.
func (f *finder) addFile(data []byte) {
	if !f.mentionsKind(data) {
		return
	}
	for r := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data))); ; {
		doc, err := r.Read()
		if errors.Is(err, io.EOF) || err != nil {
			return
		}
		if raw, err := yaml.YAMLToJSON(doc); err == nil {
			f.add(raw)
		}
	}
}

func (f *finder) mentionsKind(data []byte) bool {
	for _, k := range f.kinds {
		if bytes.Contains(data, []byte("kind: "+k.Name())) {
			return true
		}
	}
	return false
}

// add adds one document.
func (f *finder) add(raw json.RawMessage) {
	var obj map[string]any
	if utiljson.Unmarshal(raw, &obj) != nil {
		return
	}
	for i, k := range f.kinds {
		if obj["kind"] != k.Name() || obj["apiVersion"] != k.CRD.Group+"/"+k.Version.Name || f.seen[string(raw)] {
			continue
		}
		f.seen[string(raw)] = true
		if len(interpret.Prune(obj, k.Schema, interpret.PruneOptions{})) == 0 {
			f.found[i].Documents = append(f.found[i].Documents, raw)
		}
	}
}
