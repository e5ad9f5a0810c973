package compare

import (
	"fmt"
	"runtime/debug"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Function is one of ours, with how it is compared to Kubernetes'.
type Function struct {
	// Name is what the scoreboard calls it.
	Name string
	// resource returns the functions of a subject that it is one of, nil for none.
	resource func(*Subject) *prunert.Resource
	comparison
}

type comparison struct {
	// interpreter is the name of the interpreter that is compared in the same way, generated that of the generated function.
	interpreter, generated string
	has                    func(*prunert.Resource) bool
	// differ runs both sides and returns the first difference; nil for none. A known difference is returned only where there is no
	// other.
	differ func(*Case, *prunert.Resource) *Difference
	// values reports whether it depends on value validation.
	values bool
}

// comparisons is everything that is compared on objects.
var comparisons = []comparison{
	{"", "Prune", func(r *prunert.Resource) bool { return r.Prune != nil }, prune, false},
	{"interpret.Prune", "PruneReport", func(r *prunert.Resource) bool { return r.PruneReport != nil }, pruneReport, false},
	{"interpret.Check", "Check", func(r *prunert.Resource) bool { return r.Check != nil }, check, false},
	{"interpret.Normalize", "Normalize", func(r *prunert.Resource) bool { return r.Normalize != nil }, normalize, false},
	{"interpret.Default", "Default", func(r *prunert.Resource) bool { return r.Default != nil }, defaults, false},
	{"", "CheckNormalized", func(r *prunert.Resource) bool { return r.Normalize != nil && r.Check != nil }, checkNormalized, false},
	{"interpretjson.PruneJSON", "PruneJSON", func(r *prunert.Resource) bool { return r.PruneJSON != nil }, pruneJSON, false},
	{"interpretjson.PruneJSONReport", "PruneJSONReport", func(r *prunert.Resource) bool { return r.PruneJSONReport != nil }, pruneJSONReport, false},
	{"interpretjson.DecodeJSON", "DecodeJSON", func(r *prunert.Resource) bool { return r.DecodeJSON != nil }, decodeJSON, false},
	{"interpret.Validate", "Validate", func(r *prunert.Resource) bool { return r.Validate != nil }, validate, true},
	{"interpret.ValidateUpdate", "ValidateUpdate", func(r *prunert.Resource) bool { return r.ValidateUpdate != nil }, validateUpdate, true},
	{"interpret.ValidateMetadata", "ValidateMetadata", func(r *prunert.Resource) bool { return r.ValidateMetadata != nil }, validateMetadata, false},
}

// Functions is everything that is compared on objects: the interpreters and generated code.
func Functions() []Function {
	var all []Function
	for _, c := range comparisons {
		if c.interpreter != "" {
			all = append(all, Function{c.interpreter, func(s *Subject) *prunert.Resource { return s.Interpreted }, c})
		}
		all = append(all, Function{c.generated, func(s *Subject) *prunert.Resource { return s.Generated }, c})
	}
	return all
}

// Interprets reports whether the function is one of an interpreter.
func (f Function) Interprets() bool { return f.Name == f.interpreter }

// Applies reports whether the function exists for a subject.
func (f Function) Applies(s *Subject) bool {
	r := f.resource(s)
	return r != nil && f.has(r)
}

// Compare runs both sides and returns the first difference; nil for none. A panic is one more difference.
func (f Function) Compare(c *Case) (d *Difference) {
	defer func() {
		if r := recover(); r != nil {
			d = differ("panic", fmt.Sprint(r), string(debug.Stack()))
		}
	}()
	return f.differ(c, f.resource(c.Subject))
}

// Case is an object of a subject. Nobody changes the object.
type Case struct {
	*Subject
	Object map[string]any

	seed       uint64 // of the object, and of what updates lead to it from
	pruned     *pruned
	normalized map[prunert.NormalizeOptions]*normalized
	spelled    [][]byte // the object as JSON, by spelling
	validated  []*validated
	metadata   *validated
	errors     int // of Kubernetes that the function was compared with
}

// NewCase returns the case that obj is for s.
func NewCase(s *Subject, obj map[string]any) *Case { return &Case{Subject: s, Object: obj} }

// pruned is what Kubernetes makes of an object when it prunes it. Several functions are compared with it.
type pruned struct {
	// before is the object without the metadata that Kubernetes refuses, with the number of those.
	before    map[string]any
	malformed int
	after     map[string]any
	dropped   kube.Dropped
}

func (c *Case) kubePruned() *pruned {
	if c.pruned == nil {
		p := &pruned{before: jsonvalue.Copy(c.Object)}
		p.malformed = c.Kube.Malformed(p.before)
		p.after = jsonvalue.Copy(p.before)
		p.dropped = c.Kube.Prune(p.after)
		c.pruned = p
	}
	return c.pruned
}
