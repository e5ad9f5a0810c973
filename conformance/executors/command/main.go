// The executor of programs that validate files, such as kubeconform and kubectl-validate: it runs one for each question, and its exit status
// is the verdict. It skips what such programs do not promise: updates, CRDs, requests that are not strict, and texts that are not
// objects. For the schemas of kubeconform it runs prune-gen.
//
//	command kubectl-validate --local-crds CRDS FILE
//	command kubeconform -strict -schema-location 'SCHEMAS/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json' FILE
package main

import (
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

// verdict reports whether the program accepts an object.
func verdict(command []string, dir string, dirs map[string]string, q *answer.Question) (bool, error) {
	of := dirs[string(q.CRD)]
	if of == "" {
		of = filepath.Join(dir, fmt.Sprint(len(dirs)))
		dirs[string(q.CRD)] = of
		if err := os.MkdirAll(filepath.Join(of, "crds"), 0o700); err != nil {
			return false, err
		}
		if err := os.WriteFile(filepath.Join(of, "crds", "crd.json"), q.CRD, 0o600); err != nil {
			return false, err
		}
		if strings.Contains(strings.Join(command, " "), "SCHEMAS") {
			schema := exec.Command("prune-gen", "schema", "--output-dir", filepath.Join(of, "schemas"), filepath.Join(of, "crds"))
			if out, err := schema.CombinedOutput(); err != nil {
				return false, fmt.Errorf("prune-gen schema: %w: %s", err, out)
			}
		}
	}
	file := filepath.Join(of, "object.json")
	if err := os.WriteFile(file, q.Object, 0o600); err != nil {
		return false, err
	}
	args := make([]string, len(command))
	for i, arg := range command {
		args[i] = strings.NewReplacer("CRDS", filepath.Join(of, "crds"), "SCHEMAS", filepath.Join(of, "schemas"), "FILE", file).Replace(arg)
	}
	err := exec.Command(args[0], args[1:]...).Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() > 0 {
		return false, nil
	}
	return err == nil, err
}
