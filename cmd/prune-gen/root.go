package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// newRoot returns the command prune-gen with all its commands, in the order in which help prints them.
func newRoot(env *cli.Environment) *cobra.Command {
	cobra.EnableCommandSorting = false
	root := &cobra.Command{
		Use:   "prune-gen <command> [flags] FILE...",
		Short: "validate custom resources as the Kubernetes API server does, without one",
		Long: `CRDs and manifests are in files, directories, or - for standard input.
Run 'prune-gen help COMMAND' for the flags of a command.

Exit status: 0 success, 1 an error in the input, 2 an error in the command line or in prune-gen.yaml, 3 a bug in prune-gen.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
	}
	if name, found := strings.CutPrefix(strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"), "kubectl-"); found {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl " + name} // as a plugin
		root.CompletionOptions.DisableDefaultCmd = true                                             // kubectl completes its plugins itself
	}
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	for _, command := range commands {
		root.AddCommand(command(env))
	}
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	root.SetUsageFunc(printUsage)
	root.SetHelpFunc(printManual)
	root.SetFlagErrorFunc(cli.FlagError)
	root.PersistentFlags().BoolP("help", "h", false, "print the manual")
	root.Flags().Bool("version", false, "print the version")
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Use = "completion bash|zsh|fish|powershell"
			c.Short = "print a script that completes command lines in bash, zsh, fish or PowerShell"
			c.Long = "Print a script that completes command lines in a shell: commands, flags and their values."
			c.Example = `  # for this session of bash, which needs the package bash-completion
  source <(prune-gen completion bash)
  # for every session of zsh
  prune-gen completion zsh >"${fpath[1]}/_prune-gen"
  # for every session of fish
  prune-gen completion fish >~/.config/fish/completions/prune-gen.fish
  # for this session of PowerShell
  prune-gen completion powershell | Out-String | Invoke-Expression`
		case "help":
			c.Use, c.Short = "help [COMMAND]", "print the manual of a command"
			c.Long = "Print the manual of a command, or of prune-gen itself."
			c.Example = "  # the manual of a command\n  prune-gen help lint"
			c.RunE = func(_ *cobra.Command, args []string) error {
				cmd, rest, err := root.Find(args)
				if err != nil || len(rest) == 0 {
					return cmd.Help()
				}
				return chooseCommand(cmd, rest)
			}
		}
	}
	complete(env, root)
	return root
}

// complete adds to a command, and to those below it, what all commands have in common.
func complete(env *cli.Environment, cmd *cobra.Command) {
	if cmd.HasSubCommands() {
		cmd.Args = chooseCommand
		cmd.RunE = printVersion // cobra checks the arguments of commands that can run; only prune-gen --version passes
		cmd.SuggestionsMinimumDistance = 2
	}
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) (err error) {
			cmd.Flags().Visit(func(f *pflag.Flag) {
				if value := strings.TrimPrefix(f.Value.String(), "["); strings.HasPrefix(value, "--") {
					err = cli.Usagef("--%s needs a value, and %s looks like a flag", f.Name, strings.TrimSuffix(value, "]"))
				}
			})
			if err != nil {
				return err
			}
			return cli.AsUsage(check(cmd, args))
		}
	}
	if config.Concerns(cmd) && cmd.Flags().Lookup("config") == nil { // a command that has the flag reads the file itself
		configure(env, cmd)
	}
	cmd.DisableFlagsInUseLine = true // Use has them
	cmd.Flags().SortFlags = false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch value, _ := pflag.UnquoteUsage(f); value {
		case "file", "files", "directory", "directories":
		default:
			cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions) // fails if the flag has completions already
		}
	})
	for _, c := range cmd.Commands() {
		complete(env, c)
	}
}

// printUsage prints how to call a command. It and printManual are functions, not templates: with text/template in the program, the
// linker keeps every method that anything has, which is 3 MB.
func printUsage(cmd *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s", cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n\nCommands:")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				fmt.Fprintf(&b, "\n  %-*s %s", c.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	_, err := fmt.Fprintln(cmd.OutOrStderr(), b.String())
	return err
}

// printManual prints the manual of a command, which begins with examples.
func printManual(cmd *cobra.Command, _ []string) {
	var b strings.Builder
	name := cmd.Root().CommandPath() // that of a plugin is another
	b.WriteString(cmd.UsageString())
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.ReplaceAll(cmd.Example, "prune-gen ", name+" "))
	}
	if cmd.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.ReplaceAll(strings.TrimRight(cmd.Long, " \n"), "'prune-gen ", "'"+name+" "))
	}
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprintf(&b, "\nFlags:\n%s", cmd.LocalFlags().FlagUsages())
	}
	fmt.Fprint(cmd.OutOrStdout(), b.String())
}

// configure makes a command take values from prune-gen.yaml, before it checks its arguments.
func configure(env *cli.Environment, cmd *cobra.Command) {
	config.AddFlag(cmd)
	check, run := cmd.Args, cmd.RunE
	var args []string
	cmd.Args = func(cmd *cobra.Command, typed []string) error {
		file, err := config.Use(env, cmd, typed)
		if err != nil {
			return err
		}
		args = file.Arguments(cmd, typed)
		return check(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return run(cmd, args) }
}

// chooseCommand returns the error for a command line that does not name one of the commands of cmd.
func chooseCommand(cmd *cobra.Command, args []string) error {
	if version, err := cmd.Flags().GetBool("version"); err == nil && version && len(args) == 0 {
		return nil
	}
	if len(args) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), cmd.UsageString())
		if cmd.HasParent() {
			return cli.Usagef("no shell given")
		}
		return cli.Usagef("no command given")
	}
	return &cli.UsageError{Message: fmt.Sprintf("unknown command %q", args[0]), Hint: cli.SuggestCommand(cmd, args[0])}
}

// versionCommand returns the command version.
func versionCommand(*cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version of prune-gen and of the Kubernetes it mirrors",
		Long:  "Print the version of prune-gen, of the Go it was built with, and of the Kubernetes it mirrors.",
		Example: `  # for a bug report
  prune-gen version`,
		RunE: printVersion,
	}
	cli.NoArguments(cmd)
	return cmd
}

// mirrored is the version of k8s.io/apiextensions-apiserver that prune-gen behaves like.
const mirrored = "v0.37.2"

// printVersion prints the versions that a bug report needs.
func printVersion(cmd *cobra.Command, _ []string) error {
	var known []string
	for _, v := range kubeversion.Known() {
		known = append(known, v.String())
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "prune-gen %s%s\nbuilt with %s for %s/%s\nmirrors k8s.io/apiextensions-apiserver %s, Kubernetes %s; with --kubernetes %s\n",
		cli.BuildVersion(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH, mirrored, strings.Replace(mirrored, "v0.", "v1.", 1), cli.OneOf(known))
	return err
}

// commit returns the commit that this program was built from, if the go command knew it.
func commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return ", commit " + s.Value
			}
		}
	}
	return ""
}
