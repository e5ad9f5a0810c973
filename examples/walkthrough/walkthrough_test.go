package walkthrough

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Every script starts in an empty repository. The module comes from a proxy, once as it is before the first release and
// once as it is where only a release is known, or from this clone. Nothing needs the network.
func TestWalkthrough(t *testing.T) {
	var goEnv struct{ GOCACHE, GOMODCACHE string }
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE").Output()
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
			scripts = append(scripts, "two-groups", "clone")
		}
		for _, name := range scripts {
			t.Run(name+" "+version, func(t *testing.T) {
				t.Parallel() // the go command locks what the scripts share
				runScript(t, filepath.Join("testdata", name+".txtar"), map[string]string{
					"GOPROXY":     p.url(downloaded),
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
		"GOFLAGS": "-mod=mod", // a repository of kubebuilder has controller-runtime in its go.mod
		"CLONE":   root,
	})
}

// The script does what docs/kubebuilder.md says: it has its commands and its code.
func TestScriptFollowsTheGuideForKubebuilder(t *testing.T) {
	guide, err := os.ReadFile("../../docs/kubebuilder.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/kubebuilder.txtar")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(console|go|yaml)\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	if len(blocks) < 10 {
		t.Fatalf("only %d blocks", len(blocks))
	}
	for _, block := range blocks {
		text := block[2]
		if block[1] == "console" {
			text = strings.ReplaceAll(text, "$ ", "exec ")
		}
		if !strings.Contains(string(script), "\n"+text) {
			t.Errorf("the script does not have\n%s", text)
		}
	}
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

// What the README tells people to do in their own repository is what the scripts do.
func TestScriptsFollowTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(readme), "\n## In your own repository\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("the README has no such section")
	}
	var scripts strings.Builder
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		scripts.Write(text)
	}
	commands := regexp.MustCompile("(?m)^\\$ (.*)$|`(go (?:install|get) [^`]*)`").FindAllStringSubmatch(section, -1)
	directives := regexp.MustCompile(`(?m)^//go:generate .*$`).FindAllString(section, -1)
	if len(commands) < 3 || len(directives) == 0 {
		t.Fatalf("%d commands and %d directives in\n%s", len(commands), len(directives), section)
	}
	for _, c := range commands {
		if line := "\nexec " + c[1] + c[2] + "\n"; !strings.Contains(scripts.String(), line) {
			t.Errorf("no script has the line%s", line)
		}
	}
	for _, d := range directives {
		if !strings.Contains(scripts.String(), "\n"+d+"\n") {
			t.Errorf("no script has %s", d)
		}
	}
}
