package measure

import (
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/cel/common"
)

// Subject is an object with all that the contestants need to work on it.
type Subject struct {
	Generated prunert.Resource
	Kube      *kube.Resource
	Documents [][]byte // as JSON
	Object    map[string]any
	Old       map[string]any // what Object replaces in an update, in states for CEL rules

	oldDocument []byte

	glance *glance // for dirty objects
}

// Contestant is one way to do something to an object.
type Contestant struct {
	// Function is what is done, By who does it. Together they are a name.
	Function string
	By       string
	// Title says what it is in a table.
	Title string
	// Prepare returns what is measured. It gets a copy of the object each time; for dirty objects, a fresh one.
	Prepare func(s *Subject) func(obj map[string]any)
	// OnJSON says that it takes no notice of the object, but works on documents.
	OnJSON bool
}

// contestant returns a contestant that works on objects.
func contestant(function, by, title string, prepare func(s *Subject) func(obj map[string]any)) *Contestant {
	return &Contestant{Function: function, By: by, Title: title, Prepare: prepare}
}

var (
	generatedPrune = contestant("Prune", "prune-gen", "Prune", func(s *Subject) func(map[string]any) {
		return s.Generated.Prune
	})
	kubePrune = contestant("Prune", "kubernetes", "pruning.Prune", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { pruning.Prune(obj, s.Kube.Structural, true) }
	})
	kubePruneCoerce = contestant("Prune", "kubernetes-metadata", "pruning.Prune and objectmeta.Coerce", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { pruneAndCoerce(obj, s.Kube.Structural) }
	})
	bareWalk = contestant("Prune", "walk", "bare walk", func(*Subject) func(map[string]any) {
		return func(obj map[string]any) { walk(obj) }
	})
	droppingWalk = contestant("Prune", "walk", "dropping walk", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.glance.drop(obj) }
	})
	memmove = contestant("Prune", "memmove", "memmove", func(s *Subject) func(map[string]any) {
		dst := make([]byte, len(s.Documents[0]))
		return func(map[string]any) { copy(dst, s.Documents[0]) }
	})

	generatedReport = contestant("PruneReport", "prune-gen", "PruneReport", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.PruneReport(obj) }
	})
	kubeReport = contestant("PruneReport", "kubernetes", "pruning.PruneWithOptions", func(s *Subject) func(map[string]any) {
		track := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
		return func(obj map[string]any) { pruning.PruneWithOptions(obj, s.Kube.Structural, true, track) }
	})

	generatedNormalize = contestant("Normalize", "prune-gen", "Normalize", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Normalize(obj, prunert.NormalizeOptions{}) }
	})
	kubeNormalize = contestant("Normalize", "kubernetes", "Kubernetes' five steps", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Kube.Normalize(obj, kube.FromRequest, false) }
	})
	generatedNormalizeReport = contestant("NormalizeReport", "prune-gen", "Normalize, reporting", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true}) }
	})
	kubeNormalizeReport = contestant("NormalizeReport", "kubernetes", "the five steps, reporting", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Kube.Normalize(obj, kube.FromRequest, true) }
	})

	generatedCheck = contestant("Check", "prune-gen", "Check", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Check(obj) }
	})
	kubeCheck = contestant("Check", "kubernetes", "schema validator", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Kube.Check(obj) }
	})

	generatedValidate = contestant("Validate", "prune-gen", "Validate", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Validate(obj) }
	})
	kubeValidate = contestant("Validate", "kubernetes", "ValidateCustomResource", func(s *Subject) func(map[string]any) {
		validator := schemaValidator(s)
		return func(obj map[string]any) { validation.ValidateCustomResource(nil, obj, validator) }
	})
	generatedValidateUpdate = contestant("ValidateUpdate", "prune-gen", "ValidateUpdate", func(s *Subject) func(map[string]any) {
		old := apiruntime.DeepCopyJSON(s.Object)
		return func(obj map[string]any) { s.Generated.ValidateUpdate(obj, old) }
	})
	kubeValidateUpdate = contestant("ValidateUpdate", "kubernetes", "ValidateCustomResourceUpdate", func(s *Subject) func(map[string]any) {
		validator, old := schemaValidator(s), apiruntime.DeepCopyJSON(s.Object)
		return func(obj map[string]any) {
			correlated := common.NewCorrelatedObject(obj, old, &model.Structural{Structural: s.Kube.Structural})
			validation.ValidateCustomResourceUpdate(nil, obj, old, validator, validation.WithRatcheting(correlated))
		}
	})
)

