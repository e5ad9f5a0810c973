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
	src := read(list(Args{Names: []string{"pipe"}})[0], nil, Args{})
	shown := ""
	for _, s := range src.Snippets(src.Findings) {
		text, _, _ := s.Show()
		shown += text + "\n"
	}
	if src.Name != "pipe" || !strings.Contains(shown, "  group: 5\n") {
		t.Errorf("%s shows\n%s", src.Name, shown)
	}
}
