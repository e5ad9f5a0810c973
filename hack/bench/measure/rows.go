package measure

import (
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/cel/common"
)

// Subject is an object with all that the contestants need to work on it.
type Subject struct {
	Generated prunert.Resource
	Kube      *kube.Resource
	JSON      []byte
	Object    map[string]any

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
}

var (
	generatedPrune = &Contestant{"Prune", "prune-gen", "Prune", func(s *Subject) func(map[string]any) {
		return s.Generated.Prune
	}}
	generatedPruneAgain = &Contestant{"Prune", "prune-gen-again", "Prune", func(s *Subject) func(map[string]any) {
		return s.Generated.Prune
	}}
	kubePrune = &Contestant{"Prune", "kubernetes", "pruning.Prune", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { pruning.Prune(obj, s.Kube.Structural, true) }
	}}
	bareWalk = &Contestant{"Prune", "walk", "bare walk", func(*Subject) func(map[string]any) {
		return func(obj map[string]any) { walk(obj) }
	}}
	droppingWalk = &Contestant{"Prune", "walk", "dropping walk", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.glance.drop(obj) }
	}}
	memmove = &Contestant{"Prune", "memmove", "memmove", func(s *Subject) func(map[string]any) {
		dst := make([]byte, len(s.JSON))
		return func(map[string]any) { copy(dst, s.JSON) }
	}}

	generatedReport = &Contestant{"PruneReport", "prune-gen", "PruneReport", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.PruneReport(obj) }
	}}
	kubeReport = &Contestant{"PruneReport", "kubernetes", "pruning.PruneWithOptions", func(s *Subject) func(map[string]any) {
		track := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
		return func(obj map[string]any) { pruning.PruneWithOptions(obj, s.Kube.Structural, true, track) }
	}}

	generatedNormalize = &Contestant{"Normalize", "prune-gen", "Normalize", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Normalize(obj, prunert.NormalizeOptions{}) }
	}}
	kubeNormalize = &Contestant{"Normalize", "kubernetes", "Kubernetes' five steps", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Kube.Normalize(obj, kube.FromRequest, false) }
	}}
	generatedNormalizeReport = &Contestant{"NormalizeReport", "prune-gen", "Normalize, reporting", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true}) }
	}}
	kubeNormalizeReport = &Contestant{"NormalizeReport", "kubernetes", "the five steps, reporting", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Kube.Normalize(obj, kube.FromRequest, true) }
	}}

	generatedCheck = &Contestant{"Check", "prune-gen", "Check", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Check(obj) }
	}}
	kubeCheck = &Contestant{"Check", "kubernetes", "schema validator", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Kube.Check(obj) }
	}}

	generatedValidate = &Contestant{"Validate", "prune-gen", "Validate", func(s *Subject) func(map[string]any) {
		return func(obj map[string]any) { s.Generated.Validate(obj) }
	}}
	kubeValidate = &Contestant{"Validate", "kubernetes", "ValidateCustomResource", func(s *Subject) func(map[string]any) {
		validator := schemaValidator(s)
		return func(obj map[string]any) { validation.ValidateCustomResource(nil, obj, validator) }
	}}
	generatedValidateUpdate = &Contestant{"ValidateUpdate", "prune-gen", "ValidateUpdate", func(s *Subject) func(map[string]any) {
		old := apiruntime.DeepCopyJSON(s.Object)
		return func(obj map[string]any) { s.Generated.ValidateUpdate(obj, old) }
	}}
	kubeValidateUpdate = &Contestant{"ValidateUpdate", "kubernetes", "ValidateCustomResourceUpdate", func(s *Subject) func(map[string]any) {
		validator, old := schemaValidator(s), apiruntime.DeepCopyJSON(s.Object)
		return func(obj map[string]any) {
			correlated := common.NewCorrelatedObject(obj, old, &model.Structural{Structural: s.Kube.Structural})
			validation.ValidateCustomResourceUpdate(nil, obj, old, validator, validation.WithRatcheting(correlated))
		}
	}}
)

