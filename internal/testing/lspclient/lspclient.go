// Package lspclient is a client of language servers, for tests: it starts one, sends it what an editor sends, and keeps what it publishes.
package lspclient

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Position is a place in a document. Characters are counted in units of UTF-16.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is what is between two positions.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Diagnostic is a finding of a server.
type Diagnostic struct {
	Range    Range  `json:"range"`
	Severity int    `json:"severity"`
	Code     any    `json:"code"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

// Published is what a server says about a document, and when it arrived.
type Published struct {
	URI         string       `json:"uri"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	At          time.Time    `json:"-"`
}

// Server says how to start a server.
type Server struct {
	Command  []string
	Dir      string         // the root of the workspace
	Settings map[string]any // the answers to workspace/configuration, by section
}

// Client is a connection to a server.
type Client struct {
	server    Server
	cmd       *exec.Cmd
	stdin     io.WriteCloser
	published chan Published

	mu      sync.Mutex // guards what follows, and writing
	calls   int
	answers map[int]chan message
	broken  error

	incremental bool
}

// message is a request, a notification or an answer.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Timeout is how long a client waits for a server that says nothing.
const Timeout = time.Minute

// Start starts a server and initializes it.
func Start(s Server) (*Client, error) {
	c := &Client{server: s, cmd: exec.Command(s.Command[0], s.Command[1:]...), published: make(chan Published, 10_000), answers: map[int]chan message{}}
	c.cmd.Dir, c.cmd.Stderr = s.Dir, os.Stderr
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.stdin = stdin
	go c.read(bufio.NewReader(stdout))
	var answer struct {
		Capabilities struct{ TextDocumentSync any }
	}
	yes := map[string]any{"dynamicRegistration": true}
	err = c.Call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": "file://" + s.Dir, "rootPath": s.Dir,
		"workspaceFolders": []any{map[string]any{"uri": "file://" + s.Dir, "name": "workspace"}},
		"capabilities": map[string]any{
			"workspace":    map[string]any{"configuration": true, "workspaceFolders": true, "didChangeConfiguration": yes, "didChangeWatchedFiles": yes},
			"textDocument": map[string]any{"publishDiagnostics": map[string]any{"relatedInformation": true}},
		},
	}, &answer)
	if err == nil {
		kind := answer.Capabilities.TextDocumentSync
		if options, ok := kind.(map[string]any); ok {
			kind = options["change"]
		}
		c.incremental = kind == 2.0
		err = c.Notify("initialized", map[string]any{})
	}
	if err == nil && s.Settings != nil {
		err = c.Notify("workspace/didChangeConfiguration", map[string]any{"settings": s.Settings})
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// read reads messages until the server ends.
func (c *Client) read(r *bufio.Reader) {
	for {
		m, err := readMessage(r)
		if err != nil {
			c.mu.Lock()
			c.broken = fmt.Errorf("the server ended: %w", err)
			for _, answer := range c.answers {
				close(answer)
			}
			c.answers = nil
			c.mu.Unlock()
			close(c.published)
			return
		}
		switch {
		case m.Method == "textDocument/publishDiagnostics":
			p := Published{At: time.Now()}
			if json.Unmarshal(m.Params, &p) == nil {
				c.published <- p
			}
		case m.Method != "" && m.ID != nil:
			c.answer(m)
		case m.Method == "":
			id, _ := strconv.Atoi(string(m.ID))
			c.mu.Lock()
			if answer := c.answers[id]; answer != nil {
				answer <- m
			}
			delete(c.answers, id)
			c.mu.Unlock()
		}
	}
}

func readMessage(r *bufio.Reader) (m message, err error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return m, err
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

// answer answers a request of the server: with settings, or with nothing.
func (c *Client) answer(m message) {
	var result any
	if m.Method == "workspace/configuration" {
		var params struct{ Items []struct{ Section string } }
		_ = json.Unmarshal(m.Params, &params) // then nothing is asked for
		values := []any{}
		for _, item := range params.Items {
			values = append(values, c.server.Settings[item.Section])
		}
		result = values
	}
	_ = c.write(map[string]any{"id": m.ID, "result": result}) // read finds out why it cannot
}

func (c *Client) write(m map[string]any) error {
	m["jsonrpc"] = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.stdin.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(data)), data...))
	return err
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) error {
	return c.write(map[string]any{"method": method, "params": params})
}

