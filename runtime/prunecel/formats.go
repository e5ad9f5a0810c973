package prunecel

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

// Format is a named format of strings.
type Format struct {
	Name string
	// validate returns the errors of a string.
	validate func(string) []string
	// regexSize is the length of the regular expression that the format costs as much as.
	regexSize uint64
}

const (
	maxLabel     = 63
	maxSubdomain = 253

	label1035Words = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
		"and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)

// formats are the formats, by the name with which rules call them.
var formats lazy[map[string]*Format]

func allFormats() map[string]*Format { return formats.get(newFormats) }

func newFormats() map[string]*Format {
	subdomain := validateName(maxSubdomain, "characters", pruneimpl.IsDNSSubdomain, pruneimpl.SubdomainWords)
	label1035 := validateName(maxLabel, "characters", func(s string) bool { return pruneimpl.IsDNSLabel(s) && s[0] >= 'a' }, label1035Words)
	labelValue := validateName(maxLabel, "bytes", func(s string) bool { return s == "" || pruneimpl.IsQualified(s) }, pruneimpl.LabelValueWords)
	return map[string]*Format{
		"dns1123Label":           {"DNS1123Label", validateLabel, 30},
		"dns1123Subdomain":       {"DNS1123Subdomain", subdomain, 60},
		"dns1035Label":           {"DNS1035Label", label1035, 30},
		"qualifiedName":          {"QualifiedName", validateQualifiedName, 60},
		"dns1123LabelPrefix":     {"DNS1123LabelPrefix", prefixOf(validateLabel), 30},
		"dns1123SubdomainPrefix": {"DNS1123SubdomainPrefix", prefixOf(subdomain), 60},
		"dns1035LabelPrefix":     {"DNS1035LabelPrefix", prefixOf(label1035), 30},
		"labelValue":             {"LabelValue", labelValue, 40},
		"uri":                    {"URI", validateURI, 1103},
		"uuid":                   {"uuid", validateWith(pruneimpl.IsUUID, "does not match the UUID format"), 70},
		"byte":                   {"byte", validateWith(pruneimpl.IsByte, "invalid base64"), 84},
		"date":                   {"date", validateWith(pruneimpl.IsDate, "invalid date"), 71},
		"datetime":               {"datetime", validateWith(pruneimpl.IsDateTime, "invalid datetime"), 71},
	}
}

// formatNamed returns the format that rules call format.<name>(), nil if there is none.
func formatNamed(name string) *Format { return allFormats()[name] }

// namedFormat is format.named.
func namedFormat(name string) Optional {
	if f := formatNamed(name); f != nil {
		return optionalOf(f)
	}
	return Optional{}
}

// faults is validate: the errors of s, an empty optional if there are none.
func (f *Format) faults(s string) Optional {
	wrong := f.validate(s)
	if len(wrong) == 0 {
		return Optional{}
	}
	return optionalOf(boxedTexts(wrong))
}

func validateWith(test func(string) bool, text string) func(string) []string {
	return func(s string) []string {
		if test(s) {
			return nil
		}
		return []string{text}
	}
}

// prefixOf returns the validation of prefixes of generated names, which may end in a dash.
func prefixOf(validate func(string) []string) func(string) []string {
	return func(s string) []string {
		if len(s) > 1 && strings.HasSuffix(s, "-") {
			s = s[:len(s)-2] + "a" // as the API server does it: the letter before the dash goes with it
		}
		return validate(s)
	}
}

func validateLabel(s string) (wrong []string) {
	if len(s) > maxLabel {
		wrong = append(wrong, "must be no more than 63 characters")
	}
	switch {
	case pruneimpl.IsDNSLabel(s):
	case pruneimpl.IsDNSSubdomain(s):
		wrong = append(wrong, "must not contain dots")
	default:
		wrong = append(wrong, pruneimpl.LabelWords)
	}
	return wrong
}

// validateName returns the validation of names with a maximum length that pass a test.
func validateName(most int, unit string, test func(string) bool, text string) func(string) []string {
	return func(s string) (wrong []string) {
		if len(s) > most {
			wrong = append(wrong, fmt.Sprintf("must be no more than %d %s", most, unit))
		}
		if !test(s) {
			wrong = append(wrong, text)
		}
		return wrong
	}
}

func validateQualifiedName(s string) (wrong []string) {
	name := s
	if prefix, rest, found := strings.Cut(s, "/"); found {
		if strings.Contains(rest, "/") {
			return []string{"a valid label key " + pruneimpl.QualifiedWords + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
		}
		name = rest
		switch {
		case prefix == "":
			wrong = append(wrong, "prefix part must be non-empty")
		case len(prefix) > maxSubdomain:
			wrong = append(wrong, "prefix part must be no more than 253 bytes")
		}
		if prefix != "" && !pruneimpl.IsDNSSubdomain(prefix) {
			wrong = append(wrong, "prefix part "+pruneimpl.SubdomainWords)
		}
	}
	switch {
	case name == "":
		wrong = append(wrong, "name part must be non-empty")
	case len(name) > maxLabel:
		wrong = append(wrong, "name part must be no more than 63 bytes")
	}
	if !pruneimpl.IsQualified(name) {
		wrong = append(wrong, "name part "+pruneimpl.QualifiedWords)
	}
	return wrong
}

func validateURI(s string) []string {
	if _, err := url.ParseRequestURI(s); err != nil {
		return []string{err.Error()}
	}
	return nil
}

// costValidate is the cost of a match with the regular expression of a format.
func costValidate(args []any, _ any) uint64 {
	if f, ok := args[0].(*Format); ok {
		return regexCost(costSize(args[1]), f.regexSize)
	}
	return 1
}

func formatFunctions() []Function {
	row := func(signature, overload string, call caller, cost ...costFunc) Function {
		return kubernetes(signature, overload, call, cost...)
	}
	rows := []Function{
		row("kubernetes.NamedFormat.validate(string) optional_type(list(string))", "format-validate", call2((*Format).faults), costValidate),
		row("format.named(string) optional_type(kubernetes.NamedFormat)", "format-named", call1(namedFormat)),
	}
	for _, name := range slices.Sorted(maps.Keys(allFormats())) {
		rows = append(rows, row("format."+name+"() kubernetes.NamedFormat", "format."+name,
			caller{call: func([]any) (any, error) { return formatNamed(name), nil }}))
	}
	return rows
}
