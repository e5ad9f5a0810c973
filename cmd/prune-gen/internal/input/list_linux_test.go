package input

import (
	"os"
	"strings"
	"testing"
)

// Everybody may read a directory here, root at least, but none whose name is too long.
func TestADirectoryThatCannotBeReadIsReported(t *testing.T) {
	t.Chdir(t.TempDir())
	name := strings.Repeat("d", 200)
	for range 25 {
		if err := os.Mkdir(name, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chdir(name); err != nil {
			t.Fatal(err)
		}
	}
	for range 25 {
		if err := os.Chdir(".."); err != nil {
			t.Fatal(err)
		}
	}
	found := list(Args{Names: []string{name}})
	if len(found) != 1 || found[0].err == nil || !found[0].listed {
		t.Errorf("have %v, want one file that cannot be read", found)
	}
}
