package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/completion"
)

// complete returns what bash offers for a command line, of which the last word is being typed.
func complete(t *testing.T, line string) string {
	t.Helper()
	words := regexp.MustCompile(`=|[^\s=]+`).FindAllString(line, -1) // as bash does: = is a word
	if strings.HasSuffix(line, " ") {
		words = append(words, "")
	}
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, fmt.Sprintf("'%s'", w))
	}
	script := runWith("", "completion", "bash").stdout +
		fmt.Sprintf("COMP_WORDS=(%s); COMP_CWORD=%d; _prune_gen 2>&1; echo \"${COMPREPLY[@]}\"\n", strings.Join(quoted, " "), len(words)-1)
	cmd := exec.Command("bash", "--norc")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestCompletionInBash(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	for _, test := range []struct{ line, want string }{
		{"prune-gen l", "lint"},
		{"prune-gen ver", "verify version"},
		{"prune-gen --ver", "--version"},
		{"prune-gen generate --emit", "--emit --emit-only"},
		{"prune-gen generate --emit json-d", "json-decode"},
		{"prune-gen generate --emit check,json-d", "check,json-decode"},
		{"prune-gen generate --emit=json-d", "json-decode"},
		{"prune-gen generate --layout=", "auto flat versions groups"},
		{"prune-gen lint --output ", "text json sarif github junit"},
		{"prune-gen lint --output s", "sarif"},
		{"prune-gen lint --output=g", "github"},
		{"prune-gen lint --disable loss/o", "loss/object"},
		{"prune-gen lint --strict --co", "--color --condition"},
		{"prune-gen lint --strict ", ""}, // files
		{"prune-gen verify --output-dir ", ""},
		{"prune-gen verify --group a", ""},
		{"prune-gen lint --dump", ""},
		{"prune-gen generate --dump", "--dump-plan"},
		{"prune-gen skeleton --format ", "yaml json"},
		{"prune-gen help ve", "verify version"},
		{"prune-gen completion ", "bash zsh fish"},
		{"prune-gen nothing --", ""},
	} {
		if have := complete(t, test.line); have != test.want {
			t.Errorf("%q: %q, want %q", test.line, have, test.want)
		}
	}
}

// The scripts name every command and every flag, and shells that are installed take them.
func TestCompletionKnowsEverything(t *testing.T) {
	for _, shell := range completion.Shells() {
		r := wantRun(t, exitOK, "", "-", "completion", shell)
		for _, c := range commands() {
			if !strings.Contains(r.stdout, c.name) {
				t.Errorf("%s does not know %s", shell, c.name)
			}
			for _, flag := range regexp.MustCompile(`(?m)^ +(?:-., )?--([a-z-]+)`).FindAllStringSubmatch(runWith("", c.name, "--help").stdout, -1) {
				want := "--" + flag[1]
				if shell == "fish" {
					want = "-n '__fish_seen_subcommand_from " + c.name + "' -l " + flag[1] + " "
				}
				if !strings.Contains(r.stdout, want) {
					t.Errorf("%s does not know %s %s", shell, c.name, want)
				}
			}
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		script := filepath.Join(write(t, map[string]string{"script": r.stdout}), "script")
		if out, err := exec.Command(path, "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
	wantRun(t, exitUsage, "-", "want one shell: bash, zsh or fish", "completion", "tcsh")
	wantRun(t, exitUsage, "-", "want one shell", "completion")
}

// Every manual begins with examples, and what they show is right.
func TestEveryManualHasExamples(t *testing.T) {
	known := map[string]string{} // the manuals
	for _, c := range commands() {
		known[c.name] = runWith("", c.name, "--help").stdout
	}
	for name, manual := range known {
		_, rest, found := strings.Cut(manual, "\n\nExamples:\n")
		examples, _, _ := strings.Cut(rest, "\n\n")
		if !found || strings.Count(manual[:len(manual)-len(rest)], "\n") != 3 {
			t.Errorf("the manual of %s does not begin with examples:\n%s", name, manual)
		}
		lines := regexp.MustCompile(`prune-gen ([a-z]+)([^|>]*)`).FindAllStringSubmatch(examples, -1)
		if len(lines) == 0 {
			t.Errorf("%s has no examples", name)
		}
		for _, line := range lines {
			if known[line[1]] == "" {
				t.Errorf("%s has an example of %s", name, line[1])
			}
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(line[2], -1) {
				if !strings.Contains(known[line[1]], " "+flag+" ") {
					t.Errorf("%s has no flag %s: %s", line[1], flag, line[0])
				}
			}
		}
	}
}
