package parity

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// Request is one request of a script. Path and Body may name what an earlier answer contained: ${rv:NAME} is the resource
// version of the object with that name, ${uid:NAME} its uid, ${continue} the token of the last list.
type Request struct {
	// Name says what the request is about.
	Name   string
	Method string
	Path   string
	Type   string // of the body
	Accept string // JSON unless it says otherwise
	Body   string
}

// answer is what a server said, with what differs from server to server taken out.
type answer struct {
	Code     int
	Type     string
	Warnings []string
	Body     any
}

// client sends the requests of a script to one server.
type client struct {
	url  string
	vars map[string]string
}

var variable = regexp.MustCompile(`\$\{[^}]+\}`)

func (c *client) expand(text string) string {
	return variable.ReplaceAllStringFunc(text, func(v string) string { return c.vars[v[2:len(v)-1]] })
}

func (c *client) send(ctx context.Context, r Request) (*answer, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, c.url+c.expand(r.Path), strings.NewReader(c.expand(r.Body)))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if r.Accept != "" {
		req.Header.Set("Accept", r.Accept)
	}
	req.Header.Set("User-Agent", "parity/1.0")
	if r.Type != "" {
		req.Header.Set("Content-Type", r.Type)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.Method, r.Path, err)
	}
	a := &answer{Code: resp.StatusCode, Type: resp.Header.Get("Content-Type")}
	warnings, errs := utilnet.ParseWarningHeaders(resp.Header.Values("Warning"))
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s %s: warnings: %w", r.Method, r.Path, errs[0])
	}
	for _, w := range warnings {
		a.Warnings = append(a.Warnings, w.Text)
	}
	a.Body = c.settle(data)
	return a, nil
}

// settle decodes a body and takes out what differs from server to server. A stream of values becomes a list.
func (c *client) settle(data []byte) any {
	var values []any
	for line := range bytes.SplitSeq(bytes.TrimSpace(data), []byte("\n")) {
		var v any
		if utiljson.Unmarshal(line, &v) != nil {
			values = nil
			break
		}
		values = append(values, v)
	}
	var whole any
	if utiljson.Unmarshal(data, &whole) == nil {
		values = []any{whole}
	}
	if values == nil {
		return c.settleText(string(data))
	}
	for _, v := range values {
		c.learn(v)
	}
	for i, v := range values {
		values[i] = c.settleValue(v, nil)
	}
	if len(values) == 1 {
		return values[0]
	}
	return values
}
