package pruneimpl

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// The rules for names, with the texts of the API server. All of it is plain code: a valid name takes one look at each of its bytes.

// What the API server says about a name that is not a subdomain, a label, a qualified name or the value of a label.
const (
	SubdomainWords = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
		"end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
		`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
	LabelWords = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
		"alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
	QualifiedWords = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
		"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
	LabelValueWords = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
		"with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
		"'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)

const (
	mostInLabel     = 63
	mostInSubdomain = 253
)

// validateName validates the name of a resource, or the prefix of a generated name.
func validateName(name string, rec *Recorder, rule nameRule, prefix bool) (n int) {
	if rule == nameIsSegment {
		return validateSegment(name, rec, prefix)
	}
	checked := name
	if prefix && len(name) > 1 && strings.HasSuffix(name, "-") {
		checked = name[:len(name)-2] + "a" // as the API server does it: the letter before the dash goes with it
	}
	if len(checked) > mostInSubdomain {
		n += rec.wrong(name, "must be no more than 253 characters")
	}
	if !IsDNSSubdomain(checked) {
		n += rec.wrong(name, SubdomainWords)
	}
	return n
}

// validateSegment validates a name that only has to be a valid part of a path.
func validateSegment(name string, rec *Recorder, prefix bool) (n int) {
	if !prefix && (name == "." || name == "..") {
		return rec.wrong(name, "may not be '"+name+"'")
	}
	for _, part := range [...]string{"/", "%"} {
		if strings.Contains(name, part) {
			n += rec.wrong(name, "may not contain '"+part+"'")
		}
	}
	return n
}

func validateNamespace(name string, rec *Recorder) (n int) {
	if len(name) > mostInLabel {
		n += rec.wrong(name, "must be no more than 63 characters")
	}
	switch {
	case IsDNSLabel(name):
	case IsDNSSubdomain(name):
		n += rec.wrong(name, "must not contain dots")
	default:
		n += rec.wrong(name, LabelWords)
	}
	return n
}

// validateQualifiedName validates the key of a label or an annotation, or a finalizer. The bad value is what is written.
func validateQualifiedName(name, written string, rec *Recorder) (n int) {
	called, unit := "a valid label key ", labelUnit(rec.Kubernetes)
	if !rec.Kubernetes.Has(kubeversion.LabelKeys) {
		called = "a qualified name "
	}
	if prefix, rest, found := strings.Cut(name, "/"); found {
		if strings.Contains(rest, "/") {
			return rec.wrong(written, called+QualifiedWords+
				" with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')")
		}
		name = rest
		if prefix == "" {
			n += rec.wrong(written, "prefix part must be non-empty")
		} else {
			if len(prefix) > mostInSubdomain {
				n += rec.wrong(written, "prefix part must be no more than 253 "+unit)
			}
			if !IsDNSSubdomain(prefix) {
				n += rec.wrong(written, "prefix part "+SubdomainWords)
			}
		}
	}
	if name == "" {
		n += rec.wrong(written, "name part must be non-empty")
	} else if len(name) > mostInLabel {
		n += rec.wrong(written, "name part must be no more than 63 "+unit)
	}
	if !IsQualified(name) {
		n += rec.wrong(written, "name part "+QualifiedWords)
	}
	return n
}

// labelUnit returns what a version of the API server measures keys and values of labels in.
func labelUnit(by kubeversion.Version) string {
	if by.Has(kubeversion.LabelKeys) {
		return "bytes"
	}
	return "characters"
}

// isAnnotationKey reports whether s is the key of an annotation, in letters of ASCII.
func isAnnotationKey(s string) bool {
	prefix, name, found := strings.Cut(s, "/")
	if !found {
		prefix, name = "a", s
	}
	isLabel := func(s string) bool { return IsQualified(s) && strings.IndexByte(s, '_') < 0 } // of any case
	return len(prefix) <= mostInSubdomain && len(name) <= mostInLabel && IsQualified(name) && isSubdomainOf(prefix, isLabel)
}

func validateLabelValue(value string, rec *Recorder) (n int) {
	if len(value) > mostInLabel {
		n += rec.wrong(value, fmt.Sprintf("must be no more than %d %s", mostInLabel, labelUnit(rec.Kubernetes)))
	}
	if value != "" && !IsQualified(value) {
		n += rec.wrong(value, LabelValueWords)
	}
	return n
}