var (
	generatedCreate = contestant("Create", "prune-gen", "Create", func(s *Subject) func(map[string]any) {
		r := withoutRules(s.Generated)
		return asStored(s, func(obj map[string]any) { r.Create(obj, createRequest) })
	})
	generatedCreateParts = contestant("Create", "prune-gen-parts", "Normalize, Validate, ValidateMetadata", func(s *Subject) func(map[string]any) {
		return asStored(s, func(obj map[string]any) {
			s.Generated.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
			s.Generated.Validate(obj)
			s.Generated.ValidateMetadata(obj, nil)
		})
	})
)

// withoutRules returns a resource that evaluates no CEL rules. They have rows of their own, with objects that they allow.
func withoutRules(r prunert.Resource) prunert.Resource {
	r.HasRules, r.ValidateRules = false, nil
	return r
}

// createRequest is the request that objects are created with.
var createRequest = prunert.Request{Namespace: "default"}

// asStored returns a function that does something to an object that is as the API server would store it. It makes that of an
// object when it meets it for the first time.
func asStored(s *Subject, do func(map[string]any)) func(map[string]any) {
	const name = "created"
	r := withoutRules(s.Generated)
	return func(obj map[string]any) {
		if metadata, _ := obj["metadata"].(map[string]any); metadata["name"] != name {
			obj["metadata"] = map[string]any{"name": name, "labels": map[string]any{"app.kubernetes.io/name": name}}
			if err := r.Create(obj, createRequest).Err(); err != nil {
				panic(err) // there are valid objects only
			}
		}
		do(obj)
	}
}

