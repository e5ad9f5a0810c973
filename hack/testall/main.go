// Testall runs everything that can be tested in this repository, and ends with one table: module, package or check, result, seconds.
//
//	go run ./hack/testall               everything
//	go run ./hack/testall -continue     what has not passed yet, after a run that was stopped or failed
//	go run ./hack/testall -run REGEXP   the modules, packages and checks that match, such as ^kube; other results are forgotten
//	                                    without -continue
//	go run ./hack/testall -list         what would be run
//
// Results are kept in bin/test-all.json as they come in. They hold for the files that they were made with: -continue starts anew if a
// file of the repository has changed. The exit status is 1 if anything failed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"time"
)

func main() {
	goOn := flag.Bool("continue", false, "run only what has not passed yet")
	only := flag.String("run", "", "run only what matches this regular expression")
	list := flag.Bool("list", false, "list what would be run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed, err := runAll(ctx, *goOn, *list, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testall:", err)
		os.Exit(3)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func runAll(ctx context.Context, goOn, list bool, only string) (failed int, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return 0, err
	}
	b, err := openBoard(ctx, goOn)
	if err != nil {
		return 0, err
	}
	all, err := steps(ctx)
	if err != nil {
		return 0, err
	}
	began, matched := time.Now(), false
	for _, s := range all {
		matched = matched || slices.ContainsFunc(s.rows, func(row string) bool { return s.matches(row, pattern) })
		if s.rows = b.missing(s, pattern); len(s.rows) == 0 {
			continue
		}
		if list {
			for _, row := range s.rows {
				fmt.Println(s.module, row)
			}
			continue
		}
		if err := s.run(ctx, b); err != nil {
			return 0, err
		}
	}
	if !matched {
		return 0, fmt.Errorf("nothing matches %s", only)
	}
	if list {
		return 0, nil
	}
	if tree, err := treeHash(ctx); err != nil || tree != b.Tree {
		fmt.Println("\nfiles have changed during the run: the results are of different states")
	}
	failed = b.print(os.Stdout)
	fmt.Printf("\n%d passed, %d failed\nin %s\n", len(b.Results)-failed, failed, time.Since(began).Round(time.Second))
	return failed, nil
}
