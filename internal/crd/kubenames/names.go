// Package kubenames has the rules for names, and words of errors, that Kubernetes has in k8s.io/apimachinery, and the names of its kinds.
package kubenames

import (
	"regexp"
	"strings"
)

// The names that end up in URLs, and here in file names and identifiers, follow the rules and texts of Kubernetes.

const (
	labelPattern     = `[a-z]([-a-z0-9]*[a-z0-9])?`
	subdomainPattern = `[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`
	SubdomainRule    = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
		"start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '" + subdomainPattern + "')"
)

var (
	labelRegexp     = regexp.MustCompile(`^` + labelPattern + `$`)
	subdomainRegexp = regexp.MustCompile(`^` + subdomainPattern + `$`)
)

// JoinedLabel returns what is wrong with s as a DNS-1035 label, "" if it is valid.
func JoinedLabel(s string) string {
	return strings.Join(Label(s), ",")
}

// Label returns everything that is wrong with s as a DNS-1035 label.
func Label(s string) []string {
	var wrong []string
	if len(s) > 63 {
		wrong = append(wrong, "must be no more than 63 characters")
	}
	if !labelRegexp.MatchString(s) {
		wrong = append(wrong, "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "+
			"alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "+
			"validation is '"+labelPattern+"')")
	}
	return wrong
}

// Subdomain returns what is wrong with s as a DNS-1123 subdomain.
func Subdomain(s string) []string {
	var wrong []string
	if len(s) > 253 {
		wrong = append(wrong, "must be no more than 253 characters")
	}
	if !subdomainRegexp.MatchString(s) {
		wrong = append(wrong, SubdomainRule)
	}
	return wrong
}

// Kind returns what is wrong with s as a kind, which may have capitals.
func Kind(s string) string {
	if wrong := JoinedLabel(strings.ToLower(s)); wrong != "" {
		return "may have mixed case, but should otherwise match: " + wrong
	}
	return ""
}

const labelKeyPattern = `([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`

var labelKeyRegexp = regexp.MustCompile(`^` + labelKeyPattern + `$`)

// LabelKey returns what is wrong with s as the key of a label: a name, with a domain before a slash or without.
func LabelKey(s string) []string {
	const rule = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
		"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" + labelKeyPattern + "')"
	var wrong []string
	domain, name, found := strings.Cut(s, "/")
	switch {
	case !found:
		name = s
	case strings.Contains(name, "/"):
		return []string{"a valid label key " + rule + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
	case domain == "":
		wrong = append(wrong, "prefix part must be non-empty")
	default:
		if len(domain) > 253 {
			wrong = append(wrong, "prefix part must be no more than 253 bytes")
		}
		if !subdomainRegexp.MatchString(domain) {
			wrong = append(wrong, "prefix part "+SubdomainRule)
		}
	}
	if name == "" {
		wrong = append(wrong, "name part must be non-empty")
	} else if len(name) > 63 {
		wrong = append(wrong, "name part must be no more than 63 bytes")
	}
	if !labelKeyRegexp.MatchString(name) {
		wrong = append(wrong, "name part "+rule)
	}
	return wrong
}

// MaskDash lets the beginning of a name that is to be generated end in a dash.
func MaskDash(name string) string {
	if len(name) > 1 && strings.HasSuffix(name, "-") {
		return name[:len(name)-2] + "a"
	}
	return name
}
