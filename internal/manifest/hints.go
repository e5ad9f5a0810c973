package manifest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/resources"
	"github.com/prune-gen/prune-gen/internal/spelling"
	"github.com/prune-gen/prune-gen/internal/yamltext"
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
func (a *Answer) find(at prunert.Path) place {
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

// unknownHint names the field that was probably meant by an unknown one, or all fields of the schema.
func (a *Answer) unknownHint(name string, s *structural.Schema) string {
	if s == nil || !a.server.compares(len(s.Properties)) {
		return ""
	}
	known := a.server.fieldsOf(s)
	if near := spelling.Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if len(known) == 0 {
		return "the schema specifies no fields here"
	}
	return "known fields: " + list(known)
}

// list lists words, the first of many.
func list(words []string) string {
	return yamltext.ListSome(words, 12, func(word string) string { return word })
}

// hint returns what to do about an error of some type at a path, whose place is p.
func (a *Answer) hint(p place, at prunert.Path, kind prunert.ErrorType) string {
	if last := len(at) - 1; p.whole && last >= 0 && at[last].Index < 0 {
		if said := a.Document.KeyHint(p.pos, at[last].Name); said != "" {
			return said
		}
	}
	switch {
	case kind == prunert.ErrorTypeRequired && !p.whole:
		return a.missing(p, at)
	case kind == prunert.ErrorTypeRequired && p.node.IsNull():
		return nullHint(p.schema)
	case !p.whole || p.schema == nil:
	case kind == prunert.ErrorTypeNotSupported:
		if v := p.schema.ValueValidation; v != nil && a.server.compares(len(v.Enum)) {
			return enumHint(p.node.Str(), v.Enum)
		}
	case kind == prunert.ErrorTypeTypeInvalid:
		return typeHint(p, a.Document)
	}
	return ""
}

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
func (a *Answer) missing(p place, at prunert.Path) string {
	name := at[len(at)-1].Name
	s := resources.Field(p.schema, name)
	if s == nil || !a.server.compares(len(p.node.Entries)) {
		return ""
	}
	var set []string
	for i := range p.node.Entries {
		if e := &p.node.Entries[i]; resources.Field(p.schema, e.Key) == nil {
			set = append(set, e.Key)
		}
	}
	slices.Sort(set)
	if near := spelling.Nearest(name, set); near != "" {
		return fmt.Sprintf("misspelled as %s?", near)
	}
	if name = yamltext.Shorten(name); s.Type == "" {
		return "add " + name
	}
	return fmt.Sprintf("add %s: %s", name, article(s.Type))
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

// enumHint returns the value that was probably meant.
func enumHint(value string, enum []any) string {
	var allowed []string
	for _, v := range enum {
		if s, ok := v.(string); ok {
			allowed = append(allowed, s)
		}
	}
	if near := spelling.Nearest(value, allowed); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if len(allowed) > 0 {
		return "allowed values: " + list(allowed)
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
func typeHint(p place, in *yamltext.Document) string {
	switch want := p.schema.Type; {
	case want == "string" && p.node.Kind == yamltext.Bool:
		return p.node.QuoteHint()
	case want == "string" && (p.node.Kind == yamltext.Int || p.node.Kind == yamltext.Float):
		text, ok := in.Written(p.node.Pos)
		if !ok {
			text = fmt.Sprint(p.node.Value())
		}
		return fmt.Sprintf("put it in quotes: %q", yamltext.Shorten(text))
	case (want == "integer" || want == "number") && p.node.Kind == yamltext.String && isNumber(p.node.Str()),
		want == "boolean" && (p.node.Str() == "true" || p.node.Str() == "false"):
		return "write it without quotes"
	case want == "array" && p.node.Kind != yamltext.List:
		return "write it as a list, with a dash before each element"
	case want == "object" && missesColon.MatchString(p.node.Str()):
		return fmt.Sprintf("it is the text %q: a key has a colon and a space after it", yamltext.Shorten(p.node.Str()))
	case p.node.Kind == yamltext.Null:
		return fmt.Sprintf("give it a value, %s, or remove it", article(want))
	}
	return ""
}

// missesColon matches a text that could be a key and a value, without a colon or without the space after it.
var missesColon = regexp.MustCompile(`^[A-Za-z_][\w.-]*(:| +)[^\s:]+$`)

func isNumber(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
