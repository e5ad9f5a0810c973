package walkthrough

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// Every script starts in an empty repository. The modules come from a proxy, once as it is before the first release and
// once as it is where only a release is known, or from this clone. The others are those that are downloaded already, and go mod tidy may
// need some more, which nothing here imports.
func TestWalkthrough(t *testing.T) {
	testsize.Large(t, "builds programs in repositories of their own")
	var goEnv struct{ GOCACHE, GOMODCACHE, GOPROXY string }
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &goEnv); err != nil {
		t.Fatal(err)
	}
	downloaded := filepath.Join(goEnv.GOMODCACHE, "cache", "download")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	known := theVersions(t, root)
	modules := moduleCache(t)
	for _, version := range []string{known.pseudo, known.release} {
		p := newProxy(t, root, version, version == known.release)
		scripts := []string{"install"}
		if version == known.release {
			scripts = append(scripts, "modules", "two-groups", "clone")
		}
		for _, name := range scripts {
			t.Run(name+" "+version, func(t *testing.T) {
				t.Parallel() // the go command locks what the scripts share
				runScript(t, filepath.Join("testdata", name+".txtar"), map[string]string{
					"GOPROXY":     p.url(downloaded) + "," + goEnv.GOPROXY,
					"GOSUMDB":     "off",
					"GOENV":       "off",
					"GOWORK":      "off",
					"GOTOOLCHAIN": "local",
					"GOFLAGS":     "-modcacherw -ldflags=-w", // nobody debugs it
					"GOCACHE":     goEnv.GOCACHE,
					"GOMODCACHE":  modules,
					"VERSION":     version,
					"CLONE":       root,
				})
			})
		}
	}
}

// The script works in a repository with kubebuilder's layout. It uses the libraries of Kubernetes that are downloaded already, and
// downloads those that are not.
func TestKubebuilder(t *testing.T) {
	testsize.Large(t, "builds programs in repositories of their own")
	t.Parallel()
	var goEnv struct{ GOMODCACHE, GOPROXY string }
	out, err := exec.Command("go", "env", "-json", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &goEnv); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	runScript(t, filepath.Join("testdata", "kubebuilder.txtar"), map[string]string{
		"GOPROXY": "file://" + filepath.ToSlash(filepath.Join(goEnv.GOMODCACHE, "cache", "download")) + "," + goEnv.GOPROXY,
		"GOSUMDB": "off",
		"GOWORK":  "off",
		"CLONE":   root,
	})
}

// moduleCache returns an empty folder for modules that goes away with the test. It is in the same place in every run, because
// that is part of what the go command knows compiled code by: what was compiled for an earlier run serves this one, too.
func moduleCache(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), "prune-gen-walkthrough")
	if info, err := os.Lstat(dir); err == nil && time.Since(info.ModTime()) > time.Hour {
		os.RemoveAll(dir) // of a run that was ended
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return t.TempDir() // another run is there
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}
