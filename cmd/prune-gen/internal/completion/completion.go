// Package completion writes scripts that complete command lines of prune-gen in a shell.
package completion

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
)

// Command is a command with its flags.
type Command struct {
	Name, Summary string
	Flags         *cli.Flags
}

// Shells returns the shells that there are scripts for.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Write writes the script for one of Shells.
func Write(w io.Writer, shell string, commands []Command) error {
	var b strings.Builder
	switch shell {
	case "bash":
		writeBash(&b, commands)
	case "zsh":
		writeZsh(&b, commands)
	case "fish":
		writeFish(&b, commands)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// flag is a flag as scripts need it.
type flag struct {
	name, usage string
	takes       bool     // a value
	words       []string // the values that are known
	list        bool     // of values, separated by commas, and the flag can be repeated
	files       bool     // the value is a path, or a list of paths
}

// flagsOf returns the flags of a command, and --help.
func flagsOf(c Command) []flag {
	var all []flag
	c.Flags.VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		usage, _, _ = strings.Cut(usage, ": ") // a menu has little room
		usage, _, _ = strings.Cut(usage, "; ")
		_, many := f.Value.(pflag.SliceValue)
		all = append(all, flag{
			name: f.Name, usage: usage, takes: f.NoOptDefVal == "", words: cli.WordsOf(f), list: many,
			files: slices.Contains([]string{"directory", "directories", "file", "files"}, value),
		})
	})
	return append(all, flag{name: "help", usage: "print the manual"})
}

func names(commands []Command) string {
	var all []string
	for _, c := range commands {
		all = append(all, c.Name)
	}
	return strings.Join(all, " ")
}

// writeBash writes a function like this:
//
//	_prune_gen() {
//		...
//		case ${COMP_WORDS[1]} in
//		lint)
//			flags="--output --strict"
//			case $prev in
//			--output) words="text json" ;;
//			esac ;;
//		esac
//		...
//	}
func writeBash(b *strings.Builder, commands []Command) {
	b.WriteString(`# Completion for bash. To load it: source <(prune-gen completion bash)

_prune_gen() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} flags="" words="" args="" before="" value=""
	COMPREPLY=()
	# bash takes --flag=value for three words.
	if [[ $cur == "=" ]]; then
		cur=""
	elif [[ $prev == "=" ]]; then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	if (( COMP_CWORD == 1 )); then
`)
	fmt.Fprintf(b, "\t\tCOMPREPLY=($(compgen -W %s -- \"$cur\"))\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n", quote(names(commands)+" --help --version"))
	for _, c := range commands {
		fmt.Fprintf(b, "\t%s)\n", c.Name)
		var flags []string
		var cases strings.Builder
		for _, f := range flagsOf(c) {
			flags = append(flags, "--"+f.name)
			switch {
			case len(f.words) > 0 && f.list:
				fmt.Fprintf(&cases, "\t\t--%s) words=%s before=list ;;\n", f.name, quote(strings.Join(f.words, " ")))
			case len(f.words) > 0:
				fmt.Fprintf(&cases, "\t\t--%s) words=%s ;;\n", f.name, quote(strings.Join(f.words, " ")))
			case f.files:
				fmt.Fprintf(&cases, "\t\t--%s) return ;;\n", f.name)
			case f.takes:
				fmt.Fprintf(&cases, "\t\t--%s) value=unknown ;;\n", f.name)
			}
		}
		fmt.Fprintf(b, "\t\tflags=%s\n", quote(strings.Join(flags, " ")))
		if words := c.Flags.ArgWords(); len(words) > 0 {
			fmt.Fprintf(b, "\t\targs=%s\n", quote(strings.Join(words, " ")))
		}
		if cases.Len() > 0 {
			fmt.Fprintf(b, "\t\tcase $prev in\n%s\t\tesac\n", &cases)
		}
		b.WriteString("\t\t;;\n")
	}
	b.WriteString(`	esac
	if [[ $value == unknown ]]; then
		compopt +o default +o bashdefault 2>/dev/null
		return
	fi
	if [[ $before == list ]]; then
		before=""
		if [[ $cur == *,* ]]; then
			before=${cur%,*},
		fi
		COMPREPLY=($(compgen -P "$before" -W "$words" -- "${cur##*,}"))
	elif [[ -n $words ]]; then
		COMPREPLY=($(compgen -W "$words" -- "$cur"))
	elif [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$cur"))
	elif [[ -n $args ]]; then
		COMPREPLY=($(compgen -W "$args" -- "$cur"))
	fi
	# Everything else is a file.
}

complete -o bashdefault -o default -F _prune_gen prune-gen
`)
}

