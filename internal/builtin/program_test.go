package builtin

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/objects"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// The test is the program, if a variable says so: it answers as a small API server would.
func TestMain(m *testing.M) {
	how := os.Getenv("BUILTIN_TEST_PROGRAM")
	if how == "" {
		os.Exit(m.Run())
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			fmt.Println(`{"error": "nonsense"}`)
			continue
		}
		fmt.Println(strings.NewReplacer("\n", "", "\t", "").Replace(replyTo(how, q)))
	}
}

// replyTo returns the reply of the program to a question.
func replyTo(how string, q question) string {
	switch {
	case how == "silent":
		os.Exit(7)
	case how == "nonsense":
		return "Hello"
	case q.Kinds && how == "old":
		return `{"kubernetes": "v1.30.1"}`
	case q.Kinds:
		return fmt.Sprintf(`{"kubernetes": "v%s.1", "kinds": [{"apiVersion": "apps/v1", "kind": "Deployment", "namespaced": true}, {"apiVersion": "v1", "kind": "Node"}]}`, kubeversion.Newest)
	case q.Schema != nil && how == "dies later":
		os.Exit(7)
	case q.Schema != nil && how == "has no schema":
		return `{"schema": 7}`
	case q.Schema != nil:
		return `{"schema": {"type": "object", "properties": {"metadata": {"type": "object"}, "spec": {"type": "object", "properties": {
			"replicas": {"type": "integer"}, "image": {"type": "string"}, "env": {"type": "object", "additionalProperties": {"type": "string"}}}}}}}`
	}
	spec, _ := q.Object["spec"].(map[string]any)
	switch replicas := spec["replicas"].(type) {
	case string, map[string]any:
		return `{"code": 400, "status": {"message": "cannot unmarshal"}, "undecodable": [{"at": "/spec/replicas", "message": "cannot unmarshal string"}]}`
	case float64:
		if replicas < 0 {
			return `{"code": 422, "status": {"reason": "Invalid", "message": "it is invalid", "details": {"causes": [
				{"reason": "FieldValueInvalid", "message": "Invalid value: -1: must not be negative", "field": "spec.replicas"}]}}}`
		}
	}
	old, _ := q.Old["spec"].(map[string]any)
	switch {
	case old["image"] == "bad":
		return `{"code": 422, "old": true, "status": {"message": "bad image"}}`
	case old != nil && old["image"] != spec["image"]:
		return `{"code": 422, "status": {"details": {"causes": [{"reason": "FieldValueInvalid", "message": "Invalid value: \"x\": field is immutable", "field": "spec.image"}]}}}`
	}
	return `{"code": 201, "warnings": ["deprecated"], "object": {"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": {"name": "a", "uid": "1", "resourceVersion": "1", "creationTimestamp": "now"}, "spec": {"replicas": 1, "share": 0.5}}}`
}

// start starts the test as a program.
func start(t *testing.T, how string) (*Program, error) {
	t.Helper()
	t.Setenv("BUILTIN_TEST_PROGRAM", how)
	p, err := Start(os.Args[0], 0)
	if err == nil {
		t.Cleanup(func() { p.Stop() })
	}
	return p, err
}

// newServer returns a server that asks the program.
func newServer(t *testing.T, how string) (*manifest.Server, *Program) {
	t.Helper()
	p, err := start(t, how)
	if err != nil {
		t.Fatal(err)
	}
	m := meter.New(1)
	s := manifest.NewServer(m, nil)
	s.BuiltIn(func() []manifest.Definition { return p.Definitions(m) })
	return s, p
}

