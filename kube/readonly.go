package kube

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// ReadOnly returns a function for the Wrap of a rest.Config. The clients of this configuration return an error, and send nothing, where a write could
// remove from the server what f has set to zero in a cache of the resource; f is the function that [Project] is called with. They are clients of any
// library, of Go types or of unstructured objects.
//
//	config.Wrap(kube.ReadOnly(corev1.Resource("pods"), ForScheduling))
//
// It refuses updates, of the status or another subresource, too; server-side apply, since a configuration that was extracted from an object lacks what
// the object lacks; merge patches that replace a list of which f drops something, or set to zero what f drops, since they may have been made of
// an object from the cache; and JSON patches of lists, their elements, and maps, of which f drops something. All other requests pass: merge patches of other fields, reads,
// creations, deletions, scales. Of lists in unstructured objects, only those in metadata are known to be whole.
//
// To do what is refused, read the object from the server and write it with a client whose configuration is not wrapped.
//
// The function f must drop the same fields of all objects, and must take an object that has only metadata.
func ReadOnly[T any](resource schema.GroupResource, f func(T)) func(http.RoundTripper) http.RoundTripper {
	probe := newProbe(f)
	return func(next http.RoundTripper) http.RoundTripper {
		return readOnly{wrapper{next: next, resource: resource}, probe}
	}
}

type readOnly struct {
	wrapper
	probe probe
}

// wrapper is a transport for a resource on top of another one.
type wrapper struct {
	next     http.RoundTripper
	resource schema.GroupResource
	version  string // "" for all
}

// WrappedRoundTripper is for functions of apimachinery that look for the transport below.
func (w wrapper) WrappedRoundTripper() http.RoundTripper { return w.next }

// match returns the parts of a path that begin with the resource: its name, that of an object, that of a subresource. What precedes the path on
// the server may be anything.
func (w wrapper) match(path string) []string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for i, part := range parts {
		rest := parts[i+1:]
		if part == "apis" && w.resource.Group != "" && len(rest) > 0 && rest[0] == w.resource.Group {
			rest = rest[1:]
		} else if part != "api" || w.resource.Group != "" {
			continue
		}
		if len(rest) == 0 || w.version != "" && rest[0] != w.version {
			continue
		}
		rest = rest[1:]
		if len(rest) > 2 && rest[0] == "namespaces" && w.resource.Resource != "namespaces" {
			rest = rest[2:]
		}
		if len(rest) > 0 && rest[0] == w.resource.Resource {
			return rest
		}
	}
	return nil
}

// writes reports whether a request replaces or changes an object of the resource. A scale is another object, and what is behind a proxy, too.
func (r readOnly) writes(req *http.Request) bool {
	parts := r.match(req.URL.Path)
	return (req.Method == http.MethodPut || req.Method == http.MethodPatch) && (len(parts) == 2 || len(parts) == 3 && parts[2] != "scale" && parts[2] != "proxy")
}

func (r readOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if !r.writes(req) {
		return r.next.RoundTrip(req)
	}
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		if err = errors.Join(err, req.Body.Close()); err != nil {
			return nil, err
		}
	}
	if err := r.refuse(req, body); err != nil {
		return nil, fmt.Errorf("%s are cached without some of their fields, which %w; or read the object from the server, "+
			"and write it with a client that kube.ReadOnly does not wrap", r.resource, err)
	}
	sent := *req
	sent.Body = io.NopCloser(bytes.NewReader(body))
	return r.next.RoundTrip(&sent)
}

// refuse returns why a request is refused, and what to do: the end of a sentence.
func (r readOnly) refuse(req *http.Request, body []byte) error {
	if req.Method == http.MethodPut {
		return errors.New("an update would remove: send a patch of what was changed, as client.MergeFrom makes it")
	}
	kind, _, _ := strings.Cut(req.Header.Get("Content-Type"), ";")
	if strings.HasPrefix(kind, "application/apply-patch") {
		return errors.New("applying an extracted configuration would remove: send a patch of what was changed")
	}
	what, err := r.probe.replaced(types.PatchType(kind), body)
	switch {
	case err != nil:
		return fmt.Errorf("a patch could remove (%w): send a merge patch of what was changed", err)
	case what != "":
		return fmt.Errorf("a patch of all of %s could remove: keep what is below %[1]s in the cache", what)
	}
	return nil
}
