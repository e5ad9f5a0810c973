package lspcmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/editor/lsp"
)

// The root of a workspace can be a link. Files have the paths that the client gives them.
func TestWorkspaceThroughALink(t *testing.T) {
	c := start(t, map[string]string{"real/crds/crontab.yaml": crd, "real/prune-gen.yaml": "crds: [crds]\n"})
	if err := os.Symlink("real", "link"); err != nil {
		t.Skip(err)
	}
	c.end()
	c = startIn(t, filepath.Join(c.dir, "link"), `{}`)
	c.open("crds/crontab.yaml", strings.Replace(crd, "maximum: 10", "maximum: 100", 1))
	c.open("a.yaml", head+"spec: {cronSpec: x, replicas: 50, b: 1}\n")
	// A text may be judged before the CRDs that have changed are read, and is then judged again.
	c.diagnostics("a.yaml", 1, func(d []lsp.Diagnostic) bool { return len(d) == 1 && d[0].Code == "object/unknown-field" })
	var place lsp.Location
	c.call("textDocument/definition", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.yaml")}, "position": lsp.Position{Line: 3, Character: 8}}, &place)
	if place.URI != c.uri("crds/crontab.yaml") {
		t.Errorf("%+v", place)
	}
}

// The number of a version says nothing: clients repeat it, or send none.
func TestTextsWithTheSameVersion(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	c.open("a.yaml", head+"spec: {cronSpec: x, replicas: 50}\n")
	c.diagnostics("a.yaml", 1, some)
	for i := range 4 {
		c.open("crds/crontab.yaml", strings.Replace(crd, "maximum: 10", []string{"maximum: 100", "maximum: 20"}[i%2], 1))
		c.diagnostics("a.yaml", 1, [](func([]lsp.Diagnostic) bool){none, some}[i%2])
		c.notify("textDocument/didClose", lsp.DocumentParams{Document: lsp.DocumentID{URI: c.uri("crds/crontab.yaml")}})
	}
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.yaml"), "version": nil}, "contentChanges": []any{map[string]any{"text": head + "spec: {cronSpec: x}\n"}}})
	c.diagnostics("a.yaml", 0, none)
}

// While prune-gen.yaml is edited, and while something else changes, its errors stay.
func TestErrorsOfTheConfigurationStay(t *testing.T) {
	const broken = "crds: [crds]\nnothing: 1\n"
	one := func(d []lsp.Diagnostic) bool { return len(d) == 1 && d[0].Range.Start.Line == 1 }
	c := start(t, map[string]string{"crds/crontab.yaml": crd, "prune-gen.yaml": broken})
	c.diagnostics("prune-gen.yaml", 0, one)
	c.open("prune-gen.yaml", broken)
	c.open("a.yaml", head+"spec: {cronSpec: x, replicas: 50}\n")
	c.diagnostics("a.yaml", 1, some)
	c.write("crds/crontab.yaml", strings.Replace(crd, "maximum: 10", "maximum: 100", 1))
	c.diagnostics("a.yaml", 1, none)
	c.change("prune-gen.yaml", 2, nil, broken)
	c.diagnostics("prune-gen.yaml", 2, one)
	c.notify("textDocument/didClose", lsp.DocumentParams{Document: lsp.DocumentID{URI: c.uri("prune-gen.yaml")}})
	c.write("prune-gen.yaml", "crds: [crds]\n")
	c.diagnostics("prune-gen.yaml", 0, none)
}

// Texts are judged, however often files change and whatever is saved in between.
func TestTextsAreJudgedBesideOtherEvents(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd, "prune-gen.yaml": "exclude: [excluded]\n"})
	c.open("crds/crontab.yaml", crd)
	for version := 1; version <= 20; version++ {
		text := head + fmt.Sprintf("spec: {cronSpec: x, replicas: %d}\n", version)
		if version == 1 {
			c.open("a.yaml", text)
		} else {
			c.change("a.yaml", version, nil, text)
		}
		c.notify("textDocument/didSave", lsp.DocumentParams{Document: lsp.DocumentID{URI: c.uri("crds/crontab.yaml")}})
		for range 20 {
			c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{}})
		}
		c.notify("initialized", map[string]any{})
		c.diagnostics("a.yaml", version, func(d []lsp.Diagnostic) bool { return len(d) > 0 == (version > 10) })
	}
	c.open("excluded/a.yaml", head+"spec: {b: 1}\n")
	c.diagnostics("excluded/a.yaml", 1, none)
	c.notify("textDocument/didClose", lsp.DocumentParams{Document: lsp.DocumentID{URI: c.uri("a.yaml")}})
	c.diagnostics("a.yaml", 0, none)
}

// Names that are not files are texts like others.
func TestTextsThatAreNotInFiles(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	for _, uri := range []lsp.URI{"untitled:Untitled-1", "-", "git:HEAD:crds", "file://host/etc/passwd", "%zz", "a[b]*?.yaml"} {
		c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 1, "text": head + "spec: {b: 1}\n---\n" + strings.ReplaceAll(crd, "stable.example.com", "other.example.com")}})
		c.waitFor(uri, func(d []lsp.Diagnostic) bool { return len(d) == 2 })
	}
}
