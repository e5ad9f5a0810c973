// Package configcmd is the command config.
package configcmd

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "print the values that prune-gen.yaml gives to flags, and where they come from",
		Long: `Print the values that flags have if the command line does not set them, each with the line of prune-gen.yaml
that it comes from, or with the word default. The output could replace the file: paths are relative to it.
The file is looked for in the working directory and, in a git repository, in those above it, up to the root of the
repository. Its keys have the names of flags, except crds, which has the values of --crd. Paths in it are relative
to it. A flag on the command line replaces the value of the file, also if it is a list.`,
		Example: `  # the effective values and their sources
  prune-gen config
  # a JSON Schema of the file, for editors
  prune-gen config --schema >prune-gen.schema.json
  # without the file
  prune-gen lint --config none crds`,
	}
	cli.NoArguments(cmd)
	config.AddFlag(cmd)
	schema := cmd.Flags().Bool("schema", false, "print a JSON Schema of the file")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *schema {
			return terminal.WriteJSON(env.Stdout, config.Schema(cmd.Root().Commands()))
		}
		f, err := config.Use(env, cmd, nil)
		if err != nil {
			return err
		}
		var out io.Writer = env.Stdout
		if env.StdoutTerminal {
			out = terminal.NewWriter(env.Stdout)
		}
		fmt.Fprintf(out, "# %s\n", f.Where())
		e := yaml.NewEncoder(out)
		e.SetIndent(2)
		if err := e.Encode(f.Effective(cmd.Root().Commands())); err != nil {
			return err
		}
		return e.Close()
	}
	return cmd
}