// schemaValidator returns Kubernetes' validator for all that the schema says.
func schemaValidator(s *Subject) validation.SchemaValidator {
	validator, _, err := validation.NewSchemaValidator(s.Kube.Schema)
	if err != nil {
		panic(err) // there is one for the types already
	}
	return validator
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

// Row is one line of the comparison: two contestants, and what is aimed at.
type Row struct {
	ID    string
	State State
	// Ours is compared with Theirs.
	Ours, Theirs *Contestant
	// Against says in words what Theirs is.
	Against string
	// Goal is what is aimed at, Allocs how many allocations are allowed.
	Goal   Goal
	Allocs Allocs
	// NoPlot keeps a row out of the plots: it would not tell anything there.
	NoPlot bool
}

// Rows is all that is compared. A new comparison is a new entry here, and a contestant or two above.
var Rows = []Row{
	{
		ID: "prune-clean", State: Clean, Ours: generatedPrune, Theirs: kubePrune,
		Against: "pruning.Prune of apiextensions-apiserver", Goal: TimesAsFast(12), Allocs: NoAllocs,
	},
	{
		ID: "prune-walk", State: Clean, Ours: generatedPrune, Theirs: bareWalk,
		Against: "a recursive walk over the object that does nothing", Goal: OfTheTime(0.75),
	},
	{
		ID: "prune-dirty", State: Dirty, Ours: generatedPrune, Theirs: kubePrune,
		Against: "pruning.Prune", Goal: TimesAsFast(8), Allocs: NoAllocs,
	},
	{
		ID: "prune-dirty-walk", State: Dirty, Ours: generatedPrune, Theirs: droppingWalk,
		Against: "a recursive walk that tells by the address of a key whether to drop the field: " +
			"what going through Go's maps and deleting from them takes by itself",
		Goal: NoGoal(OfTheTime(0)),
	},
	{
		ID: "report-dirty", State: Dirty, Ours: generatedReport, Theirs: kubeReport,
		Against: "pruning.PruneWithOptions, tracking paths", Goal: TimesAsFast(8),
	},
	{
		ID: "report-clean", State: Clean, Ours: generatedReport, Theirs: kubeReport,
		Against: "pruning.PruneWithOptions, tracking paths", Goal: TimesAsFast(8),
	},
	{
		ID: "normalize", State: Clean, Ours: generatedNormalizeReport, Theirs: kubeNormalizeReport,
		Against: "reading metadata, pruning, dropping nulls, coercing embedded metadata and defaulting, with the paths of unknown " +
			"fields, as the API server does it for a request unless it is asked for less",
		Goal: TimesAsFast(35), Allocs: NoAllocs,
	},
	{
		ID: "normalize-silent", State: Clean, Ours: generatedNormalize, Theirs: kubeNormalize,
		Against: "the same five steps without the paths, as with fieldValidation=Ignore",
		Goal:    TimesAsFast(35), Allocs: NoAllocs,
	},
	{
		ID: "normalize-prune", State: Clean, Ours: generatedNormalize, Theirs: generatedPrune,
		Against: "generated pruning alone", Goal: OfTheTime(1.3),
	},
	{
		ID: "normalize-dirty", State: Dirty, Ours: generatedNormalizeReport, Theirs: kubeNormalizeReport,
		Against: "the same five steps with the paths, on objects with unknown fields", Goal: NoGoal(TimesAsFast(0)),
	},
	{
		ID: "check", State: Clean, Ours: generatedCheck, Theirs: kubeCheck,
		Against: "Kubernetes' schema validator on the schema without value validations", Goal: TimesAsFast(100), Allocs: NoAllocs,
	},
	{
		ID: "validate", State: Valid, Ours: generatedValidate, Theirs: kubeValidate,
		Against: "validation.ValidateCustomResource, which checks neither list types nor embedded resources, on valid objects",
		Goal:    TimesAsFast(80), Allocs: NoAllocs,
	},
	{
		ID: "validate-invalid", State: Invalid, Ours: generatedValidate, Theirs: kubeValidate,
		Against: "the same on objects in which many values are wrong", Goal: NoGoal(TimesAsFast(0)),
	},
	{
		ID: "validate-update", State: Valid, Ours: generatedValidateUpdate, Theirs: kubeValidateUpdate,
		Against: "validation.ValidateCustomResourceUpdate with ratcheting, from an equal object", Goal: TimesAsFast(80), Allocs: NoAllocs,
	},
	{
		ID: "prune-memmove", State: Clean, Ours: generatedPrune, Theirs: memmove,
		Against: "copying the bytes of the object's JSON, a floor for whatever handles JSON", Goal: NoGoal(OfTheTime(0)), NoPlot: true,
	},
	{
		ID: "noise", State: Clean, Ours: generatedPrune, Theirs: generatedPruneAgain,
		Against: "itself: what a ratio of 1 looks like on this machine", Goal: NoGoal(TimesAsFast(0)), NoPlot: true,
	},
}

// contestants returns those that take part in the rows with the given IDs on objects of a state, each once.
func contestants(ids []string, state State) []*Contestant {
	var all []*Contestant
	for _, r := range Rows {
		if r.State != state || !slices.Contains(ids, r.ID) {
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
