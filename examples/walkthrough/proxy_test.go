package walkthrough

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/prune-gen/prune-gen"

// published returns the directories of the modules that a release has. The tag of one below the root begins with its directory.
func published() []string { return []string{"", "kube"} }

// versions are what this repository is known as: before the first release, and as one. Both depend on its content, because the go command
// assumes that a version never changes.
type versions struct{ pseudo, release string }

// theVersions returns the versions of the modules in root.
func theVersions(t *testing.T, root string) versions {
	t.Helper()
	h := sha256.New()
	for _, dir := range published() {
		if err := zipModule(h, filepath.Join(root, dir), ""); err != nil {
			t.Fatal(err)
		}
	}
	sum := h.Sum(nil)
	return versions{fmt.Sprintf("v0.0.0-20260102030405-%x", sum[:6]), fmt.Sprintf("v0.1.%d", binary.BigEndian.Uint32(sum))}
}

// proxy is a module proxy that knows the modules of this repository in one version.
type proxy struct {
	dir     string
	version string
}

// newProxy makes a module proxy of files for the published modules in root, as the go command takes it from a file URL. A tagged version is
// in its list. One without a tag is only known to be the latest.
func newProxy(t *testing.T, root, version string, tagged bool) proxy {
	t.Helper()
	p := proxy{t.TempDir(), version}
	for _, dir := range published() {
		p.add(t, filepath.Join(root, dir), path.Join(modulePath, dir), tagged)
	}
	return p
}

// required matches the version in which a go.mod file requires a published module: what make versions writes.
var required = regexp.MustCompile(`(` + modulePath + `(?:/kube)?) v\d\S*`)

// add adds the module in a directory.
func (p proxy) add(t *testing.T, dir, module string, tagged bool) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	info := `{"Version":"` + p.version + `","Time":"2026-01-02T03:04:05Z"}`
	files := map[string]string{
		"@v/" + p.version + ".info": info,
		"@v/" + p.version + ".mod":  required.ReplaceAllString(string(mod), "$1 "+p.version),
		"@v/list":                   "",
	}
	if tagged {
		files["@v/list"] = p.version + "\n"
	} else {
		files["@latest"] = info
	}
	base := filepath.Join(p.dir, filepath.FromSlash(module))
	if err := os.MkdirAll(filepath.Join(base, "@v"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(filepath.Join(base, "@v", p.version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := zipModule(f, dir, module+"@"+p.version+"/"); err != nil {
		t.Fatal(err)
	}
}

// zipModule writes the files of the module in root that git knows, each with the prefix before its name. Other modules below it are not
// part of it. Nothing is compressed, which takes longer than everything else.
func zipModule(w io.Writer, root, prefix string) error {
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("list the files of %s: %w", root, err)
	}
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var others []string // the directories of other modules
	for _, name := range names {
		if dir, found := strings.CutSuffix(name, "/go.mod"); found {
			others = append(others, dir+"/")
		}
	}
	z := zip.NewWriter(w)
	for _, name := range names {
		file := filepath.Join(root, filepath.FromSlash(name))
		info, err := os.Lstat(file)
		if errors.Is(err, fs.ErrNotExist) || slices.ContainsFunc(others, func(dir string) bool { return strings.HasPrefix(name, dir) }) {
			continue // it is deleted, or part of another module
		}
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			continue
		}
		to, err := z.CreateHeader(&zip.FileHeader{Name: prefix + name, Method: zip.Store})
		if err != nil {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := to.Write(text); err != nil {
			return err
		}
	}
	return z.Close()
}

// A release has the files that git knows. What nobody has added, or is in another module, is not in it.
func TestModulesAreZippedAsCommitted(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"go.mod", "a b.go", ".github/x.yaml", "sub/b.go", "sub/new.go", "other/go.mod", "other/c.go", "built/engine.gz", "gone.go"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "go.mod", "a b.go", ".github", "sub/b.go", "other", "gone.go"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if err := os.Remove(filepath.Join(root, "gone.go")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"": ".github/x.yaml a b.go go.mod sub/b.go", "other": "c.go go.mod"} {
		var b bytes.Buffer
		if err := zipModule(&b, filepath.Join(root, dir), "m@v1/"); err != nil {
			t.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, f := range z.File {
			have = append(have, strings.TrimPrefix(f.Name, "m@v1/"))
		}
		if have := strings.Join(have, " "); have != want {
			t.Errorf("%q has %s, want %s", dir, have, want)
		}
	}
}

// url returns the value of GOPROXY: this repository from here, everything else from what is downloaded already, if it is there.
func (p proxy) url(downloaded string) string {
	return "file://" + filepath.ToSlash(p.dir) + ",file://" + filepath.ToSlash(downloaded)
}
