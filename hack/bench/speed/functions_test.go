package speed

import (
	"encoding/json"
	"testing"

	"github.com/bytedance/sonic"
	prunert "github.com/prune-gen/prune-gen/runtime"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/cel/common"
)

// ours is who the generated functions are by.
const ours = "prune-gen"

func BenchmarkPrune(b *testing.B) {
	prune := onObject{ours, func(s *subject) func(map[string]any) { return s.generated.Prune }}
	// It leaves metadata alone: less work than generated code does.
	theirs := onObject{"pruning.Prune", func(s *subject) func(map[string]any) {
		return func(obj map[string]any) { pruning.Prune(obj, s.kube.Structural, true) }
	}}
	coerce := onObject{"pruning.Prune and objectmeta.Coerce", func(s *subject) func(map[string]any) {
		return func(obj map[string]any) { pruneAndCoerce(obj, s.kube.Structural) }
	}}
	bareWalk := onObject{"bare walk", func(*subject) func(map[string]any) {
		return func(obj map[string]any) { walk(obj) }
	}}
	droppingWalk := onObject{"dropping walk", func(s *subject) func(map[string]any) {
		return func(obj map[string]any) { s.unknown.drop(obj) }
	}}
	clean.onObjects(b, prune, theirs, coerce, bareWalk)
	shipped.onObjects(b, prune, bareWalk, coerce)
	dirty.onObjects(b, prune, theirs, droppingWalk)
	deep.onObjects(b, prune, theirs, bareWalk)
}

func BenchmarkPruneReport(b *testing.B) {
	report := onObject{ours, func(s *subject) func(map[string]any) {
		return func(obj map[string]any) { s.generated.PruneReport(obj) }
	}}
	theirs := onObject{"pruning.PruneWithOptions", func(s *subject) func(map[string]any) {
		return func(obj map[string]any) { pruning.PruneWithOptions(obj, s.kube.Structural, true, trackPaths) }
	}}
	dirty.onObjects(b, report, theirs)
	clean.onObjects(b, report, theirs)
}

// What the API server does to a request unless it is asked for less: reading metadata, pruning, dropping nulls, coercing embedded
// metadata and defaulting, with the paths of unknown fields.
func BenchmarkNormalizeReport(b *testing.B) {
	normalize, theirs := normalizing(true)
	clean.onObjects(b, normalize, theirs)
	dirty.onObjects(b, normalize, theirs)
}

// The same without the paths, as with fieldValidation=Ignore.
func BenchmarkNormalize(b *testing.B) {
	normalize, theirs := normalizing(false)
	clean.onObjects(b, normalize, theirs)
}

func normalizing(report bool) (normalize, theirs onObject) {
	return onObject{ours, func(s *subject) func(map[string]any) {
			return func(obj map[string]any) { s.generated.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: report}) }
		}},
		onObject{"Kubernetes' five steps", func(s *subject) func(map[string]any) {
			return func(obj map[string]any) { s.kube.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: report}) }
		}}
}

func BenchmarkCheck(b *testing.B) {
	clean.onObjects(b, onObject{ours, func(s *subject) func(map[string]any) {
		return func(obj map[string]any) { s.generated.Check(obj) }
	}}, onObject{"schema validator", func(s *subject) func(map[string]any) {
		return func(obj map[string]any) { s.kube.Check(obj) }
	}})
}

func BenchmarkValidate(b *testing.B) {
	validate := onObject{ours, func(s *subject) func(map[string]any) {
		return func(obj map[string]any) { s.generated.Validate(obj) }
	}}
	theirs := onObject{"ValidateCustomResource", func(s *subject) func(map[string]any) {
		validator := schemaValidator(s)
		return func(obj map[string]any) { validation.ValidateCustomResource(nil, obj, validator) }
	}}
	valid.onObjects(b, validate, theirs)
	invalid.onObjects(b, validate, theirs)
}

// An update from an equal object, with ratcheting.
func BenchmarkValidateUpdate(b *testing.B) {
	valid.onObjects(b, onObject{ours, func(s *subject) func(map[string]any) {
		old := runtime.DeepCopyJSON(s.objects[0])
		return func(obj map[string]any) { s.generated.ValidateUpdate(obj, old) }
	}}, onObject{"ValidateCustomResourceUpdate", func(s *subject) func(map[string]any) {
		validator, old := schemaValidator(s), runtime.DeepCopyJSON(s.objects[0])
		return func(obj map[string]any) {
			correlated := common.NewCorrelatedObject(obj, old, &model.Structural{Structural: s.kube.Structural})
			validation.ValidateCustomResourceUpdate(nil, obj, old, validator, validation.WithRatcheting(correlated))
		}
	}})
}

