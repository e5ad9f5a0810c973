package builtin

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
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
	var held []string // replies to the first of two questions
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			fmt.Println(`{"error": "nonsense"}`)
			continue
		}
		reply := strings.NewReplacer("\n", "", "\t", "").Replace(replyTo(how, q))
		if strings.HasPrefix(reply, "{") && how != "names no question" {
			reply = fmt.Sprintf(`{"id": %d, %s`, q.ID, reply[1:])
		}
		if how == "two at a time" && q.Object != nil {
			if held = append(held, reply); len(held) == 2 {
				fmt.Println(held[1] + "\n" + held[0])
				held = nil
			}
			continue
		}
		fmt.Println(reply)
	}
}

// replyTo returns the reply of the program to a question.
func replyTo(how string, q question) string {
	switch {
	case how == "silent":
		os.Exit(0)
	case how == "nonsense":
		return "Hello"
	case how == "endless":
		for {
			os.Stdout.WriteString(strings.Repeat("x", 1<<16))
		}
	case q.Kinds && how == "old":
		return `{"kubernetes": "v1.30.1"}`
	case q.Kinds:
		return fmt.Sprintf(`{"kubernetes": "v%s.1", "kinds": [{"apiVersion": "apps/v1", "kind": "Deployment", "namespaced": true}, {"apiVersion": "v1", "kind": "Node"}]}`, kubeversion.Newest)
	case q.Schema != nil && how == "dies later", how == "dies at the third" && q.Object != nil && q.ID == 5:
		fmt.Fprintln(os.Stderr, "panic: out of luck\n\ngoroutine 1 [running]:")
		os.Exit(7)
	case how == "hangs" && q.Object != nil:
		select {}
	case q.Schema != nil && how == "has no schema":
		return `{"schema": 7}`
	case q.Schema != nil:
		return `{"schema": {"type": "object", "properties": {"metadata": {"type": "object"}, "spec": {"type": "object", "properties": {
			"replicas": {"type": "integer"}, "image": {"type": "string"}, "env": {"type": "object", "additionalProperties": {"type": "string"}}}}}}}`
	}
	if how == "says nothing" {
		return `{"code": 201}`
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
		return `{"code": 422, "status": {"message": "it is invalid", "details": {"causes": [{"reason": "FieldValueInvalid", "message": "Invalid value: \"x\": field is immutable", "field": "spec.image"}]}}}`
	}
	warning := "deprecated"
	if env, _ := spec["env"].(map[string]any); env["warning"] != nil {
		warning = fmt.Sprint(env["warning"])
	}
	return `{"code": 201, "warnings": [` + strconv.Quote(warning) + `], "object": {"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": {"name": "a", "uid": "1", "resourceVersion": "1", "creationTimestamp": "now"}, "spec": {"replicas": 1, "share": 0.5}}}`
}

// startAs starts the test as a program.
func startAs(t *testing.T, how string) (*Program, error) {
	t.Helper()
	t.Setenv("BUILTIN_TEST_PROGRAM", how)
	p, err := start(os.Args[0], 0, limits{time.Minute, 1 << 20})
	if err == nil {
		t.Cleanup(func() { p.Stop() })
	}
	return p, err
}

// newServer returns a server that asks the program.
func newServer(t *testing.T, how string) (*manifest.Server, *Program) {
	t.Helper()
	p, err := startAs(t, how)
	if err != nil {
		t.Fatal(err)
	}
	m := meter.New(1)
	s := manifest.NewServer(m, nil)
	s.BuiltIn(func() []manifest.Definition { return p.Definitions(m) })
	return s, p
}

