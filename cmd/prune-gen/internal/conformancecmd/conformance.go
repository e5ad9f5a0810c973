// Package conformancecmd is the command conformance.
package conformancecmd

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/interrupt"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/conformance"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// judge compares a program with API servers.
type judge struct {
	env        *cli.Environment
	kubernetes kubeversion.Version
	levels     []string
	known      string
	update     bool
	shown      int
	within     time.Duration
}

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	j := &judge{env: env}
	var all []string
	for _, l := range conformance.Levels() {
		all = append(all, string(l))
	}
	cmd := &cobra.Command{
		Use:   "conformance [flags] DIRECTORY... -- PROGRAM [ARGUMENT...]",
		Short: "compare a program with the recorded answers of API servers",
		Long: `Ask a program what an API server would answer to the requests of a conformance suite, and compare with what servers have answered.
The program reads questions from standard input and writes answers to standard output, JSON in lines. A table says how many cases of
each subject are answered alike: the verdict, the fields at fault, the texts, the stored object and the warnings.`,
		Example: `  # the suite of prune-gen's repository
  prune-gen conformance conformance -- ./my-program
  # a program that says yes or no, with the failures that are known
  prune-gen conformance --levels verdict --known failures.txt conformance -- ./my-program`,
		Args: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); n < 1 || n == len(args) {
				return cli.Usagef("want the directories of a suite, --, and a program")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			n := cmd.ArgsLenAtDash()
			return j.run(args[:n], args[n:])
		},
	}
	flags := cmd.Flags()
	cli.AddKubernetes(cmd, &j.kubernetes)
	flags.StringSliceVar(&j.levels, "levels", all, "compare only these `levels`")
	cli.CompleteList(cmd, "levels", all...)
	flags.StringVar(&j.known, "known", "", "a `file` with failures that are known, one in a line")
	flags.BoolVar(&j.update, "update", false, "add the failures to the file of --known, and remove those that do not happen")
	flags.IntVar(&j.shown, "show", 10, "print at most this `number` of failures, with the requests and both answers")
	flags.DurationVar(&j.within, "timeout", 10*time.Minute, "how long the program may take for all answers")
	return cmd
}

func (j *judge) run(dirs, program []string) error {
	var levels []conformance.Level
	if len(j.levels) == 0 {
		return cli.Usagef("--levels: want a level")
	}
	for _, word := range j.levels {
		if !slices.Contains(conformance.Levels(), conformance.Level(word)) {
			return cli.Usagef("--levels: there is no level %q", word)
		}
		levels = append(levels, conformance.Level(word))
	}
	if j.update && j.known == "" {
		return cli.Usagef("--update writes the file of --known")
	}
	files, err := conformance.Read(dirs...)
	if err != nil {
		return err
	}
	version := j.kubernetes
	if version == 0 {
		version = kubeversion.Newest
	}
	known := &conformance.Known{}
	if j.known != "" {
		if known, err = conformance.ReadKnown(j.known, j.update); err != nil {
			return err
		}
	}
	p := &conformance.Program{Command: program, Within: j.within, Stderr: j.env.Stderr}
	interrupt.Hold(func() { interrupt.Add(p) })
	answers, err := p.Ask(conformance.Questions(files, version))
	interrupt.Hold(func() { interrupt.Forget(p) })
	if err != nil {
		return err
	}
	results := conformance.Judge(files, version, answers, levels)
	if len(results) == 0 {
		return fmt.Errorf("no server of Kubernetes %s is recorded in %s", version, strings.Join(dirs, ", "))
	}
	if !slices.ContainsFunc(results, func(r *conformance.Result) bool { return len(r.Levels) > 0 }) {
		return fmt.Errorf("nothing is compared: %s", j.why(results))
	}
	if j.update {
		text, added, removed := known.Updated(results)
		fmt.Fprintf(j.env.Stdout, "%s: %s added, %d removed\n", j.known, findings.Count(added, "failure"), removed)
		return os.WriteFile(j.known, []byte(text), 0o666)
	}
	return j.report(results, levels, known.Failures())
}

// why returns why no result is judged.
func (j *judge) why(results []*conformance.Result) string {
	for _, r := range results {
		if r.Have.Skipped == "" {
			return "--levels " + strings.Join(j.levels, ",") + " applies to no case"
		}
	}
	return "the program skips all questions"
}

// report prints failures that are not known, the table, and how many that are known did not happen: they may be those of another version.
func (j *judge) report(results []*conformance.Result, levels []conformance.Level, known map[string]bool) error {
	unexpected, w := 0, j.env.Stdout
	for _, r := range results {
		if len(r.Failed) == 0 {
			continue
		}
		if line := r.Failure(); known[line] {
			delete(known, line)
			continue
		}
		if unexpected++; unexpected <= j.shown {
			for line := range strings.Lines(r.Difference()) {
				fmt.Fprintln(w, terminal.EscapeLine(line))
			}
			fmt.Fprintln(w)
		}
	}
	print(w, results, levels)
	if len(known) > 0 {
		fmt.Fprintf(w, "known failures that did not happen: %d\n", len(known))
	}
	if unexpected > 0 {
		fmt.Fprintf(w, "%s not known\n", findings.Count(unexpected, "failure"))
		return cli.ErrFindings
	}
	return nil
}

// print prints the table.
func print(out interface{ Write([]byte) (int, error) }, results []*conformance.Result, levels []conformance.Level) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer w.Flush()
	fmt.Fprint(w, "subject\tcases\tskipped\t")
	for _, l := range levels {
		fmt.Fprintf(w, "%s\t", l)
	}
	fmt.Fprintln(w)
	for _, t := range conformance.Tallies(results) {
		fmt.Fprintf(w, "%s\t%d\t%d\t", terminal.Escape(t.Subject), t.Cases, t.Skipped)
		for _, l := range levels {
			fmt.Fprintf(w, "%d of %d\t", t.Passed[l], t.Asked[l])
		}
		fmt.Fprintln(w)
	}
}
