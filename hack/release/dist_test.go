package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/CycloneDX/cyclonedx-go"
)

// dist is what make dist has built.
const dist = root + "/dist"

// release is what GoReleaser says about it.
type release struct{ Version, Tag, Commit string }

// theRelease returns what is in dist.
func theRelease(t *testing.T) release {
	t.Helper()
	data, err := os.ReadFile(dist + "/metadata.json")
	if err != nil {
		t.Fatalf("%v: make dist first", err)
	}
	var r release
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// isSnapshot reports whether it is not that of a tag: its version ends with the commit.
func (r release) isSnapshot() bool {
	_, commit, found := strings.Cut(r.Version, "-")
	return found && strings.HasPrefix(r.Commit, commit)
}

// archive returns the name of an archive.
func (r release) archive(system, arch string) string { return r.archiveOf("prune-gen", system, arch) }

// archiveOf returns the name of the archive of a program.
func (r release) archiveOf(program, system, arch string) string {
	extension := "tar.gz"
	if system == "windows" {
		extension = "zip"
	}
	return fmt.Sprintf("%s_%s_%s_%s.%s", program, r.Version, system, arch, extension)
}

// here is the archive for this machine.
func (r release) here() string { return r.archive(runtime.GOOS, runtime.GOARCH) }

// sums returns the checksums of a release by the names of its files.
func (r release) sums(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("%s/prune-gen_%s_checksums.txt", dist, r.Version))
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	return sums
}

// entry is a file in an archive.
type entry struct {
	mode fs.FileMode
	data []byte
}

// open returns the files of an archive.
func open(t *testing.T, name string) map[string]entry {
	t.Helper()
	files := map[string]entry{}
	add := func(name string, mode fs.FileMode, r io.Reader) error {
		data, err := io.ReadAll(r)
		files[name] = entry{mode, data}
		return err
	}
	read := func() error {
		if strings.HasSuffix(name, ".zip") || strings.HasSuffix(name, ".vsix") {
			z, err := zip.OpenReader(filepath.Join(dist, name))
			if err != nil {
				return err
			}
			defer z.Close()
			for _, f := range z.File {
				r, err := f.Open()
				if err != nil {
					return err
				}
				if err := add(f.Name, f.Mode(), r); err != nil {
					return err
				}
			}
			return nil
		}
		f, err := os.Open(filepath.Join(dist, name))
		if err != nil {
			return err
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			return err
		}
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err == nil {
				err = add(h.Name, h.FileInfo().Mode(), r)
			}
			if err != nil {
				return err
			}
		}
	}
	if err := read(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return files
}

// unpack writes the files of an archive to a new directory.
func unpack(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	for name, f := range open(t, name) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.data, f.mode.Perm()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Sizes are limited to what was measured, rounded up. The program for built-in kinds has 86.8 MB on Linux and amd64, and its archive 33.3 MB;
// those of older versions have 76 to 79 MB, and 21 to 23 MB compressed. prune-gen is up to 3 % larger for macOS and Windows than for Linux.
func TestArchives(t *testing.T) {
	r := theRelease(t)
	sums := r.sums(t)
	for name, want := range sums {
		data, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil {
			t.Fatal(err)
		}
		if have := fmt.Sprintf("%x", sha256.Sum256(data)); have != want {
			t.Errorf("%s has the sum %s, want %s", name, have, want)
		}
	}
	config, err := os.ReadFile(root + "/.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	versions, err := older()
	if err != nil {
		t.Fatal(err)
	}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			program, builtin := "prune-gen", "prune-gen-builtin"
			name := r.archive(system, arch)
			files := open(t, name)
			r.testProgram(t, sums, name, files, program, system, arch, 25_000_000)
			limit := 9_000_000
			if files[builtin].data != nil || files[builtin+".exe"].data != nil || !r.isSnapshot() {
				r.testProgram(t, sums, name, files, builtin, system, arch, 90_000_000)
				limit = 35_000_000
			}
			r.testSize(t, name, limit)
			for _, want := range []string{"completions/prune-gen.bash", "completions/prune-gen.zsh",
				"completions/prune-gen.fish", "completions/prune-gen.powershell", "man/man1/prune-gen.1", "man/man1/prune-gen-validate.1"} {
				if len(files[want].data) == 0 {
					t.Errorf("%s has no %s", name, want)
				}
			}
			// Programs for older versions of Kubernetes take hours to build: only a release has them.
			for _, version := range versions {
				if !strings.Contains(string(config), "-modfile=kubernetes/v"+version+".mod") {
					t.Errorf(".goreleaser.yaml does not build for %s", version)
				}
				program := builtin + "-" + version
				if name := r.archiveOf(program, system, arch); sums[name] != "" || !r.isSnapshot() {
					r.testProgram(t, sums, name, open(t, name), program, system, arch, 82_000_000)
					r.testSize(t, name, 24_000_000)
				}
			}
		}
	}
}

