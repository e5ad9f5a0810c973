package aimed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

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
		obj, err := decode(text)
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
		crd, err := decode(text)
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

// decode reads an object as the Kubernetes API machinery does: whole numbers are int64, others float64.
func decode(text []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var obj map[string]any
	if err := d.Decode(&obj); err != nil {
		return nil, err
	}
	return withNumbers(obj).(map[string]any), nil
}

func withNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return i
		}
		f, err := v.Float64()
		if err != nil {
			panic(fmt.Sprintf("aimed: %s is too large for a schema", v))
		}
		return f
	case map[string]any:
		for k, e := range v {
			v[k] = withNumbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = withNumbers(e)
		}
	}
	return v
}
