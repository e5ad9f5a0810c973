package interpret

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// ValidateStatus returns what the API server finds wrong with an object after an update of the status of old; nil if it is valid.
// Everything except the status is unchanged and not validated. The status is validated by itself, by the schema of the field status in s,
// so that texts do not name it.
func (w *Work) ValidateStatus(obj, old map[string]any, s *structural.JSONSchema) prunert.ErrorList {
	const field = "status"
	status, ok := obj[field]
	if !ok || s == nil || s.Properties[field] == nil {
		return nil
	}
	c := newObjectErrors(w)
	c.schema(status, s.Properties[field], &correlation{new: status, old: old[field], schema: s.Properties[field]})
	for _, e := range c.list {
		e.Path = append(prunert.FieldPath(field), e.Path...)
		if e.Field == orNil("") {
			e.Field = field
		} else {
			e.Field = field + "." + e.Field
		}
	}
	before := newObjectErrors(w)
	if before.lists(old, s, nil); len(before.list) == 0 {
		c.lists(obj, s, nil)
	}
	return c.sorted()
}
