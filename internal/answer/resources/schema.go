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

// Field returns the schema of a field, also of the metadata of resources. It is nil if there is none.
func Field(s *structural.Schema, key string) *structural.Schema {
	if s != nil && s.XEmbeddedResource && key == "metadata" {
		return objectMeta()
	}
	return s.Field(key)
}
