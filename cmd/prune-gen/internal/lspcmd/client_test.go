package lspcmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/lspcmd"
	"github.com/prune-gen/prune-gen/internal/editor/lsp"
)

// client is an editor.
type client struct {
	t    *testing.T
	conn *jsonrpc2.Conn
	dir  string
	ends chan error

	ended bool

	mu        sync.Mutex
	published map[lsp.URI]lsp.PublishDiagnosticsParams
	arrived   chan struct{} // has a value after diagnostics have arrived
	logs      bytes.Buffer
	server    struct{ Capabilities map[string]any } // what it says of itself
}

// start starts a server in a directory with files, and an editor.
func start(t *testing.T, files map[string]string, args ...string) *client {
	t.Helper()
	return startWith(t, `{"completion":{"completionItem":{"snippetSupport":true}}}`, files, args...)
}

// startWith is start for an editor that can do some things with texts.
func startWith(t *testing.T, capabilities string, files map[string]string, args ...string) *client {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		(&client{t: t, dir: dir}).write(name, text)
	}
	return startIn(t, dir, capabilities, args...)
}

// startIn starts a server in a directory.
func startIn(t *testing.T, dir, capabilities string, args ...string) *client {
	t.Helper()
	t.Setenv("PRUNE_GEN_BUILTIN", "none")
	t.Setenv("PWD", os.Getenv("PWD")) // which the server changes
	c := &client{t: t, dir: dir, ends: make(chan error, 1), published: map[lsp.URI]lsp.PublishDiagnosticsParams{}, arrived: make(chan struct{}, 1)}
	t.Chdir(c.dir)
	fromServer, out := io.Pipe()
	in, toServer := io.Pipe()
	cmd := lspcmd.Command(cli.NewEnvironment(in, out, io.Discard))
	cmd.SetArgs(append(args, "--pause=0"))
	go func() {
		err := cmd.Execute()
		out.Close()
		in.Close()
		c.ends <- err
	}()
	c.conn = jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(pipes{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(c.handle))
	t.Cleanup(c.end)
	c.call("initialize", map[string]any{"rootUri": lsp.FileURI(c.dir), "capabilities": map[string]any{"textDocument": json.RawMessage(capabilities)}}, &c.server)
	c.notify("initialized", map[string]any{})
	return c
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

func (c *client) handle(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch r.Method {
	case "textDocument/publishDiagnostics":
		var p lsp.PublishDiagnosticsParams
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.published[p.URI] = p
		select {
		case c.arrived <- struct{}{}:
		default:
		}
	case "window/logMessage":
		c.logs.Write(*r.Params)
	}
	return nil, nil
}

// end ends the session as editors do.
func (c *client) end() {
	if c.ended {
		return
	}
	c.ended = true
	c.conn.Call(context.Background(), "shutdown", nil, nil)
	c.conn.Notify(context.Background(), "exit", nil)
	if err := <-c.ends; err != nil {
		c.t.Errorf("the server has ended: %v", err)
	}
	if c.logs.Len() > 0 {
		c.t.Errorf("the server has logged %s", c.logs.String())
	}
	c.conn.Close()
}

func (c *client) uri(name string) lsp.URI { return lsp.FileURI(filepath.Join(c.dir, name)) }

func (c *client) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.conn.Call(c.t.Context(), method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(c.t.Context(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// open opens a text.
func (c *client) open(name, text string) {
	c.t.Helper()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "languageId": "yaml", "version": 1, "text": text}})
}

// change replaces the text in a range, or all of it.
func (c *client) change(name string, version int, at *lsp.Range, text string) {
	c.t.Helper()
	c.notify("textDocument/didChange", lsp.DidChangeParams{Document: lsp.DocumentID{URI: c.uri(name), Version: &version}, Changes: []lsp.Change{{Range: at, Text: text}}})
}

// diagnostics waits until the diagnostics of a version of a text satisfy a condition, and returns them.
func (c *client) diagnostics(name string, version int, ok func([]lsp.Diagnostic) bool) []lsp.Diagnostic {
	c.t.Helper()
	return c.waitFor(c.uri(name), func(d []lsp.Diagnostic) bool {
		published := c.published[c.uri(name)].Version
		return (published == nil || *published >= version) && ok(d)
	})
}

// waitFor waits until the diagnostics of a text satisfy a condition, and returns them.
func (c *client) waitFor(uri lsp.URI, ok func([]lsp.Diagnostic) bool) []lsp.Diagnostic {
	c.t.Helper()
	for late := time.After(time.Minute); ; {
		c.mu.Lock()
		p, found := c.published[uri]
		enough := found && ok(p.Diagnostics)
		c.mu.Unlock()
		if enough {
			return p.Diagnostics
		}
		select {
		case <-c.arrived:
		case <-late:
			c.t.Fatalf("%s: no such diagnostics, but %+v", uri, p)
		}
	}
}

func any1([]lsp.Diagnostic) bool { return true }
