// Package input reads the CRD arguments of a command: files, directories and standard input.
package input

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/meter"
)

// Panic is the value that Each panics with if work panics.
type Panic struct {
	Value any
	Stack []byte
	Name  string // of the file
}

// Run is what all files share that a command reads: the CRDs in them. A file that is named again is not read again.
type Run struct{ sources map[string]*Source }

// NewRun returns a run that has read nothing.
func NewRun() *Run { return &Run{sources: map[string]*Source{}} }

// read returns a file. It is read once.
func (r *Run) read(f file, stdin io.Reader, m *meter.Meter) *Source {
	src := r.sources[f.name]
	if src == nil || src.listed != f.listed {
		src = read(f, stdin, m)
		r.sources[f.name] = src
	}
	return src
}

// Each reads the files that args name, one after the other. It calls work with each file and emit with the result; done and
// total count the files. If no file has a CRD and no finding explains why, it returns an error.
func Each[T any](args Args, stdin io.Reader, work func(*Source) T, emit func(result T, done, total int)) error {
	files := list(args)
	crds, passed, bad := 0, 0, false
	reading := func(f file) *Source { return args.Run.read(f, stdin, args.Meter) }
	if args.Run == nil {
		reading = func(f file) *Source { return read(f, stdin, args.Meter) } // what is not needed again is not kept
	}
	each(files, func(f file) T {
		var src *Source
		if args.Later {
			src = f.later(args.Meter)
		}
		if src == nil {
			src = reading(f)
		}
		crds += len(src.CRDs) + len(src.Later)
		passed += src.Passed
		bad = bad || findings.HasErrors(src.Findings)
		return work(src)
	}, emit)
	if crds == 0 && !bad {
		return fmt.Errorf("no CustomResourceDefinition in %s: %s", args.named(), args.looked(len(files), passed))
	}
	return nil
}

// each calls work with each file, and emit with the result.
func each[T any](files []file, work func(file) T, emit func(result T, done, total int)) {
	do := func(f file) T {
		defer func() {
			if r := recover(); r != nil {
				panic(&Panic{Value: r, Stack: debug.Stack(), Name: shownName(f.name)})
			}
		}()
		return work(f)
	}
	for i, f := range files {
		emit(do(f), i+1, len(files))
	}
}

// shownName returns the name of a file as findings have it.
func shownName(name string) string {
	if name == stdinArg {
		return findings.Stdin
	}
	return name
}

// named lists the arguments.
func (a Args) named() string {
	names := slices.Clone(a.Names)
	for i, arg := range names {
		if arg == stdinArg {
			names[i] = "standard input"
		}
	}
	return strings.Join(names, ", ")
}

// looked says where nothing was found.
func (a Args) looked(files, passed int) string {
	text := "there is no *.yaml, *.yml or *.json file"
	if files > 0 {
		text = fmt.Sprintf("looked at %s with %s", findings.Count(files, "file"), findings.Count(passed, "other document"))
	}
	if len(a.Exclude) > 0 {
		text += ", apart from what is excluded"
	}
	return text
}

// NamesStdin reports whether the names of CRDs have standard input among them.
func NamesStdin(names []string) bool { return slices.Contains(names, stdinArg) }
