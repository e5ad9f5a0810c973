//go:build unix

package outcomes

import (
	"syscall"
	"testing"
)

// irregular makes what is neither a file nor a directory nor a link.
var irregular = map[string]func(t *testing.T, path string){
	"a pipe": func(t *testing.T, path string) {
		if err := syscall.Mkfifo(path, 0o666); err != nil {
			t.Fatal(err)
		}
	},
}
