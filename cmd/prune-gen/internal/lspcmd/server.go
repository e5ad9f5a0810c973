package lspcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/internal/editor/lsp"
	"github.com/prune-gen/prune-gen/structural"
)

// document is a text that is open. It is never changed: another one takes its place.
type document struct {
	uri     lsp.URI
	name    string // the absolute path of the file, or a path that no file has
	version *int   // that of the client, if it counts them
	serial  int    // differs from that of every other text of the session
	text    *lsp.Text
	hasCRDs bool // or may have some
	saved   int  // how often it was saved
}

// stamp changes when the text does.
func (d *document) stamp() string { return fmt.Sprintf("open, text %d", d.serial) }

// with returns the document with another text.
func (d *document) with(version *int, serial int, text *lsp.Text) *document {
	next := *d
	next.version, next.serial, next.text = version, serial, text
	next.hasCRDs = bytes.Contains(text.Bytes, []byte("CustomResourceDefinition"))
	return &next
}

// server answers a client.
type server struct {
	env   *cli.Environment
	conn  *lsp.Conn
	space *workspace
	// client says what the client can do.
	client struct{ Snippets, KeepsIndentation, Watches bool }
	begun  sync.Once

	ctx    context.Context // ends when the client is gone
	cancel context.CancelFunc
	serial int // of the last text; only notifications use it
	schedule

	mu        sync.Mutex
	documents map[lsp.URI]*document
	judged    map[lsp.URI]judgement
}

// judgement is what was found in a text.
type judgement struct {
	of    *document
	found []structural.Finding
	// cases are what the cases of a suite have said when it was saved for the nth time.
	cases []structural.Finding
	saved int
}

func newServer(env *cli.Environment, conn *lsp.Conn, typed *cobra.Command) *server {
	s := &server{env: env, conn: conn, space: newWorkspace(typed), schedule: newSchedule(), documents: map[lsp.URI]*document{}, judged: map[lsp.URI]judgement{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

func (s *server) handler() lsp.Handler {
	looks := lsp.Notification(func(struct{}) { s.lookSoon(0) })
	return lsp.Handler{
		Requests: map[string]func(json.RawMessage) (lsp.Work, error){
			"initialize":              lsp.Request(s.initialize),
			"textDocument/completion": lsp.Request(s.completion),
			"textDocument/hover":      lsp.Request(s.hover),
			"textDocument/definition": lsp.Request(s.definition),
			"textDocument/codeAction": lsp.Request(s.actions),
		},
		Notifications: map[string]func(json.RawMessage) error{
			"initialized":                      lsp.Notification(func(struct{}) { s.begin() }),
			"textDocument/didOpen":             lsp.Notification(s.didOpen),
			"textDocument/didChange":           lsp.Notification(s.didChange),
			"textDocument/didSave":             lsp.Notification(s.didSave),
			"textDocument/didClose":            lsp.Notification(s.didClose),
			"workspace/didChangeWatchedFiles":  looks,
			"workspace/didChangeConfiguration": looks,
		},
		End: s.cancel,
	}
}

type object = map[string]any

// initialize enters the root of the workspace.
func (s *server) initialize(p lsp.InitializeParams) (lsp.Work, error) {
	item := p.Capabilities.TextDocument.Completion.CompletionItem
	s.client.Snippets, s.client.KeepsIndentation = item.SnippetSupport, slices.Contains(item.InsertTextModeSupport.ValueSet, lsp.AsIs)
	s.client.Watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	root := p.RootURI
	if len(p.WorkspaceFolders) > 0 {
		root = p.WorkspaceFolders[0].URI
	}
	if path := filepath.Clean(root.Path()); root.Path() != "" && os.Chdir(path) == nil {
		os.Setenv("PWD", path) // os.Getwd then returns the path as the client writes it, with its links
		s.space.scans = isProject(path)
	}
	return func(context.Context) (any, error) {
		return object{
			"serverInfo": object{"name": "prune-gen", "version": cli.BuildVersion()},
			"capabilities": object{
				"textDocumentSync":   object{"openClose": true, "change": 2, "save": object{}},
				"completionProvider": object{"triggerCharacters": []string{" ", ":", "-", "\""}},
				"hoverProvider":      true,
				"definitionProvider": true,
				"codeActionProvider": object{"codeActionKinds": []string{lsp.QuickFix, lsp.Prune}},
			},
		}, nil
	}, nil
}

// isProject reports whether a directory can be that of a project: it is not the home directory, or one above it.
func isProject(path string) bool {
	home, err := os.UserHomeDir()
	if err != nil {
		return path != filepath.Dir(path)
	}
	below, err := filepath.Rel(path, home)
	return err == nil && below != "." && (below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)))
}

// begin begins to work, once.
func (s *server) begin() {
	s.begun.Do(func() {
		if s.client.Watches {
			s.conn.Call("client/registerCapability", object{"registrations": []object{{
				"id": "files", "method": "workspace/didChangeWatchedFiles",
				"registerOptions": object{"watchers": []object{{"globPattern": "**/*.{yaml,yml,json}"}}},
			}}})
		}
		s.conn.Go(s.work)
	})
}

func (s *server) didOpen(p lsp.DidOpenParams) {
	s.begin()
	name := p.Document.URI.Path()
	if name == "" {
		name = string(p.Document.URI)
	}
	d := &document{uri: p.Document.URI, name: absolute(name), saved: 1}
	s.serial++
	s.replace(nil, d.with(p.Document.Version, s.serial, lsp.NewText([]byte(p.Document.Text))), false)
}

func (s *server) didChange(p lsp.DidChangeParams) {
	if d := s.document(p.Document.URI); d != nil {
		s.serial++
		s.replace(d, d.with(p.Document.Version, s.serial, d.text.Change(p.Changes)), true)
	}
}

func (s *server) didSave(p lsp.DocumentParams) {
	if d := s.document(p.Document.URI); d != nil {
		next := *d
		next.saved++
		s.replace(d, &next, false)
	}
}

func (s *server) didClose(p lsp.DocumentParams) {
	d := s.document(p.Document.URI)
	if d == nil {
		return
	}
	s.mu.Lock()
	delete(s.documents, d.uri)
	delete(s.judged, d.uri)
	s.mu.Unlock()
	s.changed(d.uri, d.hasCRDs, false) // judging a text that is not open removes its diagnostics
}

// document returns a text that is open, nil for another.
func (s *server) document(uri lsp.URI) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.documents[uri]
}

// replace makes a text the current one, which is then judged. It was typed or opened.
func (s *server) replace(old, d *document, typed bool) {
	s.mu.Lock()
	s.documents[d.uri] = d
	s.mu.Unlock()
	s.changed(d.uri, d.hasCRDs || old != nil && old.hasCRDs, typed)
}

// open returns the texts that are open, by their names.
func (s *server) open() edited {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := edited{}
	for _, d := range s.documents {
		all[d.name] = d
	}
	return all
}
