package assist

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// layout is how values are written at a place.
type layout struct {
	inFlow, inJSON bool
	newline        string
	dash           int // how many columns lists are indented deeper than their keys
}

// listStart matches a key and the first dash below it.
var listStart = regexp.MustCompile(`(?m)^((?:- | )*)[^\s#-].*: *\r?\n( *)- `)

// layoutOf returns the layout of a document, as far as it is the same at all places.
func layoutOf(text []byte) layout {
	l := layout{newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		l.newline = "\r\n"
	}
	if m := listStart.FindSubmatch(text); m != nil {
		l.dash = min(max(len(m[2])-len(m[1]), 0), 8)
	}
	braces, isFlow := bytes.CutPrefix(bytes.TrimSpace(text), []byte("{"))
	braces = bytes.TrimSpace(braces)
	l.inJSON = isFlow && (len(braces) == 0 || braces[0] == '"' || braces[0] == '}')
	return l
}

// maxSketched is how many required fields are inserted at once.
const maxSketched = 50

// sketcher writes what is inserted, as text and as a snippet with placeholders.
type sketcher struct {
	layout
	given         map[string]string // the first fields with these names have these values
	left          int               // how many more fields are written
	text, snippet strings.Builder
	stops         int
}

var (
	escaped = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)
	chosen  = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`, `,`, `\,`, `|`, `\|`)
)

// write writes a text that stays as it is.
func (w *sketcher) write(text string) {
	w.text.WriteString(text)
	w.snippet.WriteString(escaped.Replace(text))
}

// stop writes a text that is to be replaced by one of some choices, or by anything.
func (w *sketcher) stop(text string, choices ...string) {
	w.stops++
	w.text.WriteString(text)
	w.snippet.WriteString("${" + strconv.Itoa(w.stops))
	switch {
	case len(choices) > 1:
		for i, c := range choices {
			choices[i] = chosen.Replace(c)
		}
		w.snippet.WriteString("|" + strings.Join(choices, ",") + "|")
	case len(choices) == 1:
		w.snippet.WriteString(":" + escaped.Replace(choices[0]))
	case text != "":
		w.snippet.WriteString(":" + escaped.Replace(text))
	}
	w.snippet.WriteString("}")
}

// scalar returns a value as it is written.
func (w *sketcher) scalar(v any) string {
	if w.inJSON {
		return jsonvalue.Text(v)
	}
	return yamltext.Flow(v)
}

// line begins a line.
func (w *sketcher) line(column int) { w.write(w.newline + strings.Repeat(" ", column)) }

// value writes the value of a key that is in a column. A value that people asked for ends where they go on.
func (w *sketcher) value(s *structural.Schema, column int, asked bool) {
	if s == nil {
		s = &structural.Schema{}
	}
	switch required := w.required(s); {
	case isObject(s) && required == nil && !asked:
		w.write(" {}")
	case isObject(s) && !w.inFlow:
		w.line(column + 2)
		w.fields(s, required, column+2)
	case isObject(s):
		w.write(" {")
		w.fields(s, required, column)
		w.write("}")
	case s.Items != nil && !w.inFlow:
		w.line(column + w.dash)
		w.element(s.Items, column+w.dash)
	case s.Items != nil:
		w.write(" [")
		w.element(s.Items, column)
		w.write("]")
	default:
		w.write(" ")
		w.placeholder(s, asked)
	}
}

func isObject(s *structural.Schema) bool {
	return len(s.Properties) > 0 || s.AdditionalProperties != nil || s.XEmbeddedResource || s.Type == "object"
}

// element writes an element of a list, in block style with its dash, which is in a column.
func (w *sketcher) element(s *structural.Schema, column int) {
	if !w.inFlow {
		w.write("- ")
	}
	switch required := w.required(s); {
	case required != nil && w.inFlow:
		w.write("{")
		w.fields(s, required, column)
		w.write("}")
	case required != nil || isObject(s) || s.Items != nil:
		w.fields(s, required, column+2)
	default:
		w.placeholder(s, true)
	}
}

// required returns the required fields of an object, none if they are too many.
func (w *sketcher) required(s *structural.Schema) []string {
	if names := requiredFields(s); len(names) <= w.left {
		return names
	}
	return nil
}

// fields writes some fields of an object, whose keys are in a column, or where they go.
func (w *sketcher) fields(s *structural.Schema, names []string, column int) {
	if w.left -= len(names); len(names) == 0 {
		w.stop("")
	}
	for i, name := range names {
		if i > 0 && !w.inFlow {
			w.line(column)
		} else if i > 0 {
			w.write(", ")
		}
		w.write(w.scalar(name) + ":")
		if value, ok := w.given[name]; ok {
			delete(w.given, name)
			w.write(" " + w.scalar(value))
		} else {
			w.value(resources.Field(s, name), column, false)
		}
	}
}

// placeholder writes a scalar. What people asked for, they choose themselves.
func (w *sketcher) placeholder(s *structural.Schema, asked bool) {
	var choices []string
	values := valuesOf(s)
	for _, v := range values[:min(len(values), maxSketched)] {
		choices = append(choices, w.scalar(v))
	}
	lowest := 0.0
	if v := s.ValueValidation; v != nil && v.Minimum != nil {
		lowest = *v.Minimum
	}
	switch {
	case asked && w.inJSON && s.Type == "string" && choices == nil:
		w.write(`"`)
		w.stop("")
		w.write(`"`)
	case asked:
		w.stop("", choices...)
	case choices != nil:
		w.stop(choices[0], choices...)
	case s.XIntOrString, s.Type == "integer", s.Type == "number":
		w.stop(jsonvalue.Text(lowest))
	default:
		w.stop(`""`)
	}
}

// valuesOf returns the scalars that a schema lists: the default, the values of an enum, and booleans.
func valuesOf(s *structural.Schema) (values []any) {
	switch v := s.ValueValidation; {
	case v != nil && len(v.Enum) > 0:
		values = v.Enum
	case s.Type == "boolean":
		values = []any{false, true}
	}
	if s.Default == nil || s.Items != nil || len(fieldNames(s)) > 0 {
		return values
	}
	return append([]any{s.Default}, slices.DeleteFunc(slices.Clone(values), func(v any) bool { return isDefault(s, v) })...)
}

func isDefault(s *structural.Schema, v any) bool {
	return s.Default != nil && jsonvalue.Text(v) == jsonvalue.Text(s.Default)
}

// objectMeta is the schema of metadata.
var objectMeta = resources.Field((*structural.Schema)(nil).Resource(), "metadata")

var metaFields = []string{"apiVersion", "kind", "metadata"}

// requiredFields returns the names of the fields that objects must have and that the API server does not fill in.
func requiredFields(s *structural.Schema) (names []string) {
	if s == objectMeta {
		return []string{"name"}
	}
	if s.XEmbeddedResource {
		names = slices.Clone(metaFields)
	}
	if s.ValueValidation != nil {
		for _, name := range slices.Sorted(slices.Values(s.ValueValidation.Required)) {
			if f := resources.Field(s, name); (f == nil || f.Default == nil) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// fieldNames returns the names of the fields of a schema, sorted.
func fieldNames(s *structural.Schema) []string {
	names := slices.Collect(maps.Keys(s.Properties))
	if s.XEmbeddedResource {
		names = append(names, metaFields...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
