package compare

import (
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// normalizing are the functions that do more to an object than pruning it.
func normalizing(always func(*Subject) bool, generated func(has func(*prunert.Resource) bool) func(*Subject) bool) []Function {
	const (
		normalizing = "GetObjectMeta, Prune, PruneNonNullableNullsWithoutDefaults, Coerce, SetObjectMeta, Default"
		defaulting  = "defaulting.Default"
		verdict     = "the same, then validation.ValidateCustomResource without value validations"
	)
	interpreter := func(s *Subject, obj map[string]any, opts prunert.NormalizeOptions) ([]string, error) {
		return interpret.Normalize(obj, s.Schema, interpret.PruneOptions{PreserveUnknownFields: !s.Version.Pruned}, opts)
	}
	generatedOne := func(s *Subject, obj map[string]any, opts prunert.NormalizeOptions) ([]string, error) {
		return s.Generated.Normalize(obj, opts)
	}
	hasNormalize := generated(func(r *prunert.Resource) bool { return r.Normalize != nil })
	return []Function{
		{Name: "interpret.Normalize", Theirs: normalizing, Applies: always, Compare: normalize(interpreter)},
		{Name: "Normalize", Theirs: normalizing, Applies: hasNormalize, Compare: normalize(generatedOne)},
		{
			Name: "interpret.Default", Theirs: defaulting, Applies: always,
			Compare: defaults(func(s *Subject, obj map[string]any) { interpret.Default(obj, interpret.PruneDefaults(s.Schema)) }),
		},
		{
			Name: "Default", Theirs: defaulting, Applies: generated(func(r *prunert.Resource) bool { return r.Default != nil }),
			Compare: defaults(func(s *Subject, obj map[string]any) { s.Generated.Default(obj) }),
		},
		{
			Name: "CheckNormalized", Theirs: verdict,
			Applies: generated(func(r *prunert.Resource) bool { return r.Normalize != nil && r.Check != nil }),
			Compare: checkNormalized,
		},
	}
}

type normalizer func(*Subject, map[string]any, prunert.NormalizeOptions) ([]string, error)

// normalize compares objects, whether they are refused, and the paths of unknown fields, for objects from requests and
// from storage, with and without a report. Kubernetes lists the unknown fields of malformed metadata from storage in random
// order.
func normalize(ours normalizer) func(*Case) *Difference {
	return func(c *Case) *Difference {
		var refused refusal // with a report, which must make no difference
		for _, opts := range normalizeOptions {
			theirs := c.kubeNormalized(opts)
			got := jsonvalue.Copy(c.Object)
			unknown, err := ours(c.Subject, got, opts)
			if opts.Source == prunert.FromStorage {
				slices.Sort(unknown)
			}
			var d *Difference
			switch {
			case (err == nil) != (theirs.err == nil):
				d = differ("verdict", fmt.Sprint(err), fmt.Sprint(theirs.err))
			case err != nil && len(unknown) > 0:
				d = differ("unknown fields of a refused object", fmt.Sprintf("%q", unknown), "none")
			case err != nil && opts.ReportUnknown:
				refused = refusal{err.Error(), got}
			case err != nil:
				if d = values("refused", got, refused.object); d == nil {
					d = lists("error", []string{err.Error()}, []string{refused.text})
				}
			default:
				if d = values("", got, theirs.object); d == nil {
					d = lists("unknown field", unknown, theirs.unknown)
				}
			}
			if d != nil {
				d.At = fmt.Sprintf("%s: %s", describeOptions(opts), d.At)
				return d
			}
		}
		return nil
	}
}

// refusal is what is left of an object that we refuse, and why.
type refusal struct {
	text   string
	object map[string]any
}

// normalizeOptions are all that there are. The one with a report is before the one without.
var normalizeOptions = []prunert.NormalizeOptions{
	{Source: prunert.FromRequest, ReportUnknown: true}, {Source: prunert.FromRequest},
	{Source: prunert.FromStorage, ReportUnknown: true}, {Source: prunert.FromStorage},
}

func describeOptions(opts prunert.NormalizeOptions) string {
	text := "from a request"
	if opts.Source == prunert.FromStorage {
		text = "from storage"
	}
	if !opts.ReportUnknown {
		text += ", without a report"
	}
	return text
}

// normalized is what Kubernetes makes of an object when it normalizes it. The paths of one from storage are sorted.
type normalized struct {
	object  map[string]any
	unknown []string
	err     error
}

// kubeNormalized returns what Kubernetes makes of the object. Several functions are compared with it.
func (c *Case) kubeNormalized(opts prunert.NormalizeOptions) *normalized {
	if n := c.normalized[opts]; n != nil {
		return n
	}
	n := &normalized{object: jsonvalue.Copy(c.Object)}
	n.unknown, n.err = c.Kube.Normalize(n.object, kube.Source(opts.Source), opts.ReportUnknown)
	if opts.Source == prunert.FromStorage {
		slices.Sort(n.unknown)
	}
	if c.normalized == nil {
		c.normalized = map[prunert.NormalizeOptions]*normalized{}
	}
	c.normalized[opts] = n
	return n
}

func defaults(ours func(*Subject, map[string]any)) func(*Case) *Difference {
	return func(c *Case) *Difference {
		theirs, got := jsonvalue.Copy(c.Object), jsonvalue.Copy(c.Object)
		if err := c.Kube.Default(theirs); err != nil {
			return differ("", "no error", err.Error())
		}
		ours(c.Subject, got)
		return values("", got, theirs)
	}
}

// checkNormalized compares what Check says of an object that Normalize has accepted with what the API server says of it at
// that point.
func checkNormalized(c *Case) *Difference {
	theirs := c.kubeNormalized(prunert.NormalizeOptions{Source: prunert.FromRequest})
	if theirs.err != nil {
		return nil // refused before anybody looks at types
	}
	got := jsonvalue.Copy(c.Object)
	if _, err := c.Generated.Normalize(got, prunert.NormalizeOptions{}); err != nil {
		return differ("", err.Error(), "no error")
	}
	errs, wanted := c.Generated.Check(got), c.Kube.Check(theirs.object)
	d := lists("error", errorTexts(errs), wanted)
	if d == nil {
		return nil
	}
	errs = slices.DeleteFunc(errs, isLateTime)
	if lists("error", errorTexts(errs), wanted) == nil {
		d.Known = known.TimesBeyond9999
	}
	return d
}

// isLateTime reports whether an error is about a time that no decoder takes because its year has five digits.
func isLateTime(e *prunert.Error) bool {
	text, ok := e.BadValue.(string)
	return ok && len(text) > 5 && text[4] >= '0' && text[4] <= '9' && text[5] == '-'
}
