// Package testcmd is the command test.
package testcmd

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/base/workers"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/structural"
)

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test [flags] [--crd CRD] PATH...",
		Short: "test CRDs with suites and fixtures, without an API server",
		Long: `Test CRDs without a server. A test is a case of a suite, in the format of openshift/api: an object that is created, or updated,
and the object that is stored or the error that the API server answers with. Or it is a manifest below a directory valid or invalid:
each of its objects must be accepted, or refused with the text that the first comment of the file quotes; name.yaml updates the objects of
name.old.yaml. Valid objects of groups without a CRD are skipped. A path is a file or a directory. Without --crd, the CRDs are those in the paths.

With --init, the paths have CRDs, and a first suite is written for each version: an object that is accepted, and for each constraint one
that violates nothing else, with the error that the API server answers with, whatever its version. Constraints of types that Kubernetes
defines, such as those of a pod template, are left out. Comments say which, and for which constraints no case was found. Read the cases
before you keep them. Files that exist are not overwritten.

Coverage says of each constraint of the CRDs, CEL rules included, whether a case violates it, and of each default whether a case has it
filled in.

A CRD can have several files, and a suite is run with each. If a suite names feature gates, --crd-for-gates says which files have them:
annotation=KEY names an annotation that lists the gates of a CRD, openshift=DIR is the rule of openshift/api, with a directory of
FeatureGates.`,
		Example: `  # the tests of a repository
  prune-gen test --crd config/crd/bases config/crd/tests
  # a first suite for each version of the CRDs
  prune-gen test --init config/crd/tests config/crd/bases
  # some of them, each with its result
  prune-gen test --crd crds --run 'immutable' -v tests
  # write what the API server does into the suites, to be read before it is committed
  prune-gen test --crd crds --update tests
  # fail if a tenth of the constraints has no case that violates it
  prune-gen test --crd crds --coverage-min 90 tests
  # for the server that runs in production
  prune-gen test --kubernetes 1.34 --crd crds tests`,
	}
	t := &tester{env: env, how: cli.AddFindingFlags(cmd, cli.MuteWarnings, "print failures only")}
	cli.AddKubernetes(cmd, &t.how.Kubernetes)
	f := cmd.Flags()
	f.StringSliceVar(&t.crds, "crd", nil, "`files` and directories with the CRDs; can be repeated")
	f.StringVar(&t.pattern, "run", "", "run the cases whose file and name, with a slash between them, match this `regexp`")
	f.BoolVarP(&t.verbose, "verbose", "v", false, "print each case")
	f.BoolVar(&t.update, "update", false, "write what is stored, or the error, into the cases of suites that fail")
	f.BoolVar(&t.coverage.print, "coverage", false, "print which constraints of the CRDs no case violates")
	f.Var(&t.coverage.min, "coverage-min", "fail if less than this `percentage` of the constraints is violated by a case")
	f.StringVar(&t.init, "init", "", "write a first suite for each version of the CRDs in the paths to a `directory`, and run nothing")
	f.BoolVar(&t.initAll, "init-all", false, "with --init, write cases for the constraints of types that Kubernetes defines, too: pod templates, for example")
	f.StringVar(&t.gates, "crd-for-gates", "", "`rule` for the feature gates of CRDs: annotation=KEY or openshift=DIR")
	cmd.Args = t.check
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		t.report = t.how.Report(env.Stdout, env.StdoutTerminal)
		t.paint = terminal.NewPalette(t.how.Color.Value, env.StdoutTerminal)
		do := t.test
		if t.init != "" {
			do = t.writeFirst
		}
		if err := t.how.FinishQuietly(t.report, do(args)); err != nil {
			return err
		}
		return t.failed()
	}
	return cmd
}

// tester is the work of the command.
type tester struct {
	env             *cli.Environment
	how             *cli.FindingFlags
	crds            []string
	pattern, gates  string
	init            string
	initAll         bool
	kept            []string // files that --init has not written, because they exist
	wrote           int
	verbose, update bool
	coverage        coverage

	run    *regexp.Regexp
	report *findings.Report
	paint  terminal.Palette

	start    time.Time
	variants suite.Variants
	suites   []*tested
	cases    int
	failures int
	updates  int // cases
	passed   int // objects of groups without a CRD
	unchosen int // cases that --run does not choose
}

// check returns what is wrong with a command line.
func (t *tester) check(cmd *cobra.Command, args []string) (err error) {
	if len(args) == 0 {
		return cli.Usagef("no test given: name a file or a directory")
	}
	if t.init != "" {
		for _, name := range []string{"crd", "update", "run", "crd-for-gates", "coverage", "coverage-min"} {
			if cmd.Flags().Changed(name) {
				return cli.Usagef("--init runs no tests: give it CRDs, and no flags about tests")
			}
		}
		t.crds = nil // those of the configuration are for tests
	} else if t.initAll {
		return cli.Usagef("--init-all is for --init")
	}
	if t.run, err = regexp.Compile(t.pattern); err != nil {
		return cli.Usagef("--run: %v", err)
	}
	rule, value, _ := strings.Cut(t.gates, "=")
	switch {
	case t.gates == "":
	case rule == "annotation" && value != "":
		t.variants.Gates = suite.AnnotatedGates(value)
	case rule == "openshift" && value != "":
		if t.variants.Gates, err = suite.ReadOpenShiftGates(value); err != nil {
			return cli.Usagef("--crd-for-gates: %v", err)
		}
	default:
		return cli.Usagef("--crd-for-gates is annotation=KEY or openshift=DIR")
	}
	return nil
}

