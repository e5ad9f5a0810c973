// Package input reads the CRD arguments of a command: files, directories and standard input.
package input

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Panic is the value that Each panics with if work panics.
type Panic struct {
	Value any
	Stack []byte
	Name  string // of the file
}

// Run is what all files share that a command reads: the limits, and the CRDs in them. A file that is named again is not read again.
type Run struct {
	limits  *load.Run
	sources map[string]*Source
}

// NewRun returns a run that has read nothing.
func NewRun() *Run { return &Run{limits: load.NewRun(), sources: map[string]*Source{}} }

// read returns a file. It is read once.
func (r *Run) read(f file, stdin io.Reader) *Source {
	src := r.sources[f.name]
	if src == nil || src.listed != f.listed {
		src = read(f, stdin, r.limits)
		r.sources[f.name] = src
	}
	return src
}

// Each reads the files that args name, one after the other. It calls work with each file and emit with the result; done and
// total count the files. If no file has a CRD and no finding explains why, it returns an error.
func Each[T any](args Args, stdin io.Reader, work func(*Source) T, emit func(result T, done, total int)) error {
	files := list(args)
	crds, passed, bad := 0, 0, false
	reading := func(f file) *Source { return args.Run.read(f, stdin) }
	if args.Run == nil {
		limits := load.NewRun()
		reading = func(f file) *Source { return read(f, stdin, limits) } // what is not needed again is not kept
	}
	do := func(f file) T {
		defer func() {
			if r := recover(); r != nil {
				panic(&Panic{Value: r, Stack: debug.Stack(), Name: shownName(f.name)})
			}
		}()
		src := reading(f)
		crds += len(src.CRDs)
		passed += src.Passed
		bad = bad || findings.HasErrors(src.Findings)
		return work(src)
	}
	for i, f := range files {
		emit(do(f), i+1, len(files))
	}
	if crds == 0 && !bad {
		return noCRDs(args, len(files), passed)
	}
	return nil
}

// shownName returns the name of a file as findings have it.
func shownName(name string) string {
	if name == stdinArg {
		return findings.Stdin
	}
	return name
}

// noCRDs returns the error for files without a CRD.
func noCRDs(args Args, files, passed int) error {
	names := make([]string, len(args.Names))
	for i, arg := range args.Names {
		if names[i] = arg; arg == stdinArg {
			names[i] = "standard input"
		}
	}
	looked := "there is no *.yaml, *.yml or *.json file"
	if files > 0 {
		looked = fmt.Sprintf("looked at %s with %s", findings.Count(files, "file"), findings.Count(passed, "other document"))
	}
	if len(args.Exclude) > 0 {
		looked += ", apart from what is excluded"
	}
	return fmt.Errorf("no CustomResourceDefinition in %s: %s", strings.Join(names, ", "), looked)
}

// NamesStdin reports whether the names of CRDs have standard input among them.
func NamesStdin(names []string) bool { return slices.Contains(names, stdinArg) }
