package structural_test

import (
	"sync"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// A schema is converted once, whoever asks, and once for all versions that share it.
func TestSchemasAreConvertedOnce(t *testing.T) {
	shared := structuraltest.LoadCRD(t, structuraltest.V1beta1With("preserveUnknownFields: false\nvalidation: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}"))
	first := shared.Structural(shared.Versions[0])
	if first == nil || first.Properties["a"] == nil || first.XEmbeddedResource {
		t.Fatalf("%+v", first)
	}
	var wait sync.WaitGroup
	for _, v := range shared.Versions {
		wait.Go(func() {
			s, errs := shared.Converted(v)
			if s != first || len(errs) > 0 || structural.NewBehavior(shared, v, structural.KEP2332).Schema != first {
				t.Errorf("%s is converted again", v.Name)
			}
		})
	}
	wait.Wait()

	c := structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, id: b, properties: {a: {type: string}}}"))
	v := c.Versions[0]
	s, errs := c.Converted(v)
	structuraltest.WantTexts(t, errs, v.SchemaPath.String()+".id: OpenAPIV3Schema 'id' is not supported")
	if again, _ := c.Converted(v); s == nil || s != again || c.Structural(v) != nil || structural.NewBehavior(c, v, structural.APIServer).Schema != nil {
		t.Errorf("%+v", s)
	}
	if s, errs := c.Converted(&structural.Version{}); s != nil || errs != nil {
		t.Errorf("no schema becomes %+v, %v", s, errs)
	}
}

// A root is a resource, and the schema that says so is another one.
func TestRootsAreResources(t *testing.T) {
	s := structuraltest.NewSchema(t, "{type: object, properties: {a: {type: object}}}")
	root := s.Resource()
	if !root.XEmbeddedResource || s.XEmbeddedResource || root.Properties["a"] != s.Properties["a"] || root.Properties["a"].XEmbeddedResource {
		t.Errorf("%+v of %+v", root, s)
	}
	s = nil
	if root = s.Resource(); !root.XEmbeddedResource || len(root.Properties) > 0 {
		t.Errorf("without a schema: %+v", root)
	}
}
