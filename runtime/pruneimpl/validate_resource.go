package pruneimpl

import (
	"fmt"
	"strings"
)

// CheckRoot checks the types of what every object has: apiVersion, kind and metadata.
func CheckRoot(obj map[string]any, rec *Recorder) int {
	n := rec.unlessText(obj, "apiVersion") + rec.unlessText(obj, "kind")
	if v, ok := obj["metadata"]; ok {
		n += CheckMetadata(v, rec)
	}
	return n
}

func (r *Recorder) unlessText(obj map[string]any, name string) int {
	v, ok := obj[name]
	is, found := typeOf(v)
	if is&TypeString != 0 || !ok {
		return 0
	}
	return r.Field(name, r.fault(fault{kind: faultRootType, want: TypeString, value: found}))
}

// CheckEmbedded checks apiVersion, kind and the types of the metadata of a resource in an object.
func CheckEmbedded(obj map[string]any, rec *Recorder) int {
	n := CheckTypeMeta(obj, rec)
	if v, ok := obj["metadata"]; ok {
		n += CheckMetadata(v, rec)
	}
	return n
}

// CheckTypeMeta checks that a resource has an apiVersion and a kind.
func CheckTypeMeta(obj map[string]any, rec *Recorder) int {
	return rec.typeMeta(obj, "apiVersion", wrongAPIVersion) + rec.typeMeta(obj, "kind", wrongKind)
}

func (r *Recorder) typeMeta(obj map[string]any, name string, wrong func(string) string) int {
	v, ok := obj[name]
	if !ok {
		return r.Field(name, r.fault(fault{kind: faultNoTypeMeta}))
	}
	text := ""
	switch s, ok := v.(string); {
	case !ok:
		text = "must be a string"
	case s == "":
		text = "must not be empty"
	default:
		if text = wrong(s); text == "" {
			return 0
		}
	}
	return r.Field(name, r.fault(fault{kind: faultTypeMeta, value: v, text: text}))
}

// wrongAPIVersion returns the error about an apiVersion, "" if there is none.
func wrongAPIVersion(s string) string {
	if strings.Count(s, "/") > 1 {
		return "unexpected GroupVersion string: " + s
	}
	return ""
}

// wrongKind returns the errors about a kind, which is a DNS-1035 label except for its case.
func wrongKind(s string) string {
	if len(s) <= 63 && IsSectionName(s) {
		return ""
	}
	s = strings.ToLower(s)
	var wrong []string
	if len(s) > 63 {
		wrong = append(wrong, "must be no more than 63 characters")
	}
	if !IsDNSLabel(s) || !isLower(s[0]) {
		wrong = append(wrong, fmt.Sprintf("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "+
			"alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation "+
			"is '%s')", "[a-z]([-a-z0-9]*[a-z0-9])?"))
	}
	if len(wrong) == 0 {
		return ""
	}
	return "may have mixed case, but should otherwise match: " + strings.Join(wrong, ",")
}
