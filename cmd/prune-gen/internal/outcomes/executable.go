package outcomes

import (
	"os"
	"runtime"
	"sync"
)

// Executable returns the hash of this program: the file, whole. Its version does not tell two builds of a working copy
// apart, and not every build has a build ID.
var Executable = sync.OnceValues(func() (Key, error) {
	path, err := executablePath()
	if err != nil {
		return Key{}, err
	}
	s := NewSum()
	err = s.File("executable", path)
	return s.Key(), err
})

// executablePath returns a path of the file that this program was started from. On Linux it leads to that file even if
// another has its name by now, a newer build for example.
func executablePath() (string, error) {
	if runtime.GOOS == "linux" {
		const self = "/proc/self/exe"
		if _, err := os.Stat(self); err == nil {
			return self, nil
		}
	}
	return os.Executable()
}
