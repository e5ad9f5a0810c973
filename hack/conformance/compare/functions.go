package compare

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Function is one of ours, with what it is compared to.
type Function struct {
	// Name is what the scoreboard calls it.
	Name string
	// Theirs names Kubernetes' functions on the other side.
	Theirs string
	// Applies tells whether the function is there for a subject.
	Applies func(*Subject) bool
	// Compare runs both sides on obj, which it leaves alone, and returns the first difference; nil for none. A known
	// difference is returned only where there is no other.
	Compare func(s *Subject, obj map[string]any) *Difference
}

// Functions is everything that is compared on objects.
func Functions() []Function {
	always := func(*Subject) bool { return true }
	generated := func(has func(*prunert.Resource) bool) func(*Subject) bool {
		return func(s *Subject) bool { return s.Generated != nil && has(s.Generated) }
	}
	const pruning = "pruning.PruneWithOptions, objectmeta.GetObjectMetaWithOptions"
	return []Function{
		{
			Name: "structural.Prune", Theirs: pruning, Applies: always,
			Compare: prune(func(s *Subject, obj map[string]any) ([]string, bool) {
				opts := structural.PruneOptions{PreserveUnknownFields: !s.Version.Pruned}
				return structural.Prune(obj, s.Schema, opts), true
			}),
		},
		{
			Name: "Prune", Theirs: pruning, Applies: generated(func(r *prunert.Resource) bool { return r.Prune != nil }),
			Compare: prune(func(s *Subject, obj map[string]any) ([]string, bool) {
				s.Generated.Prune(obj)
				return nil, false
			}),
		},
		{
			Name: "PruneReport", Theirs: pruning, Applies: generated(func(r *prunert.Resource) bool { return r.PruneReport != nil }),
			Compare: prune(func(s *Subject, obj map[string]any) ([]string, bool) {
				return s.Generated.PruneReport(obj), true
			}),
		},
		{
			Name: "Check", Theirs: "validation.ValidateCustomResource without value validations, objectmeta.GetObjectMetaWithOptions",
			Applies: generated(func(r *prunert.Resource) bool { return r.Check != nil }),
			Compare: check,
		},
	}
}

// prune compares objects and, where ours reports them, the dropped paths.
func prune(ours func(*Subject, map[string]any) (paths []string, reports bool)) func(*Subject, map[string]any) *Difference {
	return func(s *Subject, obj map[string]any) *Difference {
		// Metadata that Kubernetes refuses is no part of the comparison: take it out for the first look.
		theirs := clone(obj)
		malformed := s.Kube.Malformed(theirs)
		got := clone(theirs)
		before := clone(theirs)
		dropped := s.Kube.Prune(theirs)
		paths, reports := ours(s, got)
		if d := values("", got, theirs); d != nil {
			return d
		}
		var wanted *Difference
		if reports {
			wanted = reported(paths, dropped)
			if wanted != nil && wanted.Known == "" {
				return wanted
			}
			if changed := values("", before, got) != nil; changed != (len(paths) > 0) {
				return differ("report", fmt.Sprintf("%d paths", len(paths)), fmt.Sprintf("changed: %t", changed))
			}
		}
		// Once more is no more.
		again := clone(got)
		if paths, _ := ours(s, again); len(paths) > 0 {
			return differ("second run", fmt.Sprintf("drops %q", paths), "nothing is left to drop")
		}
		if d := values("", again, got); d != nil {
			d.At = "second run: " + d.At
			return d
		}
		if malformed > 0 {
			// The malformed metadata is there now, and must change nothing elsewhere.
			got = clone(obj)
			ours(s, got)
			s.Kube.Malformed(got)
			if d := values("", got, theirs); d != nil {
				return d
			}
		}
		return wanted
	}
}

// reported compares the dropped paths with those that Kubernetes reports. The two may differ where Kubernetes does not
// report all it drops: then ours are those that it drops.
func reported(ours []string, dropped kube.Dropped) *Difference {
	d := lists("dropped path", ours, dropped.Reported)
	if d == nil || !slices.Equal(ours, dropped.All) {
		return d
	}
	d.Known = known.MetadataAlikePaths
	if dropped.MostUnknown > 100 {
		d.Known = known.MetadataBeyond100
	}
	return d
}

// check compares the errors outside of metadata one by one. For apiVersion, kind and metadata of a resource it compares
// whether there are any: Kubernetes decodes metadata into a Go type, stops at the first error and words it as that
// decoder does, while ours says what is wrong in the words of a schema.
func check(s *Subject, obj map[string]any) *Difference {
	obj = clone(obj)
	metas := s.Kube.TakeMetas(obj)
	plain := errorTexts(s.Generated.Check(obj))
	if d := lists("error", plain, s.Kube.Check(obj)); d != nil {
		return d
	}
	var wanted *Difference
	for _, m := range metas {
		m.Restore()
		with := errorTexts(s.Generated.Check(obj))
		m.Remove()
		if bad := !slices.Equal(with, plain); bad != m.Bad {
			var extra []string
			for _, t := range with {
				if !slices.Contains(plain, t) {
					extra = append(extra, t)
				}
			}
			return differ(m.Path, fmt.Sprintf("errors %q", extra), fmt.Sprintf("refused: %t", m.Bad))
		}
		if m.Bad {
			wanted = &Difference{Known: known.MetadataWords}
		}
	}
	return wanted
}

func errorTexts(list prunert.ErrorList) []string {
	var texts []string
	for _, e := range list {
		texts = append(texts, e.Error())
	}
	return texts
}

// compare is Compare with a panic as one more difference.
func (f Function) compare(s *Subject, obj map[string]any) (d *Difference) {
	defer func() {
		if r := recover(); r != nil {
			d = differ("panic", fmt.Sprint(r), string(debug.Stack()))
		}
	}()
	return f.Compare(s, obj)
}
