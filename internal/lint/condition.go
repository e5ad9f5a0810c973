package lint

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/internal/origin"
	"github.com/prune-gen/prune-gen/internal/report"
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
	var all report.Errors
	m := origin.Limits(c)
	for i, v := range c.Versions {
		if v.Schema == nil {
			continue
		}
		s, refused := c.Converted(v)
		if len(refused) > 0 {
			cond.Reason = "StructuralError"
			cond.Message = fmt.Sprintf("failed to check validation schema for version %s: %s", v.Name, refused[0].Detail)
			return cond
		}
		s.Visit(func(*structural.Schema) { m.Spend(1) })
		for _, e := range structural.Validate(s, structural.VersionSchemaPath(i)) {
			messages = append(messages, e.Error())
			all.Add(e)
		}
		if all.Full || m.Spent() {
			break
		}
	}
	if len(messages) == 0 {
		return nil
	}
	cond.Status, cond.Reason, cond.Message = "True", "Violations", aggregate(messages)
	return cond
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
