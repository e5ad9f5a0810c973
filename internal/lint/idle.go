package lint

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// idleRules finds what does nothing in a schema, or less than the proposals say.
type idleRules struct {
	structural.Errors
}

// idle warns of keywords in s that do nothing in Kubernetes, and of what the proposals forbid about them. The boolean says
// whether the whole schema is structural.
func (c *idleRules) idle(s *structural.JSONSchema, isStructural bool, at *structural.Path) {
	eachSchema(s, at, func(s *structural.JSONSchema, at *structural.Path) bool {
		c.idleKeywords(s, isStructural, at)
		return !c.Full
	})
}

func (c *idleRules) idleKeywords(s *structural.JSONSchema, isStructural bool, at *structural.Path) {
	warn := func(id structural.ID, at *structural.Path, detail, hint string) {
		c.Add(&structural.Error{ID: id, Path: at, Detail: detail, Hint: hint})
	}
	if s.XNoPrune != nil {
		warn(idIdle, at.Child("x-kubernetes-no-prune"), "Kubernetes has no such keyword, and prunes here as elsewhere",
			"write x-kubernetes-preserve-unknown-fields: true")
	}
	if len(s.XUnions) > 0 {
		c.unions(s.XUnions, isStructural, at.Child("x-kubernetes-unions"))
	}
	// Whether older versions check a known format is not a question of idle keywords: see linter.ignored.
	if format := s.Format; format != "" && !interpret.KnowsFormat(kubeversion.Newest, s) {
		warn(idFormat, at.Child("format"), "unrecognized format "+strconv.Quote(format), "Kubernetes ignores formats that it does not know for the type")
	}
	fields := len(s.Properties) > 0 || s.AdditionalProperties != nil
	if s.Items != nil && fields {
		warn(idOnlyOne, at.Child("items"), "only one of properties, additionalProperties and items can apply to a value",
			"remove those that do not fit the type")
	}
}

// eachSchema calls visit with s, which stands at a path, and with all schemas below it, until visit returns false.
func eachSchema(s *structural.JSONSchema, at *structural.Path, visit func(*structural.JSONSchema, *structural.Path) bool) bool {
	if s == nil {
		return true
	}
	if !visit(s, at) {
		return false
	}
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		if !eachSchema(s.Properties[k], at.Child("properties").Key(k), visit) {
			return false
		}
	}
	if !eachSchema(s.Values(), at.Child("additionalProperties"), visit) || !eachSchema(s.Elements(), at.Child("items"), visit) {
		return false
	}
	for _, junctor := range []struct {
		name string
		all  []*structural.JSONSchema
	}{{"allOf", s.AllOf}, {"anyOf", s.AnyOf}, {"oneOf", s.OneOf}} {
		for i, n := range junctor.all {
			if !eachSchema(n, at.Child(junctor.name).Index(i), visit) {
				return false
			}
		}
	}
	return eachSchema(s.Not, at.Child("not"), visit)
}

// unions checks x-kubernetes-unions by the rules of KEP-2335, which Kubernetes does not implement.
func (c *idleRules) unions(unions []structural.Union, isStructural bool, at *structural.Path) {
	c.Add(&structural.Error{ID: idIdle, Path: at, Detail: "Kubernetes has no such keyword: it does not check that only one of the fields is set",
		Hint: unionHint(unions)})
	if !isStructural {
		c.Add(&structural.Error{ID: idUnion, Type: prunert.ErrorTypeForbidden, Path: at, Detail: "must only be used in a structural schema"})
	}
	for i, u := range unions {
		if u.Discriminator == "" && u.Fields != nil {
			c.Forbidden(idUnion, at.Index(i).Child("fields"), "must be undefined if discriminator is empty")
		}
	}
}

// unionHint says how to write the first union that has fields for Kubernetes.
func unionHint(unions []structural.Union) string {
	const most = 5
	i := slices.IndexFunc(unions, func(u structural.Union) bool { return len(u.Fields) > 0 })
	if i < 0 || len(unions[i].Fields) > most {
		return "write oneOf with the required field of each alternative, or a rule below x-kubernetes-validations"
	}
	var fields []string
	for _, f := range slices.Sorted(maps.Keys(unions[i].Fields)) {
		fields = append(fields, "{required: ["+yamltext.Shorten(f)+"]}")
	}
	return "write oneOf: [" + strings.Join(fields, ", ") + "]"
}
