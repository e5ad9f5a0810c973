package main

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/ascii85"
	"encoding/base64"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// A CRD cannot put anything into a page but text.
func TestPagesEscapeEverything(t *testing.T) {
	const evil = "</script><script>alert(1)</script><!--<script>{{js}}\u2028 &amp; \"'"
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(crd("things", "{type: object, description: "+string(quoted)+", properties: {"+string(quoted)+": {type: string, enum: ["+string(quoted)+"]}}}"),
		"kind: Thing\n", "kind: Thing\n    categories: ["+string(quoted)+"]\n", 1)
	t.Chdir(write(t, map[string]string{"crd.yaml": text}))
	r := wantRun(t, exitOK, "<!DOCTYPE html>", "-", "explain", "--output", "html", "--tree-only", "crd.yaml")
	if n := strings.Count(r.stdout, "<script"); n != 2 { // the data, and the program
		t.Errorf("%d scripts begin", n)
	}
	if n := strings.Count(r.stdout, "</script"); n != 2 {
		t.Errorf("%d scripts end", n)
	}
	_, data, _ := strings.Cut(r.stdout, `id="data">`)
	data, _, _ = strings.Cut(data, "</script>")
	packed := ascii85.NewDecoder(strings.NewReader(strings.ReplaceAll(data, "v", "<")))
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	var read []struct {
		Versions []struct {
			Tree struct {
				Fields []struct{ Name, Description string }
			}
		}
	}
	if err := json.NewDecoder(unpacked).Decode(&read); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range read[0].Versions[0].Tree.Fields {
		found = found || f.Name == "field" && f.Description == evil
	}
	if !found {
		t.Errorf("the description is not %q in\n%+v", evil, read)
	}
	for _, hole := range []string{"{{csp}}", "{{title}}", "{{css}}", "{{data}}", "{{engine}}"} {
		if strings.Contains(r.stdout, hole) {
			t.Errorf("%s is left", hole)
		}
	}
}

// Without a kind, a page has all kinds of a directory.
func TestPagesHaveAllKinds(t *testing.T) {
	t.Chdir(write(t, map[string]string{"crds/a.yaml": crd("things", "{type: string}"), "crds/b.yaml": strings.Replace(crd("others", "{type: string}"), "Thing", "Other", 1)}))
	r := wantRun(t, exitOK, "<title>2 kinds: Other, …</title>", "-", "explain", "--output", "html", "--tree-only", "crds")
	if n := strings.Count(r.stdout, "<!DOCTYPE html>"); n != 1 {
		t.Errorf("%d pages", n)
	}
	wantRun(t, exitOK, "<title>Thing · things.example.com</title>", "-", "explain", "--output", "html", "--tree-only", "crds", "Thing")
	wantRun(t, exitInput, "-", "things.example.com has no version v7", "explain", "--output", "html", "--tree-only", "--crd-version", "v7", "crds", "Thing")
}

// The policy of a page allows its own scripts and its own style by their hashes, and nothing else.
func TestPagesHaveAPolicy(t *testing.T) {
	t.Chdir(repository)
	r := wantRun(t, exitOK, "", "-", "explain", "--output", "html", "--tree-only", crontabs)
	m := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(r.stdout)
	if m == nil {
		t.Fatal("there is no policy")
	}
	if !strings.HasPrefix(m[1], "default-src 'none'; ") || strings.Contains(m[1], "unsafe") || strings.Contains(m[1], "http") {
		t.Errorf("the policy is %s", m[1])
	}
	for _, part := range regexp.MustCompile(`(?s)<(?:script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(r.stdout, -1) {
		sum := sha256.Sum256([]byte(part[1]))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(m[1], want) {
			t.Errorf("the policy does not allow %.60q", part[1])
		}
	}
	// Nothing is loaded from anywhere.
	if got := regexp.MustCompile(`(?i)<[^>]*\s(src|href)=`).FindString(r.stdout); got != "" {
		t.Errorf("the page refers to something: %s", got)
	}
}

func TestPagesSaySoWithoutGo(t *testing.T) {
	t.Chdir(repository)
	t.Setenv("PATH", t.TempDir())
	wantRun(t, exitInput, "-", "this build needs the go command to make a page; use a release, or --tree-only for a page without the editor\n", "explain", "--output", "html", crontabs)
	wantRun(t, exitOK, "<!DOCTYPE html>", "-", "explain", "--output", "html", "--tree-only", crontabs)
}

// The engine is built from the sources of this program, wherever that is called, and has its loader beside it.
func TestPagesHaveAnEngine(t *testing.T) {
	testsize.Large(t, "compiles the engine")
	gocmd.Sources(t, "-tags=js,wasm", "./cmd/prune-gen/internal/engine/wasm")
	file := filepath.Join(repository, crontabs)
	t.Chdir(t.TempDir())
	r := wantRun(t, exitOK, `<script type="text/plain" id="wasm">+,^C)`, "-", "explain", "--output", "html", file)
	if !strings.Contains(r.stdout, "globalThis.Go = class") || !strings.Contains(r.stdout, "'wasm-unsafe-eval'") {
		t.Error("the loader is missing")
	}
	if n := len(r.stdout); n < 1<<20 || n > 3_000_000 {
		t.Errorf("the page has %d bytes", n)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return
	}
	// The scripts are JavaScript.
	for i, part := range regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(r.stdout, -1) {
		dir := write(t, map[string]string{"script.js": part[1]})
		if out, err := exec.Command(node, "--check", filepath.Join(dir, "script.js")).CombinedOutput(); err != nil {
			t.Errorf("script %d: %v\n%s", i, err, out)
		}
	}
}
