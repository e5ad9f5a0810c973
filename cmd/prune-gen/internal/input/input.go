// Package input reads the CRD arguments of a command: files, directories and standard input.
package input

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
)

// workers is the number of files that are read at a time, and so the number that is in memory.
const workers = 2

// Panic is what Each panics with when work does.
type Panic struct {
	Value any
	Stack []byte
	Name  string // of the file
}

// Each reads the files that args name. It calls work with two files at a time, and emit with the results in the order of
// the files; done and total count the files. Without a CRD in any file, and without a finding that explains it, it
// returns an error.
func Each[T any](args []string, stdin io.Reader, work func(*Source) T, emit func(result T, done, total int)) error {
	files := list(args)
	type result struct {
		out          T
		crds, passed int
		bad          bool
	}
	var sum result
	inOrder(len(files), workers, func(i int) result {
		defer func() {
			if r := recover(); r != nil {
				name := files[i].name
				if name == stdinArg {
					name = findings.Stdin
				}
				panic(&Panic{Value: r, Stack: debug.Stack(), Name: name})
			}
		}()
		src := read(files[i], stdin)
		// Counted first: work may change the source.
		r := result{crds: len(src.CRDs), passed: src.Passed, bad: findings.HasErrors(src.Findings)}
		r.out = work(src)
		return r
	}, func(i int, r result) {
		sum.crds += r.crds
		sum.passed += r.passed
		sum.bad = sum.bad || r.bad
		emit(r.out, i+1, len(files))
	})
	if sum.crds == 0 && !sum.bad {
		return noCRDs(args, len(files), sum.passed)
	}
	return nil
}

// noCRDs returns the error for files without a CRD.
func noCRDs(args []string, files, passed int) error {
	names := make([]string, len(args))
	for i, arg := range args {
		if names[i] = arg; arg == stdinArg {
			names[i] = "standard input"
		}
	}
	looked := "there is no *.yaml, *.yml or *.json file"
	if files > 0 {
		looked = fmt.Sprintf("looked at %s with %s", findings.Count(files, "file"), findings.Count(passed, "other document"))
	}
	return fmt.Errorf("no CustomResourceDefinition in %s: %s", strings.Join(names, ", "), looked)
}

// NamesStdin reports whether args name standard input.
func NamesStdin(args []string) bool { return slices.Contains(args, stdinArg) }
