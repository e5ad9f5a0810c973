package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// Media types of request bodies.
const (
	JSON       = "application/json"
	YAML       = "application/yaml"
	MergePatch = "application/merge-patch+json"
	JSONPatch  = "application/json-patch+json"
)

// Response is what the server answered.
type Response struct {
	Code int
	Body []byte
	// Warnings holds the texts of the Warning headers, in their order.
	Warnings []string
}

// Object decodes the body as Kubernetes decodes objects: integers are int64, other numbers float64.
func (r *Response) Object() (map[string]any, error) {
	var obj map[string]any
	if err := utiljson.Unmarshal(r.Body, &obj); err != nil {
		return nil, fmt.Errorf("decode the server's answer: %w", err)
	}
	return obj, nil
}

// Status decodes the body of an answer that is an error.
func (r *Response) Status() (*metav1.Status, error) {
	status := &metav1.Status{}
	if err := json.Unmarshal(r.Body, status); err != nil {
		return nil, fmt.Errorf("decode the server's answer: %w", err)
	}
	if status.Kind != "Status" {
		return nil, fmt.Errorf("decode the server's answer: kind %q is not Status", status.Kind)
	}
	return status, nil
}

// Do sends one request. path begins at the root of the server and may have a query; body may be nil.
func (s *Server) Do(ctx context.Context, method, path, mediaType string, body []byte) (*Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	req.Header.Set("Accept", JSON)
	if mediaType != "" {
		req.Header.Set("Content-Type", mediaType)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	r := &Response{Code: resp.StatusCode}
	if r.Body, err = io.ReadAll(resp.Body); err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	headers, errs := utilnet.ParseWarningHeaders(resp.Header.Values("Warning"))
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s %s: warnings: %w", method, path, errs[0])
	}
	for _, h := range headers {
		r.Warnings = append(r.Warnings, h.Text)
	}
	return r, nil
}

// Path returns the path of a collection of custom resources. namespace is empty for resources of the cluster.
func Path(group, version, namespace, plural string) string {
	p := []string{"", "apis", group, version}
	if namespace != "" {
		p = append(p, "namespaces", namespace)
	}
	return strings.Join(append(p, plural), "/")
}
