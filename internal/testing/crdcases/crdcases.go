// Package crdcases has CRDs that differ slightly from one that the API server accepts, with the reasons for which it refuses them.
//
// A file in the folder cases begins with the CRD, up to a line with three dashes, and with the names of places in it, up to the next
// such line. Then come groups of cases below headings:
//
//	# The scope.
//	{spec/scope: Cluster}
//	> taken
//	{-spec/scope: ''}
//	> spec.scope: Required value
//
// A case is an object in YAML. It begins with a brace at the beginning of a line; lines that continue it begin with a blank. Its keys
// are paths in the CRD, with indices for elements of lists, or names of places with paths below them; the values are written there. A
// path with a minus before it is removed. A string such as x*64 stands for 64 times x. The lines with > are the errors, sorted; those
// with line breaks are quoted. The conformance suite writes them, after it has asked the API server.
package crdcases

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

//go:embed cases/*.txt
var files embed.FS

// Taken stands for the errors of a CRD that has none.
const Taken = "taken"

// File is a file with cases.
type File struct {
	Name  string
	Cases []*Case
	lines []string
}

// Case is a CRD with the errors that the API server has for it.
type Case struct {
	// Name is the file and the line.
	Name string
	// Group is the heading.
	Group string
	// CRD is the CRD as JSON.
	CRD []byte
	// Errors are the texts, sorted; none if the CRD is taken.
	Errors []string

	first, last int // its lines, errors excluded
}

// Load reads all files, sorted by name.
func Load() ([]*File, error) {
	entries, err := files.ReadDir("cases")
	if err != nil {
		return nil, err
	}
	var all []*File
	for _, e := range entries {
		content, err := files.ReadFile(path.Join("cases", e.Name()))
		if err != nil {
			return nil, err
		}
		f, err := Parse(e.Name(), string(content))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", e.Name(), err)
		}
		all = append(all, f)
	}
	return all, nil
}

// Parse reads the content of a file.
func Parse(name, content string) (*File, error) {
	parts := strings.SplitN(content, "\n---\n", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("want a CRD, places and cases, separated by lines with three dashes")
	}
	places := map[string]string{}
	if err := yaml.Unmarshal([]byte(parts[1]), &places); err != nil {
		return nil, fmt.Errorf("places: %w", err)
	}
	f := &File{Name: name, lines: strings.Split(content, "\n")}
	heading := ""
	for i := strings.Count(parts[0]+parts[1], "\n") + 4; i < len(f.lines); i++ {
		switch line := f.lines[i]; {
		case line == "":
		case line[0] == '#':
			if i == 0 || !strings.HasPrefix(f.lines[i-1], "#") {
				heading = ""
			}
			heading = strings.TrimSpace(heading + " " + strings.TrimLeft(line, "# "))
		case line[0] == '{':
			f.Cases = append(f.Cases, &Case{Name: name + ":" + strconv.Itoa(i+1), Group: heading, first: i, last: i})
		case len(f.Cases) == 0:
			return nil, fmt.Errorf("line %d: no case", i+1)
		case line[0] == ' ':
			f.Cases[len(f.Cases)-1].last = i
		case strings.HasPrefix(line, "> "):
			if text := line[2:]; text != Taken {
				c := f.Cases[len(f.Cases)-1]
				c.Errors = append(c.Errors, text)
			}
		default:
			return nil, fmt.Errorf("line %d: %q", i+1, line)
		}
	}
	for _, c := range f.Cases {
		var err error
		if c.CRD, err = edited(parts[0], places, strings.Join(f.lines[c.first:c.last+1], "\n")); err != nil {
			return nil, fmt.Errorf("line %d: %w", c.first+1, err)
		}
	}
	return f, nil
}

// Format returns the content of the file with the errors that the cases have now.
func (f *File) Format() string {
	var b strings.Builder
	written := map[int]*Case{}
	for _, c := range f.Cases {
		written[c.last] = c
	}
	for i, line := range f.lines {
		if len(f.Cases) > 0 && i > f.Cases[0].first && strings.HasPrefix(line, "> ") {
			continue
		}
		b.WriteString(line)
		if i < len(f.lines)-1 {
			b.WriteByte('\n')
		}
		if c := written[i]; c != nil {
			for line := range strings.SplitSeq(cmp.Or(strings.Join(c.Errors, "\n"), Taken), "\n") {
				b.WriteString("> " + line + "\n")
			}
		}
	}
	return b.String()
}

// Line returns the text of an error as a file has it: in one line.
func Line(text string) string {
	if strings.ContainsAny(text, "\n\r") {
		return strconv.Quote(text)
	}
	return text
}

// edited returns a CRD with changes made to it, as JSON.
func edited(crd string, places map[string]string, edits string) ([]byte, error) {
	doc, err := decode(crd)
	if err != nil {
		return nil, err
	}
	changes, err := decode(edits)
	if err != nil {
		return nil, err
	}
	all, ok := changes.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("not an object: %s", edits)
	}
	// From the top down, so that what is written can be changed further.
	for _, k := range slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	}) {
		at, remove := strings.CutPrefix(k, "-")
		place, below, _ := strings.Cut(at, "/")
		if to, ok := places[place]; ok {
			at = strings.TrimSuffix(to+"/"+below, "/")
		}
		if doc, err = set(doc, strings.Split(at, "/"), all[k], remove); err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
	}
	return json.Marshal(doc)
}

// set returns v with a value at a path, or without what is there.
func set(v any, at []string, value any, remove bool) (any, error) {
	if len(at) == 0 {
		return expand(value), nil
	}
	switch v := v.(type) {
	case nil:
		return set(map[string]any{}, at, value, remove)
	case map[string]any:
		if remove && len(at) == 1 {
			if _, ok := v[at[0]]; !ok {
				return nil, fmt.Errorf("nothing to remove at %s", at[0])
			}
			delete(v, at[0])
			return v, nil
		}
		below, err := set(v[at[0]], at[1:], value, remove)
		v[at[0]] = below
		return v, err
	case []any:
		i, err := strconv.Atoi(at[0])
		if err != nil || i < 0 || i > len(v) {
			return nil, fmt.Errorf("no element %s", at[0])
		}
		if i == len(v) {
			v = append(v, nil)
		}
		v[i], err = set(v[i], at[1:], value, remove)
		return v, err
	}
	return nil, fmt.Errorf("no object above %s", at[0])
}

// repeated is a string that stands for a longer one.
var repeated = regexp.MustCompile(`^(.)\*([0-9]+)$`)

// expand returns v with the strings that others stand for.
func expand(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = expand(e)
		}
	case []any:
		for i, e := range v {
			v[i] = expand(e)
		}
	case string:
		if m := repeated.FindStringSubmatch(v); m != nil {
			n, _ := strconv.Atoi(m[2])
			return strings.Repeat(m[1], n)
		}
	}
	return v
}

// decode reads YAML. Numbers stay as they are written.
func decode(text string) (any, error) {
	data, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var v any
	err = decoder.Decode(&v)
	return v, err
}
