// Package cost measures what generated code costs those who have it in their repository and in their programs.
package cost

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/hack/bench/progress"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/set"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Cost is one thing to measure.
type Cost struct {
	ID      string
	Measure func(context.Context, *Env) (*report.Cost, error)
}

// All is everything that is measured. A new cost is a new entry here.
var All = []Cost{
	{"cost-binary", binary},
	{"cost-heap", heap},
	{"cost-source", source},
	{"cost-diff", diff},
	{"cost-generate", generate},
	{"cost-lint", lint},
	{"cost-bounds", bounds},
	{"cost-compile", compile},
}

// Env is what costs are measured on.
type Env struct {
	Kinds   []*set.Kind
	Modules []corpus.Module
	// Rounds is how often what depends on the machine is measured.
	Rounds int

	corpus *corpus.Corpus
	files  []string
}

// Corpus reads every CRD of the corpus, once.
func (e *Env) Corpus(ctx context.Context) (*corpus.Corpus, error) {
	if e.corpus != nil {
		return e.corpus, nil
	}
	progress.Printf("reading the corpus")
	c, err := corpus.Load(ctx, 1)
	if err != nil {
		return nil, err
	}
	e.corpus = c
	return c, nil
}

// Files returns the files of the corpus that have CRDs in them, sorted.
func (e *Env) Files(ctx context.Context) ([]string, error) {
	c, err := e.Corpus(ctx)
	if err != nil || e.files != nil {
		return e.files, err
	}
	seen := map[string]bool{}
	for _, crd := range c.CRDs {
		for _, origin := range append([]string{crd.Origin}, crd.Also...) {
			if seen[origin] {
				continue
			}
			seen[origin] = true
			file, err := e.locate(origin)
			if err != nil {
				return nil, err
			}
			e.files = append(e.files, file)
		}
	}
	return e.files, nil
}

// locate returns where the file with that origin is: module@version/file.
func (e *Env) locate(origin string) (string, error) {
	for _, m := range e.Modules {
		if file, ok := strings.CutPrefix(origin, m.Query+"/"); ok {
			return filepath.Join(m.Dir, filepath.FromSlash(file)), nil
		}
	}
	return "", fmt.Errorf("%s is in no module of the corpus", origin)
}

// loadFile reads the CRDs of a file.
func loadFile(name string) ([]*structural.CRD, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return load.Load(filepath.Base(name), f).CRDs, nil
}

func (e *Env) kind(name string) (*set.Kind, error) {
	for _, k := range e.Kinds {
		if k.Name() == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("%s is not in the benchmark set", name)
}