// ask returns the findings about the objects of a text, each with its line, and the last answer.
func ask(t *testing.T, s *manifest.Server, text string) (found []string, last *manifest.Answer) {
	t.Helper()
	in, err := objects.Open(meter.New(1), objects.Source{Name: "test.yaml", Reader: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	f := manifest.Read(in, func(o manifest.Object) []structural.Finding {
		last = s.Answer(o, manifest.Strict)
		return last.Findings
	}, s)
	for _, finding := range f.Findings {
		found = append(found, fmt.Sprintf("%d: %s: %s (%s)", finding.Line, finding.Rule, finding.Message, finding.Hint))
	}
	return found, last
}

const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n"

// Answers of the program are findings like those about custom resources: with places, hints and rules.
func TestObjectsOfBuiltInKinds(t *testing.T) {
	s, p := newServer(t, "yes")
	for text, want := range map[string][]string{
		deployment + "  replica: 1":                 {`5: object/unknown-field: unknown field "spec.replica" (did you mean replicas?)`, "1: object/warning: deprecated ()"},
		deployment + "  replicas: \"3\"":            {"5: object/type: spec.replicas: Invalid value: cannot unmarshal string (write it without quotes)"},
		deployment + "  replicas: {more: 1}":        {"5: object/type: spec.replicas: Invalid value: cannot unmarshal string ()"},
		deployment + "  image: a\n  replicas: -1":   {"6: object/invalid: spec.replicas: Invalid value: -1: must not be negative ()"},
		"apiVersion: apps/v2\nkind: Deployment":     {`1: manifest/unknown-version: no matches for kind "Deployment" in version "apps/v2" (Kubernetes serves v1)`},
		"apiVersion: apps/v1\nkind: Deploiment\n":   {`1: manifest/unknown-kind: no matches for kind "Deploiment" in version "apps/v1" (did you mean Deployment?)`},
		deployment + "  replicas: 1\n  replicas: 2": {`6: object/duplicate-field: duplicate field "spec.replicas" (it is set on line 5 already, and the last one counts)`, "1: object/warning: deprecated ()"},
	} {
		found, _ := ask(t, s, text)
		if !sameElements(found, want) {
			t.Errorf("%s\nhave %q\nwant %q", text, found, want)
		}
	}
	_, a := ask(t, s, deployment+"  image: a")
	want := map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"replicas": int64(1), "share": 0.5}}
	if a.CRD() != "" || !reflect.DeepEqual(a.Stored, want) || errors.Join(s.Err(), p.Err()) != nil {
		t.Errorf("%q stores %v, %v, %v", a.CRD(), a.Stored, s.Err(), p.Err())
	}
}

func sameElements(a, b []string) bool {
	count := map[string]int{}
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			count[a[i]]++
		}
		if i < len(b) {
			count[b[i]]--
		}
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// An object with an old one is asked about as an update. An old one that is refused says nothing about the new one.
func TestUpdatesOfBuiltInKinds(t *testing.T) {
	for image, want := range map[string]string{
		"y":   `6: object/invalid: spec.image: Invalid value: "x": field is immutable ()`,
		"x":   "1: object/warning: deprecated ()",
		"bad": "1: manifest/old-refused: the old object is refused: bad image (this one is validated as if it were created)",
	} {
		s, _ := newServer(t, "yes")
		in, err := objects.Open(meter.New(1), objects.Source{Name: "old.yaml", Reader: strings.NewReader(deployment + "  image: " + image)})
		if err != nil {
			t.Fatal(err)
		}
		manifest.ReadToKeep(in, func(o manifest.Object) []structural.Finding {
			if !s.Store(o) {
				t.Error("there is no room")
			}
			return nil
		}, s)
		if found, _ := ask(t, s, deployment+"  replicas: 1\n  image: x"); len(found) == 0 || found[0] != want {
			t.Errorf("%s: %q, want %s", image, found, want)
		}
	}
}