func (t *tester) test(paths []string) error {
	t.start = time.Now()
	if err := t.readCRDs(paths); err != nil {
		return err
	}
	if err := cli.EachText(t.env, "reading tests", t.how.Inputs(paths), t.read); err != nil {
		return err
	}
	if t.total() == 0 && t.report.Errors() > 0 {
		return nil
	}
	if t.total() == 0 && t.unchosen > 0 {
		return fmt.Errorf("none of %s matches --run %s, which is compared with file/name", findings.Count(t.unchosen, "case"), t.pattern)
	}
	if t.total() == 0 {
		return fmt.Errorf("no tests in %s: a suite has crdName and tests, a fixture is below a directory valid or invalid", strings.Join(paths, ", "))
	}
	t.work()
	if t.update {
		err := t.write()
		for _, s := range t.suites {
			t.print(s)
		}
		if err != nil {
			return err
		}
	}
	if t.how.Text() {
		t.summary()
	}
	return t.coverage.finish(t)
}

// readCRDs reads the CRDs that --crd names, or those in the paths.
func (t *tester) readCRDs(paths []string) error {
	names := t.crds
	if len(names) == 0 {
		names = paths
	}
	return cli.EachSource(t.env, "reading CRDs", t.how.Inputs(names), func(src *input.Source) {
		if len(t.crds) > 0 || len(src.CRDs)+len(src.Refused) > 0 {
			t.report.Add(src.Errors())
		}
		for _, c := range src.CRDs {
			t.variants.All = append(t.variants.All, suite.NewVariant(c))
		}
	})
}

// read reads the cases of a file.
func (t *tester) read(f *input.Text) {
	if f.Wrong != nil {
		t.report.Find(*f.Wrong)
		return
	}
	t.report.Count(findings.Tally{File: f.Name, Files: 1})
	if err := f.Hold(t.how.Meter()); err != nil {
		t.report.Find(findings.Unreadable(f.Name, err))
		return
	}
	s, wrong := t.variants.ReadFile(t.how.Meter(), f.Name, f.Data)
	if s == nil && !f.Listed && len(t.crds) > 0 {
		wrong = []structural.Finding{{ID: suite.IDSuite, File: f.Name, Line: 1, Column: 1, Severity: structural.SeverityError,
			Message: "the file is not a test", Hint: "a suite has crdName and tests, a fixture is below a directory valid or invalid"}}
	}
	if len(wrong) > 0 {
		t.report.Find(wrong...)
		return
	}
	if s == nil {
		return
	}
	t.passed += s.Passed
	of := &tested{suite: s, cases: map[*suite.Case]int{}}
	for _, r := range t.variants.Runs(s) {
		if t.run.MatchString(s.File + "/" + r.Case.Name) {
			of.runs = append(of.runs, r)
			of.cases[r.Case]++
		} else {
			t.unchosen++
		}
	}
	if len(of.runs) > 0 {
		t.suites = append(t.suites, of)
	}
}

// tested is a suite that is tested.
type tested struct {
	suite *suite.Suite
	runs  []*suite.Run
	cases map[*suite.Case]int // how often each is run

	isUpdated bool // what differs was written to the file
}

func (t *tester) total() int {
	n := 0
	for _, s := range t.suites {
		n += len(s.runs)
	}
	return n
}

// work runs all cases, on all cores, and prints each suite when all before it are done. With --update, they are printed when it is known
// what was updated.
func (t *tester) work() {
	var observe func(suite.Request)
	if t.coverage.wanted() {
		t.coverage.expect(t.variants.All)
		observe = t.coverage.observe
	}
	var runs []*suite.Run
	for _, s := range t.suites {
		runs = append(runs, s.runs...)
	}
	t.variants.All = nil // the suites have those that they need
	suites, last := t.suites, -1
	for i := range workers.InOrder(len(runs), runtime.GOMAXPROCS(0), func(i int) { runs[i].Do(observe) }) {
		s := suites[0]
		if i-last < len(s.runs) {
			continue
		}
		if !t.update {
			t.print(s)
			clear(runs[last+1 : i+1]) // with their variants
			s.runs = nil
		}
		suites, last = suites[1:], i
	}
}

// write writes the actual results into the suites.
func (t *tester) write() error {
	replacer := output.NewReplacer()
	defer replacer.Close()
	var updated []*tested
	for _, s := range t.suites {
		if s.failed() == 0 || s.suite.CRDName == "" {
			continue // manifests have no answers to write
		}
		text, err := s.suite.Update(s.runs)
		if err != nil {
			return fmt.Errorf("nothing was written: %w", err)
		}
		if err := replacer.Write(s.suite.File, text); err != nil {
			return err
		}
		updated = append(updated, s)
	}
	if err := replacer.Replace(); err != nil {
		return err
	}
	for _, s := range updated {
		s.isUpdated = true
		fmt.Fprintf(t.env.Stderr, "updated %s\n", terminal.Escape(s.suite.File))
	}
	return nil
}

// failed returns the error of a run in which cases failed.
func (t *tester) failed() error {
	if t.failures > 0 {
		return cli.ErrFindings
	}
	return nil
}
