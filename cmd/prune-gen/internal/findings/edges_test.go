package findings

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

func TestCommentsNameTheRulesToIgnore(t *testing.T) {
	for line, want := range map[string]string{
		"# prune-gen:ignore a/b":               "a/b",
		"#prune-gen:ignore a/b":                "a/b",
		"#\t prune-gen:ignore\ta/b,c/* reason": "a/b c/*",
		"x: 1 # prune-gen:ignore a/b":          "a/b",
		"x: 1\t# prune-gen:ignore a/b, c/d":    "a/b ",
		"x: 1# prune-gen:ignore a/b":           "",
		"x: 1 ## prune-gen:ignore a/b":         "",
		"x: 1 # and prune-gen:ignore a/b":      "",
		"x: 1 prune-gen:ignore a/b":            "",
		"prune-gen:ignore a/b":                 "",
		"# prune-gen:ignore":                   "",
		"# prune-gen:ignore ":                  "",
		"# prune-gen:ignored a/b":              "",
		"# prune-gen:ignore,a/b c/d":           "",
		"# prune-gen a/b":                      "",
		"":                                     "",
	} {
		if have := strings.Join(ignoredIn([]byte(line), commentMark("crd.yaml")), " "); have != want {
			t.Errorf("%q ignores %q, want %q", line, have, want)
		}
	}
	lines := []string{"# prune-gen:ignore a/1", "x: 1", "# prune-gen:ignore a/3", "", "# prune-gen:ignore a/5", "  # more", " \t# prune-gen:ignore a/7", "y: 2 # prune-gen:ignore a/8", "z: 3"}
	for i, want := range []string{"a/1", "a/1", "a/3", "a/3", "a/5", "a/5", "a/7 a/5", "a/8 a/7 a/5", ""} {
		if have := strings.Join(ignoredAt(func(n int) []byte { return []byte(lines[n-1]) }, i+1, "#"), " "); have != want {
			t.Errorf("line %d ignores %q, want %q", i+1, have, want)
		}
	}
}

// Go files have comments of their own kind.
func TestCommentsOfGoFilesNameTheRulesToIgnore(t *testing.T) {
	lines := []string{"// prune-gen:ignore a/1 because", "\tF int `json:\"f\"` //prune-gen:ignore a/2", "\tG int // # prune-gen:ignore a/3", "# prune-gen:ignore a/4", "\tH int // a comment"}
	for i, want := range []string{"a/1", "a/2 a/1", "", "", ""} {
		line := func(n int) []byte { return []byte(lines[n-1]) }
		if have := strings.Join(ignoredAt(line, i+1, commentMark("api/v1/types.go")), " "); have != want {
			t.Errorf("line %d ignores %q, want %q", i+1, have, want)
		}
	}
	if have := ignoredIn([]byte("x: 1 // prune-gen:ignore a/b"), commentMark("crd.yaml")); have != nil {
		t.Errorf("a comment of Go in YAML ignores %q", have)
	}
}