// ask returns the findings about the objects of a text, each with its line, and the last answer.
func ask(t *testing.T, s *manifest.Server, text string) (found []string, last *manifest.Judged) {
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
		found = append(found, fmt.Sprintf("%d: %s: %s (%s)", finding.Line, finding.ID, finding.Message, finding.Hint))
		if v := finding.Version; v != "apps/v1" && finding.ID != manifest.IDUnknownKind && finding.ID != manifest.IDUnknownVersion {
			t.Errorf("%s is about version %s", finding.Message, v)
		}
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
		"apiVersion: apps/v1\nkind: Deploiment\n":   {`2: manifest/unknown-kind: no matches for kind "Deploiment" in version "apps/v1" (did you mean Deployment?)`},
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

// A warning that begins with the path of a field has the place of that field, or of the nearest one above it that is written.
func TestWarningsAreAtTheFieldsThatTheyName(t *testing.T) {
	s, _ := newServer(t, "yes")
	for warning, want := range map[string]string{
		"spec.env.warning: deprecated since v1.14":               "5:9 spec.env.warning",
		"spec.env[warning]: deprecated since v1.14":              "5:9 spec.env.warning",
		"metadata.annotations[a.io/b]: non-functional":           "3:26 metadata.annotations.a.io/b",
		"spec.ports[1].name: duplicate":                          "8:6 spec.ports[1].name",
		"spec.ports[1].hostIP: set without hostPort: {A:1 B:2}":  "8:5 spec.ports[1]",
		"spec.ports[7]: duplicate":                               "6:3 spec.ports",
		"spec.Ports is ignored for headless services":            "6:3 spec.ports",
		"spec.other.field: duplicate":                            "4:1 spec",
		"spec":                                                   "4:1 spec",
		"speck.other: duplicate":                                 "1:1 ",
		"annotation a.io/b is deprecated, please use spec.ports": "1:1 ",
		"": "1:1 ",
	} {
		text := strings.Replace(deployment, "{name: a}", "{annotations: {a.io/b: x}, name: a}", 1) + "  env: {warning: " + strconv.Quote(warning) + "}\n  ports:\n  - {name: a}\n  - {name: b}\n"
		_, a := ask(t, s, text)
		f := a.Findings[len(a.Findings)-1]
		if have := fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Path); f.Message != warning || have != want {
			t.Errorf("%s: %s %q, want %s", warning, have, f.Message, want)
		}
	}
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

// Objects of several files are asked about before the first one is answered. The program answers two questions at a time, the second one
// first; the findings are those of each file, in its order.
func TestObjectsAreAskedAboutTogether(t *testing.T) {
	s, p := newServer(t, "two at a time")
	var q manifest.Queue
	var found []string
	for file, text := range []string{deployment + "  replicas: -1", deployment + "  replica: 1\n---\n" + deployment + "  replicas: -2", deployment + "  image: a"} {
		manifest.ReadAhead(&q, objects.NewText(strconv.Itoa(file), []byte(text)), func(o manifest.Object, reasons manifest.Reasons) (int, func() []structural.Finding) {
			size, answer := s.Ask(o, manifest.Strict, reasons)
			return size, func() []structural.Finding { return answer().Findings }
		}, func(f manifest.File) {
			for _, finding := range f.Findings {
				found = append(found, fmt.Sprintf("%s:%d:%s", finding.File, finding.Line, finding.ID))
			}
		}, s)
	}
	if len(found) > 0 {
		t.Errorf("%q was found before all were asked about", found)
	}
	q.Finish()
	if want := []string{"0:5:object/invalid", "1:1:object/warning", "1:5:object/unknown-field", "1:11:object/invalid", "2:1:object/warning"}; !slices.Equal(found, want) {
		t.Errorf("have %q, want %q", found, want)
	}
	if err := errors.Join(s.Err(), p.Stop()); err != nil {
		t.Error(err)
	}
}

// A program that stops, or talks nonsense, is an error that says so, and no object passes unseen.
func TestProgramsThatFail(t *testing.T) {
	for how, want := range map[string]string{
		"silent":            " has ended without an answer",
		"nonsense":          " does not answer as prune-gen-builtin does: invalid character 'H' looking for beginning of value",
		"endless":           " does not answer as prune-gen-builtin does: bufio.Scanner: token too long",
		"names no question": " does not answer as prune-gen-builtin does: id 0, which is not that of a question",
		"old":               " is of Kubernetes v1.30.1, want " + kubeversion.Newest.String() + ": get " + Name,
	} {
		if _, err := startAs(t, how); err == nil || err.Error() != os.Args[0]+want {
			t.Errorf("%s: %v, want %s", how, err, want)
		}
	}
	if _, err := Start(filepath.Join(t.TempDir(), "none"), 0); err == nil {
		t.Error("a program that is not there was started")
	}
	for how, want := range map[string]string{
		"dies later":        os.Args[0] + " has ended: exit status 7: panic: out of luck",
		"dies at the third": "Deployment a: " + os.Args[0] + " has ended: exit status 7: panic: out of luck",
		"has no schema":     os.Args[0] + ": the schema of Deployment cannot be read",
		"hangs":             ": no answer in 1ms",
		"says nothing":      "Deployment a: the answer has neither an object nor a status",
	} {
		s, p := newServer(t, how)
		if how == "hangs" {
			p.limits.patience = time.Millisecond
		}
		_, a := ask(t, s, strings.Repeat(deployment+"  image: a\n---\n", 5))
		if err := cmp.Or(s.Err(), p.Stop()); err == nil || !strings.HasSuffix(err.Error(), want) || a.Stored != nil {
			t.Errorf("%s: %v stored, %v, want %s", how, a.Stored, err, want)
		}
	}
}

// The program is the one that is named, or lies beside this one, or on the PATH; another version has another name.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv(Variable, "")
	for _, name := range []string{Name, Name + "-1.34", "mine"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		given string
		by    kubeversion.Version
		want  string
	}{{"", 0, Name}, {"", 34, Name + "-1.34"}, {"", 33, Name}, {"mine", 34, "mine"}, {"none", 0, "."}} {
		if path, err := Find(c.given, c.by); filepath.Base(path) != c.want || err != nil {
			t.Errorf("%q, %s: %s, %v, want %s", c.given, c.by, path, err, c.want)
		}
	}
	if path, err := Find("missing", 0); err == nil || !strings.HasPrefix(err.Error(), "--builtin: exec: ") {
		t.Errorf("found %s, %v", path, err)
	}
	t.Setenv(Variable, "mine")
	if path, err := Find("", 0); filepath.Base(path) != "mine" || err != nil {
		t.Errorf("%s, %v", path, err)
	}
	if path, err := Find("none", 0); path != "" || err != nil {
		t.Errorf("%s, %v", path, err)
	}
	t.Setenv(Variable, "missing")
	if path, err := Find("", 0); err == nil || !strings.HasPrefix(err.Error(), Variable+": exec: ") {
		t.Errorf("found %s, %v", path, err)
	}
	t.Setenv(Variable, "")
	t.Setenv("PATH", t.TempDir())
	if path, err := Find("", 33); path != "" || err != nil {
		t.Errorf("found %s, %v", path, err)
	}
}

