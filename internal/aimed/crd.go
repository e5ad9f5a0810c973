package aimed

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/prune-gen/prune-gen/internal/numbers"
	"sigs.k8s.io/yaml"
)

// Resource is one version of a CRD, with objects for it.
type Resource struct {
	APIVersion, Kind, Version string
	// CRD is the CRD as JSON.
	CRD []byte
	// Objects share values with each other.
	Objects []map[string]any
}

// Load returns every version of the CRDs of a golden case, which also has objects of its own for them.
func Load(dir string) ([]Resource, error) {
	crds, err := os.ReadFile(filepath.Join(dir, "crd.yaml"))
	if err != nil {
		return nil, err
	}
	all, err := resources(crds)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "objects", "*.in.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		obj, err := numbers.Decode(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for i, r := range all {
			if obj["apiVersion"] == r.APIVersion && obj["kind"] == r.Kind {
				all[i].Objects = append(r.Objects, obj)
			}
		}
	}
	return all, nil
}

// resources returns every version of the CRDs in a YAML text.
func resources(crds []byte) ([]Resource, error) {
	var all []Resource
	for _, doc := range bytes.Split(crds, []byte("\n---\n")) {
		text, err := yaml.YAMLToJSON(doc)
		if err != nil {
			return nil, err
		}
		crd, err := numbers.Decode(text)
		if err != nil {
			return nil, err
		}
		spec, ok := crd["spec"].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("a document is not a CRD: %.100s", text)
		}
		names, _ := spec["names"].(map[string]any)
		versions, _ := spec["versions"].([]any)
		if len(versions) == 0 {
			versions = []any{map[string]any{"name": spec["version"]}}
		}
		for _, v := range versions {
			version := v.(map[string]any)
			r := Resource{Version: fmt.Sprint(version["name"]), Kind: fmt.Sprint(names["kind"]), CRD: text}
			r.APIVersion = fmt.Sprintf("%v/%s", spec["group"], r.Version)
			r.Objects = Objects(writtenSchema(spec, version))
			for _, obj := range r.Objects {
				obj["apiVersion"], obj["kind"], obj["metadata"] = r.APIVersion, r.Kind, map[string]any{"name": "aimed"}
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// writtenSchema returns the schema of a version, or that of all versions, as the CRD has it; nil where there is none.
func writtenSchema(spec, version map[string]any) map[string]any {
	holder, ok := version["schema"].(map[string]any)
	if !ok {
		holder, _ = spec["validation"].(map[string]any)
	}
	schema, _ := holder["openAPIV3Schema"].(map[string]any)
	return schema
}
