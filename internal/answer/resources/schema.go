package resources

import (
	"sync"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Below returns the schema of what is one step below, nil if there is none.
func Below(s *structural.Schema, step prunert.Step) *structural.Schema {
	switch {
	case step.Index < 0:
		return Field(s, step.Name)
	case s != nil:
		return s.Items
	}
	return nil
}

var objectMeta = sync.OnceValue(structural.ObjectMeta)

// Field returns the schema of a field, nil if there is none.
func Field(s *structural.Schema, key string) *structural.Schema {
	switch {
	case s == nil:
		return nil
	case s.XEmbeddedResource && key == "metadata":
		return objectMeta()
	case s.Properties[key] != nil:
		return s.Properties[key]
	case s.AdditionalProperties != nil:
		return s.AdditionalProperties.Schema
	}
	return nil
}
