package conformance

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

const small = `
crd: {spec: {group: g.io, scope: Namespaced, names: {kind: K}, versions: [{name: v1}, {name: v2}]}}
cases:
- {name: a map, object: {a: 1}}
- {name: an update, version: v2, stored: {a: 1}, object: {metadata: {labels: {a: b}}}, namespace: ns, fieldValidation: Warn, subresource: status}
- {name: a text, object: '{"a": 1.0, "a": 2}'}
- {name: not JSON, object: '{'}
- {name: no fieldValidation, object: {}, fieldValidation: ''}
`

// What the objects of a case leave out is filled in.
func TestQuestionsAreComplete(t *testing.T) {
	files, err := Read(written(t, map[string]string{"s/f.yaml": small, "executors/x.yaml": "no case"}))
	if err != nil {
		t.Fatal(err)
	}
	const crd = `"crd":{"spec":{"group":"g.io","names":{"kind":"K"},"scope":"Namespaced","versions":[{"name":"v1"},{"name":"v2"}]}}`
	want := []string{
		`{"id":"s/f: a map","kubernetes":"1.36",` + crd + `,"version":"v1","object":{"a":1,"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"a"}},"namespace":"default","fieldValidation":"Strict"}`,
		`{"id":"s/f: an update","kubernetes":"1.36",` + crd + `,"version":"v2","object":{"apiVersion":"g.io/v2","kind":"K","metadata":{"labels":{"a":"b"},"name":"a","resourceVersion":"1"}},` +
			`"stored":{"a":1,"apiVersion":"g.io/v2","kind":"K","metadata":{"creationTimestamp":"2026-01-01T00:00:00Z","generation":1,"name":"a","namespace":"ns","resourceVersion":"1","uid":"u"}},` +
			`"namespace":"ns","fieldValidation":"Warn","subresource":"status"}`,
		`{"id":"s/f: a text","kubernetes":"1.36",` + crd + `,"version":"v1","object":{"a":1.0,"a":2},"namespace":"default","fieldValidation":"Strict"}`,
		`{"id":"s/f: not JSON","kubernetes":"1.36",` + crd + `,"version":"v1","body":"{","namespace":"default","fieldValidation":"Strict"}`,
		`{"id":"s/f: no fieldValidation","kubernetes":"1.36",` + crd + `,"version":"v1","object":{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"a"}},"namespace":"default"}`,
	}
	for i, q := range Questions(files, 36) {
		if have := string(text(q)); have != want[i] {
			t.Errorf("have %s\nwant %s", have, want[i])
		}
	}
}

// So is what a CRD leaves out that is created or updated. A null stays, and what has another type.
func TestCRDsAreComplete(t *testing.T) {
	files, err := Read(written(t, map[string]string{"s/f.yaml": `
cases:
- {name: nothing, object: {}}
- {name: names, object: {spec: {group: g.io, names: {plural: ks, kind: null}, versions: [{name: v3, storage: false}, {storage: true, schema: null}]}}}
- {name: other types, object: {metadata: 1, spec: {names: [], versions: [1]}}}
- {name: an update, stored: {}, object: {metadata: {name: b}}}
`}))
	if err != nil {
		t.Fatal(err)
	}
	const head, schema = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":`, `"schema":{"openAPIV3Schema":{"type":"object"}}`
	const spec = `"spec":{"group":"example.com","names":{"kind":"Widget","plural":"widgets"},"scope":"Namespaced","versions":[{"name":"v1",` + schema + `,"served":true,"storage":true}]}`
	want := []string{
		head + `{"name":"widgets.example.com"},` + spec + `}`,
		head + `{"name":"ks.g.io"},"spec":{"group":"g.io","names":{"kind":null,"plural":"ks"},"scope":"Namespaced","versions":[{"name":"v3",` + schema +
			`,"served":true,"storage":false},{"name":"v2","schema":null,"served":true,"storage":true}]}}`,
		head + `1,"spec":{"group":"example.com","names":[],"scope":"Namespaced","versions":[1]}}`,
		head + `{"name":"b","resourceVersion":"1"},` + spec + `}`,
	}
	all := Questions(files, 37)
	for i, q := range all {
		if string(q.Object) != want[i] {
			t.Errorf("have %s\nwant %s", q.Object, want[i])
		}
	}
	const stored = head + `{"creationTimestamp":"2026-01-01T00:00:00Z","generation":1,"name":"widgets.example.com","resourceVersion":"1","uid":"u"},` + spec +
		`,"status":{"acceptedNames":{"kind":"Widget","listKind":"WidgetList","plural":"widgets","singular":"widget"},"conditions":[` +
		`{"lastTransitionTime":"2026-01-01T00:00:00Z","message":"no conflicts found","reason":"NoConflicts","status":"True","type":"NamesAccepted"},` +
		`{"lastTransitionTime":"2026-01-01T00:00:00Z","message":"the initial names have been accepted","reason":"InitialNamesAccepted","status":"True","type":"Established"}],` +
		`"storedVersions":["v1"]}}`
	if have := string(all[3].Stored); have != stored {
		t.Errorf("have %s\nwant %s", have, stored)
	}
}

