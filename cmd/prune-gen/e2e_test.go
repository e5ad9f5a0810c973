package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
	return "module example.com/app\n" + mod + "\nrequire " + moduleName + " v0.0.0\n\nreplace " + moduleName + " => " + repository +
		"\n\ntool " + moduleName + "/cmd/prune-gen\n", sum
}

// The way of a user: CRD, go generate, and a program that calls what was generated. Nothing may need the network.
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
	if err != nil || !regexp.MustCompile(`^v1beta1: 1 kind, \d+ functions, [\d.]+ kB, 2 files written\nv1: 1 kind, \d+ functions, [\d.]+ kB, 1 file written\n$`).Match(out) {
		t.Fatalf("go generate: %v\n%s", err, out)
	}
	if have := generated(t); have != "api/beta/zz_generated.prune.thing.go api/beta/zz_generated.prune_register.go api/v1/zz_generated.prune.thing.go" {
		t.Errorf("there is %s", have)
	}
	goCommand("", "vet", "./...")
	goCommand("[spec.other status] map[spec:map[field:a]] []\nexample.com/v1beta1 true\n", "run", ".")
	goCommand("1 file up to date\n", "tool", "prune-gen", "verify", "--output-dir", "api/v1", "--crd-version", "v1", "crd")
	goCommand("2 files up to date\n", "run", moduleName+"/cmd/prune-gen", "verify", "--output-dir", "api/beta", "--crd-version", "v1beta1", "--register", "crd")

	bin := filepath.Join(t.TempDir(), "prune-gen.exe")
	goCommand("", "build", "-o", bin, moduleName+"/cmd/prune-gen")
	if out, err := exec.Command(bin, "verify", "--output-dir", "api/v1", "--crd-version", "v1", "crd").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
