package verdicts

import (
	"encoding/json"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Schemas returns the schemas of a CRD as JSON values: those of its versions, and the one for all of them.
func Schemas(crd json.RawMessage) []Object {
	type validation struct {
		OpenAPIV3Schema any `json:"openAPIV3Schema"`
	}
	var doc struct {
		Spec struct {
			Versions []struct {
				Schema validation `json:"schema"`
			} `json:"versions"`
			Validation validation `json:"validation"`
		} `json:"spec"`
	}
	if err := utiljson.Unmarshal(crd, &doc); err != nil {
		return nil
	}
	var all []Object
	add := func(v any) {
		if s, ok := v.(Object); ok {
			all = append(all, s)
		}
	}
	for _, v := range doc.Spec.Versions {
		add(v.Schema.OpenAPIV3Schema)
	}
	add(doc.Spec.Validation.OpenAPIV3Schema)
	return all
}
