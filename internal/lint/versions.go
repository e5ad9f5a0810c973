package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// Older returns, as warnings, what the API server of an older version of Kubernetes refuses or ignores in c and that of
// c.Kubernetes does not.
func Older(c *structural.CRD, oldest kubeversion.Version) []structural.Finding {
	uses := usesOf(c)
	lacking := lacks(c, oldest, uses)
	var found []structural.Finding
	for later := oldest + 1; later <= cmp.Or(c.Kubernetes, kubeversion.Newest) && len(lacking) > 0; later++ {
		still := lacks(c, later, uses)
		lacking = slices.DeleteFunc(lacking, func(l lack) bool {
			if slices.ContainsFunc(still, l.same) {
				return false
			}
			found = append(found, l.warning(later))
			return true
		})
	}
	slices.SortStableFunc(found, byPlace)
	return found
}

// lack is something of a CRD that a version of Kubernetes refuses or ignores.
type lack struct {
	structural.Finding
	error structural.ID // why it is refused
	verb  string        // what the version does
	what  string        // to this
}

// same reports whether two versions lack the same thing.
func (l lack) same(other lack) bool {
	return l.ID == other.ID && l.error == other.error && l.Version == other.Version && l.Path == other.Path
}

// warning returns the lack as a finding. A later version does not have it.
func (l lack) warning(later kubeversion.Version) structural.Finding {
	f := l.Finding.Saying(l.Path, l.verb+l.what)
	f.Severity, f.Hint = structural.SeverityWarning, "Kubernetes "+later.String()+" takes it"
	return f
}

// usesOf returns what the expressions of c use, by their paths.
func usesOf(c *structural.CRD) map[string][]celrules.Use {
	uses := map[string][]celrules.Use{}
	for _, v := range distinct(c.Versions) {
		if s := c.Structural(v); s != nil {
			checkRules(s, v.Schema, v.SchemaPath, celrules.Stored(kubeversion.Newest), uses)
		}
	}
	return uses
}

// distinct returns the versions whose schemas differ from all before them.
func distinct(versions []*structural.Version) []*structural.Version {
	seen := map[*structural.JSONSchema]bool{nil: true}
	return slices.DeleteFunc(slices.Clone(versions), func(v *structural.Version) bool {
		was := seen[v.Schema]
		seen[v.Schema] = true
		return was
	})
}

// lacks returns what the API server of a version of Kubernetes refuses or ignores, in the order of the file.
func lacks(c *structural.CRD, v kubeversion.Version, uses map[string][]celrules.Use) []lack {
	l := newLinter(c)
	l.kubernetes, l.env = v, celrules.New(v)
	for _, version := range distinct(c.Versions) {
		l.errors(version)
	}
	var all []lack
	for _, f := range l.findings {
		if f.Severity == structural.SeverityError {
			all = append(all, refused(f, l.env, uses[f.Path]))
		}
	}
	l.ignored(func(i lack, _ kubeversion.Change) { all = append(all, i) })
	slices.SortStableFunc(all, func(a, b lack) int { return byPlace(a.Finding, b.Finding) })
	return all
}

// refused returns an error as a lack.
func refused(f structural.Finding, e celrules.Environment, uses []celrules.Use) lack {
	l := lack{Finding: f, error: f.ID, verb: "Kubernetes " + e.Kubernetes().String() + " refuses "}
	l.ID = idRefused
	missing := slices.IndexFunc(uses, func(u celrules.Use) bool { return !e.Has(u.Since) })
	switch {
	case f.ID == idCELCost:
		l.what = "the estimated cost of CEL rules"
	case f.ID == IDCELExpression && missing >= 0:
		l.what = uses[missing].What
	default:
		l.what, _, _ = strings.Cut(f.Body(), "\n")
		l.verb += "this: "
	}
	return l
}

// ignored calls found for the fields of the CRD that the API server drops and for the formats that it does not know,
// with the change to Kubernetes that it lacks.
func (l *linter) ignored(found func(lack, kubeversion.Change)) {
	ignore := func(version string, has bool, since kubeversion.Change, what string, at *structural.Path) {
		if has && !l.kubernetes.Takes(since) {
			found(lack{verb: "Kubernetes " + l.kubernetes.String() + " ignores ", what: what,
				Finding: report.Place(l.crd, structural.Finding{ID: idIgnored, Version: version}, at)}, since)
		}
	}
	spec := structural.NewPath("spec")
	for i, v := range l.crd.Versions {
		if p := partsOf(l.crd, i); p != nil {
			at := spec.Child("versions").Index(i).Child("selectableFields")
			ignore(v.Name, len(p.SelectableFields) > 0, kubeversion.SelectableFields, at.Name(), at)
		}
	}
	for _, version := range distinct(l.crd.Versions) {
		name := l.versionOf(version)
		eachSchema(version.Schema, version.SchemaPath, func(s *structural.JSONSchema, at *structural.Path) bool {
			for i, r := range s.XValidations {
				at := at.Child("x-kubernetes-validations").Index(i)
				for _, field := range []struct {
					name  string
					has   bool
					since kubeversion.Change
				}{
					{"messageExpression", r.MessageExpression != "", kubeversion.MessageExpression},
					{"reason", r.Reason != nil, kubeversion.Reason},
					{"fieldPath", r.FieldPath != "", kubeversion.FieldPath},
					{"optionalOldSelf", r.OptionalOldSelf != nil, kubeversion.OptionalOldSelf},
				} {
					ignore(name, field.has, field.since, field.name, at.Child(field.name))
				}
			}
			if f := formats.Find(s.Format); f != nil {
				ignore(name, f.Since != 0, f.Since, "the format "+s.Format, at.Child("format"))
			}
			return true
		})
	}
}
