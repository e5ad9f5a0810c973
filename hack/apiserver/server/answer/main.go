// Answer is a real API server that takes the conformance suite: it reads questions, one on each line of standard input, asks an API server
// with an etcd of its own, and writes the answers. The tests of internal/conformance build it for each version of Kubernetes, and record what it answers.
//
//	go build -o answer . && go run -C ../../../.. ./conformance/judge conformance -- $PWD/answer
//	go build -modfile=../kubernetes/v0.36.mod -tags=v0.36 -o answer . && go run -C ../../../.. ./conformance/judge --kubernetes 1.36 conformance -- $PWD/answer
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// question is a line of standard input, and answer one of standard output: docs/conformance.md describes their fields.
type question struct {
	ID              string          `json:"id"`
	CRD             json.RawMessage `json:"crd"`
	Version         string          `json:"version"`
	Object          json.RawMessage `json:"object"`
	Body            *string         `json:"body"`
	Stored          map[string]any  `json:"stored"`
	Namespace       string          `json:"namespace"`
	FieldValidation string          `json:"fieldValidation"`
	Subresource     string          `json:"subresource"`
}

type answer struct {
	ID       string          `json:"id"`
	Error    string          `json:"error,omitempty"`
	Code     int             `json:"code,omitempty"`
	Object   json.RawMessage `json:"object,omitempty"`
	Status   json.RawMessage `json:"status,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
}

func main() {
	if err := run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, in io.Reader, out io.Writer) error {
	dir, err := os.MkdirTemp("", "answer-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := server.Start(ctx, dir)
	if err != nil {
		return err
	}
	defer s.Close()

	// All CRDs are installed before the first question is asked: the server keeps the first objects of each waiting for two seconds.
	a := &answerer{Server: s, kinds: map[string]*kind{}}
	var questions []*question
	for lines := json.NewDecoder(in); ; {
		q := &question{}
		if err := lines.Decode(q); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("read a question: %w", err)
		}
		if questions = append(questions, q); q.CRD != nil && a.kinds[string(q.CRD)] == nil {
			k, err := a.install(ctx, q.CRD)
			if err != nil {
				return err
			}
			a.kinds[string(q.CRD)] = k
		}
	}
	if err := s.WaitForCRDs(ctx, a.names...); err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for _, q := range questions {
		said, err := a.ask(ctx, q)
		if err != nil {
			said = &answer{Error: err.Error()}
		}
		said.ID = q.ID
		if err := lines.Encode(said); err != nil {
			return err
		}
	}
	return nil
}

// answerer asks a server.
type answerer struct {
	*server.Server
	kinds map[string]*kind // by the texts of their CRDs
	names []string         // of the CRDs
}

// kind is a CRD that is installed, or was refused.
type kind struct {
	apiextensionsv1.CustomResourceDefinition
	refusal error
}

// install installs a CRD.
func (a *answerer) install(ctx context.Context, crd []byte) (*kind, error) {
	k := &kind{}
	if err := json.Unmarshal(crd, &k.CustomResourceDefinition); err != nil {
		return nil, fmt.Errorf("read a CRD: %w", err)
	}
	r, err := a.PostCRD(ctx, crd)
	if err != nil {
		return nil, err
	}
	if r.Code == http.StatusCreated {
		a.names = append(a.names, k.Name)
	} else {
		k.refusal = fmt.Errorf("the CRD %s is refused: %s", k.Name, r.Body)
	}
	return k, nil
}

// crds is the collection of CRDs.
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// storedVersion is the resourceVersion that stored objects have in questions.
const storedVersion = `"resourceVersion":"1"`

// ask asks the server one question, and leaves nothing behind.
func (a *answerer) ask(ctx context.Context, q *question) (*answer, error) {
	body := []byte(q.Object)
	if q.Body != nil {
		body = []byte(*q.Body)
	}
	query := url.Values{}
	if q.FieldValidation != "" {
		query.Set("fieldValidation", q.FieldValidation)
	}
	if q.CRD == nil {
		query.Set("dryRun", "All")
		said, err := a.request(ctx, q, body, crds, query, server.CRDKey)
		if err == nil {
			said.Object = nil // which has defaults of the server that are not about CRDs
		}
		return said, err
	}
	k := a.kinds[string(q.CRD)]
	if k.refusal != nil {
		return nil, k.refusal
	}
	namespace := ""
	if k.Spec.Scope == apiextensionsv1.NamespaceScoped {
		namespace = cmp.Or(q.Namespace, "default")
	}
	return a.request(ctx, q, body, server.Path(k.Spec.Group, q.Version, namespace, k.Spec.Names.Plural), query,
		func(name string) string { return server.Key(k.Spec.Group, k.Spec.Names.Plural, namespace, name) })
}

// request creates or updates an object of a collection. key returns where the objects of the collection are stored.
func (a *answerer) request(ctx context.Context, q *question, body []byte, collection string, query url.Values, key func(name string) string) (*answer, error) {
	if q.Stored != nil {
		return a.update(ctx, q, body, collection, query, key)
	}
	r, err := a.Do(ctx, http.MethodPost, collection+"?"+query.Encode(), server.JSON, body)
	if err != nil {
		return nil, err
	}
	var created struct{ Metadata struct{ Name string } }
	if json.Unmarshal(r.Body, &created) == nil && created.Metadata.Name != "" && !query.Has("dryRun") {
		if _, err := a.Etcd.Delete(ctx, key(created.Metadata.Name)); err != nil {
			return nil, err
		}
	}
	return answerOf(r), nil
}

// update stores an object and updates it. If a controller writes to a stored CRD in between, it is stored again.
func (a *answerer) update(ctx context.Context, q *question, body []byte, collection string, query url.Values, key func(name string) string) (*answer, error) {
	metadata, _ := q.Stored["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	delete(metadata, "resourceVersion")
	stored, err := json.Marshal(q.Stored)
	if err != nil {
		return nil, err
	}
	defer a.Etcd.Delete(ctx, key(name))
	path := collection + "/" + name
	if q.Subresource != "" {
		path += "/" + q.Subresource
	}
	for tries := 0; ; tries++ {
		put, err := a.Etcd.Put(ctx, key(name), string(stored))
		if err != nil {
			return nil, err
		}
		version := fmt.Sprintf(`"resourceVersion":"%d"`, put.Header.Revision)
		r, err := a.Do(ctx, http.MethodPut, path+"?"+query.Encode(), server.JSON, bytes.ReplaceAll(body, []byte(storedVersion), []byte(version)))
		if err != nil {
			return nil, err
		}
		if q.CRD != nil || r.Code != http.StatusConflict || tries == 10 {
			return answerOf(r), nil
		}
	}
}

func answerOf(r *server.Response) *answer {
	said := &answer{Code: r.Code, Warnings: r.Warnings}
	if r.Code < http.StatusBadRequest {
		said.Object = r.Body
	} else {
		said.Status = r.Body
	}
	return said
}