// The extension for Visual Studio Code has its code in one file, and the version of the release in both of its manifests.
func TestExtension(t *testing.T) {
	r := theRelease(t)
	name := fmt.Sprintf("prune-gen-vscode_%s.vsix", r.Version)
	if r.sums(t)[name] == "" {
		if _, err := exec.LookPath("npm"); err != nil && r.isSnapshot() {
			t.Skip("there is no npm: apt-get install npm")
		}
		t.Fatalf("there is no %s", name)
	}
	r.testSize(t, name, 150_000)
	files := open(t, name)
	want := []string{"[Content_Types].xml", "extension.vsixmanifest", "extension/LICENSE.txt", "extension/THIRD_PARTY_LICENSES.txt",
		"extension/dist/extension.js", "extension/package.json", "extension/readme.md"}
	if have := slices.Sorted(maps.Keys(files)); !slices.Equal(have, want) {
		t.Errorf("the files are %q", have)
	}
	var about struct {
		Version, Main string
		Dependencies  map[string]string
	}
	var manifest struct {
		Metadata struct {
			Identity struct {
				ID      string `xml:"Id,attr"`
				Version string `xml:",attr"`
			}
		}
		Assets struct {
			Asset []struct {
				Path string `xml:",attr"`
			}
		}
	}
	if err := json.Unmarshal(files["extension/package.json"].data, &about); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(files["extension.vsixmanifest"].data, &manifest); err != nil {
		t.Fatal(err)
	}
	if identity := manifest.Metadata.Identity; about.Version != r.Version || identity.Version != r.Version || identity.ID != "prune-gen" {
		t.Errorf("the versions are %s and %+v", about.Version, identity)
	}
	paths := []string{"extension/" + about.Main}
	for _, a := range manifest.Assets.Asset {
		paths = append(paths, a.Path)
	}
	for _, path := range paths {
		if len(files[path].data) == 0 {
			t.Errorf("there is no %s", path)
		}
	}
	for dependency := range about.Dependencies {
		if !strings.Contains(string(files["extension/THIRD_PARTY_LICENSES.txt"].data), dependency+"\n") {
			t.Errorf("there is no licence of %s", dependency)
		}
	}
}

// testProgram tests that an archive has a program, with its licences and a bill of materials.
func (r release) testProgram(t *testing.T, sums map[string]string, archive string, files map[string]entry, program, system, arch string, limit int) {
	t.Helper()
	bill := fmt.Sprintf("%s_%s_%s_%s.cdx.json", program, r.Version, system, arch)
	for _, name := range []string{archive, bill} {
		if sums[name] == "" {
			t.Errorf("%s has no checksum", name)
		}
	}
	if system == "windows" {
		program += ".exe"
	}
	f := files[program]
	t.Logf("%s: %s has %d bytes", archive, program, len(f.data))
	if len(f.data) == 0 || len(f.data) > limit || f.mode.Perm() != 0o755 {
		t.Errorf("%s: %s has %d bytes and the mode %s", archive, program, len(f.data), f.mode)
	}
	for _, want := range []string{"LICENSE", "THIRD_PARTY_LICENSES"} {
		if len(files[want].data) == 0 {
			t.Errorf("%s has no %s", archive, want)
		}
	}
	testBill(t, bill, string(files["THIRD_PARTY_LICENSES"].data), arch)
}

// testSize tests that an archive is not larger than it should be.
func (r release) testSize(t *testing.T, archive string, limit int) {
	t.Helper()
	info, err := os.Stat(filepath.Join(dist, archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes", archive, info.Size())
	if info.Size() > int64(limit) {
		t.Errorf("%s is too large", archive)
	}
}

// What is unpacked answers for built-in kinds, wherever it is called from.
func TestBuiltinKinds(t *testing.T) {
	dir := unpack(t, theRelease(t).here())
	if _, err := os.Stat(filepath.Join(dir, "prune-gen-builtin")); err != nil {
		t.Skip("make dist BUILTIN=one builds prune-gen-builtin")
	}
	link := filepath.Join(t.TempDir(), "kubectl-prunegen") // as krew makes it
	if err := os.Symlink(filepath.Join(dir, "prune-gen"), link); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{filepath.Join(dir, "prune-gen"), link} {
		cmd := exec.Command(program, "validate", "examples/builtin/deployment.yaml")
		cmd.Dir, cmd.Env = root, append(os.Environ(), "PATH=")
		if out := command(t, 1, cmd); !strings.Contains(out, "`selector` does not match template `labels`") || !strings.Contains(out, "4 errors") {
			t.Errorf("%s: %s", program, out)
		}
	}
}

// The pages are shown without a warning, and indexed by their names.
func TestManPages(t *testing.T) {
	for _, program := range []string{"man", "lexgrog"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("man-db is not installed")
		}
	}
	pages := 0
	for name, f := range open(t, theRelease(t).here()) {
		page, ok := strings.CutPrefix(name, "man/man1/")
		if !ok {
			continue
		}
		pages++
		file := filepath.Join(t.TempDir(), page)
		if err := os.WriteFile(file, f.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if out := command(t, 0, exec.Command("lexgrog", file)); !strings.Contains(out, `"`+strings.TrimSuffix(page, ".1")+" - ") {
			t.Errorf("%s: %s", page, out)
		}
		if out := command(t, 0, exec.Command("sh", "-c", `man --warnings -l "$0" 2>&1 >/dev/null`, file)); out != "" {
			t.Errorf("%s: %s", page, out)
		}
	}
	if pages < 10 {
		t.Errorf("there are %d pages", pages)
	}
}

// testBill tests that a bill of materials can be read, and that there is a licence for all that is in it.
func testBill(t *testing.T, name, licences, arch string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dist, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var bill cyclonedx.BOM
	if err := cyclonedx.NewBOMDecoder(f, cyclonedx.BOMFileFormatJSON).Decode(&bill); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var names []string
	for _, c := range *bill.Components {
		names = append(names, c.Name)
		if c.Name != "std" && !strings.Contains(licences, "\n"+c.Name+"\n") {
			t.Errorf("%s: there is no licence of %s", name, c.Name)
		}
	}
	if !slices.Contains(names, "github.com/google/cel-go") || !slices.Contains(names, "std") {
		t.Errorf("%s: the modules are %s", name, names)
	}
	if !slices.Contains(*bill.Metadata.Component.Properties, cyclonedx.Property{Name: "cdx:gomod:build:setting:GOARCH", Value: arch}) {
		t.Errorf("%s is not about %s", name, arch)
	}
}
