package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// Update returns the text of the suite with the actual results in the cases that failed. It fails if the variants of a
// case differ, and for a case that cannot be run. A run whose case now fails with another version of Kubernetes gets a failure that says so.
func (s *Suite) Update(runs []*Run) ([]byte, error) {
	lines := bytes.SplitAfter(s.text, []byte("\n"))
	byCase := map[*Case][]*Run{}
	for _, r := range runs {
		byCase[r.Case] = append(byCase[r.Case], r)
	}
	for _, c := range slices.Backward(s.Cases) { // lines before an edit stay where they are
		if !slices.ContainsFunc(byCase[c], func(r *Run) bool { return r.Failures != nil }) {
			continue
		}
		want, err := outcome(byCase[c])
		if err == nil {
			lines, err = c.rewrite(lines, want)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", s.File, c.Line, c.Name, err)
		}
	}
	text := bytes.Join(lines, nil)
	if _, wrong := Read(meter.New(1), s.File, text); len(wrong) > 0 {
		return nil, fmt.Errorf("%s: the file cannot be updated as it is written: %s", s.File, wrong[0].Message)
	}
	return text, nil
}

// outcome returns the fields of a case if all its runs have the same outcome.
func outcome(runs []*Run) (map[string]string, error) {
	var first map[string]string
	for _, r := range runs {
		fields, err := r.outcome()
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = fields
		}
		if !maps.Equal(first, fields) {
			return nil, fmt.Errorf("%s and %s differ: the case needs a suite for each", runs[0].Variant.File(), r.Variant.File())
		}
	}
	return first, nil
}

// asIs is a field that stays as it is.
const asIs = ""

// outcome returns the fields of a case that say what happened to the object, as YAML.
func (r *Run) outcome() (map[string]string, error) {
	if r.Refusal == "" && r.Stored == nil {
		return nil, fmt.Errorf("%s", r.Failures[0].Message)
	}
	fields := map[string]string{}
	part, other := r.Everywhere()
	switch {
	case r.Refusal != "":
		name := "expectedError"
		if r.status {
			name = "expectedStatusError"
		}
		fields[name] = Quoted(part)
	case r.Case.Expected != nil && r.difference() == "":
		fields["expected"] = asIs
	default:
		obj := shown(r.Stored)
		for _, field := range []string{"name", "namespace"} { // which the server makes up
			if r.Case.Initial.node.Child("metadata").Child(field) == nil {
				delete(metadata(obj), field)
			}
		}
		if len(metadata(obj)) == 0 {
			delete(obj, "metadata")
		}
		text, err := yaml.Marshal(obj)
		if err != nil {
			return nil, err
		}
		fields["expected"] = "|\n" + string(text)
	}
	if r.Case.ExpectedWarnings != nil && r.Refusal == "" {
		list := make([]string, len(r.Warnings))
		for i, text := range r.Warnings {
			list[i] = Quoted(text)
		}
		fields["expectedWarnings"] = "[" + strings.Join(list, ", ") + "]"
	}
	if other != nil && r.Failures != nil {
		r.fail(r.Case.Line, "%v: the case fails with --kubernetes %s", other, other.In)
	}
	return fields, nil
}

// Quoted returns a string as YAML.
func Quoted(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}

// rewrite writes the fields of a case into the lines of its file, and removes those that contradict them.
func (c *Case) rewrite(lines [][]byte, want map[string]string) ([][]byte, error) {
	last := "initial"
	if c.Updated != nil {
		last = "updated"
	}
	after := c.fields[last]
	fields := []string{"expected", "expectedError", "expectedStatusError", "expectedWarnings"}
	slices.SortStableFunc(fields, func(a, b string) int { return c.fields[b].Line - c.fields[a].Line })
	var missing [][]byte
	for _, field := range fields {
		value, wanted := want[field]
		at, there := c.fields[field]
		if wanted && value == asIs {
			continue
		}
		var text []byte
		if wanted {
			text = entry(after.Column-1, field, value)
		}
		switch {
		case there && startsItem(lines[at.Line-1], at):
			return nil, fmt.Errorf("the field %s begins the case: put the name first", field)
		case there && (wanted || field != "expectedWarnings"):
			lines = slices.Replace(lines, at.Line-1, end(lines, at), text)
		case wanted:
			missing = append(missing, text)
		}
	}
	// The removed fields were below the object, as is usual; one above it would have moved it.
	for _, field := range fields {
		if at, there := c.fields[field]; there && at.Line < after.Line {
			return nil, fmt.Errorf("the field %s stands above %s: put it below", field, last)
		}
	}
	return slices.Insert(lines, end(lines, after), missing...), nil
}

// startsItem reports whether a key follows the dash of an element of a list.
func startsItem(line []byte, at yamltext.Pos) bool {
	return bytes.Contains(line[:min(at.Column-1, len(line))], []byte("-"))
}

// end returns the index of the line below the value of a key: the first that is not indented more than the key, nor an element of a list
// at the key's own indentation. Empty lines belong to what follows.
func end(lines [][]byte, key yamltext.Pos) int {
	next := key.Line
	for i := key.Line; i < len(lines); i++ {
		line := bytes.TrimRight(lines[i], "\r\n \t")
		if len(line) == 0 {
			continue
		}
		text := bytes.TrimLeft(line, " ")
		indent := len(line) - len(text)
		element := indent == key.Column-1 && (string(text) == "-" || bytes.HasPrefix(text, []byte("- ")))
		if indent < key.Column && !element {
			break
		}
		next = i + 1
	}
	return next
}

// entry returns a key with its value, indented by a number of spaces.
func entry(indent int, key, value string) []byte {
	margin := strings.Repeat(" ", indent)
	var b bytes.Buffer
	for i, line := range strings.Split(strings.TrimSuffix(value, "\n"), "\n") {
		if i == 0 {
			fmt.Fprintf(&b, "%s%s: %s\n", margin, key, line)
		} else {
			fmt.Fprintf(&b, "%s  %s\n", margin, line)
		}
	}
	return b.Bytes()
}
