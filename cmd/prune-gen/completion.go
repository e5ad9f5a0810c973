package main

import (
	"slices"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/completion"
)

const completionAbout = `Print a script that completes command lines in a shell: commands, flags and their values.`

// runCompletion prints the script for a shell.
func runCompletion(env *cli.Environment, args []string) error {
	fl := cli.NewFlags("completion", "bash|zsh|fish", completionAbout)
	fl.SetArgWords(completion.Shells()...)
	fl.SetExamples(
		cli.Example{Does: "for this session of bash", Line: "source <(prune-gen completion bash)"},
		cli.Example{Does: "for every session of zsh", Line: `prune-gen completion zsh >"${fpath[1]}/_prune-gen"`},
		cli.Example{Does: "for every session of fish", Line: "prune-gen completion fish >~/.config/fish/completions/prune-gen.fish"},
	)
	args, err := fl.Parse(env, args)
	if err != nil {
		return err
	}
	if len(args) != 1 || !slices.Contains(completion.Shells(), args[0]) {
		return fl.Errorf("want one shell: %s", cli.OneOf(completion.Shells()))
	}
	return completion.Write(env.Stdout, args[0], describe())
}

// describe returns all commands with their flags.
func describe() []completion.Command {
	var all []completion.Command
	for _, c := range commands() {
		// A command that is asked to describe itself does nothing else.
		c.run(&cli.Environment{Describe: func(f *cli.Flags) {
			all = append(all, completion.Command{Name: c.name, Summary: c.summary, Flags: f})
		}}, nil)
	}
	return all
}
