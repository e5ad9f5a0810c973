// Breaks breaks prune-gen on purpose, one line at a time, and looks whether the tests notice: tests that stay green are worth
// nothing.
//
//	go run ./hack/breaks                 all breaks of the table
//	go run ./hack/breaks -run REGEXP     those whose name or file matches; -v shows what the tests print
//	go run ./hack/breaks -own            with the tests of the package that is broken alone, as a first glance
//	go run ./hack/breaks -rest           those that noticed.txt does not name, to go on after a run that was ended; ends with
//	                                     the share of all
//	go run ./hack/breaks -sample 100     a hundred, spread over the table, with what make test runs and nothing else
//
// Each break is made in a copy of the tracked files. Generated code is made again before it is tested, so that a break counts as
// noticed for what the code does, not for what it looks like. The tests run in stages, from the package that is broken to the
// comparison with Kubernetes, up to the first failure; the test that noticed a break before, which noticed.txt names, comes first.
//
// It prints how each break was noticed and ends with the share that was. The exit status is 1 when a break goes unnoticed that
// the table does not explain, and 3 when the table does not fit the sources.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"time"
)

func main() {
	run := flag.String("run", "", "only the breaks whose name or file matches this regular expression")
	workers := flag.Int("workers", 2, "how many breaks are tried at a time")
	verbose := flag.Bool("v", false, "print what the tests print")
	own := flag.Bool("own", false, "run only the tests of the package that is broken, as a first glance")
	rest := flag.Bool("rest", false, "only the breaks that noticed.txt does not name")
	sample := flag.Int("sample", 0, "only so many breaks, spread over the table, and only what make test runs")
	conformance := flag.Bool("conformance", true, "compare with Kubernetes what no test of the module notices")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := breakAll(ctx, *run, options{*workers, *sample, *verbose, *own, *rest, *conformance})
	if err != nil {
		fmt.Fprintln(os.Stderr, "breaks:", err)
		os.Exit(3)
	}
	os.Exit(code)
}

// result is what became of one break.
type result struct {
	Break
	how   string // how it was noticed; empty if it was not
	spent time.Duration
	err   error
}

type options struct {
	workers, sample                 int // no sample is 0
	verbose, own, rest, conformance bool
}

func breakAll(ctx context.Context, pattern string, o options) (code int, err error) {
	only, err := regexp.Compile(pattern)
	if err != nil {
		return 0, err
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return 0, err
	}
	before, err := readNoticed(root)
	if err != nil {
		return 0, err
	}
	var chosen []Break
	named := 0
	for _, b := range table() {
		switch {
		case !only.MatchString(b.Name) && !only.MatchString(b.File):
		case o.rest && before[b.Name] != "":
			named++
		default:
			chosen = append(chosen, b)
		}
	}
	if len(chosen) == 0 {
		return 0, fmt.Errorf("no break matches %s", pattern)
	}
	if o.sample > 0 {
		chosen = spread(chosen, o.sample)
	}
	seen := maps.Clone(before)
	queue, results := make(chan []Break), make(chan result)
	var group sync.WaitGroup
	for range max(1, min(o.workers, len(chosen))) {
		w, err := newWorkplace(ctx, root)
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(w.dir)
		w.options = o
		group.Go(func() {
			for breaks := range queue {
				w.tryAll(ctx, breaks, before, results)
			}
		})
	}
	go func() {
		for _, breaks := range groups(chosen, o.own) {
			if ctx.Err() == nil {
				queue <- breaks
			}
		}
		close(queue)
		group.Wait()
		close(results)
	}()
	return report(results, len(chosen), named, o, func(r result) error {
		switch {
		case o.sample > 0: // what a part of the tests does not notice may well be noticed
			return nil
		case r.how != "":
			seen[r.Name] = r.how
		case r.err == nil && !o.own && o.conformance:
			delete(seen, r.Name)
		}
		return seen.write(root)
	})
}

// spread returns n of the breaks, at even distances.
func spread(breaks []Break, n int) []Break {
	n = min(n, len(breaks))
	chosen := make([]Break, n)
	for i := range chosen {
		chosen[i] = breaks[i*len(breaks)/n]
	}
	return chosen
}

// groups returns which breaks are made at once. Those that no test is said to notice take longest, as all tests run to their end:
// they are made together, and come last.
func groups(chosen []Break, each bool) [][]Break {
	var all [][]Break
	var explained []Break
	for _, b := range chosen {
		if b.Survives != "" && !each {
			explained = append(explained, b)
		} else {
			all = append(all, []Break{b})
		}
	}
	if explained != nil {
		all = append(all, explained)
	}
	return all
}

// report prints the results as they come in, has each written down, and prints what they amount to, with the breaks that
// noticed.txt names and that are not tried again.
func report(results <-chan result, all, named int, o options, writeDown func(result) error) (code int, err error) {
	var survivors []Break
	n, noticed := 0, 0
	var errs []error
	for r := range results {
		n++
		how := r.how
		switch {
		case r.err != nil:
			errs = append(errs, fmt.Errorf("%s (%s): %w", r.Name, r.File, r.err))
			how = "ERROR: " + r.err.Error()
		case how == "":
			survivors = append(survivors, r.Break)
			how = "NOT NOTICED"
		default:
			noticed++
			if r.Survives != "" {
				how += "\n        although the table explains why it survives: " + r.Survives
			}
		}
		if err := writeDown(r); err != nil {
			return 0, err
		}
		fmt.Printf("%3d/%d  %s (%s, %s)\n        %s\n", n, all, r.Name, r.File, r.spent.Round(time.Second), how)
	}
	fmt.Printf("\n%d of %d breaks are noticed (%.1f%%)\n", noticed, all, 100*float64(noticed)/float64(all))
	if named > 0 {
		noticed, all = noticed+named, all+named
		fmt.Printf("with those that %s names, %d of %d (%.1f%%)\n", noticedFile, noticed, all, 100*float64(noticed)/float64(all))
	}
	for _, b := range survivors {
		why := b.Survives
		switch {
		case why != "":
		case o.sample > 0:
			why = "make test does not notice it"
		default:
			why, code = "NOT EXPLAINED", 1
		}
		fmt.Printf("  survives: %s (%s)\n            %s\n", b.Name, b.File, why)
	}
	return code, errors.Join(errs...)
}

// moduleRoot returns the folder of the module that this program is run in.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", modulePath).Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
