package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// stateFile keeps the results from one run to the next. Git ignores its folder.
const stateFile = "build/testall.json"

// result is a row of the table.
type result struct {
	Module, Row string
	Soak        bool     `json:",omitempty"`
	Passed      bool     // nothing failed
	Skipped     []string `json:",omitempty"` // tests that did not run, with their reasons
	Commit      string
	Inputs      string // hash
	Wall, CPU   float64
}

func (r result) key() string {
	if r.Soak {
		return "soak: " + r.Module + " " + r.Row
	}
	return r.Module + " " + r.Row
}

// verdict says what came of a row whose inputs have a hash now.
func (r result) verdict(now string) string {
	switch {
	case !r.Passed:
		return "FAIL"
	case r.Inputs != now:
		return "changed since"
	case len(r.Skipped) > 0:
		return fmt.Sprintf("%d skipped", len(r.Skipped))
	}
	return "ok"
}

// board has the results of all rows that were ever run, by their keys.
type board struct {
	file    string
	results map[string]result
}

func readBoard(file string) (*board, error) {
	b := &board{file, map[string]result{}}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &b.results)
	}
	if err != nil {
		return nil, fmt.Errorf("read the results of former runs: %w", err)
	}
	return b, nil
}

// record keeps a result, and prints it.
func (b *board) record(r result) error {
	b.results[r.key()] = r
	fmt.Printf("   %s %s: %s, %.1f s, %.1f s of CPU\n", r.Module, r.Row, r.verdict(r.Inputs), r.Wall, r.CPU)
	data, err := json.MarshalIndent(b.results, "", "\t")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(b.file), 0o777)
	}
	if err == nil {
		err = os.WriteFile(b.file+".new", data, 0o666)
	}
	if err == nil {
		err = os.Rename(b.file+".new", b.file)
	}
	if err != nil {
		return fmt.Errorf("keep the results: %w", err)
	}
	return nil
}

// passed reports whether a row need not run again.
func (b *board) passed(key, inputs string) bool {
	r, found := b.results[key]
	return found && r.verdict(inputs) == "ok"
}

// print prints the table of the rows of some checks, and reports whether all have passed.
func (b *board) print(w io.Writer, checks []check) (ok bool, err error) {
	now, err := readTree()
	if err != nil {
		return false, err
	}
	verdicts, skipped := map[string]int{}, []string{}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nmodule\trow\tresult\tcommit\twall s\tCPU s")
	var wall, cpu float64
	for _, c := range checks {
		rows, err := c.rows(now)
		if err != nil {
			return false, err
		}
		for _, row := range rows {
			r, found := b.results[row.key()]
			verdict := "not run"
			if found {
				verdict = r.verdict(row.Inputs)
			}
			kind := verdict
			if strings.HasSuffix(verdict, " skipped") {
				kind = "with a part skipped"
				for _, s := range r.Skipped {
					skipped = append(skipped, r.Module+" "+r.Row+": "+s)
				}
			}
			verdicts[kind]++
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.1f\t%.1f\n", row.Module, row.Row, verdict, r.Commit, r.Wall, r.CPU)
			wall, cpu = wall+r.Wall, cpu+r.CPU
		}
	}
	fmt.Fprintf(table, "\t\t\t\t%.1f\t%.1f\n", wall, cpu)
	if err := table.Flush(); err != nil {
		return false, err
	}
	for _, s := range skipped {
		fmt.Fprintln(w, "skipped:", s)
	}
	fmt.Fprintf(w, "%d ok", verdicts["ok"])
	for _, kind := range slices.Sorted(maps.Keys(verdicts)) {
		if kind != "ok" {
			fmt.Fprintf(w, ", %d %s", verdicts[kind], kind)
		}
	}
	fmt.Fprintf(w, "; at %s, %s\n", commit(), time.Now().UTC().Format(time.RFC3339))
	return len(verdicts) == 1 && verdicts["ok"] > 0, nil
}
