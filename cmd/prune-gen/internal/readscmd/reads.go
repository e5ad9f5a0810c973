// Package readscmd is the command reads.
package readscmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/keeplist"
	"github.com/prune-gen/prune-gen/internal/reads"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reads [flags] PACKAGE...",
		Short: "print the fields of Kubernetes objects that a Go program reads",
		Long: `Print the fields that a Go program can read of the Kubernetes objects that it gets from caches and clients,
each with the first place that reads it. A cache needs no others.
A PACKAGE is one of a main package, as for the go command. For other packages, everything that they export is called.
The result may have too many fields, but not too few: an object that is passed to a function whose source is not
followed is read whole, unless the function is known. Below "written" are the places that send whole objects.
Files for other build tags or systems, assembly, cgo, plugins, and code that reflection finds by name at run time are
not seen.
The go command must be able to list the packages; the packages must compile.`,
		Example: `  # all types of objects
  prune-gen reads ./cmd/manager
  # Pods only
  prune-gen reads --type core/v1.Pod ./cmd/manager
  # a list for prune-gen project
  prune-gen reads --type core/v1.Pod --write pod.keep ./cmd/manager`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("no package given")
			}
			return nil
		},
	}
	var c reads.Config
	cmd.Flags().StringSliceVar(&c.Types, "type", nil, "only these `types`, such as k8s.io/api/core/v1.Pod or Pod")
	cmd.Flags().StringSliceVar(&c.Tags, "tags", nil, "build `tags`")
	list := cmd.Flags().String("write", "", "write a keep-list for prune-gen project to this `file`, for the one type that --type names; the lines above a list of an earlier call stay")
	format := cli.AddChoice(cmd, "output", "the format", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *list != "" && len(c.Types) != 1 {
			return cli.Usagef("--write needs one --type")
		}
		c.Patterns, c.Progress = args, env.Progress.Show
		result, err := reads.Find(cmd.Context(), c)
		env.Progress.Erase()
		switch {
		case err != nil:
			return err
		case len(result.Types) == 0:
			return errors.New("the program gets no Kubernetes objects from a cache or a client that is known; name types with --type")
		case *list != "":
			return write(*list, result.Types[0])
		case format.Value == "json":
			return terminal.WriteJSON(env.Stdout, result)
		}
		for i, t := range result.Types {
			if i > 0 {
				fmt.Fprintln(env.Stdout)
			}
			print(env.Stdout, t)
		}
		return nil
	}
	return cmd
}

// write writes a keep-list.
func write(file string, t reads.Type) error {
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tree, err := output.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer tree.Close()
	return tree.Write([]*output.File{tree.File(filepath.Base(file), []byte(keeplist.Write(string(old), t)))})
}

// print prints what is known about a type.
func print(w io.Writer, t reads.Type) {
	fmt.Fprintf(w, "%s: %d of %d fields", terminal.Escape(t.Name), t.Read, t.Fields)
	if t.Kept > t.Read {
		fmt.Fprintf(w, ", %d with those that are written", t.Kept)
	}
	fmt.Fprintln(w)
	rows(w, t.Reads)
	if len(t.Writes) > 0 {
		fmt.Fprintln(w, "written:")
		rows(w, t.Writes)
	}
}

func rows(w io.Writer, all []reads.Read) {
	width := 0
	for _, r := range all {
		width = max(width, terminal.Cells(path(r)))
	}
	for _, r := range all {
		fmt.Fprintf(w, "  %-*s  %s", width, path(r), terminal.Escape(cmp.Or(r.Via, r.Place)))
		if r.Why != "" {
			fmt.Fprintf(w, ": %s", terminal.Escape(r.Why))
			if r.Via != "" {
				fmt.Fprintf(w, " at %s", terminal.Escape(r.Place))
			}
		}
		if r.Hint != "" {
			fmt.Fprintf(w, "; %s", r.Hint)
		}
		fmt.Fprintln(w)
	}
}

func path(r reads.Read) string { return terminal.Escape(cmp.Or(r.Path, "all")) }
