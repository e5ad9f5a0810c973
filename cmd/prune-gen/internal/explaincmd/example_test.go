package explaincmd

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// The API server accepts the example of each version of each CRD here, and drops nothing of it.
func TestExamplesAreAccepted(t *testing.T) {
	testsize.NotShort(t)
	root := filepath.Join("..", "..", "..", "..")
	tried := 0
	for _, dir := range []string{"golden", "examples"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".yaml" {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for _, c := range crdread.Load(name, bytes.NewReader(text)).CRDs {
				if slices.ContainsFunc(c.Versions, func(v *structural.Version) bool { return len(lint.Refusals(c, v)) > 0 }) {
					continue
				}
				all, err := dynamic.Compile(c)
				if err != nil {
					return err
				}
				server := manifest.FromCRDs(nil, func(*structural.CRD) ([]prunert.Resource, error) { return all, nil }, c)
				for i, v := range c.Versions {
					if !v.Served {
						continue
					}
					tried++
					made := example(c, v, all[i])
					page := server.Page([]byte(made), nil)
					lossy := slices.ContainsFunc(page.Marks, func(m manifest.Mark) bool {
						return m.Kind != string(manifest.Filled) && m.Kind != string(manifest.Changed)
					})
					if len(page.Objects) != 1 || !page.Objects[0].Accepted || lossy {
						t.Errorf("%s, %s: %+v\n%s", name, v.Name, page.Marks, made)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if tried < 40 {
		t.Errorf("%d versions", tried)
	}
}

// An example has what is required, values from enums, and no defaults: the page shows those.
func TestExamplesShowTheSchema(t *testing.T) {
	const schema = `{type: object, required: [spec], properties: {spec: {type: object, required: [mode, size, rows], x-kubernetes-validations: [{rule: "self.name.startsWith('app-')"}],
      properties: {mode: {type: string, enum: [Fast, Slow]}, size: {type: integer, minimum: 3}, other: {type: integer, default: 5}, at: {type: string, format: date-time, maxLength: 3},
        names: {type: array, items: {type: string}}, rows: {type: array, minItems: 1, items: {type: object, required: [kind], properties: {kind: {type: string, enum: [row]}, label: {type: string}}}}, empty: {type: object, properties: {below: {type: object}}}, inner: {type: object, properties: {"on": {type: boolean}}},
        name: {type: string, enum: [x, app-1]}, when: {type: string, pattern: '^(\S+\s+){4}\S+$'}, letters: {type: string, pattern: '^[a-f]{12}$'}}}, status: {type: object, properties: {a: {type: string}}}}}`
	text := strings.Replace(crd, "{type: object, x-kubernetes-validations: [{rule: has(self.spec)}], properties: {spec: {type: object, properties: {a: {type: integer}}}}}", schema, 1)
	c := crdread.Load("crd.yaml", strings.NewReader(text)).CRDs[0]
	all, err := dynamic.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	have := regexp.MustCompile("[a-f]{12}").ReplaceAllString(example(c, c.Versions[1], all[1]), "LETTERS")
	want := `apiVersion: example.com/v2
kind: App
metadata:
  name: example
spec:
  inner:
    "on": true
  letters: LETTERS
  mode: Fast
  name: app-1
  names:
  - text
  rows:
  - kind: row
    label: text
  size: 3
  when: "* * * * *"
`
	if have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
}
