package compare

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// normalize compares objects, whether they are refused, and the paths of unknown fields, for objects from requests and
// from storage, with and without a report. Kubernetes lists the unknown fields of malformed metadata from storage in random
// order.
func normalize(c *Case, r *prunert.Resource) *Difference {
	var refused refusal // with a report, which must make no difference
	var older *Difference
	for _, opts := range normalizeOptions {
		theirs := c.kubeNormalized(opts)
		got := jsonvalue.Copy(c.Object)
		unknown, err := r.Normalize(got, opts)
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
			want := theirs.object
			if !kube.Version().Has(kubeversion.EmptyTimestamps) && !reflect.DeepEqual(got, want) {
				want, _ = withoutEmptyTimestamps(want).(map[string]any)
				older = differ("metadata.creationTimestamp", "absent", "null")
				older.Known = known.Row(kubeversion.EmptyTimestamps)
			}
			if d = values("", got, want); d == nil {
				d = lists("unknown field", unknown, theirs.unknown)
			}
		}
		if d != nil {
			d.At = fmt.Sprintf("%+v: %s", opts, d.At)
			return d
		}
	}
	return older
}

// withoutEmptyTimestamps returns a value without each creationTimestamp that is null.
func withoutEmptyTimestamps(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			if k != "creationTimestamp" || e != nil {
				m[k] = withoutEmptyTimestamps(e)
			}
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, e := range v {
			l[i] = withoutEmptyTimestamps(e)
		}
		return l
	}
	return v
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
	n.unknown, n.err = c.Kube.Normalize(n.object, opts)
	if opts.Source == prunert.FromStorage {
		slices.Sort(n.unknown)
	}
	if c.normalized == nil {
		c.normalized = map[prunert.NormalizeOptions]*normalized{}
	}
	c.normalized[opts] = n
	return n
}

func defaults(c *Case, r *prunert.Resource) *Difference {
	theirs, got := jsonvalue.Copy(c.Object), jsonvalue.Copy(c.Object)
	if err := c.Kube.Default(theirs); err != nil {
		return differ("", "no error", err.Error())
	}
	r.Default(got)
	return values("", got, theirs)
}

// checkNormalized compares what Check says of an object that Normalize has accepted with what the API server says of it at
// that point.
func checkNormalized(c *Case, r *prunert.Resource) *Difference {
	theirs := c.kubeNormalized(prunert.NormalizeOptions{Source: prunert.FromRequest})
	if theirs.err != nil {
		return nil // refused before anybody looks at types
	}
	got := jsonvalue.Copy(c.Object)
	if _, err := r.Normalize(got, prunert.NormalizeOptions{}); err != nil {
		return differ("", err.Error(), "no error")
	}
	errs, wanted := r.Check(got), c.Kube.Check(theirs.object)
	d := lists("error", Texts(errs), wanted)
	if d == nil {
		return nil
	}
	errs = slices.DeleteFunc(errs, isLateTime)
	if lists("error", Texts(errs), wanted) == nil {
		d.Known = known.TimesBeyond9999
	}
	return d
}

// isLateTime reports whether an error is about a time that no decoder takes because its year has five digits.
func isLateTime(e *prunert.Error) bool {
	text, ok := e.BadValue.(string)
	return ok && len(text) > 5 && text[4] >= '0' && text[4] <= '9' && text[5] == '-'
}
