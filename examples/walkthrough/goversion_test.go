package walkthrough

import (
	"go/version"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Users need the Go version that go.mod names. It is the one that our dependencies need, and no newer.
func TestGoVersionIsTheLowestThatDependenciesAllow(t *testing.T) {
	list := func(args ...string) []string {
		t.Helper()
		cmd := exec.Command("go", append([]string{"list"}, args...)...)
		cmd.Dir = "../.."
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(out))
	}
	ours := list("-m", "-f", "go{{.GoVersion}}")[0]
	needed := list("-deps", "-f", "{{with .Module}}{{if not .Main}}{{with .GoVersion}}go{{.}}{{end}}{{end}}{{end}}", "./...")
	if len(needed) == 0 {
		t.Fatal("there are no dependencies")
	}
	if lowest := slices.MaxFunc(needed, version.Compare); version.Compare(ours, lowest) != 0 {
		t.Errorf("go.mod says %s, the dependencies need %s", ours, lowest)
	}
}
