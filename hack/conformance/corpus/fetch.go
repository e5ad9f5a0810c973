// Package corpus finds the CustomResourceDefinitions that public Go modules ship: real schemas, written by many people,
// for the comparison with Kubernetes. The modules are pinned in corpus.txt and come through the ordinary go command.
package corpus

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

//go:embed corpus.txt
var list string

//go:embed more.txt
var more string

// Module is one Go module of the list.
type Module struct {
	// Query is the line of the list: path@version.
	Query string
	// Dir is the folder that holds the module's files.
	Dir string
}

// Queries returns the lines of the list: path@version.
func Queries() []string { return queries(list) }

// More returns further modules, whose CRDs have many CEL rules.
func More() []string { return queries(more) }

// Small returns those of modules that are not large. Samples are taken from them, so that make test downloads little.
func Small() []string {
	small, _, _ := strings.Cut(list, "# large")
	return queries(small)
}

func queries(list string) []string {
	var all []string
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

// Fetch downloads every module of the list that is not in the module cache yet, and says where they are.
func Fetch(ctx context.Context) ([]Module, error) { return FetchModules(ctx, Queries()) }

// FetchModules is Fetch for other modules, each as path@version.
func FetchModules(ctx context.Context, queries []string) ([]Module, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"mod", "download", "-json"}, queries...)...)
	// The list stands for itself: no go.mod and no go.work around the working directory has an effect.
	cmd.Dir = os.TempDir()
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, runErr := cmd.Output()

	dirs := map[string]string{}
	var problems []error
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Version, Dir, Error string }
		if err := dec.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			problems = append(problems, fmt.Errorf("read the answer of go mod download: %w", err))
			break
		}
		if m.Error != "" {
			problems = append(problems, errors.New(m.Error)) // starts with path@version
			continue
		}
		dirs[m.Path+"@"+m.Version] = m.Dir
	}
	if runErr != nil && len(problems) == 0 {
		problems = append(problems, fmt.Errorf("%w: %s", runErr, strings.TrimSpace(stderr.String())))
	}
	var modules []Module
	for _, q := range queries {
		switch dir, ok := dirs[q]; {
		case ok:
			modules = append(modules, Module{Query: q, Dir: dir})
		case len(problems) == 0:
			problems = append(problems, fmt.Errorf("%s: go mod download did not mention it", q))
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("fetch the corpus with go mod download (a module that is not in the module cache yet "+
			"needs a module proxy; see go env GOPROXY): %w", errors.Join(problems...))
	}
	return modules, nil
}
