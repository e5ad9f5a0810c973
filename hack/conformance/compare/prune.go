package compare

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// prune compares objects.
func prune(c *Case, r *prunert.Resource) *Difference {
	return pruneWith(c, func(obj map[string]any) []string { r.Prune(obj); return nil }, false)
}

// pruneReport compares objects and the dropped paths.
func pruneReport(c *Case, r *prunert.Resource) *Difference { return pruneWith(c, r.PruneReport, true) }

func pruneWith(c *Case, ours func(map[string]any) []string, reports bool) *Difference {
	// Metadata that Kubernetes refuses is not compared: it is removed at first.
	theirs := c.kubePruned()
	got := jsonvalue.Copy(theirs.before)
	paths := ours(got)
	if d := values("", got, theirs.after); d != nil {
		return d
	}
	var wanted *Difference
	if reports {
		wanted = reported(paths, theirs.dropped)
		if wanted != nil && wanted.Known == "" {
			return wanted
		}
		if changed := !reflect.DeepEqual(theirs.before, got); changed != (len(paths) > 0) {
			return differ("report", fmt.Sprintf("%d paths", len(paths)), fmt.Sprintf("changed: %t", changed))
		}
	}
	// Pruning again drops nothing: what is left is what Kubernetes leaves.
	if paths := ours(got); len(paths) > 0 {
		return differ("second run", fmt.Sprintf("drops %q", paths), "nothing is left to drop")
	}
	if d := values("second run", got, theirs.after); d != nil {
		return d
	}
	if theirs.malformed > 0 {
		// The malformed metadata is there now, and must change nothing elsewhere.
		got = jsonvalue.Copy(c.Object)
		ours(got)
		c.Kube.Malformed(got)
		if d := values("", got, theirs.after); d != nil {
			return d
		}
	}
	return wanted
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
func check(c *Case, r *prunert.Resource) *Difference {
	obj := jsonvalue.Copy(c.Object)
	metas := c.Kube.TakeMetas(obj)
	plain := Texts(r.Check(obj))
	if d := lists("error", plain, c.Kube.Check(obj)); d != nil {
		return d
	}
	var wanted *Difference
	for _, m := range metas {
		m.Restore()
		with := Texts(r.Check(obj))
		m.Remove()
		// A field below one without a name can have the path of this one, and an error is listed once.
		bad := !slices.Equal(with, plain) || m.Bad && named(plain, m.Path)
		if bad != m.Bad {
			return differ(m.Path, fmt.Sprintf("errors %q", with), fmt.Sprintf("refused: %t", m.Bad))
		}
		if m.Bad {
			wanted = &Difference{Known: known.MetadataWords}
		}
	}
	return wanted
}

// named reports whether an error is about the value at a path. A field below one without a name can have the path of another.
func named(texts []string, path string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, path+": ") })
}

// Texts returns the texts of errors.
func Texts[E error](errs []E) []string {
	var texts []string
	for _, e := range errs {
		texts = append(texts, e.Error())
	}
	return texts
}
