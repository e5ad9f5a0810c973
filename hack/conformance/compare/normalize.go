package compare

import (
	"fmt"
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// normalizing are the functions that do more to an object than pruning it.
func normalizing(always func(*Subject) bool, generated func(has func(*prunert.Resource) bool) func(*Subject) bool) []Function {
	const (
		normalizing = "GetObjectMeta, Prune, PruneNonNullableNullsWithoutDefaults, Coerce, SetObjectMeta, Default"
		defaulting  = "defaulting.Default"
		verdict     = "the same, then validation.ValidateCustomResource without value validations"
	)
	interpreter := func(s *Subject, obj map[string]any, opts prunert.NormalizeOptions) ([]string, error) {
		return structural.Normalize(obj, s.Schema, structural.PruneOptions{PreserveUnknownFields: !s.Version.Pruned}, opts)
	}
	generatedOne := func(s *Subject, obj map[string]any, opts prunert.NormalizeOptions) ([]string, error) {
		return s.Generated.Normalize(obj, opts)
	}
	hasNormalize := generated(func(r *prunert.Resource) bool { return r.Normalize != nil })
	return []Function{
		{Name: "structural.Normalize", Theirs: normalizing, Applies: always, Compare: normalize(interpreter)},
		{Name: "Normalize", Theirs: normalizing, Applies: hasNormalize, Compare: normalize(generatedOne)},
		{
			Name: "structural.Default", Theirs: defaulting, Applies: always,
			Compare: defaults(func(s *Subject, obj map[string]any) { structural.Default(obj, structural.PruneDefaults(s.Schema)) }),
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
// from storage. Kubernetes lists the unknown fields of malformed metadata from storage in random order.
func normalize(ours normalizer) func(*Case) *Difference {
	return func(c *Case) *Difference {
		for _, source := range []prunert.Source{prunert.FromRequest, prunert.FromStorage} {
			theirs := clone(c.Object)
			wantUnknown, wantErr := c.Kube.Normalize(theirs, kube.Source(source), true)
			got := clone(c.Object)
			unknown, err := ours(c.Subject, got, prunert.NormalizeOptions{Source: source, ReportUnknown: true})
			if (err == nil) != (wantErr == nil) {
				return differ(fmt.Sprintf("source %d: verdict", source), fmt.Sprint(err), fmt.Sprint(wantErr))
			}
			silent := clone(c.Object)
			none, silentErr := ours(c.Subject, silent, prunert.NormalizeOptions{Source: source})
			if len(none) > 0 || fmt.Sprint(silentErr) != fmt.Sprint(err) {
				return differ("without a report", fmt.Sprintf("%q, %v", none, silentErr), fmt.Sprint(err))
			}
			if d := values("without a report", silent, got); d != nil {
				return d
			}
			if err != nil {
				continue
			}
			if d := values("", got, theirs); d != nil {
				d.At = fmt.Sprintf("source %d: %s", source, d.At)
				return d
			}
			if source == prunert.FromStorage {
				slices.Sort(unknown)
				slices.Sort(wantUnknown)
			}
			if d := lists("unknown field", unknown, wantUnknown); d != nil {
				d.At = fmt.Sprintf("source %d: %s", source, d.At)
				return d
			}
		}
		return nil
	}
}

func defaults(ours func(*Subject, map[string]any)) func(*Case) *Difference {
	return func(c *Case) *Difference {
		theirs, got := clone(c.Object), clone(c.Object)
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
	theirs := clone(c.Object)
	if _, err := c.Kube.Normalize(theirs, kube.FromRequest, false); err != nil {
		return nil // refused before anybody looks at types
	}
	got := clone(c.Object)
	if _, err := c.Generated.Normalize(got, prunert.NormalizeOptions{}); err != nil {
		return differ("", err.Error(), "no error")
	}
	return lists("error", errorTexts(c.Generated.Check(got)), c.Kube.Check(theirs))
}
