// Package lspcmd is the command lsp: a language server, which answers in editors as the other commands do at the shell. It decides nothing
// about Kubernetes.
package lspcmd

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/validatecmd"
	"github.com/prune-gen/prune-gen/internal/answer/builtin"
	"github.com/prune-gen/prune-gen/internal/editor/lsp"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd, _ := newCommand()
	cmd.RunE = func(*cobra.Command, []string) error {
		if env.StdoutTerminal {
			fmt.Fprintln(env.Stderr, "prune-gen: editors start this command, and talk to it on standard input and output; Ctrl-D ends it")
		}
		err := lsp.Serve(env.Stdin, flusher{env.Stdout}, env.Stderr, func(c *lsp.Conn) lsp.Handler { return newServer(env, c, cmd).handler() })
		if errors.Is(err, lsp.ErrNoShutdown) {
			return cli.ErrFindings // the protocol wants the exit status 1, and nobody reads a message
		}
		return err
	}
	return cmd
}

// settings are the values of the flags.
type settings struct {
	how     *cli.FindingFlags
	objects *validatecmd.Flags
	crds    []string
	builtin string
	pause   time.Duration
	places  map[string]input.Place // of paths in prune-gen.yaml
}

// newCommand returns the command without its work, and where the values of its flags are.
func newCommand() (*cobra.Command, *settings) {
	cmd := &cobra.Command{
		Use:   "lsp [flags]",
		Short: "answer in editors while people type: a language server",
		Long: `Answer in editors, on standard input and output, in the Language Server Protocol: what validate says about manifests, what lint says
about CRDs, and which cases of suites fail; completion, the documentation of fields, quick fixes, and the way from a field to its CRD.
The CRDs are those of --crd or prune-gen.yaml, and for other kinds those in the files of the workspace, read again when they change. Objects of
other kinds are left alone, and so are templates. Built-in kinds are answered for by prune-gen-builtin, as for validate.`,
		Example: `  # what an editor runs, in the root of the workspace
  prune-gen lsp
  # with CRDs that are elsewhere, for the server that runs in production
  prune-gen lsp --crd sigs.k8s.io/gateway-api@v1.2.0/config/crd/standard --kubernetes 1.34`,
	}
	cli.NoArguments(cmd)
	s := &settings{how: cli.AddIDFlags(cmd, cli.MuteErrors)}
	cli.AddKubernetes(cmd, &s.how.Kubernetes)
	f := cmd.Flags()
	f.StringSliceVar(&s.crds, "crd", nil, "`files` and directories with CRDs, besides those in the workspace; can be repeated")
	f.StringVar(&s.builtin, "builtin", "", "the `program` that answers for built-in kinds; none for none (default: "+builtin.Name+", beside prune-gen or on the PATH)")
	s.objects = validatecmd.AddFlags(cmd, s.how)
	f.DurationVar(&s.pause, "pause", 150*time.Millisecond, "how long to wait for more typing before a text is judged")
	config.AddFlag(cmd)
	return cmd, s
}

// configured returns the settings of prune-gen.yaml with those that are typed in its place, and the file.
func configured(typed *cobra.Command) (*settings, *config.File, error) {
	cmd, s := newCommand()
	typed.Flags().Visit(func(f *pflag.Flag) {
		to := cmd.Flags().Lookup(f.Name)
		to.Changed = true
		switch from := f.Value.(type) {
		case pflag.SliceValue:
			to.Value.(pflag.SliceValue).Replace(from.GetSlice())
		case interface{ GetSlice() []string }:
			for _, one := range from.GetSlice() {
				to.Value.Set(one)
			}
		default:
			to.Value.Set(from.String())
		}
	})
	file, err := config.Apply(cmd, ".")
	if err == nil {
		s.places = file.Paths(cmd, nil)
	}
	return s, file, err
}

// flusher flushes after each write: a client waits for it.
type flusher struct {
	out interface {
		Write([]byte) (int, error)
		Flush() error
	}
}

func (f flusher) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	if err == nil {
		err = f.out.Flush()
	}
	return n, err
}
