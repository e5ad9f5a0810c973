// Testall runs everything that can be tested in this repository, and ends with one table: module, package or check, result, seconds.
//
//	go run ./hack/testall               everything
//	go run ./hack/testall -run REGEXP   the modules, packages and checks that match, such as ^kube
//	go run ./hack/testall -list         what would be run
//
// After a run that was stopped, the go command has the results of the packages that passed: they take no time again. make test-all
// forgets them first. The exit status is 1 if anything failed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	only := flag.String("run", "", "run only what matches this regular expression")
	list := flag.Bool("list", false, "list what would be run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed, err := runAll(ctx, *list, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testall:", err)
		os.Exit(3)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func runAll(ctx context.Context, list bool, only string) (failed int, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return 0, err
	}
	all, err := steps(ctx)
	if err != nil {
		return 0, err
	}
	began, matched := time.Now(), 0
	var results board
	for _, s := range all {
		s.rows = slices.DeleteFunc(s.rows, func(row string) bool { return !pattern.MatchString(path.Join(s.module, short(s.module, row))) })
		matched += len(s.rows)
		switch {
		case list:
			for _, row := range s.rows {
				fmt.Println(s.module, row)
			}
		case len(s.rows) > 0:
			if err := s.run(ctx, &results); err != nil {
				results.print(os.Stdout)
				return 0, err
			}
		}
	}
	if matched == 0 {
		return 0, fmt.Errorf("nothing matches %s", only)
	}
	if list {
		return 0, nil
	}
	failed = results.print(os.Stdout)
	fmt.Printf("\n%d passed, %d failed\nin %s\n", len(results)-failed, failed, time.Since(began).Round(time.Second))
	return failed, nil
}

// result is a row of the table.
type result struct {
	module, row string
	passed      bool
	skipped     int // tests
	seconds     float64
}

// board is the table.
type board []result

// record keeps a result.
func (b *board) record(r result) {
	*b = append(*b, r)
	fmt.Printf("   %s %s: %s, %.1f s\n", r.module, short(r.module, r.row), r.verdict(), r.seconds)
}

func (r result) verdict() string {
	switch {
	case !r.passed:
		return "FAIL"
	case r.skipped > 0:
		return fmt.Sprintf("ok, %d skipped", r.skipped)
	}
	return "ok"
}

// short returns the path of a package in its module. Checks keep their names.
func short(module, row string) string {
	if pkg, ok := strings.CutPrefix(row, path.Join("github.com/prune-gen/prune-gen", module)); ok {
		return "." + pkg
	}
	return row
}

// print prints the table and returns how many rows failed.
func (b board) print(w io.Writer) (failed int) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nmodule\tpackage or check\tresult\tseconds")
	for _, r := range b {
		if !r.passed {
			failed++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.1f\n", r.module, short(r.module, r.row), r.verdict(), r.seconds)
	}
	table.Flush()
	return failed
}
