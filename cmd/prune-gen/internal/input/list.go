package input

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// stdinArg is the argument that stands for standard input.
const stdinArg = "-"

// Args says which files to read.
type Args struct {
	Names   []string // of files and directories, also in Go modules, git:REF:PATH, or stdinArg
	Exclude []string // patterns of files and directories not to read
	// ExcludeFrom is the path of the working directory from that of the patterns, "" if they are the same.
	ExcludeFrom string
	Run         Run // what was read before, nil if nothing is kept
	Meter       *meter.Meter
	// Kubernetes is the version of Kubernetes that CRDs are checked for.
	Kubernetes kubeversion.Version
	// Later leaves CRDs unread if their kinds are known without parsing them: see Source.Later.
	Later bool
	// Earlier lets revisions lack paths: a file that is new was not there earlier.
	Earlier bool
	// Mixed skips files that do not mention a CustomResourceDefinition or cannot be opened: they are read as manifests, too.
	Mixed bool
	// Configured has the places of names in a configuration file: what cannot be read is reported there.
	Configured map[string]Place
	// Edited returns the text of a file that is open in an editor, nil for another. It may be nil.
	Edited func(name string) []byte
	// Link is called with links to directories below a directory, which are not followed. It may be nil.
	Link func(name string)
}

// LooksLikeFile reports whether an argument names a file: it exists, or it is written as a pattern, a module path, a manifest or a git
// source.
func LooksLikeFile(arg string) bool {
	_, err := os.Stat(arg)
	_, _, isGit := cutGit(arg)
	return err == nil || isGit || arg == stdinArg || strings.ContainsAny(arg, "*@") || crdread.IsManifest(arg)
}

// Place is a place in a file.
type Place struct {
	File         string
	Line, Column int
}

// file is a file to read.
type file struct {
	name   string // or stdinArg
	listed bool   // found in a directory
	err    error  // why it cannot be read
	at     *Place // where a configuration file names it, nil if none does
	// open opens a file that is in a git repository, nil for one on disk.
	open func() (io.ReadCloser, error)
}

// list returns the files that the arguments name, each once.
func list(args Args) []file {
	var all []file
	seen := map[string]bool{}
	add := func(f file) {
		key := f.name
		if f.open == nil { // it is on the disk, where links lead to it
			key = Identity(key)
		}
		if seen[key] {
			return
		}
		seen[key] = true
		if args.Edited != nil && f.open == nil {
			if text := args.Edited(f.name); text != nil {
				f.err, f.open = nil, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
			}
		}
		all = append(all, f)
	}
	for _, arg := range expand(args.Names) {
		if arg == stdinArg {
			add(file{name: arg})
			continue
		}
		if args.Excludes(arg) {
			continue
		}
		var at *Place
		if place, ok := args.Configured[arg]; ok {
			at = &place
		}
		info, err := os.Stat(arg)
		if _, _, ok := cutGit(arg); ok && err != nil {
			for _, f := range listGit(arg, args) {
				f.at = at
				add(f)
			}
			continue
		}
		if err != nil {
			if path, wrong := inModule(arg); wrong != nil {
				err = wrong
			} else if path != "" {
				arg = path
				info, err = os.Stat(arg)
			}
		}
		if err != nil || !info.IsDir() {
			add(file{name: arg, err: err, at: at})
			continue
		}
		// WalkDir does not enter a root that is a link, unless the name ends in a separator.
		root := arg
		if !os.IsPathSeparator(root[len(root)-1]) {
			root += string(filepath.Separator)
		}
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			path = filepath.Clean(path)
			switch {
			case path == filepath.Clean(root):
			case args.Excludes(path) && d != nil && d.IsDir():
				return fs.SkipDir
			case args.Excludes(path):
				return nil
			}
			switch {
			case err != nil || isManifest(path, d):
				add(file{name: path, listed: true, err: err})
			case args.Link != nil && isLinkToDirectory(path, d):
				args.Link(path)
			}
			return nil
		})
	}
	return all
}

