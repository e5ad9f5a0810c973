// Command bench measures generated code side by side with Kubernetes' own, and what it costs those who use it.
//
//	go run . [flags]
//
// It fetches the CRDs of the benchmark set through the go command, generates code for them in a temporary folder,
// compiles it together with Kubernetes' libraries and lets both sides work on the same objects, in turns. Then come the
// costs: the size of programs, memory, the size of the source, the time to generate and to compile it. It ends with one
// line for each figure.
//
//	-run REGEXP    measure only what matches, such as prune or cost-; -list lists all there is
//	-quick         fewer and shorter rounds, for a look
//	-clock cpu     measure processor time in place of the time that passes, for a machine that is busy
//	-o FILE        write every round, except those with purego, in the format of Go's benchmarks: benchstat -col /by FILE
//	-tags TAGS     compile generated code with these build tags; without, functions on JSON are also measured with purego
//	-report DIR    write DIR/benchmarks.md, its plots and its appendix
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/hack/bench/cost"
	"github.com/prune-gen/prune-gen/hack/bench/measure"
	"github.com/prune-gen/prune-gen/hack/bench/progress"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/scratch"
	"github.com/prune-gen/prune-gen/hack/bench/set"
)

func main() {
	if started, code := cost.ToolExec(); started {
		os.Exit(code)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	opts, err := parseFlags()
	if err == nil {
		err = run(ctx, opts, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	rows, costs []string // the IDs of what to measure
	list        bool
	rounds      int
	turn        time.Duration
	costRounds  int
	clock       measure.Clock
	goBench     string
	report      string
	tags        string
}

func parseFlags() (*options, error) {
	var (
		pattern = flag.String("run", "", "measure only what matches the `regexp`")
		list    = flag.Bool("list", false, "list what there is to measure")
		quick   = flag.Bool("quick", false, "fewer and shorter rounds")
		rounds  = flag.Int("rounds", 0, "how many rounds; 0 chooses")
		clock   = flag.String("clock", string(measure.Wall), "which time to measure: wall or cpu")
		tags    = flag.String("tags", "", "compile generated code with these build `tags`; without, functions on JSON are also measured with purego")
		goBench = flag.String("o", "", "write every round to `file`, for benchstat")
		dir     = flag.String("report", "", "write benchmarks.md and its plots into `dir`")
	)
	flag.Parse()
	if flag.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	match, err := regexp.Compile(*pattern)
	if err != nil {
		return nil, err
	}
	o := &options{list: *list, rounds: 9, turn: 20 * time.Millisecond, costRounds: 3, goBench: *goBench, report: *dir, tags: *tags}
	if o.clock, err = measure.ParseClock(*clock); err != nil {
		return nil, err
	}
	if *quick {
		o.rounds, o.turn, o.costRounds = 5, 3*time.Millisecond, 1
	}
	if *rounds > 0 {
		o.rounds = *rounds
	}
	for _, r := range measure.Rows {
		if match.MatchString(r.ID) {
			o.rows = append(o.rows, r.ID)
		}
	}
	for _, c := range cost.All {
		if match.MatchString(c.ID) {
			o.costs = append(o.costs, c.ID)
		}
	}
	if len(o.rows)+len(o.costs) == 0 {
		return nil, fmt.Errorf("nothing matches %q: see -list", *pattern)
	}
	return o, nil
}

func run(ctx context.Context, o *options, w io.Writer) error {
	if o.list {
		for _, id := range append(slices.Clone(o.rows), o.costs...) {
			fmt.Fprintln(w, id)
		}
		return nil
	}
	if load, ok := measure.Load(); ok && load > 1 && o.clock == measure.Wall {
		fmt.Fprintf(os.Stderr, "bench: this machine is busy (load %.1f): do not trust what follows, or try -clock cpu\n", load)
	}
	kinds, modules, err := set.Load(ctx)
	if err != nil {
		return err
	}
	env := &cost.Env{Kinds: kinds, Modules: modules, Rounds: o.costRounds}
	doc := &report.Document{Machine: measure.Machine(), Clock: o.clock, Rounds: o.rounds}
	if err := measureRows(ctx, o, env, doc, w); err != nil {
		return err
	}
	for _, c := range cost.All {
		if !slices.Contains(o.costs, c.ID) {
			continue
		}
		r, err := c.Measure(ctx, env)
		if err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		progress.Clear()
		r.Table.Text(w)
		doc.Costs = append(doc.Costs, r)
	}
	doc.Headlines(w)
	if o.report != "" {
		return doc.Write(o.report)
	}
	return nil
}

// measureRows measures the functions, and those on JSON once more in the build without unsafe.
func measureRows(ctx context.Context, o *options, env *cost.Env, doc *report.Document, w io.Writer) error {
	if len(o.rows) == 0 {
		return nil
	}
	in := measure.Input{Rounds: o.rounds, Turn: o.turn, Clock: o.clock}
	var results []measure.Result
	var err error
	if in.Rows = forRules(o.rows, false); len(in.Rows) > 0 {
		if in.Objects, err = set.Objects(env.Kinds); err != nil {
			return err
		}
		manifests, err := set.Manifests(env.Kinds, env.Modules)
		if err != nil {
			return err
		}
		in.Objects = append(in.Objects, manifests...)
		if doc.Comparisons, results, err = compare(ctx, env.Kinds, in, o.tags); err != nil {
			return err
		}
	}
	if rows := forRules(o.rows, true); len(rows) > 0 {
		comparisons, more, err := compareRules(ctx, env, in, rows, o.tags)
		if err != nil {
			return err
		}
		doc.Comparisons, results = append(doc.Comparisons, comparisons...), append(results, more...)
	}
	for _, c := range doc.Comparisons {
		report.ComparisonTable(c).Text(w)
	}
	report.SummaryTable(doc.Comparisons).Text(w)
	if in.Rows = onJSON(o.rows); len(in.Rows) > 0 && o.tags == "" {
		if doc.Purego, _, err = compare(ctx, env.Kinds, in, "purego"); err != nil {
			return err
		}
		report.PuregoTable(doc.Purego, doc.Comparisons).Text(w)
	}
	if o.goBench == "" {
		return nil
	}
	f, err := os.Create(o.goBench)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := measure.WriteGo(f, results); err != nil {
		return err
	}
	return f.Close()
}

// compareRules measures rows about CEL rules, on their own set.
func compareRules(ctx context.Context, env *cost.Env, in measure.Input, rows []string, tags string) ([]measure.Comparison, []measure.Result, error) {
	kinds, err := set.RuleKinds(env.Modules)
	if err != nil {
		return nil, nil, err
	}
	if in.Objects, err = set.RuleObjects(kinds, env.Modules); err != nil {
		return nil, nil, err
	}
	in.Rows = rows
	return compare(ctx, kinds, in, tags)
}

// compare measures rows with these build tags.
func compare(ctx context.Context, kinds []*set.Kind, in measure.Input, tags string) ([]measure.Comparison, []measure.Result, error) {
	progress.Printf("compiling generated code together with Kubernetes %s", tags)
	out, err := scratch.Measure(ctx, kinds, in, tags)
	if err != nil {
		return nil, nil, err
	}
	progress.Clear()
	var all []measure.Comparison
	var missing []string
	for _, row := range measure.Rows {
		if !slices.Contains(in.Rows, row.ID) {
			continue
		}
		if c := measure.Compare(row, out.Results); len(c.Lines) > 0 {
			all = append(all, c)
		} else {
			missing = append(missing, row.ID)
		}
	}
	if len(missing) > 0 {
		fmt.Fprintln(os.Stderr, "bench: there is no generated function to measure for", strings.Join(missing, ", "))
	}
	return all, out.Results, nil
}

// forRules returns the rows that are about CEL rules, or the others.
func forRules(rows []string, wanted bool) []string {
	var some []string
	for _, row := range measure.Rows {
		if row.ForRules() == wanted && slices.Contains(rows, row.ID) {
			some = append(some, row.ID)
		}
	}
	return some
}

// onJSON returns the rows that are about JSON.
func onJSON(rows []string) []string {
	var on []string
	for _, row := range measure.Rows {
		if row.Ours.OnJSON && slices.Contains(rows, row.ID) {
			on = append(on, row.ID)
		}
	}
	return on
}
