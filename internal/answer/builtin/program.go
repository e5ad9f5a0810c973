// Package builtin asks prune-gen-builtin, a program that is the API server's own code, about objects of built-in kinds.
package builtin

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Program is a program that runs. One goroutine asks it, as many questions at once as it likes.
type Program struct {
	// Kubernetes is the version whose code it is, and Kinds are its kinds.
	Kubernetes string
	Kinds      []Kind

	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	stderr head
	limits limits
	asked  int
	ended  chan struct{}

	mu      sync.Mutex
	waiting map[int]chan reply // those who wait for the replies to questions, nil if there are no more replies
	err     error              // why there are no more
}

// limits bound what a program can do to those who ask it.
type limits struct {
	patience time.Duration // how long it may take for an answer
	reply    int           // how many bytes that can have: an object, or errors that repeat parts of it
}

// Kind is a kind in a version.
type Kind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespaced bool   `json:"namespaced,omitempty"`
}

// question and reply are lines of the protocol.
type question struct {
	ID              int            `json:"id"`
	Kinds           bool           `json:"kinds,omitempty"`
	Schema          *Kind          `json:"schema,omitempty"`
	Object          map[string]any `json:"object,omitempty"`
	Old             map[string]any `json:"old,omitempty"`
	FieldValidation string         `json:"fieldValidation,omitempty"`
}