func BenchmarkPruneJSON(b *testing.B) {
	prune := onJSON{ours, func(s *subject) func([]byte) {
		most := 0
		for _, doc := range s.documents {
			most = max(most, len(doc))
		}
		dst := make([]byte, 0, 2*most+1024) // room for the document, and what a scanner may need after it
		return func(doc []byte) { s.generated.PruneJSON(dst, doc) }
	}}
	theirs := onJSON{"decode, pruning.Prune, encode", func(s *subject) func([]byte) {
		return func(doc []byte) {
			if _, err := utiljson.Marshal(decodeAndPrune(s, doc)); err != nil {
				panic(err) // agreeOnJSON has seen that it works
			}
		}
	}}
	// It accepts wrong escapes and control characters in strings.
	sonicValid := onJSON{"sonic.Valid", func(*subject) func([]byte) { return func(doc []byte) { sonic.Valid(doc) } }}
	standardValid := onJSON{"json.Valid", func(*subject) func([]byte) { return func(doc []byte) { json.Valid(doc) } }}
	for _, st := range []*state{clean, cleanIndented, dirty, dirtyIndented} {
		st.onJSON(b, prune, theirs, sonicValid, standardValid)
	}
	for _, st := range []*state{cleanRotating, dirtyRotating} {
		st.onJSON(b, prune, theirs, sonicValid)
	}
}

func BenchmarkDecodeJSON(b *testing.B) {
	for _, st := range []*state{clean, dirty} {
		st.onJSON(b, onJSON{ours, func(s *subject) func([]byte) {
			return func(doc []byte) { s.generated.DecodeJSON(doc) }
		}}, onJSON{"decode, pruning.Prune", func(s *subject) func([]byte) {
			return func(doc []byte) { decodeAndPrune(s, doc) }
		}}, onJSON{"sonic.Unmarshal", func(*subject) func([]byte) {
			return func(doc []byte) {
				var obj map[string]any
				sonic.Unmarshal(doc, &obj)
			}
		}})
	}
}

// decodeAndPrune decodes a document as the API server does and prunes it.
func decodeAndPrune(s *subject, doc []byte) map[string]any {
	var obj map[string]any
	if err := utiljson.Unmarshal(doc, &obj); err != nil {
		panic(err) // prepare has decoded it
	}
	pruning.Prune(obj, s.kube.Structural, true)
	return obj
}

// schemaValidator returns Kubernetes' validator for all that the schema says.
func schemaValidator(s *subject) validation.SchemaValidator {
	validator, _, err := validation.NewSchemaValidator(s.kube.Schema)
	if err != nil {
		panic(err) // there is one for the types already
	}
	return validator
}

// pruneAndCoerce is what the API server does to drop unknown fields, in its order: metadata loses them by being decoded and
// encoded again, that of the object itself and that of the resources in it.
func pruneAndCoerce(obj map[string]any, s *structuralschema.Structural) {
	meta, found, err := objectmeta.GetObjectMeta(obj, false)
	if err != nil {
		panic(err) // the metadata of all objects is correct
	}
	pruning.Prune(obj, s, true)
	if err := objectmeta.Coerce(nil, obj, s, false, false); err != nil {
		panic(err)
	}
	if found {
		objectmeta.SetObjectMeta(obj, meta)
	}
}

// walk visits every value and does nothing.
func walk(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			walk(e)
		}
	case []any:
		for _, e := range v {
			walk(e)
		}
	}
}

// The documentation says so.
func TestSonicValidDoesNotCheckWhatIsInStrings(t *testing.T) {
	for _, doc := range []string{`{"a":"\x"}`, `{"a":"\u12"}`, "{\"a\":\"\n\"}"} {
		if json.Valid([]byte(doc)) || !sonic.Valid([]byte(doc)) {
			t.Errorf("%s: encoding/json calls it valid: %t, sonic: %t", doc, json.Valid([]byte(doc)), sonic.Valid([]byte(doc)))
		}
	}
}
