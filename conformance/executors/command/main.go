// The executor of kubeconform and kubectl-validate, programs that validate files: it runs one for each question, and reads what it prints as
// JSON. It skips what such programs do not promise: updates, CRDs, requests that are not strict, and texts that are not objects. For the
// schemas of kubeconform it runs prune-gen.
//
//	command kubectl-validate --output json --local-crds CRDS FILE
//	command kubeconform -strict -verbose -output json -schema-location 'SCHEMAS/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json' FILE
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/conformance/executors/internal/answer"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(command []string, in io.Reader, out io.Writer) error {
	dir, err := os.MkdirTemp("", "command-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	dirs := map[string]string{} // of CRDs, by their texts
	for {
		var q answer.Question
		if err := questions.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		a := map[string]any{"id": q.ID}
		if why := skipped(&q); why != "" {
			a["skipped"] = why
		} else if accepted, err := verdict(command, dir, dirs, &q); err != nil {
			a["error"] = err.Error()
		} else if a["code"] = 422; accepted {
			a["code"] = 201
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

func skipped(q *answer.Question) string {
	switch {
	case q.CRD == nil:
		return "a CRD"
	case q.Stored != nil:
		return "an update"
	case q.FieldValidation != "Strict":
		return "a request that is not strict"
	case q.Object == nil:
		return "not an object"
	}
	return ""
}

// verdict reports whether the program accepts an object. It must know the kind, which an object shows that has only a name: it may be
// incomplete. Then every failure is about the object.
func verdict(command []string, dir string, dirs map[string]string, q *answer.Question) (bool, error) {
	key := q.Version + string(q.CRD)
	of := dirs[key]
	if of == "" {
		of = filepath.Join(dir, fmt.Sprint(len(dirs)))
		if err := prepare(command, of, q); err != nil {
			return false, err
		}
		dirs[key] = of
	}
	status, err := statusOf(command, of, q.Object)
	return status == accepted, err
}

// prepare makes a directory for a version of a CRD.
func prepare(command []string, of string, q *answer.Question) error {
	crds := filepath.Join(of, "crds")
	if err := os.MkdirAll(crds, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(crds, "crd.json"), q.CRD, 0o600); err != nil {
		return err
	}
	if strings.Contains(strings.Join(command, " "), "SCHEMAS") {
		schema := exec.Command("prune-gen", "schema", "--output-dir", filepath.Join(of, "schemas"), crds)
		if out, err := schema.CombinedOutput(); err != nil {
			return fmt.Errorf("prune-gen schema: %w: %s", err, out)
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
	status, err := statusOf(command, of, least)
	if err == nil && status == failed {
		err = errors.New("the program does not know the kind")
	}
	return err
}

// status is what a program says of a file.
type status int

const (
	failed   status = iota // it could not validate it
	refused                // it found something wrong
	accepted               // it found nothing wrong
)

// statusOf runs the program on an object.
func statusOf(command []string, of string, object []byte) (status, error) {
	file := filepath.Join(of, "object.json")
	if err := os.WriteFile(file, object, 0o600); err != nil {
		return failed, err
	}
	args := make([]string, len(command))
	for i, arg := range command {
		args[i] = strings.NewReplacer("CRDS", filepath.Join(of, "crds"), "SCHEMAS", filepath.Join(of, "schemas"), "FILE", file).Replace(arg)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	exit := cmd.Run()
	s, err := read(stdout.Bytes(), file)
	switch {
	case err != nil:
		return failed, fmt.Errorf("%w: %v: %s", err, exit, stderr.Bytes())
	case (s == accepted) != (exit == nil):
		return failed, fmt.Errorf("the exit status is not that of what is printed: %v: %s", exit, stdout.Bytes())
	}
	return s, nil
}

// read reads what a program prints about a file. The exit status of programs is the same if they cannot validate.
func read(printed []byte, file string) (status, error) {
	var results map[string][]struct{ Status, Reason string }
	if err := json.Unmarshal(printed, &results); err != nil {
		return failed, fmt.Errorf("no results: %w", err)
	}
	all := append(results["resources"], results[file]...) // of kubeconform, of kubectl-validate
	if len(all) != 1 {
		return failed, fmt.Errorf("%d results", len(all))
	}
	switch r := all[0]; {
	case r.Status == "": // of kubeconform, about an empty file, and every kind that is called List
		return failed, errors.New("nothing was validated")
	case r.Status == "statusValid" || r.Status == "Success":
		return accepted, nil
	case r.Status == "statusInvalid" || r.Status == "Failure" && r.Reason != "InternalError":
		return refused, nil
	case r.Status == "statusError" || r.Status == "Failure":
		return failed, nil
	default:
		return failed, fmt.Errorf("the status %q", r.Status)
	}
}
