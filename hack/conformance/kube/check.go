package kube

import (
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
)

// Check returns the texts of every type error in obj, sorted: what the schema validator says under the schema without
// its value validations. Metadata has rules of its own, see Metas; obj is expected to have none.
func (r *Resource) Check(obj map[string]any) []string {
	var texts []string
	for _, err := range validation.ValidateCustomResource(nil, obj, r.types) {
		texts = append(texts, err.Error())
	}
	slices.Sort(texts)
	return texts
}

// Meta is apiVersion, kind or metadata of a resource in an object.
type Meta struct {
	// Path is where it stands.
	Path string
	// Bad reports whether Kubernetes refuses the value, whatever a schema says about it.
	Bad bool

	resource map[string]any
	key      string
	value    any
}

// IsRoot reports whether it is part of the root.
func (m Meta) IsRoot() bool { return m.Path == m.key }

// IsMetadata reports whether it is the metadata of a resource.
func (m Meta) IsMetadata() bool { return m.key == "metadata" }

// Restore puts the value back where TakeMetas took it from.
func (m Meta) Restore() { m.resource[m.key] = m.value }

// Remove takes the value out again.
func (m Meta) Remove() { delete(m.resource, m.key) }

// TakeMetas takes apiVersion, kind and metadata out of the root and of every embedded resource of obj, and returns them
// in the order of their paths.
func (r *Resource) TakeMetas(obj map[string]any) []Meta {
	var metas []Meta
	for _, e := range resources(obj, r.Structural) {
		for _, k := range []string{"apiVersion", "kind", "metadata"} {
			v, ok := e.obj[k]
			if !ok {
				continue
			}
			bad := false
			if k == "metadata" {
				bad = e.malformed()
			} else {
				_, isString := v.(string)
				bad = !isString
			}
			metas = append(metas, Meta{Path: e.at.Child(k).String(), Bad: bad, resource: e.obj, key: k, value: v})
		}
	}
	for _, m := range metas {
		m.Remove()
	}
	slices.SortFunc(metas, func(a, b Meta) int { return strings.Compare(a.Path, b.Path) })
	return metas
}
