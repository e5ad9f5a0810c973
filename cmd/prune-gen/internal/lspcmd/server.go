package lspcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/lsp"
)

// document is a text that is open. It is never changed: another one takes its place.
type document struct {
	uri     lsp.URI
	name    string // the path of the file, or the URI of a text that is not in one
	version int
	text    *lsp.Text
	hasCRDs bool // or may have some
	saved   int  // how often it was saved
}

// stamp changes when the text does.
func (d *document) stamp() string { return fmt.Sprintf("open, version %d", d.version) }

func (d *document) with(version int, text *lsp.Text) *document {
	next := *d
	next.version, next.text = version, text
	next.hasCRDs = bytes.Contains(text.Bytes, []byte("CustomResourceDefinition"))
	return &next
}

// server answers a client.
type server struct {
	env   *cli.Environment
	conn  *lsp.Conn
	space *workspace
	// client says what the client can do.
	client struct{ Snippets, AsIs, Watches bool }

	mu         sync.Mutex
	documents  map[lsp.URI]*document
	due        map[lsp.URI]time.Time // when texts are to be judged
	stale      time.Time             // when to look for changes of CRDs
	judged     lsp.URI               // the text that is being judged
	cancel     context.CancelFunc    // ends that
	wrong      map[lsp.URI]bool      // files that are not open and have diagnostics
	suites     map[lsp.URI]tested
	judgements map[lsp.URI]judgement
	waits      time.Duration // the pause
	wake       chan struct{}
	stop       chan struct{}
	ready      chan struct{} // closed when the workspace was read
	readied    sync.Once
}

func newServer(env *cli.Environment, conn *lsp.Conn, typed *cobra.Command) *server {
	return &server{
		env: env, conn: conn, space: newWorkspace(typed), documents: map[lsp.URI]*document{}, due: map[lsp.URI]time.Time{}, wrong: map[lsp.URI]bool{},
		suites: map[lsp.URI]tested{}, judgements: map[lsp.URI]judgement{}, wake: make(chan struct{}, 1), stop: make(chan struct{}), ready: make(chan struct{}),
	}
}

func (s *server) handler() lsp.Handler {
	return lsp.Handler{
		Requests: map[string]func(json.RawMessage) (lsp.Work, error){
			"initialize":              lsp.Request(s.initialize),
			"textDocument/completion": lsp.Request(s.completion),
			"textDocument/hover":      lsp.Request(s.hover),
			"textDocument/definition": lsp.Request(s.definition),
			"textDocument/codeAction": lsp.Request(s.actions),
		},
		Notifications: map[string]func(json.RawMessage) error{
			"initialized":                      lsp.Notification(s.initialized),
			"textDocument/didOpen":             lsp.Notification(s.didOpen),
			"textDocument/didChange":           lsp.Notification(s.didChange),
			"textDocument/didSave":             lsp.Notification(s.didSave),
			"textDocument/didClose":            lsp.Notification(s.didClose),
			"workspace/didChangeWatchedFiles":  lsp.Notification(func(struct{}) { s.refreshSoon(0) }),
			"workspace/didChangeConfiguration": lsp.Notification(func(struct{}) { s.refreshSoon(0) }),
		},
		End: func() { close(s.stop) },
	}
}

type object = map[string]any

// initialize enters the root of the workspace.
func (s *server) initialize(p lsp.InitializeParams) (lsp.Work, error) {
	item := p.Capabilities.TextDocument.Completion.CompletionItem
	s.client.Snippets, s.client.AsIs = item.SnippetSupport, slices.Contains(item.InsertTextModeSupport.ValueSet, lsp.AsIs)
	s.client.Watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	root := p.RootURI
	if len(p.WorkspaceFolders) > 0 {
		root = p.WorkspaceFolders[0].URI
	}
	if path := root.Path(); path != "" {
		if err := os.Chdir(path); err != nil {
			return nil, err
		}
		home, _ := os.UserHomeDir()
		s.space.scans = path != filepath.Dir(path) && filepath.Clean(path) != filepath.Clean(home)
	}
	return func(context.Context) (any, error) {
		return object{
			"serverInfo": object{"name": "prune-gen", "version": cli.BuildVersion()},
			"capabilities": object{
				"textDocumentSync":   object{"openClose": true, "change": 2, "save": object{}},
				"completionProvider": object{"triggerCharacters": []string{" ", ":", "-", "\""}},
				"hoverProvider":      true,
				"definitionProvider": true,
				"codeActionProvider": object{"codeActionKinds": []string{lsp.QuickFix, lsp.FixAll}},
			},
		}, nil
	}, nil
}

func (s *server) initialized(struct{}) {
	if s.client.Watches {
		s.conn.Call("client/registerCapability", object{"registrations": []object{{
			"id": "files", "method": "workspace/didChangeWatchedFiles",
			"registerOptions": object{"watchers": []object{{"globPattern": "**/*.{yaml,yml,json}"}}},
		}}})
	}
	s.refreshSoon(0)
	s.conn.Go(s.work)
}

