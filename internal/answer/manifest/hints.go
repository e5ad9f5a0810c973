package manifest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/text/spelling"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// place is a value of an object with its schema, which is nil if it is not known.
type place struct {
	node   *yamltext.Node
	pos    yamltext.Pos
	whole  bool // it is the value that was looked for, and not one above it
	schema *structural.Schema
}

// find returns the place of a path.
func (a *Judged) find(at prunert.Path) place {
	p := place{schema: a.Resource.schema}
	p.node, p.pos, p.whole = a.nodes.Follow(at, func(s prunert.Step) { p.schema = resources.Below(p.schema, s) })
	return p
}

// fieldsOf returns the names of the fields of a schema, sorted. Many findings can ask for those of one schema.
func (s *Server) fieldsOf(schema *structural.Schema) []string {
	names, ok := s.fields[schema]
	if !ok {
		names = sortedFields(schema)
		s.fields[schema] = names
	}
	return names
}

func sortedFields(s *structural.Schema) []string {
	if s == nil {
		return nil
	}
	names := slices.Collect(maps.Keys(s.Properties))
	if s.XEmbeddedResource {
		names = append(names, "apiVersion", "kind", "metadata")
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// fixAt returns the edit that gives the key or the scalar at a place another value.
func fixAt(at yamltext.Pos, value string) structural.Fix {
	return structural.Fix{Line: at.Line, Column: at.Column, Value: value}
}

// unknownHint names the field that was probably meant by an unknown one, or all fields of the schema.
func (a *Judged) unknownHint(e *yamltext.Entry, s *structural.Schema) (hint string, fix structural.Fix) {
	if s == nil || !a.server.compares(len(s.Properties)) {
		return "", fix
	}
	known := a.server.fieldsOf(s)
	if near := spelling.Nearest(e.Key, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near), fixAt(e.Pos, near)
	}
	if s.Type == "array" {
		return listHint, fix
	}
	if len(known) == 0 {
		return "the schema specifies no fields here", fix
	}
	for _, field := range known {
		if below := s.Properties[field]; below != nil && below.Properties[e.Key] != nil {
			return fmt.Sprintf("did you mean %s.%s?", yamltext.Shorten(field), yamltext.Shorten(e.Key)), fix
		}
	}
	return "known fields: " + list(known), fix
}

// list lists words, the first of many.
func list(words []string) string {
	return yamltext.ListSome(words, 12, func(word string) string { return word })
}

// hint returns what to do about an error, whose place is p.
func (a *Judged) hint(p place, e *prunert.Error) (hint string, fix structural.Fix) {
	at, kind := e.Path, e.Type
	if last := len(at) - 1; p.whole && last >= 0 && at[last].Index < 0 {
		if said := a.Document.KeyHint(p.pos, at[last].Name); said != "" {
			return said, fix
		}
	}
	switch {
	case kind == prunert.ErrorTypeRequired && !p.whole:
		return a.missing(p, at)
	case kind == prunert.ErrorTypeRequired && p.node.IsNull():
		return nullHint(p.schema), fix
	case !p.whole:
	case kind == prunert.ErrorTypeNotSupported:
		if allowed := allowedTexts(p.schema, e); a.server.compares(len(allowed)) {
			if near := enumNear(p.node.Str(), allowed); near != "" {
				return fmt.Sprintf("did you mean %s?", near), fixAt(p.node.Pos, near)
			}
		}
	case kind == prunert.ErrorTypeTypeInvalid && p.schema != nil:
		if hint, fix = typeHint(p, a.Document); hint != "" {
			return hint, fix
		}
		return withText(p.node)
	case p.schema != nil && p.schema.XIntOrString && isNumber(p.node.Str()):
		return "write it without quotes if it is a number", unquoted(p.node)
	default:
		return withText(p.node)
	}
	return "", fix
}

// withText returns what textHint says about a string.
func withText(n *yamltext.Node) (hint string, fix structural.Fix) {
	hint, value := textHint(n.Str())
	if value != "" {
		fix = fixAt(n.Pos, value)
	}
	return hint, fix
}

// unquoted returns the edit that removes the quotes of a text.
func unquoted(n *yamltext.Node) structural.Fix {
	return structural.Fix{Line: n.Pos.Line, Column: n.Pos.Column, Value: n.Str(), AsIs: true}
}

// allowedTexts returns the texts that an error about a value with a schema allows: those in the enum of the schema. If it has none, as for
// built-in kinds and where the enum is in allOf, they are those that the error lists.
func allowedTexts(s *structural.Schema, e *prunert.Error) (all []string) {
	if s == nil || s.ValueValidation == nil || len(s.ValueValidation.Enum) == 0 {
		for _, text := range quoted.FindAllString(e.Detail, -1) {
			all = append(all, strings.Trim(text, `"`))
		}
		return all
	}
	for _, value := range s.ValueValidation.Enum {
		if text, ok := value.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// quoted matches the values that an error lists.
var quoted = regexp.MustCompile(`"[^"\\]*"`)

// textHint returns what is wrong with texts that people write for others, and the right one if it is known.
func textHint(text string) (hint, right string) {
	if m := withBytes.FindStringSubmatch(text); m != nil {
		right = m[1] + strings.ToUpper(m[2]) + "i"
		return fmt.Sprintf("write %s: a quantity has no B", right), right
	}
	if strings.Contains(text, "${") || strings.Contains(text, "{{") {
		return "it looks like a template: render it first", ""
	}
	return "", ""
}

// withBytes matches amounts of memory that are not quantities.
var withBytes = regexp.MustCompile(`^(\d{1,9}(?:\.\d{1,9})?)([kKMGTPE])i?[bB]$`)

// alternatives names the alternatives of a value by what they require.
func alternatives(p place) string {
	if p.schema == nil || p.schema.ValueValidation == nil {
		return ""
	}
	var hints []string
	for _, of := range []struct {
		words string
		all   []*structural.NestedValueValidation
	}{{"set exactly one of ", p.schema.ValueValidation.OneOf}, {"set at least one of ", p.schema.ValueValidation.AnyOf}} {
		var names []string
		for _, alternative := range of.all {
			if len(alternative.Required) > 0 {
				names = append(names, strings.Join(alternative.Required, " and "))
			}
		}
		if len(names) > 0 && len(names) == len(of.all) {
			hints = append(hints, of.words+list(names))
		}
	}
	return strings.Join(hints, "; ")
}

// missing returns what to add if a required field is missing.
func (a *Judged) missing(p place, at prunert.Path) (hint string, fix structural.Fix) {
	name := at[len(at)-1].Name
	s := resources.Field(p.schema, name)
	if s == nil || !a.server.compares(len(p.node.Entries)) {
		return "", fix
	}
	var set []string
	for i := range p.node.Entries {
		if e := &p.node.Entries[i]; resources.Field(p.schema, e.Key) == nil {
			set = append(set, e.Key)
		}
	}
	slices.Sort(set)
	if near := spelling.Nearest(name, set); near != "" {
		return fmt.Sprintf("misspelled as %s?", near), fixAt(p.node.Get(near).Pos, name)
	}
	if name = yamltext.Shorten(name); s.Type == "" {
		return "add " + name, fix
	}
	if v := s.ValueValidation; v != nil && len(v.Enum) > 0 && a.server.compares(len(v.Enum)) {
		return fmt.Sprintf("add %s, one of %s", name, yamltext.ListSome(v.Enum, 12, func(v any) string { return fmt.Sprint(v) })), fix
	}
	return fmt.Sprintf("add %s: %s", name, article(s.Type)), fix
}

// article returns the name of a type with an article.
func article(typ string) string {
	switch typ {
	case "integer", "object":
		return "an " + typ
	case "array":
		return "a list"
	}
	return "a " + typ
}

// enumNear returns the value that was probably meant, "" if that is not known.
func enumNear(value string, allowed []string) string {
	var others, with []string
	for _, v := range allowed {
		if v == value {
			continue
		}
		if others = append(others, v); len(value) > 2 && strings.Contains(strings.ToLower(v), strings.ToLower(value)) {
			with = append(with, v)
		}
	}
	if near := spelling.Nearest(value, others); near != "" {
		with = []string{near}
	}
	if len(with) == 1 {
		return with[0]
	}
	return ""
}

// nullHint returns what to do about a required value that is null, as it is after a key with nothing after it.
func nullHint(s *structural.Schema) string {
	if s == nil || s.Type == "" {
		return "it is null: give it a value"
	}
	return "it is null: give it a value, " + article(s.Type)
}

// typeHint returns how a scalar of one type, in a document, is written as one of another.
func typeHint(p place, in *yamltext.Document) (hint string, fix structural.Fix) {
	written, ok := in.Written(p.node.Pos)
	if !ok {
		written = fmt.Sprint(p.node.Value())
	}
	switch want := p.schema.Type; {
	case want == "string" && p.node.Kind == yamltext.Bool:
		return p.node.QuoteHint(), fixAt(p.node.Pos, written)
	case want == "string" && (p.node.Kind == yamltext.Int || p.node.Kind == yamltext.Float):
		return fmt.Sprintf("put it in quotes: %q", yamltext.Shorten(written)), fixAt(p.node.Pos, written)
	case (want == "integer" || want == "number") && p.node.Kind == yamltext.String && isNumber(p.node.Str()),
		want == "boolean" && (p.node.Str() == "true" || p.node.Str() == "false"):
		return "write it without quotes", unquoted(p.node)
	case want == "array" && p.node.Kind != yamltext.List:
		return listHint, fix
	case want == "object" && missesColon.MatchString(p.node.Str()):
		return fmt.Sprintf("it is the text %q: a key has a colon and a space after it", yamltext.Shorten(p.node.Str())), fix
	case p.node.Kind == yamltext.Null:
		return fmt.Sprintf("give it a value, %s, or remove it", article(want)), fix
	}
	return "", fix
}

const listHint = "write it as a list, with a dash before each element"

// missesColon matches a text that could be a key and a value, without a colon or without the space after it.
var missesColon = regexp.MustCompile(`^[A-Za-z_][\w.-]*(:| +)[^\s:]+$`)

func isNumber(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
