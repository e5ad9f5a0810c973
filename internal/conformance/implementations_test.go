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
	rows := "| | answered | alike | refused by the server only | of these in CEL rules | refused by the program only |\n| --- | --- | --- | --- | --- | --- |\n"
	for _, p := range []struct {
		name    string
		program []string
	}{
		{"prune-gen", []string{built(t, "", "./conformance/executors/prune-gen")}},
		{"`kubectl-validate` v0.0.4", []string{command, *kubectlValidate, "--local-crds", "CRDS", "FILE"}},
		{"`kubeconform -strict` v0.8.0 with `prune-gen schema`", []string{command, *kubeconform, "-strict", "-schema-location",
			"SCHEMAS/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json", "FILE"}},
	} {
		answered, alike, missed, rules, alarms := 0, 0, 0, 0, 0
		for _, r := range Judge(files, kubeversion.Newest, asked(t, files, kubeversion.Newest, p.program...), []Level{Verdict}) {
			switch {
			case r.Have.Skipped != "":
				continue
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
		}
		rows += fmt.Sprintf("| %s | %d | %d | %d | %d | %d |\n", p.name, answered, alike, missed, rules, alarms)
	}
	const page = root + "/docs/when.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)(<!-- verdicts -->\n).*?(<!-- end -->)`)
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