func TestPatternsOfRulesMatchWithinAFamily(t *testing.T) {
	for _, test := range []struct {
		pattern string
		id      structural.ID
		want    bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/bc", false}, {"a/*", "a/b", true}, {"a/*", "ab/b", false}, {"*", "a/b", false}, {"*/b", "a/b", true}, {"a/[b", "a/[b", false}, {"", "a/b", false}, {"a/?", "a/b", true},
	} {
		if MatchesID(test.pattern, test.id) != test.want {
			t.Errorf("%s matches %s: %t", test.pattern, test.id, !test.want)
		}
	}
}

// A comment ignores the ids that it names, and no others of the same line.
func TestFindingsAreIgnoredByTheirRule(t *testing.T) {
	line := func(int) []byte { return []byte("x: 1 # prune-gen:ignore a/b,c/*") }
	var have []bool
	for _, s := range Snippets([]structural.Finding{{ID: "a/b", Line: 1}, {ID: "a/c", Line: 1, Column: 1}, {ID: "c/d", Line: 1, Column: 4}, {ID: "a/b"}}, line) {
		have = append(have, s.ignored)
	}
	if want := []bool{true, false, true, false}; !slices.Equal(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}

func TestTokensEnd(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 1, "a b": 1, "a\tb": 1, "a,b": 1, "ab…": 2, "a…": 1, " a": 0, ",": 0, "…": 0, "a]b": 1, "a}": 1, "]": 1, "]]": 1, "}a": 2, "{a": 2, "[": 1,
		"a:": 1, "a: b": 1, "a:\tb": 1, "a:…": 1, "a:b": 3, "a::": 2, ":": 0, ":a": 2, "é:": 2, "é…": 2, "a\"b": 3, "'a b' c": 5, `"a b" c`: 5, `'a\' b`: 4, `"a\" b" c`: 7, `"a\`: 3, `"`: 1, `''`: 2, `"'"x`: 3, `'"'x`: 3,
	} {
		if have := TokenLen(text); have != want {
			t.Errorf("%q begins with %d bytes, want %d", text, have, want)
		}
	}
}

// What does not fit around the place of a finding is cut, and only that.
func TestWindowsEnd(t *testing.T) {
	for _, test := range []struct {
		before, after       int
		cutBefore, cutAfter bool
	}{
		{0, 0, false, false}, {70, 60, false, false}, {71, 60, true, false}, {70, 61, false, true}, {71, 61, true, true}, {0, 61, false, true}, {71, 0, true, false}, {1, 1, false, false},
	} {
		for _, r := range []string{"x", "é", "\xff"} {
			before, after := strings.Repeat(r, test.before), strings.Repeat(r, test.after)
			want, at := strings.Repeat(r, min(70, test.before)), len(r)*min(70, test.before)
			if test.cutBefore {
				want, at = "…"+want, at+len("…")
			}
			want += strings.Repeat(r, min(60, test.after))
			if test.cutAfter {
				want += "…"
			}
			if text, offset := window([]byte(before+after), len(before)); text != want || offset != at {
				t.Errorf("%d and %d of %q: %q at %d, want %q at %d", test.before, test.after, r, text, offset, want, at)
			}
		}
	}
}

func TestEndsOfPaths(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for path, want := range map[string]string{
		"": "", "a.b": "a.b", x(40): x(40), x(41): "…" + x(40), x(38) + ".a": x(38) + ".a", x(39) + ".a": "…" + x(38) + ".a", x(40) + ".a.b": "…a.b", "." + x(38) + ".a": "…" + x(38) + ".a",
		x(50) + "." + x(39): "…." + x(39), x(50) + "." + x(41): "…" + x(40), "a." + x(45): "…" + x(40), "." + x(45): "…" + x(40), "a.b." + x(38): "…b." + x(38), "a.." + x(40): "…" + x(40),
	} {
		if have := endOf(path); have != want {
			t.Errorf("%s ends in %s, want %s", path, have, want)
		}
	}
	for _, n := range []int{0, 1, 2, 3} {
		if have, want := tail("éa", n), "éa"[max(0, len("éa")-[]int{0, 1, 3, 3}[n]):]; have != want {
			t.Errorf("the last %d characters are %q, want %q", n, have, want)
		}
	}
}

func TestHasErrors(t *testing.T) {
	err, warning, note := structural.Finding{Severity: structural.SeverityError}, structural.Finding{Severity: structural.SeverityWarning}, structural.Finding{Severity: structural.SeverityNote}
	for _, test := range []struct {
		found []structural.Finding
		want  bool
	}{{nil, false}, {[]structural.Finding{warning, note}, false}, {[]structural.Finding{note, err}, true}, {[]structural.Finding{err, warning}, true}} {
		if HasErrors(test.found) != test.want {
			t.Errorf("%+v: %t", test.found, !test.want)
		}
	}
}

// GitHub wants paths from the root of the checkout, where there is one above the file.
func TestPathsInAWorkspace(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(root, "sub"))
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Dir(wd)
	for _, test := range []struct{ workspace, name, want string }{
		{"", "a.yaml", "a.yaml"}, {"", "../a.yaml", "../a.yaml"}, {"", "./a.yaml", "./a.yaml"},
		{root, "a.yaml", "sub/a.yaml"}, {root, "../a.yaml", "a.yaml"}, {root, "../../a.yaml", "../../a.yaml"}, {root, filepath.Join(root, "a.yaml"), "a.yaml"},
		{wd, "../a.yaml", "../a.yaml"}, {wd, "a.yaml", "a.yaml"}, {"relative", "a.yaml", "a.yaml"},
	} {
		t.Setenv("GITHUB_WORKSPACE", test.workspace)
		if have := workspacePath(test.name); have != test.want {
			t.Errorf("%s in %s is %s, want %s", test.name, test.workspace, have, test.want)
		}
	}
}

// A workflow command has the properties that are known, and no space without one.
func TestWorkflowCommandsHaveWhatIsKnown(t *testing.T) {
	t.Setenv("GITHUB_WORKSPACE", "")
	for want, f := range map[string]structural.Finding{
		"::error::m\n":                       {Message: "m"},
		"::error title=r::m\n":               {ID: "r", Message: "m"},
		"::notice line=3,col=1,title=r::m\n": {ID: "r", Message: "m", File: Stdin, Line: 3, Severity: structural.SeverityNote},
		"::error file=a,title=c%3A r::m\n":   {ID: "r", Message: "m", File: "a", CRD: "c", Column: 7, Severity: structural.SeverityError},
		"::warning file=a,line=1,col=2,title=v%3A r::m%25%0Ahint: h\n": {ID: "r", Message: "m%", Hint: "h", File: "a", Line: 1, Column: 2, Version: "v", Severity: structural.SeverityWarning},
	} {
		var b bytes.Buffer
		r := New(&b, Options{Format: "github", Quiet: true})
		r.Add([]Snippet{{Finding: f}})
		if r.Finish(); b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}

// A log lists each rule of its results once, in their order, and the results refer to them.
func TestSARIFRefersToRules(t *testing.T) {
	var b bytes.Buffer
	r := New(&b, Options{Format: "sarif"})
	known := IDs()
	first, second := known[len(known)-1], known[0]
	for _, id := range []structural.ID{first.ID, second.ID, first.ID, second.ID} {
		r.Add([]Snippet{{Finding: structural.Finding{ID: id, File: "a.yaml"}}})
	}
	r.Finish()
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	want := []sarifRule{{first.ID, sarifText{first.Summary}, helpURI(first.ID)}, {second.ID, sarifText{second.Summary}, helpURI(second.ID)}}
	if have := log.Runs[0].Tool.Driver.Rules; !slices.Equal(have, want) {
		t.Errorf("%+v, want %+v", have, want)
	}
	for i, have := range log.Runs[0].Results {
		if have.RuleIndex != i%2 || have.RuleID != want[i%2].ID {
			t.Errorf("%+v", have)
		}
	}
}

// What a report counts as manifests stays so, whatever is counted later.
func TestManifestsAreCountedFromTheFirstFileOn(t *testing.T) {
	for _, tallies := range [][]Tally{{{Manifests: true}, {Files: 1, Objects: 2}}, {{Files: 1, Objects: 2}, {Manifests: true}}} {
		var b bytes.Buffer
		r := New(&b, Options{})
		for _, tally := range tallies {
			r.Count(tally)
		}
		if r.Finish(); b.String() != "read 2 objects in 1 file: no errors, no warnings\n" {
			t.Errorf("%q", b.String())
		}
	}
}
