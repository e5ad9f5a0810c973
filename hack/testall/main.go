// Testall runs everything that can be tested in this repository, and ends with one table: module, package or check, result, seconds, and
// for checks the time of processors, which does not depend on what else the machine does.
//
//	go run ./hack/testall               everything
//	go run ./hack/testall -run REGEXP   the checks that match, each with its module before it: ^kube, /tests$
//	go run ./hack/testall -list         what would be run
//
// After a run that was stopped, the go command has the results of the packages that passed: they take no time again. make test-all
// forgets them first. The exit status is 1 if anything failed, or was not run.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

func main() {
	only := flag.String("run", "", "run only what matches this regular expression")
	list := flag.Bool("list", false, "list what would be run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testall:", err)
		os.Exit(3)
	}
	began := time.Now()
	var results board
	for _, c := range checks(began) {
		switch {
		case !pattern.MatchString(path.Join(c.module, c.name)):
		case *list:
			fmt.Printf("%s\t%s\t%s\n", c.module, c.name, c.command)
		case ctx.Err() == nil:
			c.run(ctx, &results)
		}
	}
	if !*list {
		failed := results.print(os.Stdout)
		fmt.Printf("\n%d passed, %d failed\nin %s\n", len(results)-failed, failed, time.Since(began).Round(time.Second))
		if failed > 0 || len(results) == 0 || ctx.Err() != nil {
			os.Exit(1)
		}
	}
}

// result is a row of the table.
type result struct {
	module, row string
	passed      bool
	skipped     int // tests
	seconds     float64
	processor   time.Duration // of a check
}

func (r result) String() string {
	verdict := "ok"
	switch {
	case !r.passed:
		verdict = "FAIL"
	case r.skipped > 0:
		verdict = fmt.Sprintf("ok, %d skipped", r.skipped)
	}
	row := fmt.Sprintf("%s\t%s\t%s\t%.1f", r.module, r.row, verdict, r.seconds)
	if r.processor > 0 {
		row += fmt.Sprintf("\t%.1f", r.processor.Seconds())
	}
	return row
}

// board is the table.
type board []result

func (b *board) record(r result) {
	if pkg, ok := strings.CutPrefix(r.row, path.Join("github.com/prune-gen/prune-gen", r.module)); ok {
		r.row = "." + pkg
	}
	*b = append(*b, r)
	fmt.Println("  ", r)
}

// print prints the table and returns how many rows failed.
func (b board) print(w io.Writer) (failed int) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nmodule\tpackage or check\tresult\tseconds\tCPU seconds")
	for _, r := range b {
		if !r.passed {
			failed++
		}
		fmt.Fprintln(table, r)
	}
	table.Flush()
	return failed
}

// run runs the command of a check and records its row, below one for each package that has tests if the command is go test -json.
func (c check) run(ctx context.Context, b *board) {
	fmt.Printf("%s: %s\n", c.module, c.command)
	cmd := exec.CommandContext(ctx, "sh", "-c", c.command)
	cmd.Dir, cmd.Stderr = c.module, os.Stderr
	cmd.Env = append(os.Environ(), testsize.Variable+"=all")
	out, in := io.Pipe()
	cmd.Stdout = in
	began := time.Now()
	failed := make(chan error, 1)
	go func() {
		err := cmd.Run()
		in.Close()
		failed <- err
	}()
	c.read(out, b)
	err := <-failed
	if ctx.Err() != nil {
		return // what was interrupted failed for that
	}
	row := result{module: c.module, row: c.name, passed: err == nil, seconds: time.Since(began).Seconds()}
	if state := cmd.ProcessState; state != nil { // it was started
		row.processor = state.UserTime() + state.SystemTime()
	}
	b.record(row)
}

// read reads the output of a command. Of the events of go test -json, it prints what tests that fail print, and what their packages do.
func (c check) read(r io.Reader, b *board) {
	output, skipped := map[string]string{}, map[string]int{} // by package and test, and by package
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadBytes('\n')
		var event struct {
			Action, Package, Test, Output string
			Elapsed                       float64
		}
		switch {
		case len(line) == 0:
		case line[0] != '{' || json.Unmarshal(line, &event) != nil:
			os.Stdout.Write(line)
		case event.Action == "build-output":
			fmt.Print(event.Output)
		case event.Action == "output":
			output[event.Package+" "+event.Test] += event.Output
		case event.Action == "pass" || event.Action == "fail" || event.Action == "skip":
			if event.Action == "fail" {
				fmt.Print(output[event.Package+" "+event.Test])
			}
			delete(output, event.Package+" "+event.Test)
			switch {
			case event.Test == "" && event.Action != "skip": // which is a package without tests
				b.record(result{c.module, event.Package, event.Action == "pass", skipped[event.Package], event.Elapsed, 0})
			case event.Action == "skip":
				skipped[event.Package]++
			}
		}
		if err != nil {
			return
		}
	}
}
