package structural

import (
	"fmt"
	"strings"
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
func NonStructuralCondition(c *CRD) *Condition {
	cond := &Condition{Type: "NonStructuralSchema", Status: "Unknown"}
	var messages []string
	if c.PreserveUnknownFields {
		e := Error{Rule: RulePreserveUnknownFields, Type: ErrorInvalid, Path: NewPath("spec", "preserveUnknownFields"), BadValue: true, Detail: "must be false"}
		messages = append(messages, e.Error())
	}
	size := 0
	checked := map[*JSONSchema]violations{} // many versions may have one schema
	for i, v := range c.Versions {
		if v.Schema == nil {
			continue
		}
		found, ok := checked[v.Schema]
		if !ok {
			at := versionSchemaPath(i)
			s, refused := convert(v.Schema, at)
			if len(refused) > 0 {
				cond.Reason = "StructuralError"
				cond.Message = fmt.Sprintf("failed to check validation schema for version %s: %s", v.Name, refused[0].Detail)
				return cond
			}
			found = violations{at: at.String(), errs: Validate(s, at)}
			for _, e := range found.errs {
				found.size += len(e.Error())
			}
			checked[v.Schema] = found
		}
		messages = found.appendTo(messages, versionSchemaPath(i).String())
		if size += found.size; size > maxErrorText || len(messages) > maxErrors {
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
	errs []*Error
	size int // of all texts together
}

// appendTo appends the texts of the errors as if the schema stood at the path at.
func (v violations) appendTo(messages []string, at string) []string {
	for _, e := range v.errs {
		detail := e.Detail
		if rest, ok := strings.CutPrefix(detail, definedIn+v.at); ok {
			detail = definedIn + at + rest
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
