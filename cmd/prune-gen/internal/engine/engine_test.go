package engine

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The compiler of CEL rules would more than double a page.
func TestEnginesCannotCompileRules(t *testing.T) {
	packages, err := goCommand(".", append(os.Environ(), "GOOS=js", "GOARCH=wasm"), "list", "-deps", wasmPackage)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(packages, "prune-gen/runtime/prunecel\n") {
		t.Errorf("the engine evaluates no CEL rules: %s", packages)
	}
	for _, name := range strings.Fields(packages) {
		if strings.HasPrefix(name, "github.com/google/cel-go") || name == "net/http" { // each is about as large as the rest
			t.Errorf("the engine imports %s", name)
		}
	}
}

// A client and a server of HTTP would be a tenth of the program, which asks nobody.
func TestCommandsDoNotSpeakHTTP(t *testing.T) {
	packages, err := goCommand(".", os.Environ(), "list", "-deps", "../../")
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(strings.Fields(packages), "net/http") || !strings.Contains(packages, "prune-gen/internal/answer/builtin\n") {
		t.Error("prune-gen imports net/http")
	}
}

// A script ends at </script>, whatever is before it.
func TestLoadersCannotEndTheirScript(t *testing.T) {
	e, err := newEngine([]byte("code"), []byte("run()"))
	if err != nil || e.Loader != "run()" || !strings.HasPrefix(string(e.WASM), "\x1f\x8b") {
		t.Errorf("%+v, %v", e, err)
	}
	for script, want := range map[string]string{"if (x) {\n\t\ta = ` b`;\n  }\n": "if (x) {\na = ` b`;\n}\n", "\ta = `\n\tb`": "\ta = `\n\tb`"} {
		if e, err := newEngine([]byte("code"), []byte(script)); err != nil || e.Loader != want {
			t.Errorf("%q is %+v, %v", script, e, err)
		}
	}
	if e, err := newEngine([]byte("code"), []byte("'</SCRIPT >'")); err == nil {
		t.Errorf("%+v", e)
	}
}
