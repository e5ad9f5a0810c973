package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Question is a request to an API server, as a line of JSON.
type Question struct {
	ID string `json:"id"`
	// Kubernetes is the version of the server.
	Kubernetes string `json:"kubernetes"`
	// CRD is the CustomResourceDefinition of the kind. Without it, the object is one itself.
	CRD json.RawMessage `json:"crd,omitempty"`
	// Version is the one of the CRD that the request is for.
	Version string `json:"version,omitempty"`
	// Object is sent, or Body if that is not JSON.
	Object json.RawMessage `json:"object,omitempty"`
	Body   string          `json:"body,omitempty"`
	// Stored is the object that is updated; without it, one is created.
	Stored          json.RawMessage `json:"stored,omitempty"`
	Namespace       string          `json:"namespace,omitempty"`
	FieldValidation string          `json:"fieldValidation,omitempty"`
	Subresource     string          `json:"subresource,omitempty"`
}

// Answer is the answer to a question.
type Answer struct {
	ID string `json:"id,omitempty"`
	// Error says why there is no answer, Skipped why the program does not answer such questions.
	Error   string `json:"error,omitempty"`
	Skipped string `json:"skipped,omitempty"`
	// Code is the HTTP status.
	Code     int            `json:"code,omitempty"`
	Object   map[string]any `json:"object,omitempty"`
	Status   *Status        `json:"status,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
}

// Status says why a request is refused. The other fields of Kubernetes' Status repeat the request.
type Status struct {
	Reason  string  `json:"reason,omitempty"`
	Message string  `json:"message,omitempty"`
	Details Details `json:"details,omitzero"`
}

// Details says what the request is about, and has the errors of an invalid object.
type Details struct {
	Name   string  `json:"name,omitempty"`
	Group  string  `json:"group,omitempty"`
	Kind   string  `json:"kind,omitempty"`
	Causes []Cause `json:"causes,omitempty"`
}

// Cause is one error.
type Cause struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	Field   string `json:"field,omitempty"`
}

// File is cases about one CRD, or about CRDs that are created and updated.
type File struct {
	// Subject is the directory, and Name the path without .yaml.
	Subject, Name string
	Cases         []*Case

	path string
}

// Case is a question with the answers of servers.
type Case struct {
	File     *File
	Name     string
	question Question
	// answers has those of the versions that have an answer.
	answers map[kubeversion.Version]*Answer
}

// ID returns the name of the case in the suite.
func (c *Case) ID() string { return c.File.Name + ": " + c.Name }

// Answer returns what a version answered, nil if it did not.
func (c *Case) Answer(version kubeversion.Version) *Answer { return c.answers[version] }

// Question returns the question for a version.
func (c *Case) Question(version kubeversion.Version) Question {
	q := c.question
	q.ID, q.Kubernetes = c.ID(), version.String()
	return q
}

// Questions returns the questions of all cases.
func Questions(files []*File, version kubeversion.Version) []Question {
	var all []Question
	for _, f := range files {
		for _, c := range f.Cases {
			all = append(all, c.Question(version))
		}
	}
	return all
}

// source is a file as it is written.
type source struct {
	CRD   json.RawMessage `json:"crd"`
	Cases []struct {
		Name            string          `json:"name"`
		Version         string          `json:"version"`
		Object          json.RawMessage `json:"object"`
		Stored          json.RawMessage `json:"stored"`
		Namespace       string          `json:"namespace"`
		FieldValidation *string         `json:"fieldValidation"`
		Subresource     string          `json:"subresource"`
	} `json:"cases"`
}

const (
	extension        = ".yaml"
	answersExtension = ".answers.yaml"
)

// Read reads the files of a suite below directories.
func Read(dirs ...string) ([]*File, error) {
	var all []*File
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "executors" {
				return fs.SkipDir
			}
			if d.IsDir() || filepath.Ext(path) != extension || strings.HasSuffix(path, answersExtension) {
				return nil
			}
			f, err := read(path)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			all = append(all, f)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no cases in %s", strings.Join(dirs, ", "))
	}
	return all, nil
}

func read(path string) (*File, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, Subject: filepath.Base(filepath.Dir(absolute))}
	f.Name = f.Subject + "/" + strings.TrimSuffix(filepath.Base(path), extension)
	var s source
	if err := decode(path, &s); err != nil {
		return nil, err
	}
	k, err := kindOf(s.CRD)
	if err != nil {
		return nil, err
	}
	names := map[string]*Case{}
	for _, written := range s.Cases {
		c := &Case{File: f, Name: written.Name, answers: map[kubeversion.Version]*Answer{}}
		if c.Name == "" || names[c.Name] != nil {
			return nil, fmt.Errorf("a case has no name of its own: %q", c.Name)
		}
		names[c.Name] = c
		f.Cases = append(f.Cases, c)
		q := &c.question
		*q = Question{CRD: s.CRD, Version: cmp.Or(written.Version, k.version), Namespace: written.Namespace, Subresource: written.Subresource}
		if q.FieldValidation = "Strict"; written.FieldValidation != nil {
			q.FieldValidation = *written.FieldValidation
		}
		if k.namespaced {
			q.Namespace = cmp.Or(q.Namespace, "default")
		}
		if q.Object, q.Body, err = k.object(written.Object, q, written.Stored != nil); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		if written.Stored != nil {
			if q.Stored, err = k.stored(written.Stored, q); err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	return f, f.readAnswers(names)
}

// answerFile is a file of answers, with the versions of the servers that were asked and accepted the CRD.
type answerFile struct {
	Kubernetes []kubernetes `json:"kubernetes"`
	Answers    []recorded   `json:"answers"`
}

// recorded is an answer in a file, with the versions that gave it; all of the file, if none is named.
type recorded struct {
	Case       string       `json:"case"`
	Kubernetes []kubernetes `json:"kubernetes,omitempty"`
	Answer
}

// kubernetes is a version as it is written: 1.37.
type kubernetes kubeversion.Version

func (k kubernetes) MarshalText() ([]byte, error) {
	return []byte(kubeversion.Version(k).String()), nil
}

func (k *kubernetes) UnmarshalText(text []byte) error {
	v, err := kubeversion.Parse(string(text))
	*k = kubernetes(v)
	return err
}

func (f *File) answersPath() string { return strings.TrimSuffix(f.path, extension) + answersExtension }

func (f *File) readAnswers(cases map[string]*Case) error {
	var file answerFile
	if err := decode(f.answersPath(), &file); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, r := range file.Answers {
		c := cases[r.Case]
		if c == nil {
			continue // the next recording drops it
		}
		versions := r.Kubernetes
		if versions == nil {
			versions = file.Kubernetes
		}
		for _, v := range versions {
			c.answers[kubeversion.Version(v)] = &r.Answer
		}
	}
	return nil
}

// decode reads a file whose fields are all known.
func decode(path string, to any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	d.UseNumber()
	return d.Decode(to)
}

// kind is what objects of a kind need not say.
type kind struct {
	group, kind, version string
	namespaced           bool
}

func kindOf(crd json.RawMessage) (*kind, error) {
	if crd == nil {
		return &kind{}, nil
	}
	var read struct {
		Spec struct {
			Group, Scope string
			Names        struct{ Kind string }
			Versions     []struct{ Name string }
		}
	}
	if err := json.Unmarshal(crd, &read); err != nil {
		return nil, fmt.Errorf("crd: %w", err)
	}
	if len(read.Spec.Versions) == 0 {
		return nil, errors.New("crd: no versions")
	}
	return &kind{group: read.Spec.Group, version: read.Spec.Versions[0].Name, kind: read.Spec.Names.Kind, namespaced: read.Spec.Scope == "Namespaced"}, nil
}

// object returns what is sent: a text as it is, or a map with what it leaves out.
func (k *kind) object(written json.RawMessage, q *Question, isUpdate bool) (object json.RawMessage, body string, err error) {
	var text string
	if json.Unmarshal(written, &text) == nil {
		var compact bytes.Buffer
		if text = strings.TrimSuffix(text, "\n"); json.Compact(&compact, []byte(text)) != nil || text[0] != '{' {
			return nil, text, nil
		}
		return compact.Bytes(), "", nil
	}
	metadata := map[string]any{"name": "a"}
	if isUpdate {
		metadata["resourceVersion"] = "1"
	}
	object, err = k.complete(written, q, metadata)
	return object, "", err
}

// stored returns an object as it is stored.
func (k *kind) stored(written json.RawMessage, q *Question) (json.RawMessage, error) {
	metadata := map[string]any{"name": "a", "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z", "generation": 1, "resourceVersion": "1"}
	if k.namespaced {
		metadata["namespace"] = q.Namespace
	}
	return k.complete(written, q, metadata)
}

// complete fills in the apiVersion and the kind of an object, and the fields of its metadata that it lacks.
func (k *kind) complete(written json.RawMessage, q *Question, metadata map[string]any) (json.RawMessage, error) {
	if k.kind == "" {
		return completeCRD(written, metadata)
	}
	var obj map[string]json.RawMessage
	if err := json.Unmarshal(written, &obj); err != nil || obj == nil {
		return nil, fmt.Errorf("an object is a map, or a text: %w", err)
	}
	fill := func(field string, value any) {
		if obj[field] == nil {
			obj[field], _ = json.Marshal(value)
		}
	}
	fill("apiVersion", k.group+"/"+q.Version)
	fill("kind", k.kind)
	var given map[string]any
	if obj["metadata"] == nil || json.Unmarshal(obj["metadata"], &given) == nil && given != nil {
		maps.Copy(metadata, given)
		obj["metadata"], _ = json.Marshal(metadata)
	}
	return json.Marshal(obj)
}