type reply struct {
	ID          int
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

// Manual is a page that says how to get the program.
const Manual = "https://github.com/prune-gen/prune-gen/blob/main/docs/builtin.md"

// Answers reports whether the program answers for a built-in kind. For others it cannot: what is created is a review, or an action, or
// belongs to another server.
func Answers(group, kind string) bool {
	switch group {
	case "apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io":
		return false
	}
	return !slices.Contains([]string{"Binding", "ComponentStatus", "Eviction", "Scale"}, kind)
}

// NameFor returns the name of the program for a version of Kubernetes.
func NameFor(by kubeversion.Version) string {
	if by.String() == kubeversion.Newest.String() {
		return Name
	}
	return Name + "-" + by.String()
}

// Variable is the environment variable that names the program.
const Variable = "PRUNE_GEN_BUILTIN"

// Find returns the path of the program for a version of Kubernetes: the one that the flag or else the variable names or, without one, that
// beside the running program or on the PATH. If it is not there, Find returns that of the newest version: whoever has that wants answers,
// and Start says what is wrong. It is "" if there is none.
func Find(flag string, by kubeversion.Version) (string, error) {
	from, given := "--builtin", flag
	if given == "" {
		from, given = Variable, os.Getenv(Variable)
	}
	switch given {
	case "none":
		return "", nil
	case "":
	default:
		path, err := exec.LookPath(given)
		if err != nil {
			return "", fmt.Errorf("%s: %w", from, err)
		}
		return path, nil
	}
	self, _ := os.Executable()
	return search(self, NameFor(by), Name), nil // nobody has named it: it may be missing
}

// search returns the path of the first of several programs that lies beside a program, self, or on the PATH, or "". If self is a symbolic
// link, as in krew's directory, it also looks beside the file: os.Executable follows links on Linux, and not on macOS.
func search(self string, names ...string) string {
	file, _ := filepath.EvalSymlinks(self)
	for _, name := range names {
		for _, path := range []string{filepath.Join(filepath.Dir(self), name), filepath.Join(filepath.Dir(file), name), name} {
			if path, err := exec.LookPath(path); err == nil {
				return path
			}
		}
	}
	return ""
}

// Start starts the program at a path, which must be of a version of Kubernetes. It may take a minute for an answer, as the API server may
// for a request.
func Start(path string, by kubeversion.Version) (*Program, error) {
	return start(path, by, limits{time.Minute, 64 << 20})
}

func start(path string, by kubeversion.Version, within limits) (*Program, error) {
	p := &Program{cmd: exec.Command(path), limits: within, ended: make(chan struct{}), waiting: map[int]chan reply{}}
	p.cmd.Stderr, p.cmd.WaitDelay = &p.stderr, time.Second // what it has started can live on
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.read()
	r, err := p.ask(question{Kinds: true})()
	if err != nil {
		return nil, cmp.Or(p.Stop(), err)
	}
	if p.Kubernetes, p.Kinds = r.Kubernetes, r.Kinds; !strings.HasPrefix(p.Kubernetes, "v"+by.String()+".") {
		p.fail(fmt.Errorf("%s is of Kubernetes %s, want %s: get %s", path, p.Kubernetes, by, NameFor(by)))
		return nil, p.Stop()
	}
	return p, nil
}

// ask asks a question. The function that it returns waits for the reply.
func (p *Program) ask(q question) (wait func() (reply, error)) {
	answered := make(chan reply, 1)
	p.mu.Lock()
	if p.waiting == nil {
		close(answered)
	} else {
		p.asked++
		q.ID = p.asked
		p.waiting[q.ID] = answered
	}
	p.mu.Unlock()
	if q.ID > 0 {
		guard := p.guard()
		io.WriteString(p.in, jsonvalue.Text(q)+"\n") // if that fails, the program has ended, which read says
		guard.Stop()
	}
	return func() (reply, error) {
		defer p.guard().Stop()
		r, ok := <-answered
		switch {
		case !ok:
			return r, p.Err()
		case r.Error != "":
			return r, errors.New(r.Error)
		}
		return r, nil
	}
}

// read passes replies on to those who wait for them, until the program ends.
func (p *Program) read() {
	defer close(p.ended)
	lines := bufio.NewScanner(p.out)
	lines.Buffer(nil, p.limits.reply)
	var err error
	for err == nil && lines.Scan() {
		err = p.pass(lines.Bytes())
	}
	if err = cmp.Or(err, lines.Err()); err != nil {
		p.fail(fmt.Errorf("%s does not answer as %s does: %w", p.cmd.Path, Name, err))
	}
	if err = p.cmd.Wait(); err != nil {
		p.fail(errors.New(strings.TrimSuffix(fmt.Sprintf("%s has ended: %v: %s", p.cmd.Path, err, p.stderr.line()), ": ")))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) > 0 && p.err == nil {
		p.err = fmt.Errorf("%s has ended without an answer", p.cmd.Path)
	}
	for _, answered := range p.waiting {
		close(answered)
	}
	p.waiting = nil
}

// pass passes on the reply in a line.
func (p *Program) pass(line []byte) error {
	var r reply
	if err := decode(line, &r); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	answered := p.waiting[r.ID]
	if answered == nil {
		return fmt.Errorf("id %d, which is not that of a question", r.ID)
	}
	delete(p.waiting, r.ID)
	answered <- r
	return nil
}

// guard ends the program unless the timer is stopped in time.
func (p *Program) guard() *time.Timer {
	patience := p.limits.patience
	return time.AfterFunc(patience, func() { p.fail(fmt.Errorf("%s: no answer in %s", p.cmd.Path, patience)) })
}

// fail ends the program. The first reason counts.
func (p *Program) fail(why error) {
	p.mu.Lock()
	p.err = cmp.Or(p.err, why)
	p.mu.Unlock()
	p.cmd.Process.Kill()
	p.in.Close() // what it has started can hold the other end of both
	p.out.Close()
}

// Err returns why there are no more answers, nil if there are.
func (p *Program) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Stop ends the program, and returns why that is not the end of its work.
func (p *Program) Stop() error {
	defer p.guard().Stop()
	p.in.Close()
	<-p.ended
	return p.Err()
}

// head keeps the beginning of what is written to it.
type head struct{ text bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	const most = 4 << 10
	h.text.Write(p[:min(len(p), most-h.text.Len())])
	return len(p), nil
}

// line returns the first line.
func (h *head) line() string {
	line, _, _ := strings.Cut(strings.TrimSpace(h.text.String()), "\n")
	return line
}
