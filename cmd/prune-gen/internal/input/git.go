package input

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
)

// gitPrefix begins an argument that names files of a git repository at a commit: git:REF, or git:REF:PATH.
const gitPrefix = "git:"

// cutGit returns the parts of such an argument.
func cutGit(arg string) (ref, path string, ok bool) {
	rest, ok := strings.CutPrefix(arg, gitPrefix)
	ref, path, _ = strings.Cut(rest, ":")
	return ref, path, ok
}

// PathInRevision returns the path of a file git:REF:PATH. It reports false for other files.
func PathInRevision(name string) (path string, ok bool) {
	_, path, ok = cutGit(name)
	return path, ok
}

// IsRevision reports whether an argument is git:REF, without a path.
func IsRevision(arg string) bool {
	ref, path, ok := cutGit(arg)
	return ok && ref != "" && path == ""
}

// IsCheckedOut reports whether an argument names files of the commit that is checked out.
func IsCheckedOut(arg string) bool {
	ref, _, ok := cutGit(arg)
	return ok && commitOf(ref) != "" && commitOf(ref) == commitOf("HEAD")
}

// commitOf returns the commit of a revision, "" if git knows none.
func commitOf(ref string) string {
	commit, _ := git("rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	return string(commit)
}

// WithPath returns an argument git:REF with the path of another argument. It returns other arguments as
// they are.
func WithPath(arg, other string) string {
	if !IsRevision(arg) {
		return arg
	}
	if _, of, isGit := cutGit(other); isGit {
		other = of
	}
	if other == "" || other == stdinArg {
		return arg
	}
	return strings.TrimSuffix(arg, ":") + ":" + filepath.ToSlash(other)
}

// listGit returns the files that an argument names: the file of this path, or the manifests of a directory, or those that a pattern
// matches. Paths are relative to the working directory, as for other arguments.
func listGit(arg string, args Args) []file {
	ref, path, _ := cutGit(arg)
	fail := func(err error) []file { return []file{{name: arg, err: err}} }
	if ref == "" || strings.HasPrefix(ref, "-") {
		return fail(fmt.Errorf("%q is not a revision: write git:REF or git:REF:PATH, as in git:main:config/crd", ref))
	}
	commit, err := git("rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return fail(err)
	}
	switch branch := strings.TrimPrefix(ref, "origin/"); {
	case len(commit) > 0:
	case ref == "HEAD" && args.Earlier:
		return nil // before the first commit, everything is new
	case ref == "HEAD":
		return fail(errors.New("there is no commit yet"))
	case strings.ContainsAny(ref, "~^@"):
		return fail(fmt.Errorf("git knows no revision %s here: in a shallow clone, run git fetch --unshallow first", ref))
	default: // a fetch by name need not set origin/NAME
		return fail(fmt.Errorf("git knows no revision %s here: in a shallow clone, run git fetch --depth 1 origin %s, and write git:FETCH_HEAD", ref, branch))
	}
	path = fromHere(path)
	inTree := func(root string, matches func(name string) (matched, named bool)) (all []file, err error) {
		listed, err := git("ls-tree", "-r", "-z", "--end-of-options", strings.TrimSpace(string(commit)), root)
		for _, entry := range strings.Split(string(listed), "\x00") {
			about, name, _ := strings.Cut(entry, "\t")
			parts := strings.Fields(about) // mode, type, object
			isFile := len(parts) == 3 && parts[1] == "blob" && !strings.HasPrefix(parts[0], "12")
			matched, named := matches(name)
			if !isFile || !matched || !named && (!crdread.IsManifest(name) || args.Excludes(name)) {
				continue
			}
			all = append(all, file{name: gitPrefix + ref + ":" + name, listed: !named, open: func() (io.ReadCloser, error) { return openGit(parts[2]) }})
		}
		return all, err
	}
	all, err := inTree(path, func(name string) (matched, named bool) { return true, name == path })
	if len(all) == 0 && err == nil && isPattern(path) { // the name of an existing file is not a pattern
		root, _ := filepath.Split(path[:strings.IndexAny(path, patternChars)])
		all, err = inTree(cmp.Or(root, "."), func(name string) (matched, named bool) { return matchesAbove(path, name) })
	}
	switch {
	case err != nil:
		return fail(err)
	case len(all) == 0 && !args.Earlier:
		return fail(fmt.Errorf("no manifest in %s at the revision %s: write git:%[2]s:PATH for another path", path, ref))
	}
	return all
}

// fromHere returns a path as git has it: with slashes, and as it is seen from the working directory.
func fromHere(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if relative, err := filepath.Rel(dir, path); err == nil {
			path = relative
		}
	}
	return filepath.ToSlash(path)
}

// matchesAbove reports whether a pattern matches a file, or a directory above it, and whether it is the file.
func matchesAbove(pattern, name string) (matched, named bool) {
	depth := strings.Count(pattern, "/") + 1
	names := strings.Split(name, "/")
	if len(names) < depth {
		return false, false
	}
	ok, err := path.Match(pattern, strings.Join(names[:depth], "/"))
	return ok && err == nil, len(names) == depth
}

// gitCommand returns a git command that never fetches: the configuration of a repository could make a fetch run any command.
func gitCommand(args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	return cmd
}

// git returns what the git command prints.
func git(args ...string) ([]byte, error) {
	cmd := gitCommand(args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	return out, gitError(err, stderr.String())
}

// gitError returns an error of the git command with its output.
func gitError(err error, said string) error {
	said = firstLine(said)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("the git command is not installed: check out the revision into a directory, and name that")
	case errors.As(err, &exit) && said == "":
		return nil // it found nothing
	case errors.As(err, &exit):
		return fmt.Errorf("git: %s", said)
	}
	return fmt.Errorf("git: %w", err)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// openGit opens an object of the repository.
func openGit(object string) (io.ReadCloser, error) {
	cmd := gitCommand("cat-file", "blob", object)
	f := &gitFile{cmd: cmd}
	cmd.Stderr = &f.stderr
	var err error
	if f.out, err = cmd.StdoutPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, gitError(err, "")
	}
	return f, nil
}

// gitFile is an object that the git command prints.
type gitFile struct {
	cmd    *exec.Cmd
	out    io.ReadCloser
	stderr bytes.Buffer
	end    error // what Read returns at the end
}

// Read returns an error if the command fails: an object that the clone does not have is not an empty file.
func (f *gitFile) Read(p []byte) (int, error) {
	if f.end != nil {
		return 0, f.end
	}
	n, err := f.out.Read(p)
	if f.end = err; err == io.EOF {
		if failed := f.cmd.Wait(); failed != nil {
			f.end = fmt.Errorf("git: %s; in a partial clone, fetch the file first", cmp.Or(firstLine(f.stderr.String()), failed.Error()))
		}
	}
	return n, f.end
}

// Close ends the command, which may still be writing if the file was not read to its end.
func (f *gitFile) Close() error {
	f.out.Close()
	f.cmd.Wait()
	return nil
}