func TestFilesThatAreWrong(t *testing.T) {
	for name, c := range map[string]struct{ file, answers, want string }{
		"an unknown field":           {small + "more: 1", "", `unknown field "more"`},
		"an unknown field of a case": {strings.Replace(small, "namespace:", "namespaces:", 1), "", `unknown field "namespaces"`},
		"a name twice":               {strings.Replace(small, "a map", "a text", 1), "", `a case has no name of its own: "a text"`},
		"no name":                    {strings.Replace(small, "name: a map, ", "", 1), "", `a case has no name of its own: ""`},
		"an object that is a list":   {strings.Replace(small, "object: {a: 1}", "object: [a]", 1), "", "a map: an object is a map, or a text"},
		"a CRD that is a list":       {"cases: [{name: a map, object: [a]}]", "", "a map: an object is a map, or a text"},
		"no object":                  {strings.Replace(small, ", object: {a: 1}", "", 1), "", "a map: an object is a map, or a text"},
		"an empty text":              {strings.Replace(small, "'{'", "''", 1), "", ""},
		"a CRD without versions":     {strings.Replace(small, "versions: [{name: v1}, {name: v2}]", "versions: []", 1), "", "no versions"},
		"a CRD of another type":      {strings.Replace(small, "group: g.io", "group: 1", 1), "", "cannot unmarshal"},
		"a key twice":                {small + "crd: {}", "", "already set in map"},
		"not YAML":                   {"a: [", "", "did not find"},
		"an unknown version":         {small, "answers: [{case: a map, kubernetes: ['1.2'], code: 201}]", "unknown version"},
		"an unknown version of all":  {small, "kubernetes: ['1.2']", "unknown version"},
		"answers that are a list":    {small, "- {case: a map, code: 201}", "cannot unmarshal"},
		"an answer to no case":       {small, "answers: [{case: gone, code: 201}]", ""},
		"nothing":                    {"", "", ""},
	} {
		files := map[string]string{"s/f.yaml": c.file}
		if c.answers != "" {
			files["s/f.answers.yaml"] = c.answers
		}
		_, err := Read(written(t, files))
		if c.want == "" && err != nil || c.want != "" && !contains(err, c.want) {
			t.Errorf("%s: have %v, want %s", name, err, c.want)
		}
	}
	if _, err := Read(t.TempDir()); !contains(err, "no cases in ") {
		t.Error(err)
	}
}

