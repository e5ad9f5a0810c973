package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// implementation is a program with a row in the table of docs/when.md.
type implementation struct {
	name    string
	command []string // nil if the program is not installed here: its row stays
}

// The page about other programs has a table of their verdicts. Measure them again with
//
//	PRUNE_GEN_TEST=all go test -timeout 2h ./internal/conformance -run Implementations -update
func TestImplementationsAreAsTabulated(t *testing.T) {
	testsize.Large(t, "installs and compiles other programs")
	const page = root + "/docs/when.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)(<!-- verdicts -->\n).*?(<!-- end -->)`)
	before := string(table.Find(text))
	rows := "| | answered | alike | refused by the server only | of these in CEL rules | refused by the program only | no verdict |\n| --- | --- | --- | --- | --- | --- | --- |\n"
	files := suite(t)
	asksForManifests := map[string]bool{} // the cases that every program answers
	for _, p := range implementations(t) {
		if p.command == nil {
			row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(p.name) + ` \|.*\n`).FindString(before)
			t.Logf("not installed: %s", p.name)
			rows += row
			continue
		}
		results := Judge(files, kubeversion.Newest, asked(t, files, kubeversion.Newest, p.command...), []Level{Verdict})
		if len(asksForManifests) == 0 {
			for _, r := range results {
				asksForManifests[r.ID()] = r.Have.Skipped == ""
			}
		}
		answered, alike, missed, rules, alarms, none := 0, 0, 0, 0, 0, 0
		for _, r := range results {
			if !asksForManifests[r.ID()] {
				continue
			}
			switch {
			case r.Have.Skipped != "":
				t.Errorf("%s skips %s: %s", p.name, r.ID(), r.Have.Skipped)
			case r.Have.Error != "":
				none++
			case len(r.Failed) == 0:
				alike++
			case r.Want.accepts():
				alarms++
			default:
				missed++
				if slices.Contains([]string{"rules", "transition-rules"}, r.File.Subject) {
					rules++
				}
			}
			if len(r.Failed) > 0 {
				t.Logf("%s: %s: the server accepts: %t %s", p.name, r.ID(), r.Want.accepts(), r.Have.Error)
			}
			answered++
		}
		if answered < 500 {
			t.Errorf("%s answers only %d cases", p.name, answered)
		}
		rows += fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d |\n", p.name, answered, alike, missed, rules, alarms, none)
	}
	want := table.ReplaceAll(text, []byte("${1}\n"+rows+"\n${2}"))
	if !table.Match(text) {
		t.Fatalf("%s has no place for the table", page)
	}
	if !*update && !bytes.Equal(text, want) {
		t.Errorf("%s has another table than\n%s", page, rows)
	} else if *update {
		if err := os.WriteFile(page, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// implementations installs the programs of pinned versions. The first answers what programs that validate manifests promise to answer.
func implementations(t *testing.T) []implementation {
	t.Helper()
	pruneGen, command := gocmd.Build(t, ".", "./cmd/prune-gen"), gocmd.Build(t, ".", "./conformance/executors/command")
	own := gocmd.Build(t, ".", "./conformance/executors/prune-gen")
	bin := t.TempDir()
	run := func(dir string, command ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOBIN="+bin, "GOFLAGS=", gocmd.Variable+"=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s%s", cmd, err, out, stderrOf(err))
		}
		return string(out)
	}
	const kubeconform, version = "github.com/yannh/kubeconform", "v0.8.0"
	const kubectlVersion = "v0.0.4"
	run("", "go", "install", kubeconform+"/cmd/kubeconform@"+version)
	run("", "go", "install", "sigs.k8s.io/kubectl-validate@"+kubectlVersion)
	var module struct{ Dir string }
	if err := json.Unmarshal([]byte(run("", "go", "mod", "download", "-json", kubeconform+"@"+version)), &module); err != nil {
		t.Fatal(err)
	}
	with := func(location string, convert ...string) []string {
		validate := []string{"--", filepath.Join(bin, "kubeconform"), "-strict", "-verbose", "-output", "json", "-schema-location", "SCHEMAS/" + location, "FILE"}
		return slices.Concat([]string{command}, convert, validate)
	}
	all := []implementation{
		{"`kubeconform -strict` " + version + " with `prune-gen schema`", with("{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json",
			pruneGen, "schema", "--config=none", "--quiet", "--output-dir", "SCHEMAS", "CRD")},
		{"`kubeconform -strict` " + version + " with schemas that its script converts", nil},
		{"`kubectl-validate` " + kubectlVersion, []string{command, "cp", "CRD", "SCHEMAS", "--", "env", "KUBECONFIG=" + os.DevNull,
			filepath.Join(bin, "kubectl-validate"), "--output", "json", "--local-crds", "SCHEMAS", "FILE"}},
		{"`flux-schema validate` v0.11.0", nil},
		{"prune-gen", []string{own}},
	}
	if exec.Command("python3", "-c", "import yaml").Run() == nil {
		all[1].command = with("{{.ResourceKind}}_{{.ResourceAPIVersion}}.json", "python3", filepath.Join(module.Dir, "scripts/openapi2jsonschema.py"), "CRD")
	}
	if flux, err := exec.LookPath("flux-schema"); err == nil {
		all[3].command = []string{command, flux, "extract", "crd", "CRD", "--output-dir", "SCHEMAS", "--", flux, "validate", "--output", "json", "--schema-location", "SCHEMAS", "FILE"}
	}
	return all
}

// stderrOf returns what a command that failed has printed.
func stderrOf(err error) []byte {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.Stderr
	}
	return nil
}
