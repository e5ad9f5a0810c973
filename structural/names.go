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
)

var (
	labelRegexp     = regexp.MustCompile(`^` + labelPattern + `$`)
	subdomainRegexp = regexp.MustCompile(`^` + subdomainPattern + `$`)
)

// checkLabel returns what is wrong with s as a DNS-1035 label, "" where nothing is.
func checkLabel(s string) string {
	var wrong []string
	if len(s) > 63 {
		wrong = append(wrong, "must be no more than 63 characters")
	}
	if !labelRegexp.MatchString(s) {
		wrong = append(wrong, "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "+
			"alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "+
			"validation is '"+labelPattern+"')")
	}
	return strings.Join(wrong, ",")
}

// checkSubdomain returns what is wrong with s as a DNS-1123 subdomain.
func checkSubdomain(s string) []string {
	var wrong []string
	if len(s) > 253 {
		wrong = append(wrong, "must be no more than 253 characters")
	}
	if !subdomainRegexp.MatchString(s) {
		wrong = append(wrong, "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "+
			"and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '"+
			subdomainPattern+"')")
	}
	return wrong
}

// checkNames reports what Kubernetes refuses about the group and the names of c.
func (d *decoder) checkNames(c *CRD) {
	d.checkGroup(c)
	d.checkName(c)
	names := NewPath("spec", "names")
	d.requiredLabel(c, names.Child("plural"), c.Names.Plural, "the name in URLs and in kubectl, for example crontabs")
	d.requiredLabel(c, names.Child("kind"), c.Names.Kind, "the kind of the objects, for example CronTab")
	d.label(c, names.Child("singular"), c.Names.Singular)
	d.label(c, names.Child("listKind"), c.Names.ListKind)
	for i, s := range c.Names.ShortNames {
		d.label(c, names.Child("shortNames").Index(i), s)
	}
	for i, s := range c.Names.Categories {
		d.label(c, names.Child("categories").Index(i), s)
	}
	if c.Names.Kind != "" && c.Names.Kind == c.Names.ListKind {
		d.badValue(RuleListKind, c, names.Child("listKind"), c.Names.ListKind, "kind and listKind may not be the same", "")
	}
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

func (d *decoder) checkName(c *CRD) {
	at := NewPath("metadata", "name")
	want := ""
	if c.Names.Plural != "" && c.Group != "" {
		want = "write name: " + text.Shorten(c.Names.Plural+"."+c.Group)
	}
	if c.Name == "" {
		d.missing(c, at, "name or generateName is required", want)
		return
	}
	for _, wrong := range checkSubdomain(c.Name) {
		d.badValue(RuleName, c, at, c.Name, wrong, "")
	}
	if want != "" && c.Name != c.Names.Plural+"."+c.Group {
		d.badValue(RuleNameMismatch, c, at, c.Name, `must be spec.names.plural+"."+spec.group`, want)
	}
}

// requiredLabel checks a name that must be there, label one that may be left out. In kinds, capitals are fine.
func (d *decoder) requiredLabel(c *CRD, at *Path, s, hint string) {
	if s == "" {
		d.missing(c, at, "", hint)
		return
	}
	d.label(c, at, s)
}

func (d *decoder) label(c *CRD, at *Path, s string) {
	isKind := at.name == "kind" || at.name == "listKind"
	prefix := ""
	lower := s
	if isKind {
		prefix, lower = "may have mixed case, but should otherwise match: ", strings.ToLower(s)
	}
	if wrong := checkLabel(lower); wrong != "" && (s != "" || at.step == stepIndex) {
		d.badValue(RuleName, c, at, s, prefix+wrong, "")
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
	if whole && n.Kind != text.String && n.Kind != text.Null {
		return // said already
	}
	d.invalid(rule, pos, at, fmt.Sprintf("Invalid value: %q: %s", value, detail), hint)
}
