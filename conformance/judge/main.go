// Judge asks a program what an API server would answer to the requests of a conformance suite, and compares with what servers have answered.
//
//	go run ./conformance/judge conformance -- ./my-program
//	go run ./conformance/judge --levels verdict --known failures.txt conformance -- ./my-program
//
// The program reads questions from standard input and writes answers to standard output, JSON in lines: see docs/conformance.md. A table says
// how many cases of each subject are answered alike: the verdict, the fields at fault, the texts, the stored object and the warnings. The exit
// status is 1 if there is a failure that is not known, and 2 if nothing could be judged.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/prune-gen/prune-gen/internal/conformance"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// errFailures says that failures were printed.
var errFailures = errors.New("")

func main() {
	switch err := judge(os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err == errFailures:
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
}

func judge(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("judge", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Usage: judge [flags] DIRECTORY... -- PROGRAM [ARGUMENT...]")
		flags.PrintDefaults()
	}
	kubernetes := flags.String("kubernetes", "", "the `version` of the servers, such as 1.34 (default: the newest)")
	only := flags.String("levels", "", "compare only these `levels`: "+joined(conformance.Levels()))
	knownFile := flags.String("known", "", "a `file` with failures that are known, one in a line")
	update := flags.Bool("update", false, "add the failures to the file of --known, and remove those that do not happen")
	shown := flags.Int("show", 10, "print at most this `number` of failures, with the requests and both answers")
	within := flags.Duration("timeout", 10*time.Minute, "how long the program may take for all answers")
	if err := flags.Parse(args); err != nil {
		return err
	}
	args = flags.Args()
	n := slices.Index(args, "--")
	if n < 1 || n == len(args)-1 {
		return errors.New("want the directories of a suite, --, and a program")
	}
	levels, err := levelsOf(*only)
	if err != nil {
		return err
	}
	if *update && *knownFile == "" {
		return errors.New("--update writes the file of --known")
	}
	version, err := kubeversion.Parse(*kubernetes)
	if err != nil {
		return err
	}
	files, err := conformance.Read(args[:n]...)
	if err != nil {
		return err
	}
	known := &conformance.Known{}
	if *knownFile != "" {
		if known, err = conformance.ReadKnown(*knownFile, *update); err != nil {
			return err
		}
	}
	p := &conformance.Program{Command: args[n+1:], Within: *within, Stderr: stderr}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupted
		p.Remove()
		os.Exit(130) // as a shell has it
	}()
	answers, err := p.Ask(conformance.Questions(files, version))
	if err != nil {
		return err
	}
	results := conformance.Judge(files, version, answers, levels)
	switch {
	case len(results) == 0:
		return fmt.Errorf("no server of Kubernetes %s is recorded in %s", version, strings.Join(args[:n], ", "))
	case !slices.ContainsFunc(results, func(r *conformance.Result) bool { return r.Have.Skipped == "" }):
		return errors.New("nothing is compared: the program skips all questions")
	case !slices.ContainsFunc(results, func(r *conformance.Result) bool { return len(r.Levels) > 0 }):
		return fmt.Errorf("nothing is compared: --levels %s applies to no case", *only)
	case *update:
		text, added, removed := known.Updated(results)
		fmt.Fprintf(stdout, "%s: %d added, %d removed\n", *knownFile, added, removed)
		return os.WriteFile(*knownFile, []byte(text), 0o666)
	}
	return report(stdout, results, levels, known.Failures(), *shown)
}

// joined returns levels in one line.
func joined(levels []conformance.Level) string {
	var all []string
	for _, l := range levels {
		all = append(all, string(l))
	}
	return strings.Join(all, ",")
}

// levelsOf returns the levels of a list, all for none.
func levelsOf(list string) (levels []conformance.Level, err error) {
	if list == "" {
		return conformance.Levels(), nil
	}
	for word := range strings.SplitSeq(list, ",") {
		if !slices.Contains(conformance.Levels(), conformance.Level(word)) {
			return nil, fmt.Errorf("--levels: there is no level %q", word)
		}
		levels = append(levels, conformance.Level(word))
	}
	return levels, nil
}

// report prints failures that are not known, a table, and how many that are known did not happen: they may be those of another version.
func report(w io.Writer, results []*conformance.Result, levels []conformance.Level, known map[string]bool, shown int) error {
	unexpected := 0
	for _, r := range results {
		if len(r.Failed) == 0 {
			continue
		}
		if line := r.Failure(); known[line] {
			delete(known, line)
			continue
		}
		if unexpected++; unexpected <= shown {
			fmt.Fprintln(w, printable(r.Difference()))
		}
	}
	table(w, results, levels)
	if len(known) > 0 {
		fmt.Fprintf(w, "known failures that did not happen: %d\n", len(known))
	}
	if unexpected > 0 {
		fmt.Fprintf(w, "failures that are not known: %d\n", unexpected)
		return errFailures
	}
	return nil
}

// table prints how many answers are alike.
func table(out io.Writer, results []*conformance.Result, levels []conformance.Level) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer w.Flush()
	fmt.Fprint(w, "subject\tcases\tskipped\t")
	for _, l := range levels {
		fmt.Fprintf(w, "%s\t", l)
	}
	fmt.Fprintln(w)
	for _, t := range conformance.Tallies(results) {
		fmt.Fprintf(w, "%s\t%d\t%d\t", printable(t.Subject), t.Cases, t.Skipped)
		for _, l := range levels {
			fmt.Fprintf(w, "%d of %d\t", t.Passed[l], t.Asked[l])
		}
		fmt.Fprintln(w)
	}
}

// printable replaces characters that terminals obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, s)
}
