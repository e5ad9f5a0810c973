package structural

import (
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/structural/text"
)

// idle warns of keywords in s that do nothing in Kubernetes, and of what the proposals forbid about them. The boolean says
// whether the whole schema is structural.
func (c *collector) idle(s *JSONSchema, structural bool, at *Path) {
	if s == nil || c.full {
		return
	}
	warn := func(rule Rule, at *Path, detail, hint string) {
		c.add(&Error{Rule: rule, Type: ErrorUnsupported, Path: at, Detail: detail, hint: hint})
	}
	if s.XNoPrune != nil {
		warn(RuleIdle, at.Child("x-kubernetes-no-prune"), "Kubernetes has no such keyword, and prunes here as elsewhere",
			"write x-kubernetes-preserve-unknown-fields: true")
	}
	if len(s.XUnions) > 0 {
		c.unions(s.XUnions, structural, at.Child("x-kubernetes-unions"))
	}
	if format := s.Format; format != "" && (&valueWalk{reading: readObject}).formatOf(s) == "" {
		warn(RuleFormat, at.Child("format"), "unrecognized format "+valueText(format), "Kubernetes ignores formats that it does not know for the type")
	}
	fields := len(s.Properties) > 0 || s.AdditionalProperties != nil
	if s.Items != nil && fields {
		warn(RuleOnlyOne, at.Child("items"), "only one of properties, additionalProperties and items can apply to a value",
			"remove those that do not go with the type")
	}

	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		c.idle(s.Properties[k], structural, at.Child("properties").Key(k))
	}
	if s.AdditionalProperties != nil {
		c.idle(s.AdditionalProperties.Schema, structural, at.Child("additionalProperties"))
	}
	if s.Items != nil {
		c.idle(s.Items.Schema, structural, at.Child("items"))
	}
	for _, junctor := range []struct {
		name string
		all  []*JSONSchema
	}{{"allOf", s.AllOf}, {"anyOf", s.AnyOf}, {"oneOf", s.OneOf}} {
		for i, n := range junctor.all {
			c.idle(n, structural, at.Child(junctor.name).Index(i))
		}
	}
	c.idle(s.Not, structural, at.Child("not"))
}

// unions checks x-kubernetes-unions by the rules of KEP-2335, which has them and is not followed by Kubernetes here.
func (c *collector) unions(unions []Union, structural bool, at *Path) {
	c.add(&Error{Rule: RuleIdle, Type: ErrorUnsupported, Path: at, Detail: "Kubernetes has no such keyword: that only one of the fields is set is not checked",
		hint: unionHint(unions)})
	if !structural {
		c.add(&Error{Rule: RuleUnion, Type: ErrorForbidden, Path: at, Detail: "must only be used in a structural schema"})
	}
	for i, u := range unions {
		if u.Discriminator == "" && u.Fields != nil {
			c.forbidden(RuleUnion, at.Index(i).Child("fields"), "must be undefined if discriminator is empty")
		}
	}
}

// unionHint says how to write a union for Kubernetes: as what it unfolds to.
func unionHint(unions []Union) string {
	const most = 5
	unfolded := (&Schema{Extensions: Extensions{XUnions: unions}}).Unfold()
	var fields []string
	for _, n := range unfolded.validation().OneOf {
		fields = append(fields, "{required: ["+text.Shorten(strings.Join(n.Required, ", "))+"]}")
	}
	if len(fields) == 0 || len(fields) > most {
		return "write oneOf with the required field of each alternative, or a rule below x-kubernetes-validations"
	}
	return "write oneOf: [" + strings.Join(fields, ", ") + "]"
}
