package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
)

// toolModule returns the go.mod and go.sum of a module that has this repository's prune-gen as a tool.
func toolModule(t *testing.T) (mod, sum string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, sum = runtimeModule(t)
	mod = regexp.MustCompile(`(?m)^(module|tool) .*`).ReplaceAllString(string(text), "")
	return "module example.com/app\n" + mod + "\nrequire " + modulePath + " v0.0.0\n\nreplace " + modulePath + " => " + repository +
		"\n\ntool " + modulePath + "/cmd/prune-gen\n", sum
}

// The way of a user: CRD, go generate, and a program that calls what was generated, which by default is all there is.
// Nothing may need the network.
func TestGoGenerate(t *testing.T) {
	mod, sum := toolModule(t)
	t.Chdir(write(t, map[string]string{
		"go.mod":       mod,
		"go.sum":       sum,
		"crd/crd.yaml": kindCRD("Thing", "v1", "v1beta1"),
		"api/v1/doc.go": `// Package v1 has things.
package v1

//go:generate go tool prune-gen generate --crd-version v1 ../../crd

// Thing is a name that generated code leaves alone.
type Thing struct{}
`,
		"api/beta/doc.go": "package beta\n\n//go:generate go run github.com/prune-gen/prune-gen/cmd/prune-gen generate --crd-version v1beta1 --register ../../crd\n",
		"main.go": `package main

import (
	"fmt"

	"example.com/app/api/v1"
	_ "example.com/app/api/beta"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

func main() {
	obj := map[string]any{"spec": map[string]any{"field": "a", "other": "b"}, "status": "c"}
	fmt.Println(v1.PruneThingReport(obj), obj, v1.CheckThing(obj))
	beta, ok := prunert.Lookup("example.com", "v1beta1", "Thing")
	fmt.Println(beta.APIVersion(), ok)
	obj = map[string]any{"spec": map[string]any{"field": int64(1), "other": "b"}}
	for _, err := range beta.Check(obj) {
		fmt.Println(err.Field)
	}
	beta.Prune(obj)
	fmt.Println(obj, beta.PruneReport(obj))
}
`,
	}))
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	goCommand := func(want string, args ...string) {
		t.Helper()
		out, err := exec.Command("go", args...).CombinedOutput()
		if err != nil || string(out) != want {
			t.Fatalf("go %s: %v\n%s\nwant\n%s", strings.Join(args, " "), err, out, want)
		}
	}
	out, err := exec.Command("go", "generate", "./...").CombinedOutput()
	var v1, beta []string
	for _, path := range strings.Fields(generated(t)) {
		switch dir, name := filepath.Split(path); dir {
		case "api/v1/":
			v1 = append(v1, name)
		case "api/beta/":
			beta = append(beta, name)
		default:
			t.Errorf("there is %s", path)
		}
	}
	summary := fmt.Sprintf(`^v1beta1: 1 kind, \d+ functions, [\d.]+ kB in api/beta, %d files written\nv1: 1 kind, \d+ functions, [\d.]+ kB in api/v1, %d files written\n$`, len(beta), len(v1))
	if err != nil || !regexp.MustCompile(summary).Match(out) {
		t.Fatalf("go generate: %v\n%s\nwant\n%s", err, out, summary)
	}
	for _, name := range []string{"zz_generated.prune.thing.go", "zz_generated.prune_check.thing.go"} {
		if !slices.Contains(v1, name) {
			t.Errorf("no %s in %s", name, v1)
		}
	}
	for _, name := range v1 {
		if !strings.HasSuffix(name, ".thing.go") {
			t.Errorf("%s is not of a kind", name)
		}
	}
	const register = "zz_generated.prune_register.go"
	if want := slices.Sorted(slices.Values(append(slices.Clone(v1), register))); !slices.Equal(beta, want) {
		t.Errorf("beta has %s, want %s", beta, want)
	}
	goCommand("", "vet", "./...")
	goCommand("[spec.other status] map[spec:map[field:a]] []\nexample.com/v1beta1 true\nspec.field\nmap[spec:map[field:1]] []\n", "run", ".")
	goCommand(fmt.Sprintf("%d files up to date\n", len(v1)), "tool", "prune-gen", "verify", "--output-dir", "api/v1", "--crd-version", "v1", "crd")
	goCommand(fmt.Sprintf("%d files up to date\n", len(beta)), "run", modulePath+"/cmd/prune-gen", "verify", "--output-dir", "api/beta", "--crd-version", "v1beta1", "--register", "crd")

	bin := filepath.Join(t.TempDir(), "prune-gen.exe")
	goCommand("", "build", "-o", bin, modulePath+"/cmd/prune-gen")
	every := strings.ReplaceAll(generator.AllFeatures().String(), " ", "")
	if out, err := exec.Command(bin, "verify", "--emit", every, "--output-dir", "api/v1", "--crd-version", "v1", "crd").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