// The program lies beside a link, or beside the file that the link is to.
func TestSearchFollowsLinks(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	bin := t.TempDir()
	store, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self, file := filepath.Join(bin, "kubectl-prunegen"), filepath.Join(store, "prune-gen")
	if err := os.Symlink(file, self); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ added, want string }{
		{file, ""},
		{filepath.Join(store, Name), filepath.Join(store, Name)},
		{filepath.Join(bin, Name), filepath.Join(bin, Name)},
	} {
		if err := os.WriteFile(c.added, []byte("#!/bin/sh\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		if path := search(self, Name+"-1.34", Name); path != c.want {
			t.Errorf("with %s: found %q, want %q", c.added, path, c.want)
		}
	}
}

// A value that cannot be decoded is named by a JSON Pointer.
func TestPathTo(t *testing.T) {
	obj := map[string]any{"spec": map[string]any{"list": []any{map[string]any{"name": "a"}}, "map": map[string]any{"a.b/c": "x"}, "none": []any{}}}
	for pointer, want := range map[string]string{
		"/spec/list/0/name": "spec.list[0].name", "/spec/map/a.b~1c": "spec.map.a.b/c", "/spec/list/9/x": "spec.list", "/spec/list/-1": "spec.list",
		"/spec/none/0": "spec.none", "/spec/new": "spec.new", "": "",
	} {
		if have := pathTo(pointer, obj).String(); have != want {
			t.Errorf("%s is %s, want %s", pointer, have, want)
		}
	}
}
