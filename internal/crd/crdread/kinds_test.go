package crdread_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/text/objects"
)

func TestKindsAreFoundWithoutParsing(t *testing.T) {
	const head, spec = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n", "spec:\n  group: example.com\n  names:\n    kind: App\n"
	for text, want := range map[string]string{
		head + spec: "[{example.com App}] true",
		"# a comment\n---\n" + head + "metadata:\n  annotations:\n    \"a/b: c\": 'd'\n  name: apps\n" + spec + "  versions: [{\n":                "[{example.com App}] true",
		head + "spec:\n    group: \"example.com\"\n    scope: Namespaced\n    names:\n        shortNames:\n        - kind\n        kind: 'App'\n": "[{example.com App}] true",
		head + spec + "---\n" + strings.Replace(head+spec, "App", "Other", 1) + "---\n" + head + spec:                                             "[{example.com App} {example.com Other}] true",
		"kind: ConfigMap\ndata:\n  a: CustomResourceDefinition\n---\n" + head + spec:                                                              "[{example.com App}] true",
		"kind: Other\n": "[] true",
		"":              "[] true",
		head + "spec:\n  names:\n    plural: apps\n    kind: App\n  versions:\n  - group: x\n  group: example.com\n": "[{example.com App}] true",
		// A parser has to look at these.
		`{"kind": "CustomResourceDefinition"}`:                                       "[] false",
		"apiVersion: v1\nkind: List\nitems:\n- kind: CustomResourceDefinition\n":     "[] false",
		head + "spec: {group: example.com, names: {kind: App}}\n":                    "[] false",
		head + "spec:\n  group: example.com\n  names: {kind: App}\n":                 "[] false",
		head + "spec:\n  group: &g example.com\n  names:\n    kind: App\n":           "[] false",
		head + "spec:\n  \"group\": example.com\n  names:\n    kind: App\n":          "[] false",
		head + "spec:\n  <<: *base\n" + strings.TrimPrefix(spec, "spec:\n"):          "[] false",
		head + "metadata:\n  name: {{ .Values.name }}\n{{- if .Values.a }}\n" + spec: "[] false",
		head + "spec:\n  group: example.com\n  names:\n    kind: |\n      App\n":     "[] false",
		head + "spec:\n  group: example.com\n":                                       "[] false",
		"kind: CustomResourceDefinitionList\n":                                       "[] false",
	} {
		kinds, ok := crdread.Kinds([]byte(text))
		if have := fmt.Sprint(kinds, ok); have != want {
			t.Errorf("%s\nhas %s, want %s", text, have, want)
		}
	}
}

// Kinds finds what Load finds, in every CRD of the repository, and one CRD can be read without the others.
func TestKindsAreThoseOfTheParser(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !crdread.IsManifest(name) {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		kinds, ok := crdread.Kinds(data)
		if !ok || len(kinds) == 0 {
			return nil
		}
		files++
		var all []crdread.Kind
		for _, c := range crdread.Load(name, strings.NewReader(string(data))).CRDs {
			all = append(all, crdread.Kind{Group: c.Group, Kind: c.Names.Kind})
		}
		for _, kind := range all {
			found := crdread.Text(nil, objects.NewText(name, data), kind).CRDs
			if len(found) == 0 || found[0].Names.Kind != kind.Kind || found[0].Group != kind.Group {
				t.Errorf("%s: %v is not found alone", name, kind)
			}
		}
		for i, kind := range all {
			if i >= len(kinds) || kinds[i] != kind {
				t.Errorf("%s: %v, and the parser finds %v", name, kinds, all)
				break
			}
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Errorf("%d files, %v", files, err)
	}
}
