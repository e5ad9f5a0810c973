package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

const (
	stdinArg  = "-"
	stdinName = "<stdin>" // how findings name standard input
)

// workers is how many files are worked on at a time, and so how many are in memory.
const workers = 2

// input is one file to read.
type input struct {
	name   string // as it was named or found; stdinArg for standard input
	listed bool   // found in a directory
	err    error  // why there is nothing to read
}

// shown returns the name that findings have for the file.
func (in input) shown() string {
	if in.name == stdinArg {
		return stdinName
	}
	return in.name
}

// source is a file that was read.
type source struct {
	*structural.File
	// skipped tells that the file is not YAML, and most likely was never meant to be: nothing was found in it.
	skipped bool
	// text returns what is in the file once more. Most files need not be looked at again, and so are not kept.
	text func() []byte
}

// eachSource reads the CRD arguments of a command: work runs on two files at a time, emit gets what it made of them in
// the order of the arguments. doing says what the command does with a file, for the progress line. No CRD in all of them
// is an error, unless there are errors that can explain it.
func eachSource[T any](env *environment, doing string, args []string, work func(*source) T, emit func(T)) error {
	p := env.startProgress()
	defer p.stop()
	p.show("looking for files")
	inputs := listInputs(args)

	type result struct {
		out          T
		crds, passed int
		bad          bool
	}
	var total result
	inOrder(len(inputs), workers, func(i int) result {
		defer func() {
			if r := recover(); r != nil {
				panic(&workerPanic{value: r, stack: debug.Stack(), name: inputs[i].shown()})
			}
		}()
		src := env.read(inputs[i])
		// Counted first: work is free to change what it gets.
		r := result{crds: len(src.CRDs), passed: src.Passed, bad: hasErrors(src.Findings)}
		r.out = work(src)
		return r
	}, func(i int, r result) {
		p.show("%s: %d of %d files", doing, i+1, len(inputs))
		total.crds += r.crds
		total.passed += r.passed
		total.bad = total.bad || r.bad
		p.aside(func() {
			emit(r.out)
			if env.stdoutTerminal {
				env.stdout.Flush()
			}
		})
	})
	if total.crds == 0 && !total.bad {
		return noCRDs(args, len(inputs), total.passed)
	}
	return nil
}

// noCRDs says where CRDs were looked for in vain.
func noCRDs(args []string, files, passed int) error {
	names := make([]string, 0, len(args))
	for _, arg := range args {
		if arg == stdinArg {
			arg = "standard input"
		}
		names = append(names, arg)
	}
	looked := "there is no *.yaml, *.yml or *.json file"
	if files > 0 {
		looked = fmt.Sprintf("looked at %s with %s", count(files, "file"), count(passed, "other document"))
	}
	return fmt.Errorf("no CustomResourceDefinition in %s: %s", strings.Join(names, ", "), looked)
}

// listInputs returns the files that args stand for, each once.
func listInputs(args []string) []input {
	var all []input
	seen := map[string]bool{}
	add := func(in input) {
		if key := identity(in.name); !seen[key] {
			seen[key] = true
			all = append(all, in)
		}
	}
	for _, arg := range args {
		if arg == stdinArg {
			add(input{name: arg})
			continue
		}
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			add(input{name: arg, err: err})
			continue
		}
		// WalkDir goes in lexical order, so the result does not depend on the file system. It does not enter a root
		// that is a link, unless the name ends in a slash.
		root := arg
		if !os.IsPathSeparator(root[len(root)-1]) {
			root += string(filepath.Separator)
		}
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			path = filepath.Clean(path)
			switch {
			case err != nil:
				add(input{name: path, listed: true, err: err})
			case hasSchemaSuffix(path) && isFile(path, d):
				add(input{name: path, listed: true})
			}
			return nil
		})
	}
	return all
}

// identity returns a key that two names of one file share.
func identity(name string) string {
	if name == stdinArg {
		return name
	}
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	return name
}

func hasSchemaSuffix(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// isFile tells whether an entry of a directory can be read like a file: a pipe in it would wait for ever, and a link
// that leads nowhere is mostly an editor's lock.
func isFile(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular()
	}
	return d.Type().IsRegular()
}

// read reads one file. What goes wrong is a finding in it.
func (env *environment) read(in input) *source {
	if in.err != nil {
		return unreadable(in.name, in.err)
	}
	r := env.stdin
	regular := false
	if in.name == stdinArg {
		if isTerminal(env.stdin) {
			fmt.Fprintln(env.stderr, "prune-gen: reading a CRD from the terminal; Ctrl-D ends it")
		}
	} else {
		f, err := os.Open(in.name)
		if err != nil {
			return unreadable(in.name, err)
		}
		defer f.Close()
		info, err := f.Stat()
		r, regular = f, err == nil && info.Mode().IsRegular()
	}
	src := &source{}
	if regular {
		src.File = structural.Load(in.shown(), r)
		src.text = func() []byte { return readAgain(in.name) }
	} else {
		var data bytes.Buffer
		src.File = structural.Load(in.shown(), io.TeeReader(r, &data))
		src.text = data.Bytes
	}
	if !hasErrors(src.Findings) {
		return src
	}
	text := src.text()
	if in.listed && len(src.CRDs) == 0 && !mentionsCRD(text) {
		return &source{File: &structural.File{Name: in.shown()}, skipped: true}
	}
	if bytes.Contains(text, []byte("{{")) {
		hintTemplate(src.Findings)
	}
	return src
}

// maxReadAgain is how much of a file is looked at to show a line of it.
const maxReadAgain = 64 << 20

// readAgain returns the text of a file that could be read before. Where that has changed, there is nothing to show.
func readAgain(name string) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxReadAgain))
	if err != nil {
		return nil
	}
	return text
}

// snippets returns findings with the lines that they are about.
func (src *source) snippets(findings []structural.Finding) []snippet {
	var text []byte
	if len(findings) > 0 && src.text != nil {
		text = src.text()
	}
	return snippets(text, findings)
}

// unreadable is a file of which nothing is known but why it cannot be read.
func unreadable(name string, err error) *source {
	// The name is in front of the finding already.
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	if name == "" {
		name = `""` // a variable of the shell that was not set
	}
	f := structural.Finding{File: name, Severity: structural.SeverityError, Message: err.Error()}
	if errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(name, "*?[") {
		f.Hint = "the pattern matched no file, so the shell passed it on as it is"
	}
	return &source{File: &structural.File{Name: name, Findings: []structural.Finding{f}}}
}

func mentionsCRD(data []byte) bool { return bytes.Contains(data, []byte("CustomResourceDefinition")) }

// hintTemplate tells about a file that does not parse what is the usual reason when there are {{ in it.
func hintTemplate(findings []structural.Finding) {
	for i := range findings {
		if f := &findings[i]; f.Severity == structural.SeverityError && f.CRD == "" && f.Hint == "" {
			f.Hint = "this looks like a template: render it first, for example with helm template"
		}
	}
}

func hasErrors(findings []structural.Finding) bool {
	for _, f := range findings {
		if f.Severity == structural.SeverityError {
			return true
		}
	}
	return false
}