// What is recorded is read again: one answer for all versions that give it, and none for a version that refuses the CRD.
func TestRecordedAnswersAreReadAgain(t *testing.T) {
	dir := written(t, map[string]string{"s/f.yaml": small})
	answered := func(code int) map[string]*Answer {
		all := map[string]*Answer{}
		for _, name := range []string{"a map", "an update", "a text", "not JSON", "no fieldValidation"} {
			all["s/f: "+name] = &Answer{Code: code, Object: map[string]any{"big": int64(9007199254740993)}}
		}
		return all
	}
	for _, v := range kubeversion.Known() {
		files, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		answers := answered(201)
		if v == 34 {
			answers["s/f: a map"] = refused("no")
			answers["s/f: a text"] = &Answer{Error: "the CRD is refused"}
		}
		unanswered, err := record(files, v, answers)
		if err != nil || (len(unanswered) == 1) != (v == 34) {
			t.Fatal(unanswered, err)
		}
	}
	files, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join(dir, "s/f.answers.yaml"))
	const all, but34 = "", "  kubernetes:\n  - \"1.37\"\n  - \"1.36\"\n  - \"1.35\"\n  - \"1.33\"\n"
	entry := func(name, kubernetes string) string {
		return "- case: " + name + "\n  code: 201\n" + kubernetes + "  object:\n    big: 9007199254740993\n"
	}
	want := "answers:\n" + entry("a map", but34) + "- case: a map\n  code: 422\n  kubernetes:\n  - \"1.34\"\n  status:\n    message: \"no\"\n    reason: Invalid\n" +
		entry("an update", all) + entry("a text", but34) + entry("not JSON", all) + entry("no fieldValidation", all) +
		"kubernetes:\n- \"1.37\"\n- \"1.36\"\n- \"1.35\"\n- \"1.34\"\n- \"1.33\"\n"
	if err != nil || string(have) != want {
		t.Errorf("%v, have\n%s\nwant\n%s", err, have, want)
	}
	for v, n := range map[kubeversion.Version]int{37: 5, 34: 4} {
		results := Judge(files, v, answered(201), Levels())
		if len(results) != n {
			t.Errorf("%s: %d results", v, len(results))
		}
		for _, r := range results {
			if wrong := v == 34 && r.Name == "a map"; (len(r.Failed) > 0) != wrong {
				t.Errorf("%s: %s", v, r.Difference())
			}
		}
	}
}

// An answer counts for the versions that its file lists, however many this program knows.
func TestAnswersAreThoseOfTheVersionsOfTheirFile(t *testing.T) {
	files, err := Read(written(t, map[string]string{"s/f.yaml": small,
		"s/f.answers.yaml": "kubernetes: ['1.36', '1.35']\nanswers: [{case: a map, code: 201}, {case: a text, code: 400, kubernetes: ['1.36']}]"}))
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range map[kubeversion.Version][]bool{37: {false, false}, 36: {true, true}, 35: {true, false}, 34: {false, false}} {
		aMap, aText := files[0].Cases[0].Answer(v), files[0].Cases[2].Answer(v)
		if (aMap != nil) != want[0] || (aText != nil) != want[1] {
			t.Errorf("%s: %v, %v", v, aMap, aText)
		}
	}
}

