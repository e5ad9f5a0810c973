package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/editor/lsp"
)

// handler echoes, and panics.
func handler(*lsp.Conn) lsp.Handler {
	return lsp.Handler{
		Requests: map[string]func(json.RawMessage) (lsp.Work, error){
			"initialize": lsp.Request(func(struct{}) (lsp.Work, error) {
				return func(context.Context) (any, error) { return "hello", nil }, nil
			}),
			"echo": lsp.Request(func(p struct{ Text string }) (lsp.Work, error) {
				return func(context.Context) (any, error) { return p.Text, nil }, nil
			}),
			"panic": lsp.Request(func(struct{}) (lsp.Work, error) { panic("no") }),
			"late":  lsp.Request(func(struct{}) (lsp.Work, error) { return func(context.Context) (any, error) { panic("late") }, nil }),
			"wait": lsp.Request(func(struct{}) (lsp.Work, error) {
				return func(ctx context.Context) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, nil
			}),
		},
		Notifications: map[string]func(json.RawMessage) error{"panics": lsp.Notification(func(struct{}) { panic("no") })},
		End:           func() {},
	}
}

func message(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// talk sends messages, one after the answer to another, and returns the answers.
func talk(t *testing.T, messages ...string) (answers []string, err error) {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := lsp.Serve(in, out, io.Discard, handler)
		out.Close()
		in.Close()
		ended <- err
	}()
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for {
			var length int
			if _, err := fmt.Fscanf(fromServer, "Content-Length: %d\r\n\r\n", &length); err != nil {
				return
			}
			body := make([]byte, length)
			if _, err := io.ReadFull(fromServer, body); err != nil {
				return
			}
			lines <- string(body)
		}
	}()
	for _, m := range messages {
		if _, err := io.WriteString(toServer, strings.TrimPrefix(m, "!")); err != nil {
			break
		}
		if strings.HasPrefix(m, "!") { // it has no answer
			continue
		}
		answer, ok := <-lines
		if !ok {
			break
		}
		answers = append(answers, answer)
	}
	toServer.Close()
	return answers, <-ended
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`

func TestMessagesAreAnswered(t *testing.T) {
	answers, err := talk(t,
		message(`{"jsonrpc":"2.0","id":0,"method":"echo","params":{"Text":"early"}}`),
		message(initialize), message(initialize),
		message(`{"jsonrpc":"2.0","id":"a","method":"echo","params":{"Text":"😀"}}`),
		message(`{"jsonrpc":"2.0","id":2,"method":"echo","params":[]}`),
		message(`{"jsonrpc":"2.0","id":3,"method":"nothing"}`),
		message(`{"jsonrpc":"2.0","id":-3,"method":"echo"}`), message(`{"jsonrpc":`), message(`7`), message(`[]`), message(`{"id":7}`),
		"Content-Length: x\r\n\r\n", "nonsense\r\ncontent-length : 0\r\n\r\n",
		message(`{"jsonrpc":"2.0","id":4,"method":"panic"}`), message(`{"jsonrpc":"2.0","id":5,"method":"late"}`),
		message(`{"jsonrpc":"2.0","method":"panics"}`),
		"!"+message(`{"jsonrpc":"2.0","id":6,"method":"wait"}`), message(`{"jsonrpc":"2.0","id":6,"method":"echo"}`), message(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":6}}`),
		"!"+message(`{"jsonrpc":"2.0","method":"unknown"}`), "!"+message(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`),
		"X: y\r\nContent-Type: a\r\n"+message(`{"jsonrpc":"2.0","id":8,"method":"shutdown"}`),
		message(`{"jsonrpc":"2.0","id":9,"method":"echo"}`),
		"!"+message(`{"jsonrpc":"2.0","method":"exit"}`),
	)
	if err != nil {
		t.Error(err)
	}
	for i, want := range []string{
		`"code":-32002`, `"result":"hello"`, `requested before`, `"id":"a","result":"😀"`, `"code":-32602`, `"code":-32601`,
		`"id":-3`, `"code":-32700`, `"code":-32600`, `"code":-32600`, `"code":-32600`, `Content-Length`, `Content-Length`, `a bug in prune-gen: no`, `a bug in prune-gen: late`,
		`window/logMessage`, `another request has this id`, `"code":-32800`, `"id":8,"result":null`, `shutdown was requested`,
	} {
		if i >= len(answers) || !strings.Contains(answers[i], want) {
			t.Fatalf("answer %d is %s, want %s", i, answers[min(i, len(answers)-1)], want)
		}
	}
}

func TestEndsOfConnections(t *testing.T) {
	exit := "!" + message(`{"jsonrpc":"2.0","method":"exit"}`)
	if _, err := talk(t, message(initialize), exit); !errors.Is(err, lsp.ErrNoShutdown) {
		t.Errorf("exit without shutdown: %v", err)
	}
	for _, cut := range []string{"", "Content-Length: 10\r\n\r\nabc", "Content-Len"} {
		if _, err := talk(t, message(initialize), "!"+message(`{"jsonrpc":"2.0","id":6,"method":"wait"}`), "!"+cut); err != nil {
			t.Errorf("%q: %v", cut, err)
		}
	}
}

// A client that sends anything at all gets answers to what is right in it.
func TestRandomBytesAreSurvived(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		in := bytes.NewBufferString(message(initialize))
		for range r.IntN(20) {
			body := make([]byte, r.IntN(50))
			for i := range body {
				body[i] = `{}[]",:0n7"idmethodechoparams`[r.IntN(29)]
				if r.IntN(5) == 0 {
					body[i] = byte(r.IntN(256))
				}
			}
			if in.Write(body); r.IntN(2) == 0 {
				in.WriteString("\r\n\r\n" + message(string(body)))
			}
		}
		in.WriteString("\n\n" + message(`{"jsonrpc":"2.0","id":77,"method":"echo","params":{"Text":"still here"}}`))
		text := in.String()
		out := &awaited{text: "still here", came: make(chan struct{})}
		if err := lsp.Serve(io.MultiReader(in, out), out, io.Discard, handler); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
}

// awaited is the end of a connection that is held open until a text is written.
type awaited struct {
	text    string
	written bytes.Buffer
	came    chan struct{}
}

func (a *awaited) Write(p []byte) (int, error) {
	before := bytes.Contains(a.written.Bytes(), []byte(a.text))
	a.written.Write(p)
	if !before && bytes.Contains(a.written.Bytes(), []byte(a.text)) {
		close(a.came)
	}
	return len(p), nil
}

func (a *awaited) Read([]byte) (int, error) {
	<-a.came
	return 0, io.EOF
}