// schemaValidator returns Kubernetes' validator for all that the schema says.
func schemaValidator(s *Subject) validation.SchemaValidator {
	validator, _, err := validation.NewSchemaValidator(s.Kube.Schema)
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
		return // an object that the API server refuses; there is none in the set
	}
	pruning.Prune(obj, s, true)
	if err := objectmeta.Coerce(nil, obj, s, false, false); err != nil {
		return
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

// Row is one line of the comparison: two contestants.
type Row struct {
	ID    string
	State State
	// Ours is compared with Theirs.
	Ours, Theirs *Contestant
	// Against describes Theirs.
	Against string
	// Ratio is how their times become one number.
	Ratio Ratio
	// NoPlot keeps a row out of the figures, which show the most important rows only.
	NoPlot bool
}

// Rows is all that is compared. A new comparison is a new entry here, and a contestant or two above.
var Rows = slices.Concat(objectRows, ruleRows, jsonRows)

// objectRows are the comparisons on decoded objects.
var objectRows = []Row{
	{
		ID: "prune-clean", State: Clean, Ours: generatedPrune, Theirs: kubePrune,
		Against: "pruning.Prune of apiextensions-apiserver, which leaves metadata alone: less work than is done here",
	},
	{
		ID: "prune-coerce", State: Clean, Ours: generatedPrune, Theirs: kubePruneCoerce,
		Against: "pruning.Prune together with what the API server does to drop unknown fields of metadata: the same work",
	},
	{
		ID: "prune-walk", State: Clean, Ours: generatedPrune, Theirs: bareWalk,
		Against: "a recursive walk over the object that does nothing", Ratio: Share,
	},
	{
		ID: "prune-real-walk", State: Real, Ours: generatedPrune, Theirs: bareWalk,
		Against: "a recursive walk over the object that does nothing, on the manifests that the modules of the corpus ship",
		Ratio:   Share, NoPlot: true,
	},
	{
		ID: "prune-real-coerce", State: Real, Ours: generatedPrune, Theirs: kubePruneCoerce,
		Against: "pruning.Prune together with what the API server does to drop unknown fields of metadata, on the same manifests",
		NoPlot:  true,
	},
	{
		ID: "prune-dirty", State: Dirty, Ours: generatedPrune, Theirs: kubePrune,
		Against: "pruning.Prune, which leaves metadata alone",
	},
	{
		ID: "prune-dirty-walk", State: Dirty, Ours: generatedPrune, Theirs: droppingWalk,
		Against: "a recursive walk that tells by the address of a key whether to drop the field: " +
			"what going through Go's maps and deleting from them takes by itself",
		Ratio: Share,
	},
	{
		ID: "report-dirty", State: Dirty, Ours: generatedReport, Theirs: kubeReport,
		Against: "pruning.PruneWithOptions, tracking paths, which leaves metadata alone",
	},
	{
		ID: "report-clean", State: Clean, Ours: generatedReport, Theirs: kubeReport,
		Against: "pruning.PruneWithOptions, tracking paths, which leaves metadata alone",
	},
	{
		ID: "normalize", State: Clean, Ours: generatedNormalizeReport, Theirs: kubeNormalizeReport,
		Against: "reading metadata, pruning, dropping nulls, coercing embedded metadata and defaulting, with the paths of unknown " +
			"fields, as the API server does it for a request unless it is asked for less",
	},
	{
		ID: "normalize-silent", State: Clean, Ours: generatedNormalize, Theirs: kubeNormalize,
		Against: "the same five steps without the paths, as with fieldValidation=Ignore",
	},
	{
		ID: "normalize-prune", State: Clean, Ours: generatedNormalize, Theirs: generatedPrune,
		Against: "generated pruning alone", Ratio: Share,
	},
	{
		ID: "normalize-dirty", State: Dirty, Ours: generatedNormalizeReport, Theirs: kubeNormalizeReport,
		Against: "the same five steps with the paths, on objects with unknown fields",
	},
	{
		ID: "check", State: Clean, Ours: generatedCheck, Theirs: kubeCheck,
		Against: "Kubernetes' schema validator on the schema without value validations",
	},
	{
		ID: "validate", State: Valid, Ours: generatedValidate, Theirs: kubeValidate,
		Against: "validation.ValidateCustomResource, which checks neither list types nor embedded resources, on valid objects",
	},
	{
		ID: "validate-invalid", State: Invalid, Ours: generatedValidate, Theirs: kubeValidate,
		Against: "the same on objects in which many values are wrong",
	},
	{
		ID: "validate-update", State: Valid, Ours: generatedValidateUpdate, Theirs: kubeValidateUpdate,
		Against: "validation.ValidateCustomResourceUpdate with ratcheting, from an equal object",
	},
	{
		ID: "create", State: Valid, Ours: generatedCreate, Theirs: generatedCreateParts,
		Against: "Normalize, Validate and ValidateMetadata alone, which it calls, on objects as they would be stored; without CEL rules, which have rows of their own",
		Ratio:   Share, NoPlot: true,
	},
	{
		ID: "prune-memmove", State: Clean, Ours: generatedPrune, Theirs: memmove,
		Against: "copying the bytes of the object's JSON, a floor for whatever handles JSON", Ratio: Share, NoPlot: true,
	},
}

// contestants returns those that take part in the rows with the given IDs on objects of a state, each once. A row takes part
// where what it is about was generated.
func contestants(ids []string, state State, generated prunert.Resource) []*Contestant {
	var all []*Contestant
	for _, r := range Rows {
		if r.State != state || !slices.Contains(ids, r.ID) || !hasFunction(r.Ours, generated) {
			continue
		}
		for _, c := range []*Contestant{r.Ours, r.Theirs} {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}
