// Package input reads the CRD arguments of a command: files, directories and standard input.
package input

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/internal/base/workers"
)

// Run holds the files that a command has read, by their names. A file that is named again is not read again.
type Run map[string]*Source

// read reads a file, or returns what the run has read before.
func (a Args) read(f file, stdin io.Reader) *Source {
	src := a.Run[f.name]
	if src == nil || src.listed != f.listed || src.kubernetes != a.Kubernetes {
		src = read(f, stdin, a)
		if a.Run != nil {
			a.Run[f.name] = src
		}
	}
	return src
}

// Each reads the files that args name, one after the other, and calls use with each; done and total count the files. If no
// file has a CRD and no finding explains why, it returns an error, unless they are those of an earlier revision.
func Each(args Args, stdin io.Reader, use func(src *Source, done, total int)) error {
	crds, passed, templates, bad := 0, 0, 0, false
	n := each(args, func(f file, done, total int) {
		src := args.read(f, stdin)
		crds += len(src.CRDs) + len(src.Later)
		passed += src.Passed
		templates += src.Tally().Templates
		bad = bad || findings.HasErrors(src.Findings)
		use(src, done, total)
	})
	if crds == 0 && !bad && !args.Earlier {
		said := args.looked(n, passed)
		if templates > 0 {
			said += fmt.Sprintf(", and skipped %s, to be rendered first", findings.Count(templates, "template"))
		}
		return fmt.Errorf("no CustomResourceDefinition in %s: %s", args.named(), said)
	}
	return nil
}

// Stamps returns a text for each file on disk that args name, which changes when the file does.
func Stamps(args Args) map[string]string {
	all := map[string]string{}
	for _, arg := range expand(args.Names) {
		info, err := os.Stat(arg)
		files := []file{{name: arg}}
		if err == nil && info.IsDir() {
			files = list(Args{Names: []string{arg}, Exclude: args.Exclude, ExcludeFrom: args.ExcludeFrom})
		}
		for _, f := range files {
			if info, err := os.Stat(f.name); err == nil {
				all[f.name] = fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size())
			}
		}
	}
	return all
}

// each calls use with each file that args name, and returns their number. If use panics, each panics with a workers.Panic that names
// the file.
func each(args Args, use func(f file, done, total int)) int {
	var name string
	defer func() {
		if r := recover(); r != nil {
			p := workers.Recovered(r)
			p.At = cmp.Or(p.At, name)
			panic(p)
		}
	}()
	files := list(args)
	args.Meter.Expect(args.size(files))
	for i, f := range files {
		name = shownName(f.name)
		use(f, i+1, len(files))
	}
	return len(files)
}

// size returns the known number of bytes in files that are not read yet. JSON does not count: some commands read it as a stream.
func (a Args) size(files []file) (bytes int64) {
	for _, f := range files {
		if f.open != nil || f.name == stdinArg || a.Run[f.name] != nil || strings.EqualFold(filepath.Ext(f.name), ".json") {
			continue
		}
		if info, err := os.Stat(f.name); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
	}
	return bytes
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
