package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const conformanceSuite = `
crd: {spec: {group: g.io, scope: Namespaced, names: {kind: K}, versions: [{name: v1}]}}
cases:
- {name: a, object: {a: 1}}
- {name: b, object: {b: 1}}
`

const conformanceAnswers = `
kubernetes: ["1.37", "1.36"]
answers:
- {case: a, code: 201}
- {case: b, code: 422, status: {message: bad}}
`

// The command succeeds only if something was compared and all of it is alike, or known.
func TestConformanceJudgesPrograms(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	dir := write(t, map[string]string{
		"s/f.yaml": conformanceSuite, "s/f.answers.yaml": conformanceAnswers, "x\x1b[31m/f.yaml": conformanceSuite, "x\x1b[31m/f.answers.yaml": conformanceAnswers,
		"known": "# it takes all\ns/f: b [verdict,texts]\ngone: c [texts]\n",
	})
	s, known := filepath.Join(dir, "s"), filepath.Join(dir, "known")
	answers := func(a, b string) []string {
		return []string{"--", "sh", "-c", `cat >/dev/null; echo '{"id":"s/f: a",` + a + `}'; echo '{"id":"s/f: b",` + b + `}'`}
	}
	right, yes := answers(`"code":201`, `"code":422,"status":{"message":"bad"}`), answers(`"code":201`, `"code":201`)
	skips := answers(`"skipped":"no"`, `"skipped":"no"`)
	for _, c := range []struct {
		args, program []string
		code          int
		want          string // on either stream
	}{
		{nil, right, 0, "total      2        0   2 of 2  0 of 0  1 of 1  0 of 0    0 of 0\n"},
		{nil, yes, 1, "s/f: b [verdict,texts]\n  asked {\"id\":\"s/f: b\",\"kubernetes\":\"1.37\",\"crd\":{"},
		{[]string{"--kubernetes", "1.36"}, yes, 1, `"kubernetes":"1.36"`},
		{[]string{"--kubernetes", "1.35"}, yes, 1, "no server of Kubernetes 1.35 is recorded"},
		{[]string{"--known", known}, yes, 0, "known failures that did not happen: 1\n"},
		{[]string{"--known", filepath.Join(dir, "none")}, right, 1, "none: no such file or directory"},
		{nil, skips, 1, "nothing is compared: the program skips all questions"},
		{[]string{"--levels", "object"}, right, 1, "nothing is compared: --levels object applies to no case"},
		{[]string{"--levels", ""}, right, 2, "--levels: want a level"},
		{[]string{"--levels", "x"}, right, 2, `--levels: there is no level "x"`},
		{[]string{"--update"}, right, 2, "--update writes the file of --known"},
		{nil, answers(`"code":201`, `"code":201,"code":"x"`), 1, "line 2: "},
	} {
		r := runWith("", append(append([]string{"conformance", s}, c.args...), c.program...)...)
		if r.code != c.code || !strings.Contains(r.stdout+r.stderr, c.want) {
			t.Errorf("%q: exit status %d, want %d and %s\n%s%s", c.args, r.code, c.code, c.want, r.stdout, r.stderr)
		}
	}

	// What --update writes is what --known takes, and comments and other cases stay.
	file := filepath.Join(dir, "new")
	for _, c := range []struct{ file, says, want string }{
		{file, "new: 1 failure added, 0 removed", "s/f: b [verdict,texts]\n"},
		{known, "known: no failures added, 0 removed", "# it takes all\ns/f: b [verdict,texts]\ngone: c [texts]\n"},
	} {
		r := runWith("", append([]string{"conformance", s, "--update", "--known", c.file}, yes...)...)
		if have, err := os.ReadFile(c.file); r.code != 0 || !strings.Contains(r.stdout, c.says) || err != nil || string(have) != c.want {
			t.Errorf("exit status %d, %v\n%s%s%s", r.code, err, r.stdout, r.stderr, have)
		}
	}
	if r := runWith("", append([]string{"conformance", s, "--known", file}, yes...)...); r.code != 0 {
		t.Error(r)
	}

	r := runWith("", "conformance", filepath.Join(dir, "x\x1b[31m"), "--", "sh", "-c", `sed 's/"kubernetes.*/"code":201}/'`)
	if r.code != 1 || strings.Contains(r.stdout, "\x1b") || !strings.Contains(r.stdout, "total") {
		t.Errorf("exit status %d\n%q\n%s", r.code, r.stdout, r.stderr)
	}
}
