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

// style is how values are written at a place.
type style uint8

const (
	inBlock    style = iota
	inBrackets       // of YAML
	inJSON
)

// sketcher writes what is inserted, as text and as a snippet with placeholders.
type sketcher struct {
	style
	newline string
	dash    int // how many columns lists are indented deeper than their keys
	left    int // how many more fields are written
	text    strings.Builder
	snippet strings.Builder
	stops   int
}

// maxSketched is how many required fields are inserted at once.
const maxSketched = 50

func (q *completer) sketcher() *sketcher {
	w := &sketcher{style: q.style, newline: "\n", left: maxSketched}
	start := q.text[q.first:min(q.last, q.first+64<<10)]
	if bytes.Contains(start, []byte("\r\n")) {
		w.newline = "\r\n"
	}
	if m := firstList.FindSubmatch(start); m != nil {
		w.dash = min(max(len(m[2])-len(m[1]), 0), 8)
	}
	return w
}

// firstList matches a key and the dash in the next line.
var firstList = regexp.MustCompile(`(?m)^((?:- | )*)[^\s#-].*:[ \t]*\r?\n( *)- `)

var (
	escaped = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)
	choices = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`, `,`, `\,`, `|`, `\|`)
)

// write writes a text that stays as it is.
func (w *sketcher) write(text string) {
	w.text.WriteString(text)
	w.snippet.WriteString(escaped.Replace(text))
}

// stop writes a text that is to be replaced by one of some choices, or by anything.
func (w *sketcher) stop(text string, choose ...string) {
	w.stops++
	w.text.WriteString(text)
	w.snippet.WriteString("${" + strconv.Itoa(w.stops))
	for i := range choose {
		choose[i] = choices.Replace(choose[i])
	}
	if len(choose) > 0 {
		w.snippet.WriteString("|" + strings.Join(choose, ",") + "|")
	} else if text != "" {
		w.snippet.WriteString(":" + escaped.Replace(text))
	}
	w.snippet.WriteString("}")
}

// scalar returns a value as it is written.
func (w *sketcher) scalar(v any) string {
	if w.style == inJSON {
		return jsonvalue.Text(v)
	}
	return yamltext.Flow(v)
}

// line begins a line.
func (w *sketcher) line(column int) { w.write(w.newline + strings.Repeat(" ", column)) }

// value writes the value of a key or, in block style, of a dash, which is in a column.
func (w *sketcher) value(s *structural.Schema, column int, outer bool) {
	if s == nil {
		s = &structural.Schema{}
	}
	required := requiredFields(s)
	isObject := len(s.Properties) > 0 || s.AdditionalProperties != nil || s.XEmbeddedResource || s.Type == "object"
	switch {
	case isObject && (len(required) == 0 || w.left < len(required)):
		switch {
		case !outer:
			w.write(" {}")
		case w.style != inBlock:
			w.write(" {")
			w.stop("")
			w.write("}")
		default:
			w.line(column + 2)
			w.stop("")
		}
	case isObject && w.style == inBlock:
		w.line(column + 2)
		w.fields(s, required, column+2)
	case isObject:
		w.write(" {")
		w.fields(s, required, column)
		w.write("}")
	case s.Items != nil && w.style == inBlock:
		w.line(column + w.dash)
		w.element(s.Items, column+w.dash)
	case s.Items != nil:
		w.write(" [")
		if required := requiredFields(s.Items); len(required) > 0 {
			w.write("{")
			w.fields(s.Items, required, column)
			w.write("}")
		} else {
			w.stop("")
		}
		w.write("]")
	default:
		w.write(" ")
		w.placeholder(s, outer)
	}
}

// element writes an element of a list with its dash, which is in a column.
func (w *sketcher) element(s *structural.Schema, column int) {
	w.write("- ")
	switch required := requiredFields(s); {
	case len(required) > 0 && len(required) <= w.left:
		w.fields(s, required, column+2)
	case len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil:
		w.stop("")
	default:
		w.placeholder(s, true)
	}
}

// fields writes some fields of an object, whose keys are in a column.
func (w *sketcher) fields(s *structural.Schema, names []string, column int) {
	w.left -= len(names)
	for i, name := range names {
		switch {
		case i == 0:
		case w.style == inBlock:
			w.line(column)
		default:
			w.write(", ")
		}
		w.write(w.scalar(name) + ":")
		w.value(resources.Field(s, name), column, false)
	}
}

// placeholder writes a scalar. The text of the outermost one is empty: people who take it as it is should choose themselves.
func (w *sketcher) placeholder(s *structural.Schema, outer bool) {
	v := s.ValueValidation
	var texts []string
	if v != nil {
		for _, e := range v.Enum[:min(len(v.Enum), maxSketched)] {
			texts = append(texts, w.scalar(e))
		}
	}
	if s.Type == "boolean" && texts == nil {
		texts = []string{"false", "true"}
	}
	switch {
	case outer && s.Default != nil:
		w.stop("", w.scalar(s.Default))
	case outer && w.style == inJSON && s.Type == "string" && texts == nil:
		w.write(`"`)
		w.stop("")
		w.write(`"`)
	case outer:
		w.stop("", texts...)
	case texts != nil:
		w.stop(texts[0], texts...)
	case s.XIntOrString, s.Type == "integer", s.Type == "number":
		number := 0.0
		if v != nil && v.Minimum != nil {
			number = *v.Minimum
		}
		w.stop(jsonvalue.Text(number))
	default:
		w.stop(w.scalar(""))
	}
}

// objectMeta is the schema of metadata.
var objectMeta = resources.Field((*structural.Schema)(nil).Resource(), "metadata")

// requiredFields returns the names of the fields that objects must have and that the API server does not fill in, sorted.
func requiredFields(s *structural.Schema) (names []string) {
	switch {
	case s == nil:
		return nil
	case s == objectMeta:
		return []string{"name"}
	}
	if s.XEmbeddedResource {
		names = []string{"apiVersion", "kind", "metadata"}
	}
	var all []string
	if s.ValueValidation != nil {
		all = slices.Sorted(slices.Values(s.ValueValidation.Required))
	}
	for _, name := range slices.Compact(all) {
		if f := resources.Field(s, name); (f == nil || f.Default == nil) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// fieldNames returns the names of the fields of a schema, sorted.
func fieldNames(s *structural.Schema) []string {
	names := slices.Collect(maps.Keys(s.Properties))
	if s.XEmbeddedResource {
		names = append(names, "apiVersion", "kind", "metadata")
	}
	slices.Sort(names)
	return slices.Compact(names)
}
