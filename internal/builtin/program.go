// Package builtin asks prune-gen-builtin, a program that is the API server's own code, about objects of built-in kinds.
package builtin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Program is a program that runs.
type Program struct {
	// Kubernetes is the version whose code it is, and Kinds are its kinds.
	Kubernetes string
	Kinds      []Kind

	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
	stopped error
}

// Kind is a kind in a version.
type Kind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespaced bool   `json:"namespaced,omitempty"`
}

// question and reply are lines of the protocol.
type question struct {
	Kinds           bool           `json:"kinds,omitempty"`
	Schema          *Kind          `json:"schema,omitempty"`
	Object          map[string]any `json:"object,omitempty"`
	Old             map[string]any `json:"old,omitempty"`
	FieldValidation string         `json:"fieldValidation,omitempty"`
}

type reply struct {
	Error       string
	Kubernetes  string
	Kinds       []Kind
	Schema      json.RawMessage
	Code        int
	Object      map[string]any
	Status      status
	Warnings    []string
	Old         bool
	Undecodable []struct{ At, Message string }
}

type status struct {
	Reason, Message string
	Details         struct {
		Group, Kind, Name string
		Causes            []struct{ Reason, Message, Field string }
	}
}

// Name is the name of the program. Programs for other versions of Kubernetes than the newest have the version after it.
const Name = "prune-gen-builtin"

// Answers reports whether the program answers for a built-in kind. For others it cannot: what is created is a review, or an action, or
// belongs to another server.
func Answers(group, kind string) bool {
	switch group {
	case "apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io":
		return false
	}
	return !slices.Contains([]string{"Binding", "ComponentStatus", "Eviction", "Scale"}, kind)
}

// Find returns the path of the program for a version of Kubernetes: the one that is given or, without one, that beside the running
// program or on the PATH. It is "" if there is none.
func Find(given string, by kubeversion.Version) (string, error) {
	switch given {
	case "none":
		return "", nil
	case "":
	default:
		return exec.LookPath(given)
	}
	name := Name
	if by.String() != kubeversion.Newest.String() {
		name += "-" + by.String()
	}
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", nil // nobody has named it
	}
	return path, nil
}

// Start starts the program at a path, which must be of a version of Kubernetes.
func Start(path string, by kubeversion.Version) (*Program, error) {
	p := &Program{cmd: exec.Command(path)}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.cmd.Stderr, p.out = &p.stderr, bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	var r reply
	if r, err = p.ask(question{Kinds: true}); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), p.Stop())
	}
	if p.Kubernetes, p.Kinds = r.Kubernetes, r.Kinds; !strings.HasPrefix(p.Kubernetes, "v"+by.String()+".") {
		return nil, errors.Join(fmt.Errorf("%s is of Kubernetes %s, want %s", path, p.Kubernetes, by), p.Stop())
	}
	return p, nil
}

// Err returns why there are no more answers, nil if there are.
func (p *Program) Err() error { return p.stopped }

// Stop ends the program.
func (p *Program) Stop() error {
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(p.stderr.String()))
	}
	return nil
}

// ask asks a question and waits for its reply. After an error there are no other replies.
func (p *Program) ask(q question) (r reply, err error) {
	if p.stopped != nil {
		return r, p.stopped
	}
	var line []byte
	if _, err = io.WriteString(p.in, jsonvalue.Text(q)+"\n"); err == nil {
		line, err = p.out.ReadBytes('\n')
	}
	if err == nil {
		err = decode(line, &r)
	}
	if err != nil {
		p.stopped = fmt.Errorf("no answer: %w", err)
		return r, p.stopped
	}
	if r.Error != "" {
		return r, errors.New(r.Error)
	}
	return r, nil
}
