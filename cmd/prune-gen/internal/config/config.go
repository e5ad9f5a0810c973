package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/fields"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

const (
	// Name is the name of the file that is looked for.
	Name = "prune-gen.yaml"
	// none is the value of --config for no file.
	none = "none"
)

// File is a configuration.
type File struct {
	Name     string    // relative to the working directory, "" if there is no file
	Settings []Setting // in the order of Keys
}

// Setting is a key that the file has.
type Setting struct {
	Key
	words []word
}

// word is a value that a flag is set to.
type word struct {
	text string
	at   yamltext.Pos
}

// Error is what is wrong with a file.
type Error struct{ Snippets []findings.Snippet }

func (e *Error) Error() string {
	f := e.Snippets[0]
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// Concerns reports whether a command uses a key.
func Concerns(cmd *cobra.Command) bool {
	return slices.ContainsFunc(Keys(), func(k Key) bool { return len(k.Commands([]*cobra.Command{cmd})) > 0 })
}

// AddFlag adds the flag --config to a command.
func AddFlag(cmd *cobra.Command) {
	cmd.Flags().String("config", "", "the `file` with values of flags, or none (default: "+Name+" here or, in a git repository, in a directory above)")
}

// Use is Apply in the working directory, for a command with the arguments that are typed. It prints what is wrong with the file, and
// returns cli.ErrConfig then.
func Use(env *cli.Environment, cmd *cobra.Command, typed []string) (*File, error) {
	f, err := Apply(cmd, ".")
	var wrong *Error
	if errors.As(err, &wrong) {
		findings.New(env.Stderr, findings.Options{Format: findings.Formats()[0], Palette: terminal.NewPalette("auto", env.StderrTerminal)}).Add(wrong.Snippets)
		return nil, cli.ErrConfig
	}
	if err == nil {
		env.Configured = f.Paths(cmd, typed)
	}
	return f, err
}

// Paths returns the paths that a command takes from the file, with their places. It leaves out those that are typed as well.
func (f *File) Paths(cmd *cobra.Command, typed []string) map[string]input.Place {
	all := map[string]input.Place{}
	for _, s := range f.Settings {
		if s.Kind != Paths || cmd.Flags().Changed(s.Flag) {
			continue
		}
		for _, w := range s.words {
			if !slices.Contains(typed, w.text) {
				all[w.text] = input.Place{File: f.Name, Line: w.at.Line, Column: w.at.Column}
			}
		}
	}
	return all
}

// Apply gives the values of the file that counts in dir to the flags of cmd that the command line does not set. It gives them to the other
// commands of the program, too, because their flags say whether the values are right: a file is right or wrong whatever command reads it.
func Apply(cmd *cobra.Command, dir string) (*File, error) {
	f := &File{}
	switch name := cmd.Flags().Lookup("config").Value.String(); name {
	case none:
	case "":
		f.Name = find(dir)
	default:
		f.Name = input.Below(dir, name)
	}
	if f.Name == "" {
		return f, nil
	}
	data, err := read(f.Name)
	if err != nil {
		return nil, err
	}
	data = yamltext.Decode(data)
	r := &reader{fields.New(meter.New(1), f.Name, findings.IDConfig), f}
	lines, _ := r.Document(data, Name, r.root)
	commands := []*cobra.Command{cmd}
	if cmd.HasParent() {
		commands = cmd.Root().Commands()
	}
	for _, s := range f.Settings {
		r.set(s, commands)
	}
	if found := r.Sorted(); len(found) > 0 {
		return nil, &Error{findings.Snippets(found, func(n int) []byte { return lines.Line(data, n) })}
	}
	return f, nil
}

// Arguments returns the arguments of a command: those of the file if the command line has none.
func (f *File) Arguments(cmd *cobra.Command, args []string) []string {
	for _, s := range f.Settings {
		if len(args) == 0 && s.isArgument(cmd) {
			for _, w := range s.words {
				args = append(args, w.text)
			}
		}
	}
	return args
}

// find returns the file in dir or, in a git repository, in the nearest directory above it, up to the root of the repository. It returns "" if
// there is none. Outside a repository, as in /tmp, other users may be able to write to the directories above.
func find(dir string) string {
	nearest := ""
	for here := dir; ; here = filepath.Join(here, "..") {
		if name := filepath.Join(here, Name); nearest == "" && exists(name) {
			nearest = name
		}
		if here == dir && nearest != "" || exists(filepath.Join(here, ".git")) {
			return nearest
		}
		this, err := os.Stat(here)
		if err != nil {
			return ""
		}
		if above, err := os.Stat(filepath.Join(here, "..")); err != nil || os.SameFile(this, above) {
			return ""
		}
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// read returns the text of a file.
func read(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
	case !info.Mode().IsRegular(): // reading a pipe could block
		err = errors.New("not a regular file")
	case info.Size() > meter.Config:
		err = errors.New("larger than 1 MiB")
	default:
		var data []byte
		if data, err = os.ReadFile(name); err == nil {
			return data, nil
		}
	}
	if pathErr := (*os.PathError)(nil); errors.As(err, &pathErr) {
		err = pathErr.Err // the message has the name already
	}
	return nil, cli.Usagef("%s: %v", name, err)
}

// reader reads the nodes of a file.
type reader struct {
	*fields.Decoder
	file *File
}

func (r *reader) root(n *yamltext.Node) {
	if n.IsNull() {
		return // there are only comments
	}
	known := map[string]func(*yamltext.Node){}
	for _, k := range Keys() {
		known[k.Name] = func(*yamltext.Node) {}
	}
	r.Fields(n, "a configuration", known)
	for _, k := range Keys() {
		if e := n.Get(k.Name); e != nil && !e.Value.IsNull() {
			r.file.Settings = append(r.file.Settings, Setting{k, r.words(k.Kind, e.Value)})
		}
	}
}

// words reads the value of a key.
func (r *reader) words(kind Kind, n *yamltext.Node) (all []word) {
	one := func(n *yamltext.Node) { all = append(all, word{fmt.Sprint(n.Value()), n.Pos}) }
	text := func(n *yamltext.Node) {
		switch s := n.Str(); {
		case n.Kind != yamltext.String:
			r.WrongHint(n.Pos, n.QuoteHint(), "got %s, want a string", n.Describe())
		case kind == Paths && s == "":
			r.Wrong(n.Pos, "the path is empty")
		case (kind == Path || kind == Paths) && s == "-":
			r.Wrong(n.Pos, "standard input cannot be named here")
		case kind == Path || kind == Paths:
			all = append(all, word{input.Below(filepath.Dir(r.File), s), n.Pos})
		default:
			one(n)
		}
	}
	switch kind {
	case Bool, Number:
		if kind == Bool && n.Kind == yamltext.Bool || kind == Number && (n.Kind == yamltext.Int || n.Kind == yamltext.Float) {
			one(n)
		} else {
			r.Wrong(n.Pos, "got %s, want %s", n.Describe(), kind)
		}
	case Text, Path:
		text(n)
	case Texts, Paths:
		r.Each(n, text)
	case IDs:
		r.Each(n, func(n *yamltext.Node) {
			var id, reason string
			r.Fields(n, "an id with a reason", map[string]func(*yamltext.Node){"id": r.Text(&id), "reason": r.Text(&reason)})
			switch {
			case n.Kind != yamltext.Map:
			case n.Child("id").IsNull():
				r.WrongHint(n.Pos, "add id: loss/object, for example", "no id is named")
			case n.Child("reason").IsNull() || n.Child("reason").Kind == yamltext.String && strings.TrimSpace(reason) == "":
				r.WrongHint(n.Pos, "add reason: and why its findings do not matter here", "the id is disabled without a reason")
			case n.Child("id").Kind == yamltext.String:
				one(n.Child("id"))
			}
		})
	case Severities:
		if n.Kind != yamltext.Map {
			r.Wrong(n.Pos, "got %s, want %s", n.Describe(), kind)
		}
		// The flag takes the last pattern that matches an id.
		for _, e := range slices.SortedFunc(slices.Values(n.Entries), compareSpecific) {
			if e.Value.Kind != yamltext.String {
				r.WrongHint(e.Value.Pos, "disable leaves out the findings with an id", "got %s, want error or warning", e.Value.Describe()) // off is a boolean
				continue
			}
			all = append(all, word{e.Key + "=" + e.Value.Str(), e.Pos})
		}
	}
	return all
}

var wildcard = regexp.MustCompile(`\[[^\]]*\]|[*?]`)

// compareSpecific orders patterns of ids by how many characters they name. The keys of a map have no order.
func compareSpecific(a, b yamltext.Entry) int {
	named := func(e yamltext.Entry) int { return len(wildcard.ReplaceAllString(e.Key, "")) }
	return cmp.Or(cmp.Compare(named(a), named(b)), cmp.Compare(len(b.Key), len(a.Key)), cmp.Compare(a.Key, b.Key))
}

// set gives the value of a key to the flags that the command line does not set.
func (r *reader) set(s Setting, commands []*cobra.Command) {
	for _, w := range s.words {
		for _, f := range s.flags(commands) {
			if f.Changed {
				continue
			}
			if err := setFlag(f.Value, w.text); err != nil {
				r.Wrong(w.at, "%s: %v", s.Name, err)
				break
			}
			if of, ok := f.Value.(interface{ RelativeTo(dir string) }); ok {
				of.RelativeTo(filepath.Dir(r.File))
			}
		}
	}
}

// setFlag sets the value of a flag, or adds to it if it is a list. A path can have a comma in it, which separates values on a command line.
func setFlag(v pflag.Value, text string) error {
	if list, ok := v.(pflag.SliceValue); ok {
		return list.Append(text)
	}
	return v.Set(text)
}
