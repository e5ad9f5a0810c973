// Testall runs everything that can be tested in this repository, and ends with one table: module and row, result, commit, seconds, and the time
// of processors, which depends less on what else the machine does.
//
//	go run ./hack/testall               the rows of make test-all
//	go run ./hack/testall -soak         the rows of make soak
//	go run ./hack/testall -run REGEXP   the rows that match: ^kube, /vet$
//	go run ./hack/testall -list         the rows, with the results of the last runs
//	go run ./hack/testall -again        all of them, also those that have passed
//	go run ./hack/testall -since REV    the tests of all modules that the changes since a commit can reach
//	go run ./hack/testall -fresh        whether the go command forgets results of tests that depend on programs which have changed
//
// Results are kept in build/testall.json, with a hash of the files that they depend on; pages of text are not among these. Run again, it goes on with
// the rows that have not passed or whose files have changed. A row with a part that was skipped has not passed. The exit status is 1
// unless all rows have.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == execute {
		os.Exit(runTest(os.Args[2:]))
	}
	soak := flag.Bool("soak", false, "run the rows of make soak")
	only := flag.String("run", "", "run only the rows that match this regular expression")
	list := flag.Bool("list", false, "list the rows and the results of the last runs")
	again := flag.Bool("again", false, "run also what has passed")
	since := flag.String("since", "", "run the tests that the changes since this commit can reach")
	fresh := flag.Bool("fresh", false, "check that no result of a test outlives a change of the program that it runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	pattern, err := regexp.Compile(*only)
	ok := false
	if err == nil {
		switch {
		case *since != "":
			ok, err = reach(ctx, *since)
		case *fresh:
			ok, err = checkFresh(ctx)
		default:
			ok, err = runRows(ctx, *soak, pattern, *list, *again)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testall:", err)
	}
	if !ok {
		os.Exit(1)
	}
}

// runRows runs the rows that match, and prints the table of all of them.
func runRows(ctx context.Context, soak bool, pattern *regexp.Regexp, list, again bool) (ok bool, err error) {
	b, err := readBoard(stateFile)
	if err != nil {
		return false, err
	}
	printMissing(os.Stdout)
	began := time.Now()
	checks := checks(soak)
	for _, c := range checks {
		if list || ctx.Err() != nil || !pattern.MatchString(c.id()) {
			continue
		}
		if err := c.run(ctx, b, again); err != nil {
			return false, err
		}
	}
	ok, err = b.print(os.Stdout, checks)
	if !list {
		fmt.Println("in", time.Since(began).Round(time.Second))
	}
	return ok && ctx.Err() == nil, err
}