// writeZsh writes a function that describes commands to _describe and flags to _arguments.
func writeZsh(b *strings.Builder, commands []Command) {
	b.WriteString("#compdef prune-gen\n# Completion for zsh. To load it: source <(prune-gen completion zsh)\n\n_prune_gen() {\n\tlocal -a commands=(\n")
	for _, c := range commands {
		fmt.Fprintf(b, "\t\t%s\n", quote(c.Name+":"+strings.ReplaceAll(c.Summary, ":", `\:`)))
	}
	b.WriteString("\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n" +
		"\tlocal command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n")
	describe := strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`)
	for _, c := range commands {
		fmt.Fprintf(b, "\t%s)\n\t\t_arguments", c.Name)
		for _, f := range flagsOf(c) {
			spec := "--" + f.name
			if f.list {
				spec = "*" + spec
			}
			if f.takes {
				spec += "="
			}
			spec += "[" + describe.Replace(f.usage) + "]"
			switch {
			case len(f.words) > 0 && f.list:
				spec += ":" + f.name + ":_sequence compadd - " + strings.Join(f.words, " ")
			case len(f.words) > 0:
				spec += ":" + f.name + ":(" + strings.Join(f.words, " ") + ")"
			case f.files:
				spec += ":" + f.name + ":_files"
			case f.takes:
				spec += ":" + f.name + ":"
			}
			fmt.Fprintf(b, " \\\n\t\t\t%s", quote(spec))
		}
		args := "*:file:_files"
		if words := c.Flags.ArgWords(); len(words) > 0 {
			args = "1:argument:(" + strings.Join(words, " ") + ")"
		}
		fmt.Fprintf(b, " \\\n\t\t\t%s\n\t\t;;\n", quote(args))
	}
	b.WriteString("\tesac\n}\n\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n\t_prune_gen \"$@\"\nelse\n\tcompdef _prune_gen prune-gen\nfi\n")
}

// writeFish writes a line for each command and each flag.
func writeFish(b *strings.Builder, commands []Command) {
	b.WriteString("# Completion for fish. To load it: prune-gen completion fish | source\n\n")
	for _, c := range commands {
		fmt.Fprintf(b, "complete -c prune-gen -n __fish_use_subcommand -f -a %s -d %s\n", c.Name, fishQuote(c.Summary))
	}
	for _, c := range commands {
		when := fishQuote("__fish_seen_subcommand_from " + c.Name)
		b.WriteString("\n")
		for _, f := range flagsOf(c) {
			fmt.Fprintf(b, "complete -c prune-gen -n %s -l %s", when, f.name)
			switch {
			case len(f.words) > 0 && f.list:
				// (__fish_append , ...) completes the part after the last comma.
				fmt.Fprintf(b, " -x -a %s", fishQuote("(__fish_append , "+strings.Join(f.words, " ")+")"))
			case len(f.words) > 0:
				fmt.Fprintf(b, " -x -a %s", fishQuote(strings.Join(f.words, " ")))
			case f.files:
				b.WriteString(" -r -F")
			case f.takes:
				b.WriteString(" -x")
			}
			fmt.Fprintf(b, " -d %s\n", fishQuote(f.usage))
		}
		if words := c.Flags.ArgWords(); len(words) > 0 {
			fmt.Fprintf(b, "complete -c prune-gen -n %s -f -a %s\n", when, fishQuote(strings.Join(words, " ")))
		}
	}
}

// quote returns s as one word of bash or zsh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// fishQuote returns s as one word of fish.
func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