// A program that stops, or talks nonsense, is an error, and no object passes unseen.
func TestProgramsThatFail(t *testing.T) {
	for how, want := range map[string]string{
		"silent":   "no answer: EOF",
		"nonsense": "no answer: invalid character 'H'",
		"old":      "is of Kubernetes v1.30.1, want " + kubeversion.Newest.String(),
	} {
		if _, err := start(t, how); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", how, err, want)
		}
	}
	if _, err := Start(filepath.Join(t.TempDir(), "none"), 0); err == nil {
		t.Error("a program that is not there was started")
	}
	for _, how := range []string{"dies later", "has no schema"} {
		s, p := newServer(t, how)
		if _, a := ask(t, s, deployment+"  image: a"); p.Err() == nil || a.Stored != nil {
			t.Errorf("%s: %v stored, %v", how, a.Stored, p.Err())
		}
	}
}

// The program is the one that is named, or lies beside this one, or on the PATH; another version has another name.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, name := range []string{Name, Name + "-1.34", "mine"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		given string
		by    kubeversion.Version
		want  string
	}{{"", 0, Name}, {"", 34, Name + "-1.34"}, {"", 33, "."}, {"mine", 34, "mine"}, {"none", 0, "."}} {
		if path, err := Find(c.given, c.by); filepath.Base(path) != c.want || err != nil {
			t.Errorf("%q, %s: %s, %v, want %s", c.given, c.by, path, err, c.want)
		}
	}
	if path, err := Find("missing", 0); err == nil {
		t.Errorf("found %s", path)
	}
}

// The API server writes paths as texts. What they mean depends on the object.
func TestPathOf(t *testing.T) {
	obj := map[string]any{
		"spec": map[string]any{
			"list": []any{map[string]any{"name": "a"}},
			"map":  map[string]any{"a.b/c": "x", "a": map[string]any{"b": "y"}},
		},
	}
	for text, want := range map[string]string{
		"spec.list[0].name":    "spec.list[0].name",
		"spec.list[0].missing": "spec.list[0].missing",
		"spec.list[7].name":    "spec.list",
		"spec.list[x]":         "spec.list",
		"spec.map.a.b":         "spec.map.a.b",
		"spec.map.a.b/c":       "spec.map.[a.b/c]",
		"spec.map[a.b/c]":      "spec.map.[a.b/c]",
		"other[0].x":           "other.0.x",
		"spec[":                "spec.[",
		"":                     "",
	} {
		var have []string
		for _, s := range pathOf(text, obj) {
			switch {
			case s.Index >= 0:
				have[len(have)-1] += fmt.Sprintf("[%d]", s.Index)
			case strings.ContainsAny(s.Name, "./"):
				have = append(have, "["+s.Name+"]")
			default:
				have = append(have, s.Name)
			}
		}
		if have := strings.Join(have, "."); have != want {
			t.Errorf("%s is %s, want %s", text, have, want)
		}
	}
	path := pathTo("/spec/map/a.b~1c", obj)
	if len(path) != 3 || path[2].Name != "a.b/c" || pathTo("", obj) != nil || pathTo("/spec/list/9/x", obj) == nil {
		t.Errorf("%v", path)
	}
}

// The text of an error is that of its cause, whatever is known of its parts.
func TestErrorsHaveTheTextOfTheirCauses(t *testing.T) {
	for message, want := range map[string]any{
		`Invalid value: "a b": is bad`:  "a b",
		`Invalid value: {"a":1}: is so`: prunert.OmittedValue{},
		`Invalid value: "a" and "b"`:    prunert.OmittedValue{},
		"something else":                prunert.OmittedValue{},
	} {
		e := errorOf(prunert.Cause{Reason: "FieldValueInvalid", Message: message, Field: "a"}, nil)
		if e.BadValue != want || message != "something else" && e.Body() != message {
			t.Errorf("%s: %#v of %q", message, e.BadValue, e.Body())
		}
	}
	if e := errorOf(prunert.Cause{Reason: "FieldValueRequired", Message: "Required value", Field: "a"}, nil); e.Error() != "a: Required value" {
		t.Error(e)
	}
	if !errors.Is(fmt.Errorf("%w: x", manifest.ErrOldRefused), manifest.ErrOldRefused) {
		t.Error("an old object that is refused is not known as one")
	}
}
