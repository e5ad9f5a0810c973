// The executor of kubeconform, flux-schema and kubectl-validate, which validate files: it runs a program for each question, and reads what it prints
// as JSON. Before -- is a command that makes schemas of a CRD; it runs in the directory SCHEMAS. It skips what such programs do not promise: updates,
// CRDs, requests that are not strict, and texts that are not objects.
//
//	command prune-gen schema --output-dir SCHEMAS CRD --
//		kubeconform -strict -verbose -output json -schema-location 'SCHEMAS/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json' FILE
//	command flux-schema extract crd CRD --output-dir SCHEMAS -- flux-schema validate --output json --schema-location SCHEMAS FILE
//	command cp CRD SCHEMAS -- kubectl-validate --output json --local-crds SCHEMAS FILE
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/conformance"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	end := slices.Index(args, "--")
	if end < 0 {
		return errors.New("no -- after the command that makes schemas")
	}
	dir, err := os.MkdirTemp("", "command-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := program{dir, args[:end], args[end+1:], map[string]string{}}
	return conformance.Answers(in, out, func(q *conformance.Question) (conformance.Answer, error) {
		if why := q.NoManifest(); why != "" {
			return conformance.Answer{Skipped: why}, nil
		}
		accepted, err := p.verdict(q)
		return conformance.YesOrNo(accepted), err
	})
}

// program is one that validates files.
type program struct {
	dir               string
	convert, validate []string
	schemas           map[string]string // directories, by the version and the text of CRDs
}

// verdict reports whether the program accepts an object. It must know the kind, which an object shows that has only a name: it may be
// incomplete. Then every failure is about the object.
func (p *program) verdict(q *conformance.Question) (bool, error) {
	key := q.Version + string(q.CRD)
	schemas := p.schemas[key]
	if schemas == "" {
		schemas = filepath.Join(p.dir, fmt.Sprint(len(p.schemas)))
		if err := p.prepare(schemas, q); err != nil {
			return false, err
		}
		p.schemas[key] = schemas
	}
	status, err := p.statusOf(schemas, q.Object)
	return status == accepted, err
}

// prepare makes the schemas of a version of a CRD.
func (p *program) prepare(schemas string, q *conformance.Question) error {
	if err := os.MkdirAll(schemas, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(p.dir, "crd.json"), q.CRD, 0o600); err != nil {
		return err
	}
	if len(p.convert) > 0 {
		cmd := p.command(p.convert, schemas)
		cmd.Dir = schemas
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", cmd, err, out)
		}
	}
	var crd struct {
		Spec struct {
			Group string
			Names struct{ Kind string }
		}
	}
	if err := json.Unmarshal(q.CRD, &crd); err != nil {
		return err
	}
	least, _ := json.Marshal(map[string]any{"apiVersion": crd.Spec.Group + "/" + q.Version, "kind": crd.Spec.Names.Kind, "metadata": map[string]any{"name": "a"}})
	status, err := p.statusOf(schemas, least)
	if err == nil && status == failed {
		err = errors.New("the program does not know the kind")
	}
	return err
}

// command returns a command with the names of files.
func (p *program) command(words []string, schemas string) *exec.Cmd {
	named := strings.NewReplacer("CRD", filepath.Join(p.dir, "crd.json"), "SCHEMAS", schemas, "FILE", filepath.Join(p.dir, "object.json"))
	var args []string
	for _, word := range words {
		args = append(args, named.Replace(word))
	}
	return exec.Command(args[0], args[1:]...)
}

// status is what a program says of a file.
type status int

const (
	failed   status = iota // it could not validate it
	refused                // it found something wrong
	accepted               // it found nothing wrong
)

// statusOf runs the program on an object.
func (p *program) statusOf(schemas string, object []byte) (status, error) {
	if err := os.WriteFile(filepath.Join(p.dir, "object.json"), object, 0o600); err != nil {
		return failed, err
	}
	var stdout, stderr bytes.Buffer
	cmd := p.command(p.validate, schemas)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	exit := cmd.Run()
	s, err := read(stdout.Bytes())
	switch {
	case err != nil:
		return failed, fmt.Errorf("%w: %v: %s", err, exit, stderr.Bytes())
	case (s == accepted) != (exit == nil):
		return failed, fmt.Errorf("the exit status is not that of what is printed: %v: %s", exit, stdout.Bytes())
	}
	return s, nil
}

// read reads what the program prints about a file. Its exit status is the same if it cannot validate.
func read(printed []byte) (status, error) {
	type result struct{ Status, Reason string }
	var lists map[string][]result // of kubeconform, and of kubectl-validate by files
	if err := json.Unmarshal(printed, &lists); err != nil {
		var of struct{ Report struct{ Results []result } } // of flux-schema
		if err := json.Unmarshal(printed, &of); err != nil {
			return failed, fmt.Errorf("no results: %w", err)
		}
		lists = map[string][]result{"report": of.Report.Results}
	}
	results := slices.Concat(slices.Collect(maps.Values(lists))...)
	if len(results) != 1 {
		return failed, fmt.Errorf("%d results", len(results))
	}
	switch status, reason := results[0].Status, results[0].Reason; status {
	case "": // an empty file, and every kind that is called List
		return failed, errors.New("nothing was validated")
	case "statusValid", "valid", "Success":
		return accepted, nil
	case "statusError":
		return failed, nil
	case "statusInvalid", "invalid", "Failure":
		if reason == "schema-not-found" || reason == "schema-load-error" || reason == "InternalError" {
			return failed, nil
		}
		return refused, nil
	default:
		return failed, fmt.Errorf("the status %q", status)
	}
}
