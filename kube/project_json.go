package kube

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ProjectJSON returns a function for the Wrap of the rest.Config of a cache: its clients get the JSON of lists and watches of the resource, in this
// version, as f leaves it, so that what is dropped is never decoded. Generated functions on JSON are such functions. What f returns an error for,
// and everything that is not JSON, stays as it is: [Project] is needed, too.
//
// The configuration must be for the cache alone. Whoever reads objects to write them back needs all of them.
func ProjectJSON(resource schema.GroupVersionResource, f func(dst, src []byte) ([]byte, error)) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return projectJSON{wrapper{next, resource.GroupResource(), resource.Version}, f}
	}
}

type projectJSON struct {
	wrapper
	f func(dst, src []byte) ([]byte, error)
}

func (p projectJSON) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := p.next.RoundTrip(req)
	if err != nil || req.Method != http.MethodGet || resp.StatusCode != http.StatusOK || len(p.match(req.URL.Path)) != 1 ||
		strings.Contains(req.Header.Get("Accept"), "as=") { // objects of other kinds, such as PartialObjectMetadata
		return resp, err
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "application/json" {
		return resp, nil
	}
	project := p.list
	if watch, ok := req.URL.Query()["watch"]; ok && watch[0] != "0" && !strings.EqualFold(watch[0], "false") { // as the server reads it
		project = p.event
	}
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	resp.Body = &projected{body: resp.Body, lines: bufio.NewReaderSize(resp.Body, 64<<10), project: project}
	return resp, nil
}

// projected is a body that is projected line by line: an event of a watch, or a list, is a line.
type projected struct {
	body    io.Closer
	lines   *bufio.Reader
	project func(line []byte) []byte
	rest    []byte // of what is to be read
	err     error
}

func (p *projected) Close() error { return p.body.Close() }

func (p *projected) Read(to []byte) (int, error) {
	for len(p.rest) == 0 && p.err == nil {
		p.rest, p.err = p.lines.ReadBytes('\n')
		if len(p.rest) > 0 && (p.err == nil || errors.Is(p.err, io.EOF)) {
			p.rest = p.project(p.rest)
		}
	}
	if len(p.rest) == 0 {
		return 0, p.err
	}
	n := copy(to, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p projectJSON) list(data []byte) []byte {
	if out, err := p.f(nil, data); err == nil {
		return out
	}
	return data
}

// event projects the object of an event that brings one. Bookmarks and errors stay as they are.
func (p projectJSON) event(line []byte) []byte {
	for _, begin := range []string{`{"type":"ADDED","object":`, `{"type":"MODIFIED","object":`, `{"type":"DELETED","object":`} {
		object, ok := bytes.CutPrefix(line, []byte(begin))
		if !ok {
			continue
		}
		object, ok = bytes.CutSuffix(bytes.TrimRight(object, "\n"), []byte("}"))
		if out, err := p.f([]byte(begin), object); ok && err == nil {
			return append(out, "}\n"...)
		}
	}
	return line
}
