package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
)

// completeCRD fills in what a CRD lacks: the kind Widget of the group example.com, with namespaces, and a version v1 that is served and stored,
// with a schema that specifies nothing. metadata has what its metadata lacks besides the name; with a resourceVersion and a uid, the CRD is
// a stored one, and gets the status of one that is established.
func completeCRD(written json.RawMessage, metadata map[string]any) (json.RawMessage, error) {
	var crd map[string]any
	d := json.NewDecoder(bytes.NewReader(written))
	d.UseNumber()
	if err := d.Decode(&crd); err != nil || crd == nil {
		return nil, fmt.Errorf("an object is a map, or a text: %w", err)
	}
	fill(crd, map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{}, "spec": map[string]any{}})
	spec, _ := crd["spec"].(map[string]any)
	fill(spec, map[string]any{"group": "example.com", "scope": "Namespaced", "names": map[string]any{}, "versions": []any{map[string]any{}}})
	names, _ := spec["names"].(map[string]any)
	fill(names, map[string]any{"kind": "Widget", "plural": "widgets"})
	versions, _ := spec["versions"].([]any)
	var storage any
	for i, v := range versions {
		version, _ := v.(map[string]any)
		fill(version, map[string]any{"name": fmt.Sprintf("v%d", i+1), "served": true, "storage": i == 0,
			"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object"}}})
		if version["storage"] == true {
			storage = version["name"]
		}
	}
	metadata["name"] = "widgets.example.com"
	if plural, ok := names["plural"].(string); ok && plural != "" {
		if group, ok := spec["group"].(string); ok && group != "" {
			metadata["name"] = plural + "." + group
		}
	}
	given, _ := crd["metadata"].(map[string]any)
	fill(given, metadata)
	if metadata["uid"] != nil {
		accepted := maps.Clone(names)
		fill(accepted, map[string]any{"singular": "widget", "listKind": "WidgetList"})
		fill(crd, map[string]any{"status": map[string]any{"acceptedNames": accepted, "storedVersions": []any{storage}, "conditions": []any{
			map[string]any{"type": "NamesAccepted", "status": "True", "lastTransitionTime": metadata["creationTimestamp"],
				"reason": "NoConflicts", "message": "no conflicts found"},
			map[string]any{"type": "Established", "status": "True", "lastTransitionTime": metadata["creationTimestamp"],
				"reason": "InitialNamesAccepted", "message": "the initial names have been accepted"},
		}}})
	}
	return json.Marshal(crd)
}

// fill adds what a map lacks. There may be no map, but a value of another type.
func fill(m, lacking map[string]any) {
	for k, v := range lacking {
		if _, has := m[k]; m != nil && !has {
			m[k] = v
		}
	}
}