func (s *server) didOpen(p lsp.DidOpenParams) {
	d := &document{uri: p.Document.URI, name: p.Document.URI.Path()}
	if d.name == "" {
		d.name = string(d.uri)
	}
	d.saved = 1
	s.replace(nil, d.with(p.Document.Version, lsp.NewText([]byte(p.Document.Text))), 0)
}

func (s *server) didChange(p lsp.DidChangeParams) {
	if d := s.document(p.Document.URI); d != nil {
		s.replace(d, d.with(p.Document.Version, d.text.Change(p.Changes)), s.pause())
	}
}

func (s *server) didSave(p lsp.DidCloseParams) {
	if d := s.document(p.Document.URI); d != nil {
		next := *d
		next.saved++
		s.replace(d, &next, 0)
	}
}

func (s *server) didClose(p lsp.DidCloseParams) {
	d := s.document(p.Document.URI)
	if d == nil {
		return
	}
	s.mu.Lock()
	delete(s.documents, d.uri)
	delete(s.due, d.uri)
	delete(s.suites, d.uri)
	delete(s.judgements, d.uri)
	s.interrupt(d)
	s.mu.Unlock()
	if d.hasCRDs {
		s.refreshSoon(0)
	}
	s.publish(d, []lsp.Diagnostic{})
}

// document returns a text that is open, nil for another.
func (s *server) document(uri lsp.URI) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.documents[uri]
}

// pause returns how long to wait for more typing.
func (s *server) pause() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waits
}

// replace makes a text the current one, and judges it after a pause.
func (s *server) replace(old, d *document, after time.Duration) {
	s.mu.Lock()
	at := time.Now().Add(after)
	s.documents[d.uri], s.due[d.uri] = d, at
	if d.hasCRDs || old != nil && old.hasCRDs {
		s.stale = at
	}
	s.interrupt(d)
	s.mu.Unlock()
	s.signal()
}

// interrupt ends the judgement of a text that has changed, or of any text if CRDs have. The caller holds the lock.
func (s *server) interrupt(d *document) {
	if s.cancel != nil && (s.judged == d.uri || d.hasCRDs) {
		s.cancel()
	}
}

// refreshSoon looks for changes of CRDs after a pause.
func (s *server) refreshSoon(after time.Duration) {
	s.mu.Lock()
	s.stale = time.Now().Add(after)
	s.mu.Unlock()
	s.signal()
}

// signal wakes the goroutine that works.
func (s *server) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// work judges texts when they are due, and looks for changes of CRDs, until the client is gone.
func (s *server) work() {
	defer s.space.end()
	const patience = time.Second // between looks at the files on disk
	for {
		d, refresh, wait := s.next()
		switch {
		case refresh:
			begun := time.Now()
			s.conn.Try(s.refresh)
			// Looking takes a twentieth of the time at most.
			s.later(max(patience, 20*time.Since(begun)))
		case d != nil:
			s.conn.Try(func() { s.judge(d) })
		default:
			select {
			case <-s.wake:
			case <-time.After(wait):
			case <-s.stop:
				return
			}
		}
		select {
		case <-s.stop:
			return
		default:
		}
	}
}

// next returns what is due: a refresh, which comes first, or a text. If nothing is, it returns how long to wait.
func (s *server) next() (d *document, refresh bool, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if !s.stale.After(now) {
		return nil, true, 0
	}
	at := s.stale
	for uri, due := range s.due {
		if due.Before(at) {
			at, d = due, s.documents[uri]
		}
	}
	if at.After(now) {
		return nil, false, at.Sub(now)
	}
	delete(s.due, d.uri)
	return d, false, 0
}

// later looks for changes after a while, unless that is due before.
func (s *server) later(after time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := time.Now().Add(after); at.Before(s.stale) {
		s.stale = at
	}
}

// open returns the texts that are open and in files.
func (s *server) open() edited {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := edited{}
	for _, d := range s.documents {
		all[absolute(d.name)] = d
	}
	return all
}

// refresh reads again what has changed, and judges all texts if anything has.
func (s *server) refresh() {
	s.mu.Lock()
	s.stale = time.Now().Add(time.Hour) // until later, or a change from now on, says when
	s.mu.Unlock()
	changed, wrong, err := s.space.refresh(s.env, s.open())
	s.readied.Do(func() { close(s.ready) })
	if err != nil {
		s.conn.Log(err.Error())
	}
	if !changed {
		return
	}
	s.configuration(wrong)
	debug.FreeOSMemory() // most of what was read is not kept, and an editor runs for days
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waits = s.space.pause
	for uri := range s.documents {
		s.due[uri] = time.Now()
	}
}
