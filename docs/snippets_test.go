// Package docs tests the documentation: its commands are run, its code is compiled elsewhere, and its links lead somewhere.
package docs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/prune-gen/prune-gen/internal/answer/builtin"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

const root = ".." // of the repository

// elsewhere returns the commands that are not run here, with what runs them instead.
func elsewhere() map[string]string {
	all := map[string]string{
		"make generate":        "tests fail if its files are not current",
		"make install":         "this test builds the same program",
		"make install-builtin": "make test-all builds it",
		"make test":            "CI",
		"prune-gen explain --output html examples/operator/config/crd/bases/stable.example.com_crontabs.yaml >crontabs.html": "hack/page",
		"cd hack/conformance && go test ./scoreboard -v -timeout 0 -size whole -objects 40 -keywords 40":                     "make scoreboard",
		"go test ./hack/seeded -v -run Programs -prune-gen PATH -kubectl-validate PATH -kubeconform PATH -flux-schema PATH":  "needs the other programs",
		"npm ci --prefix hack/editors/peers":                                                                                  "needs npm",
		"PRUNE_GEN_TEST=all go test ./hack/editors -run Servers -v -update":                                                   "measures",
		"helm template --include-crds ./chart | prune-gen validate -":                                                         "needs helm",
		"prune-gen schema --output-dir schemas config/crd/bases":                                                              "transcripts of cmd/prune-gen",
		"kubeconform -strict -schema-location 'schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json' manifests":  "hack/seeded, with kubeconform",
		"prune-gen validate --crd config/crd/bases --old git:HEAD config/samples":                                             "needs a repository; TestValidateUpdatesOfARevision runs it",
		"prune-gen-server config/crd/bases -- go test ./...":                                                                  "kube/servertest",
		"git fetch --depth 1 origin main":                                                                                     "needs a remote repository",
		"prune-gen diff --breaking git:FETCH_HEAD config/crd/bases":                                                           "needs the line before",
		"kubectl get backups -A -o json | prune-gen diff --fail-on affected --level stored old/crds new/crds -":               "needs a cluster",
		`cd builtin && go build -modfile=kubernetes/v1.36.mod -tags=v1.36 -o "$(go env GOPATH)/bin/prune-gen-builtin-1.36" .`: "needs Kubernetes",
		"prune-gen project --init --type k8s.io/api/core/v1.Pod ./... >internal/podcache/pod.keep":                            "TestProjectPrintsAFirstList of cmd/prune-gen",
		"cat internal/podcache/pod.keep":                                                                                      "the line before",
		"prune-gen validate --kubernetes 1.36 manifests":                                                                      "needs the line before",
		"PRUNE_GEN_TEST=all make builtin-newest ARGS='-requests 6000 -seed 2'":                                                "make test-all, with another seed",
	}
	if _, err := exec.LookPath(builtin.Name); err != nil {
		for _, command := range ofBuiltIn {
			all[command] = "needs " + builtin.Name
		}
	}
	return all
}

// ofBuiltIn are the commands that need prune-gen-builtin. What the others print does not depend on it.
var ofBuiltIn = []string{
	"prune-gen validate examples/builtin/deployment.yaml",
	"prune-gen validate --old examples/builtin/applied.yaml examples/builtin/changed.yaml",
}

// snippet is a fenced block of a page.
type snippet struct {
	file     string
	language string
	lines    []string
}

