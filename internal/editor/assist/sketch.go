package assist

import (
	"maps"
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

func (p Place) sketcher() *sketcher {
	w := &sketcher{style: p.style(), newline: "\n", dash: max(p.dash, 0), left: maxSketched}
	if strings.Contains(string(p.text[:min(len(p.text), 4<<10)]), "\r\n") {
		w.newline = "\r\n"
	}
	return w
}

// write writes a text that stays as it is.
func (w *sketcher) write(text string) {
	w.text.WriteString(text)
	w.snippet.WriteString(escaped.Replace(text))
}

var (
	escaped = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)
	choices = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`, `,`, `\,`, `|`, `\|`)
)

// stop writes what is to be replaced: a text, or one of some.
func (w *sketcher) stop(texts ...string) {
	w.stops++
	w.text.WriteString(texts[0])
	number := strconv.Itoa(w.stops)
	if len(texts) == 1 {
		w.snippet.WriteString("${" + number + ":" + escaped.Replace(texts[0]) + "}")
		return
	}
	for i, text := range texts {
		texts[i] = choices.Replace(text)
	}
	w.snippet.WriteString("${" + number + "|" + strings.Join(texts, ",") + "|}")
}

// here writes where the next words go.
func (w *sketcher) here() {
	w.stops++
	w.snippet.WriteString("${" + strconv.Itoa(w.stops) + "}")
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

// field writes a field, whose key is in a column, with a value for each required field in it. If it is the outermost one, it ends where
// people go on.
func (w *sketcher) field(name string, s *structural.Schema, column int, outer bool) {
	w.write(w.scalar(name) + ":")
	w.value(s, column, outer)
}

// value writes the value of a key or, in block style, of a dash, which is in a column.
func (w *sketcher) value(s *structural.Schema, column int, outer bool) {
	if s == nil {
		s = &structural.Schema{}
	}
	required := requiredFields(s)
	isObject := len(s.Properties) > 0 || s.AdditionalProperties != nil || s.XEmbeddedResource || s.Type == "object"
	switch {
	case s.Default != nil && outer && !isObject && s.Items == nil:
		w.write(" ")
		w.choose([]string{w.scalar(s.Default)})
	case isObject && (len(required) == 0 || w.left < len(required)):
		switch {
		case !outer:
			w.write(" {}")
		case w.style != inBlock:
			w.write(" {")
			w.here()
			w.write("}")
		default:
			w.line(column + 2)
			w.here()
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
			w.here()
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
		w.here()
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
		if s.XEmbeddedResource && name == "metadata" {
			w.metadata(column)
			continue
		}
		w.field(name, resources.Field(s, name), column, false)
	}
}

// metadata writes the metadata of a new object.
func (w *sketcher) metadata(column int) {
	w.write(w.scalar("metadata") + ":")
	if w.style != inBlock {
		w.write(" {" + w.scalar("name") + ": ")
		w.stop(w.scalar(""))
		w.write("}")
		return
	}
	w.line(column + 2)
	w.write("name: ")
	w.stop(`""`)
}

// placeholder writes a scalar.
func (w *sketcher) placeholder(s *structural.Schema, outer bool) {
	v := s.ValueValidation
	switch {
	case v != nil && len(v.Enum) > 0:
		var texts []string
		for _, e := range v.Enum[:min(len(v.Enum), maxSketched)] {
			texts = append(texts, w.scalar(e))
		}
		if outer {
			w.choose(texts)
		} else {
			w.stop(texts...)
		}
	case s.Type == "boolean" && outer:
		w.choose([]string{"true", "false"})
	case s.Type == "boolean":
		w.stop("false", "true")
	case outer && w.style == inJSON && s.Type == "string":
		w.write(`"`)
		w.here()
		w.write(`"`)
	case outer:
		w.here()
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

// choose writes a choice in the snippet only: a text that people take as it is should not choose for them.
func (w *sketcher) choose(texts []string) {
	text := w.text.String()
	w.stop(texts...)
	w.text.Reset()
	w.text.WriteString(text)
}

// requiredFields returns the names of the fields that objects must have and that the API server does not fill in, sorted.
func requiredFields(s *structural.Schema) (names []string) {
	if s == nil {
		return nil
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
