package tests

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	suites "github.com/prune-gen/prune-gen/internal/conformance"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// form is a JSON form that commands print, with its published schema: as it is, which allows further fields, and closed, which does not.
type form struct {
	open, closed *validator.Schema
	fields       map[string]bool // that the schema describes, and whether a document has them
}

// question and answer are the parts of the schemas of the lines that prune-gen-builtin and the programs of the conformance suite read and write.
const question, answer = "#/$defs/question", "#/$defs/answer"

// forms returns the published forms.
func forms(t *testing.T) map[string]*form {
	t.Helper()
	files, err := filepath.Glob("../../../docs/schemas/*.v1.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*form{}
	add := func(file, part string) {
		f := &form{fields: map[string]bool{}}
		for _, to := range []struct {
			schema **validator.Schema
			edit   func(string, map[string]any)
		}{{&f.open, func(string, map[string]any) {}}, {&f.closed, f.seal}} {
			text, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer text.Close()
			doc, err := validator.UnmarshalJSON(text)
			if err != nil {
				t.Fatal(file, err)
			}
			each("", doc, to.edit)
			compiler := validator.NewCompiler()
			if err := compiler.AddResource("form.json", doc); err != nil {
				t.Fatal(file, err)
			}
			if *to.schema, err = compiler.Compile("form.json" + part); err != nil {
				t.Fatal(file, err)
			}
		}
		maps.DeleteFunc(f.fields, func(field string, _ bool) bool { return !strings.HasPrefix("#"+field, part) })
		all[strings.TrimSuffix(filepath.Base(file), ".v1.json")+part] = f
	}
	for _, file := range files {
		if name := filepath.Base(file); name == "builtin.v1.json" || name == "conformance.v1.json" {
			add(file, question)
			add(file, answer)
		} else {
			add(file, "")
		}
	}
	return all
}

// seal makes an object in a schema refuse the fields that it does not describe, and notes the others.
func (f *form) seal(at string, s map[string]any) {
	if fields, ok := s["properties"].(map[string]any); ok && s["type"] == "object" {
		s["additionalProperties"] = false
		for name := range fields {
			f.fields[at+"/properties/"+name] = false
		}
	}
}

// each calls do for every object in a JSON value, with its JSON pointer.
func each(at string, v any, do func(at string, o map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			each(at+"/"+name, value, do)
		}
		do(at, v)
	case []any:
		for _, value := range v {
			each(at, value, do)
		}
	}
}

// document is JSON that a command has printed.
type document struct {
	command, form, text string
}

// documents returns the JSON in the transcripts of the commands.
func documents(t *testing.T) []document {
	t.Helper()
	files, err := filepath.Glob("../../../cmd/prune-gen/transcripts/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []document
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, transcript, ok := strings.Cut(string(text), "\n-- transcript --\n")
		if !ok {
			t.Fatal(file, "has no transcript")
		}
		for _, run := range strings.Split("\n"+transcript, "\n$ prune-gen ")[1:] {
			run, _, _ := strings.Cut(run, "\n$ ")
			command, printed, _ := strings.Cut(run, "\n")
			var stdout, stderr strings.Builder
			for lines := bufio.NewScanner(strings.NewReader(printed)); lines.Scan(); {
				if line, ok := strings.CutPrefix(lines.Text(), "! "); ok {
					stderr.WriteString(line + "\n")
				} else if !strings.HasPrefix(line, "exit status ") {
					stdout.WriteString(line + "\n")
				}
			}
			if strings.Contains(command, "--output json") {
				all = append(all, document{command, "findings", stderr.String()})
			}
			switch {
			case strings.HasPrefix(command, "explain ") && strings.Contains(command, "--output json"):
				all = append(all, document{command, "explain", stdout.String()})
			case strings.Contains(command, "--output json"):
				all = append(all, document{command, "findings", stdout.String()})
			}
		}
	}
	for i := range all {
		all[i].text, _, _ = strings.Cut(all[i].text, "\n}\n") // a message may follow on standard error
		all[i].text += "\n}"
	}
	all = slices.DeleteFunc(all, func(d document) bool { return !strings.HasPrefix(d.text, "{") })
	lines, err := os.ReadFile("../../../internal/answer/builtin/testdata/protocol.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		all = append(all, document{"builtin", "builtin" + []string{question, answer}[i%2], line})
	}
	return append(all, suite(t)...)
}

// suite returns the questions of the conformance suite, and the answers that servers gave.
func suite(t *testing.T) []document {
	t.Helper()
	files, err := suites.Read("../../../conformance")
	if err != nil {
		t.Fatal(err)
	}
	all := []document{ // which no server gives
		{"conformance", "conformance" + answer, `{"id": "a", "skipped": "an update"}`},
		{"conformance", "conformance" + answer, `{"id": "a", "error": "the CRD is refused"}`},
	}
	add := func(part string, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, document{"conformance", "conformance" + part, string(text)})
	}
	for _, f := range files {
		for _, c := range f.Cases {
			for _, version := range kubeversion.Known() {
				if a := c.Answer(version); a != nil {
					answered := *a
					answered.ID = c.ID()
					add(answer, answered)
				}
			}
			add(question, c.Question(kubeversion.Newest))
		}
	}
	return all
}

func TestPublishedSchemasDescribeWhatCommandsPrint(t *testing.T) {
	all := forms(t)
	for _, d := range documents(t) {
		f := all[d.form]
		doc, err := validator.UnmarshalJSON(strings.NewReader(d.text))
		if err != nil {
			t.Errorf("%s: %v", d.command, err)
			continue
		}
		if err := f.closed.Validate(doc); err != nil {
			t.Errorf("prune-gen %s prints what docs/schemas/%s.v1.json does not describe: %v", d.command, d.form, err)
		}
		f.see(f.closed, doc)
		each("", doc, func(_ string, o map[string]any) { o["later"] = true })
		if err := f.open.Validate(doc); err != nil {
			t.Errorf("docs/schemas/%s.v1.json does not allow further fields: %v", d.form, err)
		}
		if f.closed.Validate(doc) == nil {
			t.Errorf("%s: the closed form of %s allows further fields", d.command, d.form)
		}
	}
	for name, f := range all {
		for field, seen := range f.fields {
			if !seen {
				t.Errorf("docs/schemas/%s.v1.json has %s, which no transcript has", name, field)
			}
		}
	}
}

// see notes the fields of a document.
func (f *form) see(s *validator.Schema, v any) {
	for s.Ref != nil {
		s = s.Ref
	}
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if p := s.Properties[name]; p != nil {
				_, at, _ := strings.Cut(s.Location, "#")
				f.fields[at+"/properties/"+name] = true
				f.see(p, value)
			}
		}
	case []any:
		for _, value := range v {
			f.see(s.Items2020, value)
		}
	}
}
