package conformance

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

var (
	kubeconform     = flag.String("kubeconform", "", "the program kubeconform")
	kubectlValidate = flag.String("kubectl-validate", "", "the program kubectl-validate")
)

// The page about other programs has a table of the verdicts of those that are given. Measure them again with
//
//	go test ./internal/conformance -run Implementations -kubeconform PATH -kubectl-validate PATH -update
func TestImplementationsAreAsTabulated(t *testing.T) {
	if *kubeconform == "" || *kubectlValidate == "" {
		t.Skip("programs to compare with are named by flags")
	}
	bin := t.TempDir() // where the executor finds prune-gen
	if err := os.Rename(built(t, "", "./cmd/prune-gen"), filepath.Join(bin, "prune-gen")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	command := built(t, "", "./conformance/executors/command")
	files := suite(t)
	promised := map[string]bool{} // the cases that every program answers: those of programs that validate files
	rows := "| | answered | alike | refused by the server only | of these in CEL rules | refused by the program only | no verdict |\n| --- | --- | --- | --- | --- | --- | --- |\n"
	for _, p := range []struct {
		name    string
		program []string
	}{
		{"`kubectl-validate` v0.0.4", []string{command, *kubectlValidate, "--output", "json", "--local-crds", "CRDS", "FILE"}},
		{"`kubeconform -strict` v0.8.0 with `prune-gen schema`", []string{command, *kubeconform, "-strict", "-verbose", "-output", "json", "-schema-location",
			"SCHEMAS/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json", "FILE"}},
		{"prune-gen", []string{built(t, "", "./conformance/executors/prune-gen")}},
	} {
		answered, alike, missed, rules, alarms, none := 0, 0, 0, 0, 0, 0
		wholeSuite := p.name == "prune-gen"
		for _, r := range Judge(files, kubeversion.Newest, asked(t, files, kubeversion.Newest, p.program...), []Level{Verdict}) {
			switch {
			case r.Have.Skipped != "" || wholeSuite && !promised[r.ID()]:
				continue
			case r.Have.Error != "":
				none++
				t.Logf("%s: %s: %s", p.name, r.ID(), r.Have.Error)
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
			answered++
			promised[r.ID()] = true
		}
		rows += fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d |\n", p.name, answered, alike, missed, rules, alarms, none)
		if answered != len(promised) {
			t.Errorf("%s answers %d cases, other programs %d", p.name, answered, len(promised))
		}
	}
	const page = root + "/docs/when.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)(<!-- verdicts -->\n).*?(<!-- end -->)`)
	if len(promised) < 500 {
		t.Errorf("only %d cases are compared", len(promised))
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
