package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// Handler has the methods of a server.
type Handler struct {
	// Requests answer requests. A function is called when the request arrives, before later messages are read; what it returns does the
	// work, beside other requests, and should end when its context does.
	Requests map[string]func(params json.RawMessage) (Work, error)
	// Notifications are called one after the other, in the order of the messages.
	Notifications map[string]func(params json.RawMessage) error
	// End is called when the client is gone.
	End func()
}

// Work is the work on a request, whose result is sent as JSON.
type Work func(context.Context) (any, error)

// Request returns a function for Handler.Requests that takes parameters of a type.
func Request[P any](f func(P) (Work, error)) func(json.RawMessage) (Work, error) {
	return func(raw json.RawMessage) (Work, error) {
		var p P
		if err := read(raw, &p); err != nil {
			return nil, err
		}
		return f(p)
	}
}

// Notification returns a function for Handler.Notifications that takes parameters of a type.
func Notification[P any](f func(P)) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		var p P
		if err := read(raw, &p); err != nil {
			return err
		}
		f(p)
		return nil
	}
}

func read(raw json.RawMessage, p any) error {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, p); err != nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return nil
}

// The codes of errors that the protocol adds to those of JSON-RPC.
const (
	codeNotInitialized = -32002
	codeCancelled      = -32800
	codeFailed         = -32803
)

// maxWaiting is how many requests may wait for their results.
const maxWaiting = 1000

// Conn is the connection to a client.
type Conn struct {
	conn    *jsonrpc2.Conn // set by the first message
	stream  *stream
	handler Handler
	ended   chan struct{} // the client has sent exit
	working sync.WaitGroup

	mu       sync.Mutex
	state    state
	requests map[jsonrpc2.ID]context.CancelFunc
}

// state says which messages a client may send.
type state uint8

const (
	starting state = iota
	running
	stopped   // after shutdown
	exited    // after exit
	abandoned // after exit without shutdown
)

// ErrNoShutdown says that a client has sent exit without shutdown.
var ErrNoShutdown = errors.New("the client has ended the connection without shutdown")

// Serve answers the messages of a client until it says exit, or until in ends. The function gets the connection, and returns the methods
// of the server.
func Serve(in io.Reader, out, logs io.Writer, handler func(*Conn) Handler) error {
	c := &Conn{stream: &stream{in: bufio.NewReader(in), out: out}, ended: make(chan struct{}), requests: map[jsonrpc2.ID]context.CancelFunc{}}
	c.handler = handler(c)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	conn := jsonrpc2.NewConn(ctx, c.stream, c, jsonrpc2.SetLogger(log.New(logs, "", 0)))
	select {
	case <-c.ended:
	case <-conn.DisconnectNotify():
	}
	cancel()
	c.cancelAll()
	c.handler.End()
	c.working.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == abandoned {
		return ErrNoShutdown
	}
	return nil
}

// cancelAll cancels all requests.
func (c *Conn) cancelAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.requests {
		cancel()
	}
}

// Handle handles a message. It is called with one after the other.
func (c *Conn) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if c.conn == nil { // others read it
		c.conn = conn
	}
	if c.state >= exited {
		return
	}
	var params json.RawMessage
	if r.Params != nil {
		params = *r.Params
	}
	if r.Notif {
		c.notified(r.Method, params)
		return
	}
	work, err := c.prepare(r.Method, params)
	if err != nil {
		c.reply(ctx, r.ID, nil, err)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	if len(c.requests) >= maxWaiting {
		err = &jsonrpc2.Error{Code: codeFailed, Message: fmt.Sprintf("%d requests are waiting", maxWaiting)}
	} else if c.requests[r.ID] != nil {
		err = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "another request has this id"}
	} else {
		c.requests[r.ID] = cancel
	}
	c.mu.Unlock()
	if err != nil {
		cancel()
		c.reply(ctx, r.ID, nil, err)
		return
	}
	c.Go(func() {
		defer cancel()
		result, err := try(func() (any, error) { return work(ctx) })
		if ctx.Err() != nil {
			err = &jsonrpc2.Error{Code: codeCancelled, Message: "the request was cancelled"}
		}
		c.mu.Lock()
		delete(c.requests, r.ID)
		c.mu.Unlock()
		c.reply(context.Background(), r.ID, result, err)
	})
}

// Go calls a function in a goroutine, for whose end Serve waits.
func (c *Conn) Go(f func()) {
	c.working.Add(1)
	go func() {
		defer c.working.Done()
		f()
	}()
}

// prepare returns the work on a request.
func (c *Conn) prepare(method string, params json.RawMessage) (Work, error) {
	switch {
	case method == "initialize" && c.state == starting:
		work, err := try(func() (Work, error) { return c.handler.Requests[method](params) })
		if err == nil {
			c.setState(running)
		}
		return work, err
	case c.state == starting:
		return nil, &jsonrpc2.Error{Code: codeNotInitialized, Message: "the first request is initialize"}
	case method == "initialize":
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "initialize was requested before"}
	case c.state == stopped:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "shutdown was requested before"}
	case method == "shutdown":
		c.setState(stopped)
		return func(context.Context) (any, error) { return null, nil }, nil
	}
	f := c.handler.Requests[method]
	if f == nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: fmt.Sprintf("there is no method %.100q", method)}
	}
	return try(func() (Work, error) { return f(params) })
}

func (c *Conn) setState(s state) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = s
}

// notified handles a notification. One that comes too early or is not known is ignored, as the protocol says.
func (c *Conn) notified(method string, params json.RawMessage) {
	switch f := c.handler.Notifications[method]; {
	case method == "exit":
		if c.state == stopped {
			c.setState(exited)
		} else {
			c.setState(abandoned)
		}
		close(c.ended)
	case method == "$/cancelRequest":
		var p struct{ ID jsonrpc2.ID }
		if json.Unmarshal(params, &p) == nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			if cancel := c.requests[p.ID]; cancel != nil {
				cancel()
			}
		}
	case f != nil && c.state == running:
		if _, err := try(func() (any, error) { return nil, f(params) }); err != nil {
			c.Log(fmt.Sprintf("%s: %v", method, err))
		}
	}
}

// try calls a function and returns an error if it panics: a server that ends takes the work of people with it.
func try[T any](f func() (T, error)) (result T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("a bug in prune-gen: %v\n%s", r, debug.Stack())}
		}
	}()
	return f()
}

// Try calls a function that is not a part of a request, and tells the client if it panics.
func (c *Conn) Try(f func()) {
	if _, err := try(func() (any, error) { f(); return nil, nil }); err != nil {
		c.Log(err.Error())
	}
}

// reply answers a request. The client may be gone.
func (c *Conn) reply(ctx context.Context, id jsonrpc2.ID, result any, err error) {
	if err == nil {
		c.conn.Reply(ctx, id, result)
		return
	}
	var known *jsonrpc2.Error
	if !errors.As(err, &known) {
		known = &jsonrpc2.Error{Code: codeFailed, Message: err.Error()}
	}
	c.conn.ReplyWithError(ctx, id, known)
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) { c.conn.Notify(context.Background(), method, params) }

// Log makes the client write a message into its log.
func (c *Conn) Log(message string) {
	c.Notify("window/logMessage", object{"type": Error, "message": message})
}

// Call sends a request whose result does not matter.
func (c *Conn) Call(method string, params any) {
	c.conn.DispatchCall(context.Background(), method, params)
}
