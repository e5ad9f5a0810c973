// Package answers writes what functions say about objects as a text. What Kubernetes says about objects of some golden cases is
// recorded in files of such texts.
package answers

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
)

// Functions are what is asked about objects: those of Kubernetes, of generated code, or of the reference. They may change the
// objects that they are given.
type Functions struct {
	// Prune returns what is dropped.
	Prune func(obj map[string]any) []string
	// Normalize fails for an object that is refused before it is validated.
	Normalize func(obj map[string]any) error
	// Check, Validate and Update return the texts of errors.
	Check, Validate func(obj map[string]any) []string
	Update          func(obj, old map[string]any) []string
}

// Objects returns the objects of a text.
func Objects(text string) ([]map[string]any, error) {
	var all []map[string]any
	for line := range strings.Lines(text) {
		if object, ok := strings.CutPrefix(line, "object "); ok {
			obj, err := numbers.Decode([]byte(object))
			if err != nil {
				return nil, fmt.Errorf("%w: %s", err, object)
			}
			all = append(all, obj)
		}
	}
	return all, nil
}

// Text returns what functions say about objects, with an object and the answers in each paragraph:
//
//	object {"spec":{"a":1,"b":null}}
//	drop spec.unknown
//	normal -spec.b null
//	normal +spec.c "default"
//	check,validate spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"
//
// An object is an update of the one before it with some of its own fields in it.
func Text(objects []map[string]any, f Functions) string {
	var b strings.Builder
	for i, obj := range objects {
		f.answer(&b, obj, objects[max(0, i-1)])
	}
	return b.String()
}

// answer writes the paragraph of an object.
func (f Functions) answer(b *strings.Builder, obj, before map[string]any) {
	defer b.WriteString("\n")
	fmt.Fprintf(b, "object %s\n", encode(obj))
	for _, path := range f.Prune(jsonvalue.Copy(obj)) {
		fmt.Fprintf(b, "drop %s\n", path)
	}
	normal := jsonvalue.Copy(obj)
	if err := f.Normalize(normal); err != nil {
		b.WriteString("refused\n")
		return
	}
	for _, line := range changes(obj, normal) {
		fmt.Fprintf(b, "normal %s\n", line)
	}
	said := map[string][]string{} // by text, who says so
	ask := func(name string, texts []string) {
		for _, text := range texts {
			if !slices.Contains(said[text], name) {
				said[text] = append(said[text], name)
			}
		}
	}
	ask("check", f.Check(jsonvalue.Copy(obj)))
	ask("validate", f.Validate(jsonvalue.Copy(obj)))
	ask("update", f.Update(jsonvalue.Copy(obj), jsonvalue.Copy(past(obj, before))))
	for _, text := range slices.Sorted(maps.Keys(said)) {
		fmt.Fprintf(b, "%s %s\n", strings.Join(said[text], ","), oneLine(text))
	}
}

// past returns an object that obj may be an update of: every other field of its fields is as in before.
func past(obj, before map[string]any) map[string]any {
	old := maps.Clone(obj)
	for name := range obj {
		is, ok := obj[name].(map[string]any)
		was, both := before[name].(map[string]any)
		if !ok || !both || name == "metadata" {
			continue
		}
		mixed := maps.Clone(is)
		for i, k := range slices.Sorted(maps.Keys(is)) {
			if i%2 == 1 {
				if mixed[k], ok = was[k]; !ok {
					delete(mixed, k)
				}
			}
		}
		old[name] = mixed
	}
	return old
}

// changes returns what distinguishes two values: lines with a path and a value, of the first after a minus, of the second after a plus.
func changes(a, b any) []string {
	was, is := map[string]bool{}, map[string]bool{}
	flatten("", a, was)
	flatten("", b, is)
	var lines []string
	for line := range was {
		if !is[line] {
			lines = append(lines, "-"+line)
		}
	}
	for line := range is {
		if !was[line] {
			lines = append(lines, "+"+line)
		}
	}
	slices.Sort(lines)
	return lines
}

func flatten(path string, v any, lines map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			flatten(path+"."+k, e, lines)
		}
		if len(v) > 0 {
			return
		}
	case []any:
		for i, e := range v {
			flatten(path+"["+strconv.Itoa(i)+"]", e, lines)
		}
		if len(v) > 0 {
			return
		}
	}
	lines[oneLine(strings.TrimPrefix(path, ".")+" "+encode(v))] = true
}

// encode writes a value in one line.
func encode(v any) string { return strings.TrimSpace(numbers.Encode(v, "")) }

// oneLine returns a text without what would break a line.
func oneLine(s string) string { return strings.NewReplacer("\n", `\n`, "\x00", `\0`).Replace(s) }
