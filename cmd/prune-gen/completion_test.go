package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Shells ask the program for what can follow. They compare it with what is typed already, and offer files where the answer ends
// in :0.
func TestCompletion(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"l", "lint lsp :4"},
		{"ver", "verify version :4"},
		{"--ver", "--version :4"},
		{"generate --emit", "--emit --emit-only :4"},
		{"generate --emit json-d", "json-decode :4"},
		{"generate --emit check,json-d", "check,json-decode :4"},
		{"generate --emit=json-d", "json-decode :4"},
		{"generate --layout=", "auto flat versions groups :4"},
		{"lint --output ", "text json sarif github :4"},
		{"lint --disable loss/o", "loss/object :4"},
		{"lint --strict --co", "--color --config :4"},
		{"lint --severity loss/o", "loss/object=error loss/object=warning :4"},
		{"lint --severity crd/scale=error,loss/o", "crd/scale=error,loss/object=error crd/scale=error,loss/object=warning :4"},
		{"lint --config ", ":0"},
		{"co", "completion :4"},
		{"version ", ":4"},
		{"lint --strict ", ":0"},
		{"verify --output-dir ", ":0"},
		{"verify --group a", ":4"},
		{"lint --dump", ":4"},
		{"generate --dump", "--dump-plan :4"},
		{"schema --output-dir ", ":0"},
		{"help ve", "verify version :4"},
		{"completion ", "bash zsh fish powershell :4"},
	} {
		args := strings.Split(test.line, " ")
		typed := args[len(args)-1]
		if _, value, ok := strings.Cut(typed, "="); ok && strings.HasPrefix(typed, "--") {
			typed = value
		}
		var have []string
		for line := range strings.Lines(runWith("", append([]string{"__completeNoDesc"}, args...)...).stdout) {
			if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, typed) || strings.HasPrefix(line, ":") {
				have = append(have, line)
			}
		}
		if have := strings.Join(have, " "); have != test.want {
			t.Errorf("%q: %q, want %q", test.line, have, test.want)
		}
	}
}

func TestEveryShellHasAScript(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		wantRun(t, exitOK, "__complete", "-", "completion", shell)
	}
	wantRun(t, exitUsage, "-", `unknown command "tcsh"`, "completion", "tcsh")
	wantRun(t, exitUsage, "-", "no shell given", "completion")
}

// A plugin of kubectl names itself in its manuals. Kubectl completes its plugins itself.
func TestPluginsNameThemselves(t *testing.T) {
	before := os.Args[0]
	t.Cleanup(func() { os.Args[0] = before })
	os.Args[0] = filepath.Join("bin", "kubectl-prunegen")
	wantRun(t, exitOK, " | kubectl prunegen lint --disable loss/object -\n", "-", "lint", "--help")
	r := wantRun(t, exitOK, "Run 'kubectl prunegen help COMMAND' for the flags of a command.\n", "-", "help")
	if strings.Contains(r.stdout, "completion") {
		t.Errorf("it offers completion:\n%s", r.stdout)
	}
	wantRun(t, exitUsage, "-", `unknown command "completion"`, "completion", "bash")
}

// Every manual begins with examples, and what they show is right.
func TestEveryManualHasExamples(t *testing.T) {
	known := map[string]string{} // the manuals
	for _, c := range visible() {
		known[c.Name()] = runWith("", c.Name(), "--help").stdout
	}
	for name, manual := range known {
		_, rest, found := strings.Cut(manual, "\n\nExamples:\n")
		examples, _, _ := strings.Cut(rest, "\n\n")
		if !found {
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