// A command in a console block is a line that begins with a dollar sign. The lines below it are what it prints and, if that is
// not 0, its exit status; a line of three dots stands for any lines. Commands of the walkthrough are run there.
func TestCommandsPrintWhatPagesShow(t *testing.T) {
	testsize.NotShort(t)
	bin := buildProgram(t)
	scripts, notRun := walkthroughCommands(t), elsewhere()
	used := map[string]bool{}
	for _, s := range snippets(t) {
		if s.language != "console" {
			continue
		}
		if !strings.HasPrefix(s.lines[0], "$ ") {
			t.Errorf("%s: a console block does not begin with a command: %s", s.file, s.lines[0])
		}
		for i, line := range s.lines {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			command, _, _ = strings.Cut(command, "   # ")
			command = strings.TrimSpace(command)
			printed := s.lines[i+1:]
			if end := slices.IndexFunc(printed, func(s string) bool { return strings.HasPrefix(s, "$ ") }); end >= 0 {
				printed = printed[:end]
			}
			if _, ok := notRun[command]; ok {
				used[command] = true
				continue
			}
			if scripts[command] && len(printed) == 0 {
				continue
			}
			t.Run(s.file+" "+command, func(t *testing.T) {
				t.Parallel()
				if !regexp.MustCompile(`^(prune-gen|go tool prune-gen|go run \./(cmd|conformance|examples)/\S+)( |$)`).MatchString(command) {
					t.Fatal("no script of the walkthrough has this command")
				}
				have := run(bin, command)
				if !matches(printed, have) {
					t.Errorf("the page has\n%s\nthe command prints\n%s", strings.Join(printed, "\n"), have)
				}
			})
		}
	}
	for command := range notRun {
		if !used[command] {
			t.Errorf("no page has %q", command)
		}
	}
}

// buildProgram builds prune-gen, and returns its directory.
func buildProgram(t *testing.T) string {
	t.Helper()
	gocmd.Sources(t, "./cmd/prune-gen", "./examples/...")
	return filepath.Dir(gocmd.Build(t, ".", "./cmd/prune-gen"))
}

// run returns what a command prints in the root of the repository, with its exit status if that is not 0.
func run(bin, command string) string {
	for _, prefix := range []string{"go tool prune-gen", "go run ./cmd/prune-gen"} {
		if rest, ok := strings.CutPrefix(command, prefix); ok {
			command = "prune-gen" + rest
		}
	}
	c := exec.Command("sh", "-c", command)
	c.Dir = root
	c.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if !slices.Contains(ofBuiltIn, command) {
		c.Env = append(c.Env, builtin.Variable+"=none")
	}
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	if err == nil {
		return out.String()
	}
	status := err.Error() + "\n"
	return strings.TrimSuffix(out.String(), status) + status // go run has printed it already
}

// matches reports whether text has exactly these lines, where ... stands for any lines.
func matches(lines []string, text string) bool {
	var pattern strings.Builder
	for _, line := range lines {
		if line == "..." {
			pattern.WriteString(`(?:.*\n)*`)
		} else {
			quoted := regexp.QuoteMeta(line + "\n")
			pattern.WriteString(regexp.MustCompile(` \\\(\d+\\\.\d+s\\\)`).ReplaceAllLiteralString(quoted, ` \(\d+\.\d+s\)`)) // how long it took
		}
	}
	return regexp.MustCompile(`\A` + pattern.String() + `\z`).MatchString(text)
}

// walkthroughCommands returns what the scripts of the walkthrough execute.
func walkthroughCommands(t *testing.T) map[string]bool {
	t.Helper()
	commands := map[string]bool{}
	for _, name := range tracked(t, "examples/walkthrough/testdata/*.txtar") {
		script, _, _ := strings.Cut(read(t, name), "\n-- ")
		for line := range strings.Lines(script) {
			if command, ok := strings.CutPrefix(strings.TrimPrefix(line, "! "), "exec "); ok {
				commands[strings.TrimSpace(command)] = true
			}
		}
	}
	return commands
}

// The script does what the guide for kubebuilder says, in this order.
func TestTheGuideForKubebuilderIsFollowedInOrder(t *testing.T) {
	script := read(t, "examples/walkthrough/testdata/kubebuilder.txtar")
	rest, _, _ := strings.Cut(script, "\n-- ")
	blocks := 0
	for _, s := range snippets(t) {
		if s.file != "docs/kubebuilder.md" {
			continue
		}
		blocks++
		if s.language != "console" {
			if !strings.Contains(flat(strings.Split(script, "\n")), flat(s.lines)) {
				t.Errorf("the script does not have\n%s", strings.Join(s.lines, "\n"))
			}
			continue
		}
		for _, line := range s.lines {
			command := "exec " + strings.TrimPrefix(line, "$ ") + "\n"
			var found bool
			if _, rest, found = strings.Cut(rest, command); !found {
				t.Fatalf("the script does not have %q, or not in this order", command)
			}
		}
	}
	if blocks < 10 {
		t.Errorf("the guide has only %d blocks", blocks)
	}
}

