package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// maxMessage bounds the bytes of a message: a text with 64 MiB, in which every byte can be escaped, is refused anyway.
const maxMessage = 128 << 20

// stream reads and writes messages, each after a header with its length. Unlike the streams of jsonrpc2, it answers a message that is
// broken and goes on with the next.
type stream struct {
	in  *bufio.Reader
	out io.Writer
	mu  sync.Mutex // of out
}

// ReadObject reads the next message that is not broken.
func (s *stream) ReadObject(v any) error {
	for {
		body, err := s.body()
		if err != nil {
			return err
		}
		id := null
		switch {
		case body == nil:
			err = fmt.Errorf("want a message of 1 to %d bytes after a header Content-Length", maxMessage)
		case negative(body, &id):
			err = errors.New("an id is a string or a number from 0") // jsonrpc2 would answer another one
		default:
			if err = json.Unmarshal(body, v); err == nil {
				return nil
			}
		}
		code := int64(jsonrpc2.CodeInvalidRequest)
		if !json.Valid(body) {
			code = jsonrpc2.CodeParseError
		}
		if err := s.WriteObject(object{"jsonrpc": "2.0", "id": id, "error": object{"code": code, "message": err.Error()}}); err != nil {
			return err
		}
	}
}

// negative reports whether a message has a negative id, and returns that.
func negative(body []byte, id *json.RawMessage) bool {
	var m struct{ ID json.RawMessage }
	if json.Unmarshal(body, &m) != nil || !bytes.HasPrefix(m.ID, []byte("-")) {
		return false
	}
	*id = m.ID
	return true
}

// body reads the body of a message, nil if its length is not known or too large. Lines that are not headers are passed over.
func (s *stream) body() ([]byte, error) {
	length := -1
	for {
		line, err := s.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			break
		}
		name, value, _ := strings.Cut(string(line), ":")
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			length = n
		}
	}
	if length <= 0 || length > maxMessage {
		_, err := io.CopyN(io.Discard, s.in, int64(max(length, 0)))
		return nil, err
	}
	var body bytes.Buffer // which grows as bytes arrive, whatever the header promises
	if _, err := io.CopyN(&body, s.in, int64(length)); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

// WriteObject writes a message.
func (s *stream) WriteObject(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// Close leaves the streams open, which belong to the caller.
func (s *stream) Close() error { return nil }
