package lint

import (
	"fmt"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Condition is a condition in the status of a CRD.
type Condition struct {
	Type    string
	Status  string
	Reason  string
	Message string
}

// NonStructuralCondition returns the condition that Kubernetes puts in the status of c when its schemas are not
// structural, and nil when there is nothing to say. Kubernetes looks at the v1 form of a CRD: the paths in the message
// are those of a schema per version, even where c has one for all.
func NonStructuralCondition(c *structural.CRD) *Condition {
	cond := &Condition{Type: "NonStructuralSchema", Status: "Unknown"}
	var messages []string
	if c.PreserveUnknownFields {
		e := structural.Error{Rule: rulePreserveUnknownFields, Type: prunert.ErrorTypeInvalid, Path: structural.NewPath("spec", "preserveUnknownFields"), BadValue: true, Detail: "must be false"}
		messages = append(messages, e.Error())
	}
	var all structural.Collector
	checked := map[*structural.JSONSchema]violations{} // many versions may have one schema
	for i, v := range c.Versions {
		if v.Schema == nil {
			continue
		}
		found, ok := checked[v.Schema]
		if !ok {
			s, refused := c.Converted(v)
			if len(refused) > 0 {
				cond.Reason = "StructuralError"
				cond.Message = fmt.Sprintf("failed to check validation schema for version %s: %s", v.Name, refused[0].Detail)
				return cond
			}
			found = violations{at: v.SchemaPath.String(), errs: structural.Validate(s, v.SchemaPath)}
			checked[v.Schema] = found
		}
		messages = found.appendTo(messages, structural.VersionSchemaPath(i).String())
		for _, e := range found.errs {
			all.Add(e)
		}
		if all.Full {
			break
		}
	}
	if len(messages) == 0 {
		return nil
	}
	cond.Status, cond.Reason, cond.Message = "True", "Violations", aggregate(messages)
	return cond
}

// violations are the errors of a schema as if it stood at a certain path.
type violations struct {
	at   string
	errs []*structural.Error
}

// appendTo appends the texts of the errors as if the schema stood at the path at.
func (v violations) appendTo(messages []string, at string) []string {
	for _, e := range v.errs {
		detail := e.Detail
		if e.Rule == structural.RuleUnspecified { // it names a path, too
			detail = strings.Replace(detail, v.at, at, 1)
		}
		text := strings.TrimSuffix(strings.TrimPrefix(e.Error(), v.at), e.Detail)
		messages = append(messages, at+text+detail)
	}
	return messages
}

// aggregate writes messages as Kubernetes does: each of them once, in brackets when there are several.
func aggregate(messages []string) string {
	seen := map[string]bool{}
	var distinct []string
	for _, m := range messages {
		if !seen[m] {
			seen[m] = true
			distinct = append(distinct, m)
		}
	}
	if len(distinct) == 1 {
		return distinct[0]
	}
	return "[" + strings.Join(distinct, ", ") + "]"
}
