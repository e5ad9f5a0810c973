package input

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// A pipe can be read only once, and the lines of its findings are shown all the same.
func TestALineOfAPipeIsShown(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile("pipe", []byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: 5\n"), 0o666)
	args := Args{Names: []string{"pipe"}}
	src := read(list(args)[0], nil, args)
	shown := ""
	for _, s := range src.Snippets(src.Findings) {
		text, _, _ := s.Show()
		shown += text + "\n"
	}
	if src.Name != "pipe" || !strings.Contains(shown, "  group: 5\n") {
		t.Errorf("%s shows\n%s", src.Name, shown)
	}
}

// CRDs among manifests are looked for before the objects are read, which takes a file that can be read twice: a pipe would be empty then, and
// objects that nobody looked at would pass.
func TestAPipeCannotHaveBothCRDsAndObjects(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile("pipe", []byte("apiVersion: v1\nkind: Pod\n"), 0o666)
	args := Args{Names: []string{"pipe"}, Mixed: true}
	src := read(list(args)[0], nil, args)
	if len(src.Findings) != 1 || src.Findings[0].Hint != "name the CRDs with --crd, or pipe the manifests to -" {
		t.Errorf("%+v", src.Findings)
	}
}
