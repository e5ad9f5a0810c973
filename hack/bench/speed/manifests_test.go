package speed

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"

	"github.com/prune-gen/prune-gen/hack/bench/set"
	prunert "github.com/prune-gen/prune-gen/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// shippedManifests returns the manifests of a kind as one subject, which have far fewer fields than objects that are made from a schema.
func shippedManifests(k *kind) ([]*subject, error) {
	all, err := manifests()
	if err == nil && len(all[k.Name()]) == 0 {
		err = errors.New("no module of the corpus ships one")
	}
	return []*subject{{size: "manifests", documents: all[k.Name()]}}, err
}

// manifests finds the objects that the modules of the corpus ship as examples and for tests, by kind. Each counts once. Those with
// something to prune in them are left out.
var manifests = sync.OnceValues(func() (map[string][][]byte, error) {
	modules, err := set.Modules()
	if err != nil {
		return nil, err
	}
	found, seen := map[string][][]byte{}, map[string]bool{}
	for _, m := range modules {
		fsys := os.DirFS(m.Dir)
		err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || path.Ext(file) != ".yaml" && path.Ext(file) != ".yml" {
				return err
			}
			data, err := fs.ReadFile(fsys, file)
			if err != nil {
				return err
			}
			for _, doc := range documents(data) {
				var obj map[string]any
				if seen[string(doc)] || utiljson.Unmarshal(doc, &obj) != nil {
					continue
				}
				seen[string(doc)] = true
				kind, _ := obj["kind"].(string)
				if r, ok := generated[kind]; ok && obj["apiVersion"] == r.Group+"/"+r.Version && len(r.PruneReport(obj)) == 0 {
					found[kind] = append(found[kind], doc)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
})

// documents returns the documents of a file that may be of a generated kind, as JSON. What cannot be read, such as a template, is
// left out.
func documents(data []byte) [][]byte {
	var all [][]byte
	for r := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data))); ; {
		doc, err := r.Read()
		if err != nil {
			return all
		}
		for kind := range generated {
			if bytes.Contains(doc, []byte("kind: "+kind)) {
				if raw, err := yaml.YAMLToJSON(doc); err == nil {
					all = append(all, raw)
				}
				break
			}
		}
	}
}

// largestValid returns the largest of the documents that is valid, as it is stored, or nil.
func largestValid(r prunert.Resource, docs [][]byte) map[string]any {
	for _, doc := range slices.SortedStableFunc(slices.Values(docs), func(a, b []byte) int { return len(b) - len(a) }) {
		if obj, err := store(r, doc); err == nil {
			return obj
		}
	}
	return nil
}
