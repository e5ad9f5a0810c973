package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// boardFile is where results are kept. Git ignores the folder.
const boardFile = "bin/test-all.json"

// result is a row of the table.
type result struct {
	Module, Row string
	Passed      bool
	Skipped     int // tests
	Seconds     float64
}

// board has the results of a run, and of the one that it continues.
type board struct {
	Tree    string // the hash of the files that were tested
	Results []result
}

// openBoard returns an empty board, or the one of the run to continue.
func openBoard(ctx context.Context, goOn bool) (*board, error) {
	tree, err := treeHash(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path.Dir(boardFile), 0o777); err != nil {
		return nil, err
	}
	b := &board{Tree: tree}
	if !goOn {
		return b, nil
	}
	data, err := os.ReadFile(boardFile)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	var before board
	if err == nil {
		err = json.Unmarshal(data, &before)
	}
	if err != nil {
		return nil, fmt.Errorf("read the results so far: %w", err)
	}
	if before.Tree != tree {
		fmt.Println("files have changed since the last run: starting anew")
		return b, nil
	}
	return &before, nil
}

// treeHash returns a hash of all files that git does not ignore.
func treeHash(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return "", fmt.Errorf("list the files: %w", err)
	}
	hash := sha256.New()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // deleted, and not committed yet
			return "", err
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// find returns the index of a result, -1 if there is none.
func (b *board) find(module, row string) int {
	return slices.IndexFunc(b.Results, func(r result) bool { return r.Module == module && r.Row == row })
}

// missing returns the rows of a step that match and have not passed.
func (b *board) missing(s *step, only *regexp.Regexp) []string {
	return slices.DeleteFunc(slices.Clone(s.rows), func(row string) bool {
		i := b.find(s.module, row)
		return i >= 0 && b.Results[i].Passed || !s.matches(row, only)
	})
}

// matches reports whether a row is to be run: its module and its name are matched.
func (s *step) matches(row string, only *regexp.Regexp) bool {
	return only.MatchString(path.Join(s.module, short(s.module, row)))
}

// record keeps a result, in place of an earlier one.
func (b *board) record(r result) error {
	if i := b.find(r.Module, r.Row); i >= 0 {
		b.Results[i] = r
	} else {
		b.Results = append(b.Results, r)
	}
	fmt.Println("  ", r)
	data, err := json.MarshalIndent(b, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(boardFile, data, 0o666)
}

func (r result) String() string {
	return fmt.Sprintf("%s %s: %s, %.1f s", r.Module, short(r.Module, r.Row), r.verdict(), r.Seconds)
}

func (r result) verdict() string {
	switch {
	case !r.Passed:
		return "FAIL"
	case r.Skipped > 0:
		return fmt.Sprintf("ok, %d skipped", r.Skipped)
	}
	return "ok"
}

// short returns the path of a package in its module. Checks keep their names.
func short(module, row string) string {
	if pkg, ok := strings.CutPrefix(row, path.Join(modulePath, module)); ok {
		return "." + pkg
	}
	return row
}

const modulePath = "github.com/prune-gen/prune-gen"

// print prints the table and returns how many rows failed.
func (b *board) print(w io.Writer) (failed int) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nmodule\tpackage or check\tresult\tseconds")
	for _, r := range b.Results {
		if !r.Passed {
			failed++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.1f\n", r.Module, short(r.Module, r.Row), r.verdict(), r.Seconds)
	}
	table.Flush()
	return failed
}
