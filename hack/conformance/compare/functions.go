package compare

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Function is one of ours, with what it is compared to.
type Function struct {
	// Name is what the scoreboard calls it.
	Name string
	// Theirs names Kubernetes' functions on the other side.
	Theirs string
	// Applies reports whether the function is there for a subject.
	Applies func(*Subject) bool
	// Compare runs both sides and returns the first difference; nil for none. A known difference is returned only where
	// there is no other.
	Compare func(*Case) *Difference
	// Values reports whether it depends on value validation.
	Values bool
}

// Case is an object of a subject. Nobody changes the object.
type Case struct {
	*Subject
	Object map[string]any

	seed       uint64 // of what updates lead to the object from
	pruned     *pruned
	normalized map[prunert.NormalizeOptions]*normalized
	spelled    [][]byte // the object as JSON, by spelling
	validated  []*validated
	metadata   *validated
	errors     int // of Kubernetes that the function was compared with
}

// NewCase returns the case that obj is for s.
func NewCase(s *Subject, obj map[string]any) *Case { return &Case{Subject: s, Object: obj} }

// with returns the case that another object is.
func (c *Case) with(obj map[string]any) *Case {
	return &Case{Subject: c.Subject, Object: obj, seed: c.seed}
}

// pruned is what Kubernetes makes of an object when it prunes it. Several functions are compared with it.
type pruned struct {
	// before is the object without the metadata that Kubernetes refuses, of which there are so many.
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

// Functions is everything that is compared on objects.
func Functions() []Function {
	always := func(*Subject) bool { return true }
	generated := func(has func(*prunert.Resource) bool) func(*Subject) bool {
		return func(s *Subject) bool { return s.Generated != nil && has(s.Generated) }
	}
	const (
		pruning  = "pruning.PruneWithOptions, objectmeta.GetObjectMetaWithOptions"
		checking = "validation.ValidateCustomResource without value validations, objectmeta.GetObjectMetaWithOptions"
	)
	pruned := []Function{
		{
			Name: "interpret.Prune", Theirs: pruning, Applies: always,
			Compare: prune(func(s *Subject, obj map[string]any) ([]string, bool) {
				opts := interpret.PruneOptions{PreserveUnknownFields: !s.Version.Pruned}
				return interpret.Prune(obj, s.Schema, opts), true
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
			Name: "interpret.Check", Theirs: checking, Applies: always,
			Compare: check(func(s *Subject, obj map[string]any) prunert.ErrorList { return interpret.Check(obj, s.Schema) }),
		},
		{
			Name: "Check", Theirs: checking, Applies: generated(func(r *prunert.Resource) bool { return r.Check != nil }),
			Compare: check(func(s *Subject, obj map[string]any) prunert.ErrorList { return s.Generated.Check(obj) }),
		},
	}
	return slices.Concat(pruned, normalizing(always, generated), onJSON(always, generated), validating(always, generated))
}

// prune compares objects and, where ours reports them, the dropped paths.
func prune(ours func(*Subject, map[string]any) (paths []string, reports bool)) func(*Case) *Difference {
	return func(c *Case) *Difference {
		// Metadata that Kubernetes refuses is no part of the comparison: it is out for the first look.
		theirs := c.kubePruned()
		got := jsonvalue.Copy(theirs.before)
		paths, reports := ours(c.Subject, got)
		if d := values("", got, theirs.after); d != nil {
			return d
		}
		var wanted *Difference
		if reports {
			wanted = reported(paths, theirs.dropped)
			if wanted != nil && wanted.Known == "" {
				return wanted
			}
			if changed := !equal(theirs.before, got); changed != (len(paths) > 0) {
				return differ("report", fmt.Sprintf("%d paths", len(paths)), fmt.Sprintf("changed: %t", changed))
			}
		}
		// Once more is no more: what is left is what Kubernetes leaves.
		if paths, _ := ours(c.Subject, got); len(paths) > 0 {
			return differ("second run", fmt.Sprintf("drops %q", paths), "nothing is left to drop")
		}
		if d := values("", got, theirs.after); d != nil {
			d.At = "second run: " + d.At
			return d
		}
		if theirs.malformed > 0 {
			// The malformed metadata is there now, and must change nothing elsewhere.
			got = jsonvalue.Copy(c.Object)
			ours(c.Subject, got)
			c.Kube.Malformed(got)
			if d := values("", got, theirs.after); d != nil {
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
func check(ours func(*Subject, map[string]any) prunert.ErrorList) func(*Case) *Difference {
	return func(c *Case) *Difference {
		obj := jsonvalue.Copy(c.Object)
		metas := c.Kube.TakeMetas(obj)
		plain := errorTexts(ours(c.Subject, obj))
		if d := lists("error", plain, c.Kube.Check(obj)); d != nil {
			return d
		}
		var wanted *Difference
		for _, m := range metas {
			m.Restore()
			with := errorTexts(ours(c.Subject, obj))
			m.Remove()
			bad := !slices.Equal(with, plain)
			// A field below one without a name can have the path of this one, and an error is listed once.
			bad = bad || slices.ContainsFunc(plain, func(text string) bool { return m.Bad && strings.HasPrefix(text, m.Path+": ") })
			if bad != m.Bad {
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
}

func errorTexts(list prunert.ErrorList) []string {
	var texts []string
	for _, e := range list {
		texts = append(texts, e.Error())
	}
	return texts
}

// compare is Compare with a panic as one more difference.
func (f Function) compare(c *Case) (d *Difference) {
	defer func() {
		if r := recover(); r != nil {
			d = differ("panic", fmt.Sprint(r), string(debug.Stack()))
		}
	}()
	return f.Compare(c)
}
