package structural

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/structural/text"
)

// The names that end up in URLs, and here in file names and identifiers, follow the rules and texts of Kubernetes.

const (
	labelPattern     = `[a-z]([-a-z0-9]*[a-z0-9])?`
	subdomainPattern = `[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`
	subdomainRule    = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
		"start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '" + subdomainPattern + "')"
)

var (
	labelRegexp     = regexp.MustCompile(`^` + labelPattern + `$`)
	subdomainRegexp = regexp.MustCompile(`^` + subdomainPattern + `$`)
)

// checkLabel returns what is wrong with s as a DNS-1035 label, "" where nothing is.
func checkLabel(s string) string {
	return strings.Join(wrongLabel(s), ",")
}

// wrongLabel returns the parts of checkLabel.
func wrongLabel(s string) []string {
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

// checkSubdomain returns what is wrong with s as a DNS-1123 subdomain.
func checkSubdomain(s string) []string {
	var wrong []string
	if len(s) > 253 {
		wrong = append(wrong, "must be no more than 253 characters")
	}
	if !subdomainRegexp.MatchString(s) {
		wrong = append(wrong, subdomainRule)
	}
	return wrong
}

// checkNames reports what Kubernetes refuses about the names that become parts of file names and of code. Lint says the rest.
func (d *decoder) checkNames(c *CRD) {
	d.checkGroup(c)
	names := NewPath("spec", "names")
	if c.Names.Plural == "" {
		d.missing(c, names.Child("plural"), "", "the name in URLs and in kubectl, for example crontabs")
	} else if wrong := checkLabel(c.Names.Plural); wrong != "" {
		d.badValue(RuleName, c, names.Child("plural"), c.Names.Plural, wrong, "")
	}
	if c.Names.Kind == "" {
		d.missing(c, names.Child("kind"), "", "the kind of the objects, for example CronTab")
	} else if wrong := checkKind(c.Names.Kind); wrong != "" {
		d.badValue(RuleName, c, names.Child("kind"), c.Names.Kind, wrong, "")
	}
}

// checkKind returns what is wrong with s as a kind, in which capitals are fine.
func checkKind(s string) string {
	if wrong := checkLabel(strings.ToLower(s)); wrong != "" {
		return "may have mixed case, but should otherwise match: " + wrong
	}
	return ""
}

func (d *decoder) checkGroup(c *CRD) {
	at := NewPath("spec", "group")
	switch wrong := checkSubdomain(c.Group); {
	case c.Group == "":
		d.missing(c, at, "", "a domain of yours, for example stable.example.com")
	case len(wrong) > 0:
		d.badValue(RuleName, c, at, c.Group, strings.Join(wrong, ","), "")
	case !strings.Contains(c.Group, "."):
		d.badValue(RuleName, c, at, c.Group, "should be a domain with at least one dot", "")
	}
}

// missing reports in the words of Kubernetes that there is nothing at a path.
func (d *decoder) missing(c *CRD, at *Path, detail, hint string) {
	n, pos, whole := findNode(c.root, at, (*text.Node).Get)
	empty := n.IsNull() || n.Kind == text.String && n.Str() == "" || n.Kind == text.List && len(n.List) == 0
	if !empty && (whole || n.Kind != text.Map) {
		return // something is there that has the wrong type: that was said already
	}
	message := "Required value"
	if detail != "" {
		message += ": " + detail
	}
	d.invalid(RuleMissing, pos, at, message, hint)
}

// badValue reports in the words of Kubernetes what is wrong with the value at a path.
func (d *decoder) badValue(rule Rule, c *CRD, at *Path, value, detail, hint string) {
	n, pos, whole := findNode(c.root, at, (*text.Node).Get)
	if whole && n.Kind != text.String && n.Kind != text.Null || !whole && n.Kind != text.Map && n.Kind != text.Null {
		return // said already
	}
	d.invalid(rule, pos, at, fmt.Sprintf("Invalid value: %q: %s", value, detail), hint)
}
