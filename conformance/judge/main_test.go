package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const suite = `
crd: {spec: {group: g.io, scope: Namespaced, names: {kind: K}, versions: [{name: v1}]}}
cases:
- {name: a, object: {a: 1}}
- {name: b, object: {b: 1}}
`

const answered = `
kubernetes: ["1.37", "1.36"]
answers:
- {case: a, code: 201}
- {case: b, code: 422, status: {message: bad}}
`

// The judge succeeds only if something was compared and all of it is alike, or known.
func TestPrograms(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"s/f.yaml": suite, "s/f.answers.yaml": answered, "x\x1b[31m/f.yaml": suite, "x\x1b[31m/f.answers.yaml": answered,
		"known": "# it takes all\ns/f: b [verdict,texts]\ngone: c [texts]\n",
	} {
		name = filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, known := filepath.Join(dir, "s"), filepath.Join(dir, "known")
	answers := func(a, b string) []string {
		return []string{"--", "sh", "-c", `cat >/dev/null; echo '{"id":"s/f: a",` + a + `}'; echo '{"id":"s/f: b",` + b + `}'`}
	}
	right, yes := answers(`"code":201`, `"code":422,"status":{"message":"bad"}`), answers(`"code":201`, `"code":201`)
	skips := answers(`"skipped":"no"`, `"skipped":"no"`)
	for _, c := range []struct {
		args, program []string
		err           string // "-" for failures
		want          string // is printed
	}{
		{nil, right, "", "total      2        0   2 of 2  0 of 0  1 of 1  0 of 0    0 of 0\n"},
		{nil, yes, "-", "s/f: b [verdict,texts]\n  asked {\"id\":\"s/f: b\",\"kubernetes\":\"1.37\",\"crd\":{"},
		{[]string{"--kubernetes", "1.36"}, yes, "-", `"kubernetes":"1.36"`},
		{[]string{"--kubernetes", "1.35"}, yes, "no server of Kubernetes 1.35 is recorded", ""},
		{[]string{"--known", known}, yes, "", "known failures that did not happen: 1\n"},
		{[]string{"--known", filepath.Join(dir, "none")}, right, "none: no such file or directory", ""},
		{nil, skips, "nothing is compared: the program skips all questions", ""},
		{[]string{"--levels", "object"}, right, "nothing is compared: --levels object applies to no case", ""},
		{[]string{"--levels", "x"}, right, `--levels: there is no level "x"`, ""},
		{[]string{"--update"}, right, "--update writes the file of --known", ""},
		{nil, answers(`"code":201`, `"code":201,"code":"x"`), "line 2: ", ""},
		{[]string{"--kubernetes", "2"}, right, `unknown version of Kubernetes "2"`, ""},
		{nil, nil, "want the directories of a suite, --, and a program", ""},
		{nil, []string{"--"}, "want the directories of a suite, --, and a program", ""},
	} {
		var stdout, stderr bytes.Buffer
		err := judge(slices.Concat(c.args, []string{s}, c.program), &stdout, &stderr)
		isRight := err == nil && c.err == "" || err == errFailures && c.err == "-" || err != nil && len(c.err) > 1 && strings.Contains(err.Error(), c.err)
		if !isRight || !strings.Contains(stdout.String(), c.want) {
			t.Errorf("%q: %v, want %s and %s\n%s%s", c.args, err, c.err, c.want, &stdout, &stderr)
		}
	}

	// What --update writes is what --known takes, and comments and other cases stay.
	file := filepath.Join(dir, "new")
	for _, c := range []struct{ file, says, want string }{
		{file, "new: 1 added, 0 removed", "s/f: b [verdict,texts]\n"},
		{known, "known: 0 added, 0 removed", "# it takes all\ns/f: b [verdict,texts]\ngone: c [texts]\n"},
	} {
		var stdout bytes.Buffer
		err := judge(append([]string{"--update", "--known", c.file, s}, yes...), &stdout, &stdout)
		if have, readErr := os.ReadFile(c.file); err != nil || !strings.Contains(stdout.String(), c.says) || readErr != nil || string(have) != c.want {
			t.Errorf("%v, %v\n%s%s", err, readErr, &stdout, have)
		}
	}
	if err := judge(append([]string{"--known", file, s}, yes...), io.Discard, io.Discard); err != nil {
		t.Error(err)
	}

	var stdout bytes.Buffer
	err := judge([]string{filepath.Join(dir, "x\x1b[31m"), "--", "sh", "-c", `sed 's/"kubernetes.*/"code":201}/'`}, &stdout, io.Discard)
	if err != errFailures || strings.Contains(stdout.String(), "\x1b") || !strings.Contains(stdout.String(), "total") {
		t.Errorf("%v\n%q", err, &stdout)
	}
}