// Below returns an argument that is relative to dir as one that is relative to the working directory.
func Below(dir, arg string) string {
	joined := filepath.Join(dir, arg)
	_, err := os.Lstat(joined)
	ref, path, isGit := cutGit(arg)
	switch {
	case arg == "" || arg == stdinArg || filepath.IsAbs(arg):
		return arg
	case err == nil:
	case isGit:
		return gitPrefix + ref + ":" + filepath.ToSlash(filepath.Join(dir, path))
	case isModulePath(arg):
		return arg
	}
	return joined
}

// expand returns the arguments with each pattern replaced by the files that it matches, sorted. A shell does that, but the
// go command runs what a go:generate directive says without one. The name of an existing file is not a pattern, and a pattern that
// matches nothing stays, to be reported.
func expand(args []string) []string {
	var all []string
	for _, arg := range args {
		if !isPattern(arg) {
			all = append(all, arg)
			continue
		}
		if _, err := os.Lstat(arg); err == nil {
			all = append(all, arg)
			continue
		}
		matches, err := filepath.Glob(arg)
		if err != nil || len(matches) == 0 {
			all = append(all, arg)
			continue
		}
		slices.Sort(matches)
		all = append(all, matches...)
	}
	return all
}

// patternChars are the characters of a pattern that stand for others.
const patternChars = "*?["

func isPattern(arg string) bool { return strings.ContainsAny(arg, patternChars) }

// Identity returns a key that all names of a file share.
func Identity(name string) string {
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

// isManifest reports whether an entry of a directory is a YAML or JSON file, or a link to one. Reading a pipe could
// block, and a dangling link is mostly an editor's lock.
func isManifest(path string, d fs.DirEntry) bool {
	if !crdread.IsManifest(path) {
		return false
	}
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// isLinkToDirectory reports whether an entry of a directory is a link to a directory.
func isLinkToDirectory(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// CheckPattern returns an error if a pattern can match no path.
func CheckPattern(pattern string) error {
	if strings.Trim(pattern, "/") == "" {
		return errors.New("the pattern is empty")
	}
	_, err := path.Match(pattern, "")
	return err
}

// Excludes reports whether a pattern matches a part of a path: names of files or directories that follow one another.
func (a Args) Excludes(name string) bool {
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.ExcludeFrom, name)
	}
	names := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	return slices.ContainsFunc(a.Exclude, func(pattern string) bool {
		parts := strings.Split(path.Clean(filepath.ToSlash(pattern)), "/")
		for i := range names {
			if matchesStart(parts, names[i:]) {
				return true
			}
		}
		return false
	})
}

// matchesStart reports whether the parts of a pattern match the first of the names. The part ** matches any number of names.
func matchesStart(parts, names []string) bool {
	if len(parts) == 0 {
		return true
	}
	if parts[0] == "**" {
		for i := range len(names) + 1 {
			if matchesStart(parts[1:], names[i:]) {
				return true
			}
		}
		return false
	}
	if len(names) == 0 {
		return false
	}
	ok, err := path.Match(parts[0], names[0])
	return ok && err == nil && matchesStart(parts[1:], names[1:])
}

// hintForMissing returns what to do about a relative path that does not exist, "" if that is not known. In a go:generate
// directive, paths are relative to the directory of its file, and people count the steps up to the root wrong.
func hintForMissing(name string) string {
	switch {
	case name == "" || filepath.IsAbs(name):
		return ""
	case strings.Contains(name, "://"):
		return "nothing is downloaded: fetch it first, or name a path in a Go module, MODULE@VERSION/PATH"
	case !crdread.IsManifest(name) && commitOf(name) != "":
		return "did you mean git:" + name + "?"
	}
	parts := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	ups := 0
	for ups < len(parts) && parts[ups] == ".." {
		ups++
	}
	if ups == len(parts) {
		return ""
	}
	below := filepath.Join(parts[ups:]...)
	const most = 8
	for n := range most {
		there := filepath.Join(strings.Repeat("../", n), below)
		if n == ups {
			continue
		}
		if _, err := os.Stat(there); err == nil {
			return "did you mean " + there + "?"
		}
	}
	if strings.HasSuffix(filepath.ToSlash(below), "config/crd/bases") {
		return "controller-gen writes it: run make manifests first"
	}
	return ""
}