// Call sends a request and decodes the answer.
func (c *Client) Call(method string, params, result any) error {
	c.mu.Lock()
	if c.broken != nil {
		c.mu.Unlock()
		return c.broken
	}
	c.calls++
	id, answer := c.calls, make(chan message, 1)
	c.answers[id] = answer
	c.mu.Unlock()
	if err := c.write(map[string]any{"id": id, "method": method, "params": params}); err != nil {
		return err
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return c.broken
		case m.Error != nil:
			return fmt.Errorf("%s: %s (%d)", method, m.Error.Message, m.Error.Code)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-time.After(Timeout):
		return fmt.Errorf("%s: no answer", method)
	}
}

// Document is an open document.
type Document struct {
	c       *Client
	URI     string
	Text    string
	version int
}

// Open opens a document.
func (c *Client) Open(file, text string) (*Document, error) {
	d := &Document{c, "file://" + file, text, 1}
	return d, c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": d.URI, "languageId": "yaml", "version": 1, "text": text}})
}

// Replace replaces the first occurrence of a text, as somebody does who types the other one. It returns when that was sent.
func (d *Document) Replace(from, to string) (time.Time, error) {
	before, after, ok := strings.Cut(d.Text, from)
	if !ok {
		return time.Time{}, fmt.Errorf("%s does not have %q", d.URI, from)
	}
	d.Text, d.version = before+to+after, d.version+1
	change := map[string]any{"text": d.Text}
	if d.c.incremental {
		change = map[string]any{"range": Range{position(before), position(before + from)}, "text": to}
	}
	params := map[string]any{"textDocument": map[string]any{"uri": d.URI, "version": d.version}, "contentChanges": []any{change}}
	sent := time.Now()
	return sent, d.c.Notify("textDocument/didChange", params)
}

// position is where a text ends. It must be ASCII.
func position(text string) Position {
	return Position{strings.Count(text, "\n"), len(text) - strings.LastIndex(text, "\n") - 1}
}

// Wait waits until the server publishes what a function accepts about the document.
func (d *Document) Wait(accept func([]Diagnostic) bool) (Published, error) {
	var last Published
	for timeout := time.After(Timeout); ; {
		select {
		case p, ok := <-d.c.published:
			switch {
			case !ok:
				return p, d.c.broken
			case p.URI != d.URI:
			case accept(p.Diagnostics):
				return p, nil
			default:
				last = p
			}
		case <-timeout:
			return last, fmt.Errorf("waiting for diagnostics of %s: the last are %+v", d.URI, last.Diagnostics)
		}
	}
}

// Memory returns the resident memory of the server, in bytes, now and at most so far.
func (c *Client) Memory() (now, most int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range bytes.Lines(status) {
		_, _ = fmt.Sscanf(string(line), "VmRSS: %d kB", &now)
		_, _ = fmt.Sscanf(string(line), "VmHWM: %d kB", &most)
	}
	return now << 10, most << 10, nil
}

// Busy returns the processor time that the server has used.
func (c *Client) Busy() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The name of the program, in parentheses, may have blanks. Time is the 14th and 15th value, in hundredths of a second.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("unknown form of %s", stat)
	}
	user, err := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond, errors.Join(err, err2)
}

// Close ends the server as an editor does, or at once if it does not end.
func (c *Client) Close() error {
	err := c.Call("shutdown", nil, nil)
	if err == nil {
		err = c.Notify("exit", nil)
	}
	kill := time.AfterFunc(10*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer kill.Stop()
	return errors.Join(err, c.stdin.Close(), c.cmd.Wait())
}
