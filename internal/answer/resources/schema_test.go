package resources

import (
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// The schema of a field is that of its property, else that of the values of a map; metadata is that of Kubernetes.
func TestSchemasOfFields(t *testing.T) {
	a, rest := &structural.Schema{}, &structural.Schema{}
	object := &structural.Schema{Properties: map[string]*structural.Schema{"a": a, "metadata": a}}
	both := &structural.Schema{Properties: object.Properties, AdditionalProperties: &structural.SchemaOrBool{Schema: rest}}
	resource := &structural.Schema{Properties: object.Properties}
	resource.XEmbeddedResource = true
	for _, test := range []struct {
		s    *structural.Schema
		key  string
		want *structural.Schema
	}{
		{nil, "a", nil}, {object, "a", a}, {object, "b", nil}, {object, "metadata", a}, {both, "a", a}, {both, "b", rest}, {resource, "a", a}, {resource, "kind", nil},
		{&structural.Schema{AdditionalProperties: &structural.SchemaOrBool{Bool: true}}, "a", nil},
	} {
		if Field(test.s, test.key) != test.want {
			t.Errorf("%s of %+v", test.key, test.s)
		}
	}
	if meta := Field(resource, "metadata"); meta == nil || meta.Properties["labels"] == nil {
		t.Errorf("the metadata of a resource is %+v", meta)
	}
	for want, s := range map[*structural.Schema]*structural.Schema{nil: nil, a: {Items: a}} {
		if Below(s, prunert.Step{Index: 1}) != want {
			t.Errorf("the elements of %+v", s)
		}
	}
	if Below(object, prunert.Step{Name: "a", Index: -1}) != a || Below(object, prunert.Step{Index: 0}) != nil {
		t.Errorf("below %+v", object)
	}
}
