// The executor of generated code: it generates Go code for all CRDs of the questions, compiles it together with itself, and passes the
// questions on. It has to run in a checkout of prune-gen.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/conformance"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural/load"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	asked, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "generated-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/prune-gen/prune-gen").Output()
	if err != nil {
		return fmt.Errorf("find the checkout of prune-gen: %w", err)
	}
	// The files are shown to the go command as those of a package in the checkout, which is not there.
	made := &program{dir: dir, root: filepath.Join(strings.TrimSpace(string(root)), "conformance/executors/generated/made"), Replace: map[string]string{}}
	if err := made.generate(asked); err != nil {
		return err
	}
	overlay, _ := json.Marshal(made)
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600); err != nil {
		return err
	}
	file := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-o", file, "-ldflags=-w", "-overlay", filepath.Join(dir, "overlay.json"), made.root)
	build.Stderr, build.Dir = os.Stderr, strings.TrimSpace(string(root))
	if err := build.Run(); err != nil {
		return err
	}
	cmd := exec.Command(file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(asked), os.Stdout, os.Stderr
	return cmd.Run()
}

// program is the source of the program that answers: files of the checkout, with the files that have their content.
type program struct {
	dir, root string
	Replace   map[string]string
}

func (p *program) write(name string, text []byte) error {
	file := filepath.Join(p.dir, fmt.Sprintf("%d", len(p.Replace)))
	p.Replace[filepath.Join(p.root, name)] = file
	return os.WriteFile(file, text, 0o600)
}

// generate writes a package for each version of each CRD, and a main that imports them all.
func (p *program) generate(asked []byte) error {
	imports, done := "", map[string]bool{}
	questions, err := conformance.ReadQuestions(bytes.NewReader(asked))
	if err != nil {
		return err
	}
	for _, q := range questions {
		if q.CRD == nil || done[string(q.CRD)] {
			continue
		}
		done[string(q.CRD)] = true
		crd, err := load.CRD(q.CRD, load.Options{})
		if err != nil {
			continue // a version of Kubernetes refuses it
		}
		if crd.Kubernetes, err = kubeversion.Parse(q.Kubernetes); err != nil {
			return err
		}
		for _, v := range crd.Versions {
			files, err := generator.Generate([]generator.Input{{CRD: crd, Version: v}},
				generator.Options{Package: "made", Features: generator.AllFeatures(), Register: true})
			if err != nil {
				break
			}
			name := fmt.Sprintf("p%d", len(p.Replace))
			imports += fmt.Sprintf("\t_ %q\n", "github.com/prune-gen/prune-gen/conformance/executors/generated/made/"+name)
			for _, f := range files {
				if err := p.write(filepath.Join(name, f.Name), f.Content); err != nil {
					return err
				}
			}
		}
	}
	return p.write("main.go", []byte(strings.Replace(source, "IMPORTS", imports, 1)))
}

// source is the main package of the program that answers.
const source = `package main

import (
	"encoding/json"
	"errors"
	"log"
	"os"

	"github.com/prune-gen/prune-gen/conformance/executors/internal/answer"
	"github.com/prune-gen/prune-gen/internal/conformance"
	prunert "github.com/prune-gen/prune-gen/runtime"
IMPORTS)

func main() {
	if err := answer.All(os.Stdin, os.Stdout, resource); err != nil {
		log.Fatal(err)
	}
}

func resource(q *conformance.Question) (prunert.Resource, error) {
	var crd struct {
		Spec struct {
			Group string
			Names struct{ Kind string }
		}
	}
	if err := json.Unmarshal(q.CRD, &crd); err != nil {
		return prunert.Resource{}, err
	}
	if r, ok := prunert.Lookup(crd.Spec.Group, q.Version, crd.Spec.Names.Kind); ok {
		return r, nil
	}
	return prunert.Resource{}, errors.New("no code was generated")
}
`
