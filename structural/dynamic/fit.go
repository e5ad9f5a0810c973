package dynamic

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/lint"
	"github.com/prune-gen/prune-gen/structural/load"
)

// LoadCRD reads one CRD, in YAML or JSON. The error names everything that is wrong with it.
func LoadCRD(data []byte) (*structural.CRD, error) {
	f := load.Load("CustomResourceDefinition", strings.NewReader(string(data)))
	lint.Refused(f)
	var errs []string
	for _, finding := range f.Findings {
		if finding.Severity == structural.SeverityError {
			errs = append(errs, fmt.Sprintf("line %d: %s", finding.Line, finding.Message))
		}
	}
	switch {
	case len(errs) > 0:
		return nil, fmt.Errorf("read the CustomResourceDefinition: %s", strings.Join(errs, "; "))
	case len(f.CRDs) != 1:
		return nil, fmt.Errorf("read the CustomResourceDefinition: there are %d, want one", len(f.CRDs))
	}
	return f.CRDs[0], nil
}

// LoadCRDObject reads a CRD that was decoded already: the content of an unstructured object, for example.
func LoadCRDObject(obj map[string]any) (*structural.CRD, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, fmt.Errorf("read the CustomResourceDefinition: %w", err)
	}
	return LoadCRD(data)
}

// Fit says how generated code fits the CRD that is installed.
type Fit struct {
	// Same says that the code was generated from an equivalent CRD.
	Same bool
	// Lost are the fields that the CRD specifies and the code would drop, Extra those that the code keeps and the API
	// server would drop: only the topmost of each. Both are empty where the fields are the same and something else
	// differs, a type or a default, or where the code was generated without Fields.
	Lost, Extra []string
}

// Fits compares generated code with the CRD that is installed. It is an error when the CRD is one of another kind or does
// not have the version.
func Fits(r prunert.Resource, installed *structural.CRD) (Fit, error) {
	aspects, semantics, isHash := structural.ParseHash(r.SchemaHash)
	v, behavior, err := behaviorOf(installed, r.Version, semantics)
	if err != nil {
		return Fit{}, err
	}
	compiled := interpreted(installed, v, behavior)
	if compiled.Group != r.Group || compiled.Kind != r.Kind {
		return Fit{}, fmt.Errorf("the code is for %s %s, and the CRD for %s %s", r.APIVersion(), r.Kind, compiled.APIVersion(), compiled.Kind)
	}
	if isHash && behavior.Hash(aspects) == r.SchemaHash && answersAlike(r, compiled) {
		return Fit{Same: true}, nil
	}
	var fit Fit
	if r.Fields == nil {
		return fit, nil
	}
	ours, theirs := newFieldSet(r.Fields), newFieldSet(compiled.Fields)
	fit.Lost, fit.Extra = theirs.without(ours), ours.without(theirs)
	return fit, nil
}

// answersAlike reports whether two resources with the same functions answer requests alike.
func answersAlike(r, other prunert.Resource) bool {
	if r.Normalize == nil || r.Validate == nil || r.ValidateMetadata == nil {
		return true // it answers none
	}
	return r.Namespaced == other.Namespaced && r.Status == other.Status && r.DeprecationWarning == other.DeprecationWarning &&
		reflect.DeepEqual(r.Scale, other.Scale)
}

// fieldSet is what a Fields function lists.
type fieldSet map[string]bool

func newFieldSet(fields func(visit func(path string))) fieldSet {
	set := fieldSet{}
	fields(func(path string) { set[path] = true })
	return set
}

// without returns the topmost paths of s that are kept by no path of other, sorted.
func (s fieldSet) without(other fieldSet) []string {
	missing := fieldSet{}
	for _, path := range slices.Sorted(maps.Keys(s)) { // what is above a path comes before it
		if !other.keeps(path) && !missing.hasAbove(path) {
			missing[path] = true
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

// hasAbove reports whether a path above the given one is in the set.
func (s fieldSet) hasAbove(path string) bool {
	for i := 1; i < len(path); i++ {
		if (path[i] == '.' || path[i] == '[') && s[path[:i]] {
			return true
		}
	}
	return false
}

// keeps reports whether the place that path names is kept: it is listed itself, or everything below a place above it is.
func (s fieldSet) keeps(path string) bool {
	if s[path] {
		return true
	}
	// Values that are all kept are the same as keeping everything.
	if rest, ok := strings.CutSuffix(path, "..."); ok && s[rest+"[*]..."] {
		return true
	}
	for i := range len(path) {
		if path[i] != '.' && path[i] != '[' {
			continue
		}
		if s[path[:i]+"..."] {
			return true
		}
		// A field is kept as well where any key is.
		if end := strings.IndexAny(path[i+1:]+".", ".["); path[i] == '.' && end > 0 && s[path[:i]+"[*]"+path[i+1+end:]] {
			return true
		}
	}
	return false
}