// Programs that do not answer as they should are errors, with what they did wrong.
func TestProgramsThatDoNotAnswer(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	questions := []Question{{ID: "a"}, {ID: "b"}}
	const b = `; echo '{"id":"b","skipped":"no"}'`
	for script, want := range map[string]string{
		`exit 3`:                                            "exit status 3",
		`cat >/dev/null`:                                    "has answered 0 of 2 questions",
		`echo '{"id":"a","code":201}'`:                      "has answered 1 of 2 questions",
		`echo hello`:                                        "line 1: invalid character 'h'",
		`echo; echo '{"id":"c"}'`:                           `line 2 answers "c", which is no question that waits for an answer`,
		`echo '{"id":"a"}'; echo '{"id":"a"}'`:              `line 2 answers "a"`,
		`echo '{"id":"a"} {"id":"b"}'`:                      "line 1: invalid character '{' after top-level value",
		`printf '{"id":"%05000d"}' 0`:                       `00000… (4900 bytes more)", which is no question`,
		`head -c 70000000 /dev/zero`:                        "token too long",
		`cat >/dev/null; exec sleep 100`:                    "has answered 0 of 2 questions in 1s",
		`cat >/dev/null; sleep 100; true`:                   "has answered 0 of 2 questions in 1s",
		`echo hello; sleep 100; true`:                       "line 1: invalid character 'h'",
		`echo '{"id":"a"}'` + b:                             "a: the answer does not have one of code, skipped and error",
		`echo '{"id":"a","code":0}'` + b:                    "a: the answer does not have one of code, skipped and error",
		`echo '{"id":"a","code":1}'` + b:                    "a: the code 1 is not one from 200 to 599",
		`echo '{"id":"a","code":600}'` + b:                  "a: the code 600 is not one from 200 to 599",
		`echo '{"id":"a","code":201,"skipped":"no"}'` + b:   "a: the answer does not have one of code, skipped and error",
		`echo '{"id":"a","error":"no","skipped":"no"}'` + b: "a: the answer does not have one of code, skipped and error",
		`cat >/dev/null; echo; echo '{"id":"b","code":201}'; echo ' {"id":"a","code":400}'; echo`: "",
	} {
		var stderr bytes.Buffer
		p, start := &Program{Command: []string{"sh", "-c", script}, Within: time.Minute, Stderr: &stderr}, time.Now()
		if strings.Contains(want, "1s") {
			p.Within = time.Second
		}
		answers, err := p.Ask(questions)
		if err == nil && answers["a"].Error != "" {
			err = errors.New("a: " + answers["a"].Error)
		}
		if want == "" && (err != nil || answers["a"].Code != 400) || want != "" && !contains(err, want) {
			t.Errorf("%s: have %v, want %s", script, err, want)
		}
		if strings.Contains(script, "sleep") && time.Since(start) > 50*time.Second {
			t.Errorf("%s: goes on for %s", script, time.Since(start))
		}
	}
	if _, err := (&Program{Command: []string{"/does/not/exist"}, Within: time.Minute}).Ask(questions); err == nil {
		t.Error("a program that does not exist answers")
	}
}

// A file of known failures keeps what somebody wrote about them, and the failures that were not looked at.
func TestKnownFailuresAreUpdated(t *testing.T) {
	dir := written(t, map[string]string{"known": "# why\n\na: x [y] [texts]\na: gone [texts]\na: other [verdict]\n# the rest\nb: not asked [texts]\n"})
	known, err := ReadKnown(filepath.Join(dir, "known"), false)
	if err != nil {
		t.Fatal(err)
	}
	result := func(name string, failed ...Level) *Result {
		return &Result{Case: &Case{File: &File{Name: "a"}, Name: name}, Failed: failed}
	}
	text, added, removed := known.Updated([]*Result{result("x [y]", Texts), result("gone"), result("other", Texts), result("new", Object)})
	const want = "# why\n\na: x [y] [texts]\n# the rest\nb: not asked [texts]\na: other [texts]\na: new [object]\n"
	if text != want || added != 2 || removed != 2 {
		t.Errorf("%d added, %d removed:\n%s", added, removed, text)
	}
	if _, err := ReadKnown(filepath.Join(dir, "none"), false); err == nil {
		t.Error("a file that does not exist is empty")
	}
	if _, err := ReadKnown(filepath.Join(dir, "none"), true); err != nil {
		t.Error(err)
	}
}

// What a program has started ends with it.
func TestProgramsEndWithTheirChildren(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs process groups")
	}
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	p := &Program{Command: []string{"sh", "-c", `(sleep 4; echo >"$0") & wait`, file}, Within: 500 * time.Millisecond}
	if _, err := p.Ask([]Question{{ID: "a"}}); !contains(err, "in 500ms") {
		t.Error(err)
	}
	time.Sleep(5 * time.Second)
	if _, err := os.Stat(file); err == nil {
		t.Error("a child goes on")
	}
}
