package specimentest

import (
	"encoding/json"
	"fmt"
)

// CRD returns a CRD as JSON: small, structural, and full of the combinations that nobody writes by hand. The same seed gives the
// same bytes on every machine.
func CRD(seed uint64) []byte {
	// Half of them have value validation, and the others have defaults: a CRD whose defaults are not valid is refused.
	m := newSchemaMaker(seed, SchemaOptions{Depth: 6, Values: seed%2 == 1, Defaults: seed%2 == 0})
	name := fmt.Sprintf("random%d", seed)
	spec := object{
		"group": "random.example.com",
		"names": object{"kind": fmt.Sprintf("Random%d", seed), "plural": name},
		"scope": "Namespaced",
	}
	apiVersion := "apiextensions.k8s.io/v1"
	if m.oneIn(4) {
		apiVersion = "apiextensions.k8s.io/v1beta1"
		m.v1beta1(spec)
	} else {
		spec["versions"] = m.versions(func(v object) { v["schema"] = object{"openAPIV3Schema": m.root()} })
	}
	data, err := json.Marshal(object{
		"apiVersion": apiVersion,
		"kind":       "CustomResourceDefinition",
		"metadata":   object{"name": name + ".random.example.com"},
		"spec":       spec,
	})
	if err != nil {
		panic(fmt.Sprintf("specimen: CRD %d: %v", seed, err))
	}
	return data
}

// v1beta1 fills a spec in one of the ways that only v1beta1 has.
func (m *schemaMaker) v1beta1(spec object) {
	if !m.oneIn(3) {
		spec["preserveUnknownFields"] = m.oneIn(3)
	}
	switch m.rng.IntN(4) {
	case 0: // one schema for all versions
		spec["validation"] = object{"openAPIV3Schema": m.root()}
		spec["versions"] = m.versions(func(object) {})
	case 1: // no list of versions
		spec["validation"] = object{"openAPIV3Schema": m.root()}
		spec["version"] = "v1beta1"
	case 2: // no schema at all
		spec["version"] = "v1beta1"
	default:
		spec["versions"] = m.versions(func(v object) { v["schema"] = object{"openAPIV3Schema": m.root()} })
	}
}

func (m *schemaMaker) versions(fill func(object)) []any {
	var all []any
	for i := range 1 + m.rng.IntN(2) {
		v := object{"name": fmt.Sprintf("v%d", i+1), "served": true, "storage": i == 0}
		fill(v)
		all = append(all, v)
	}
	return all
}
