// Package directive finds the go:generate directives of a module that call prune-gen generate or prune-gen project.
package directive

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Directive is a go:generate directive that calls prune-gen generate or prune-gen project.
type Directive struct {
	File string
	Line int
	// Projects says that it calls project.
	Projects bool
	// Args follow the name of the command. Paths in them are relative to the directory of the file.
	Args []string
	// Err says why the directive cannot be read, nil if it can.
	Err error
}

// IsPattern reports whether an argument stands for packages and not for CRDs.
func IsPattern(arg string) bool { return arg == "..." || strings.HasSuffix(arg, "/...") }

// Find returns the directives in the packages that patterns such as ./... stand for, in the order of files. Like the go command
// it passes over vendor, testdata, other modules, and directories that begin with a dot or an underscore.
func Find(patterns, tags []string) ([]Directive, error) {
	var all []Directive
	seen := map[string]bool{}
	for _, pattern := range patterns {
		root := filepath.Clean(strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "/"))
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && name != root && isPassedOver(name, d.Name()):
				return fs.SkipDir
			case d.IsDir() || !d.Type().IsRegular() || filepath.Ext(name) != ".go" || seen[name]:
				return nil
			}
			seen[name] = true
			found, err := inFile(name, tags)
			all = append(all, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// isPassedOver reports whether the go command does not look into a directory for the packages of the module around it.
func isPassedOver(name, base string) bool {
	if base == "vendor" || base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	return err == nil
}

// inFile returns the directives of a file, none if go generate does not read it.
func inFile(name string, tags []string) ([]Directive, error) {
	text, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(text, []byte("//go:generate")) {
		return nil, err
	}
	context := build.Default
	context.BuildTags = append(slices.Clone(tags), "generate")
	if read, err := context.MatchFile(filepath.Dir(name), filepath.Base(name)); err != nil || !read {
		return nil, nil
	}
	r := reader{file: name, commands: map[string][]string{}}
	if syntax, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly); err == nil {
		r.pkg = syntax.Name.Name
	}
	for line := range strings.Lines(string(text)) {
		r.line++
		r.read(strings.TrimRight(line, "\r\n"))
	}
	return r.found, nil
}

// reader reads the directives of a file as go generate does.
type reader struct {
	file, pkg string
	line      int
	commands  map[string][]string // by -command
	found     []Directive
}

func (r *reader) read(line string) {
	rest, ok := strings.CutPrefix(line, "//go:generate")
	if !ok || !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\t") {
		return
	}
	words, err := split(rest)
	if err != nil {
		if strings.Contains(rest, "prune-gen") {
			r.add(nil, err)
		}
		return
	}
	if len(words) > 0 && r.commands[words[0]] != nil {
		words = slices.Concat(r.commands[words[0]], words[1:])
	}
	for i := range words {
		words[i] = os.Expand(words[i], r.variable)
	}
	if len(words) > 2 && words[0] == "-command" {
		r.commands[words[1]] = words[2:]
		return
	}
	for i, word := range words {
		switch {
		case isPruneGen(word) && i+1 < len(words) && (words[i+1] == "generate" || words[i+1] == "project"):
			r.add(words[i+2:], nil)
			r.found[len(r.found)-1].Projects = words[i+1] == "project"
			return
		case strings.Contains(word, "prune-gen generate"), strings.Contains(word, "prune-gen project"):
			r.add(nil, errors.New("prune-gen is called in a script: only directives that call prune-gen directly can be checked"))
			return
		}
	}
}

func (r *reader) add(args []string, err error) {
	r.found = append(r.found, Directive{File: r.file, Line: r.line, Args: args, Err: err})
}

// isPruneGen reports whether a word names this program, as a tool, a package or a file.
func isPruneGen(word string) bool {
	word, _, _ = strings.Cut(filepath.ToSlash(word), "@")
	return strings.TrimSuffix(path.Base(word), ".exe") == "prune-gen"
}

// variable returns the value of a variable in a directive.
func (r *reader) variable(name string) string {
	switch name {
	case "GOARCH":
		return build.Default.GOARCH
	case "GOOS":
		return build.Default.GOOS
	case "GOFILE":
		return filepath.Base(r.file)
	case "GOLINE":
		return strconv.Itoa(r.line)
	case "GOPACKAGE":
		return r.pkg
	case "GOROOT":
		return build.Default.GOROOT
	case "DOLLAR":
		return "$"
	case "PWD":
		dir, _ := filepath.Abs(filepath.Dir(r.file))
		return dir
	}
	return os.Getenv(name)
}

// split returns the words of a directive. A word can be a Go string in double quotes.
func split(line string) ([]string, error) {
	var words []string
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return words, nil
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		word := line[:end]
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, errors.New("a quoted word is not closed")
			}
			if end = len(quoted); end < len(line) && line[end] != ' ' && line[end] != '\t' {
				return nil, fmt.Errorf("there is no space after %s", quoted)
			}
			if word, err = strconv.Unquote(quoted); err != nil {
				return nil, err
			}
		}
		words, line = append(words, word), line[end:]
	}
}