// The lines of a block of Go or YAML follow one another in a file that is compiled or read by tests, up to indentation; a line of
// three dots stands for any lines. A block of nothing but function declarations is a list: each is declared somewhere.
func TestCodeIsCompiledElsewhere(t *testing.T) {
	var homes []string
	for _, name := range tracked(t, "*.go", "*.yaml", "*.txtar") {
		homes = append(homes, flat(strings.Split(read(t, name), "\n")))
	}
	for _, s := range snippets(t) {
		switch s.language {
		case "console", "json", "lua", "elisp", "toml", "text": // hack/editors runs what editors are configured with, and text is drawings
			continue
		case "go", "yaml":
		default:
			t.Errorf("%s: a block in the language %q", s.file, s.language)
			continue
		}
		if declared := declarations(s.lines); declared != nil {
			for _, d := range declared {
				if !slices.ContainsFunc(homes, func(home string) bool { return strings.Contains(home, "\n"+d+" {") }) {
					t.Errorf("%s: no file declares %s", s.file, d)
				}
			}
			continue
		}
		if !slices.ContainsFunc(homes, func(home string) bool { return hasParts(home, s.lines) }) {
			t.Errorf("%s: no file has\n%s", s.file, strings.Join(s.lines, "\n"))
		}
	}
}

// declarations returns the function declarations in lines, without comments, or nil if there is anything else in them.
func declarations(lines []string) []string {
	var all []string
	for _, line := range lines {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "func ") || strings.HasSuffix(line, "{") {
			return nil
		}
		all = append(all, line)
	}
	return all
}

// flat returns lines without indentation, each between line breaks.
func flat(lines []string) string {
	var b strings.Builder
	b.WriteByte('\n')
	for _, line := range lines {
		b.WriteString(strings.TrimSpace(line))
		b.WriteByte('\n')
	}
	return b.String()
}

// hasParts reports whether a file has lines one after the other, where ... stands for any lines.
func hasParts(home string, lines []string) bool {
	for len(lines) > 0 {
		part := lines
		lines = nil
		if i := slices.IndexFunc(part, func(s string) bool { return strings.TrimSpace(s) == "..." }); i >= 0 {
			part, lines = part[:i], part[i+1:]
		}
		text := flat(part)
		i := strings.Index(home, text)
		if i < 0 {
			return false
		}
		home = home[i+len(text)-1:]
	}
	return true
}

// Links lead to files, and to headings in them.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	fenced := regexp.MustCompile("(?ms)^```.*?^```$")
	for _, name := range tracked(t, "*.md") {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, name), ""), -1) {
			target, anchor, _ := strings.Cut(m[1]+m[2], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := filepath.Join(filepath.Dir(name), target)
			if target == "" {
				file = name
			}
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if anchor != "" && !slices.Contains(anchors(read(t, file)), anchor) {
				t.Errorf("%s: %s has no heading #%s", name, file, anchor)
			}
		}
	}
}

// anchors returns what GitHub calls the headings of a page.
func anchors(page string) []string {
	var all []string
	for line := range strings.Lines(page) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' {
			all = append(all, strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
					return unicode.ToLower(r)
				}
				return -1
			}, strings.TrimSpace(heading)))
		}
	}
	return all
}

// snippets returns the blocks of the pages for users.
func snippets(t *testing.T) []snippet {
	t.Helper()
	var all []snippet
	for _, name := range tracked(t, "README.md", "docs/*.md", "examples/README.md") {
		var open *snippet
		for line := range strings.Lines(read(t, name)) {
			line = strings.TrimSuffix(line, "\n")
			language, fence := strings.CutPrefix(line, "```")
			switch {
			case fence && open == nil:
				open = &snippet{file: name, language: language}
			case fence:
				all = append(all, *open)
				open = nil
			case open != nil:
				open.lines = append(open.lines, line)
			}
		}
	}
	return all
}

// tracked returns the files that git knows by these patterns, relative to the root of the repository.
func tracked(t *testing.T, patterns ...string) []string {
	t.Helper()
	gocmd.Tracked(t)
	list := exec.Command("git", append([]string{"ls-files", "--"}, patterns...)...)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
