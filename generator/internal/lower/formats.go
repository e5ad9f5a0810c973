package lower

import (
	"regexp"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// formatOf returns the format of a schema, "" if it does not count: the API server ignores formats that it does not know
// and those of other types.
func (l *validating) formatOf(s *structural.JSONSchema) string {
	typ := s.Type
	if s.XIntOrString || !l.by.Has(kubeversion.NumericFormats) {
		typ = "" // those of strings, whatever the type
	}
	counts := false
	switch typ {
	case "", "string":
		f := formats.Find(s.Format)
		counts = f != nil && f.CountsIn(l.by)
	case "integer":
		counts = s.Format == "int32" || s.Format == "int64"
	case "number":
		counts = s.Format == "float" || s.Format == "double"
	}
	if counts {
		return s.Format
	}
	return ""
}

// formatFunc returns the function of the runtime that knows a format, "" for one that every string has, and for none.
func formatFunc(name string) string {
	if f := formats.Find(name); f != nil {
		return f.Func
	}
	return ""
}

// pattern returns a regular expression.
func pattern(text string) plan.Pattern {
	p := plan.Pattern{Text: text, Func: plainPatterns[text]}
	if _, err := regexp.Compile(text); err != nil {
		p.Error = err.Error()
	}
	return p
}

// plainPatterns are the regular expressions that many CRDs have, with the functions of the runtime that match the same texts.
var plainPatterns = map[string]string{
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`:                                                 "IsDNSSubdomain",
	`^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`:                                              "IsDNSSubdomainOrEmpty",
	`^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`:                                          "IsWildcardSubdomain",
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`:                                                                                   "IsDNSLabel",
	`^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`:                                                                             "IsSectionName",
	`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`: "IsQuantity",
	`^[-._a-zA-Z0-9]+$`: "IsConfigMapKey",
	`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`: "IsQualifiedName",
	`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`:      "IsConditionReason",
	`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`: "IsLabelValue",
}
