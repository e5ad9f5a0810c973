// Breaks breaks the generator and the runtime on purpose, one line at a time, and looks whether the conformance suite
// notices: a suite that stays green is worth nothing.
//
//	go run ./cmd/breaks            all of them
//	go run ./cmd/breaks NUMBER     one, with everything the suite says
//
// The breaks are in breaks.json. The sources stay as they are: the Go command is shown the broken files through an
// overlay. It is to be run in its own module, hack/conformance, and exits with 1 when a break goes unnoticed.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/score"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
)

//go:embed breaks.json
var list []byte

// Break is a change to one line of one file.
type Break struct {
	Name string `json:"name"`
	File string `json:"file"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	unnoticed, err := breakAll(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	if unnoticed > 0 {
		fmt.Printf("%d breaks go unnoticed\n", unnoticed)
		os.Exit(1)
	}
}

func breakAll(ctx context.Context, args []string) (unnoticed int, err error) {
	var all []Break
	if err := json.Unmarshal(list, &all); err != nil {
		return 0, fmt.Errorf("read breaks.json: %w", err)
	}
	root, err := scratch.ModuleRoot(ctx)
	if err != nil {
		return 0, err
	}
	only := 0
	if len(args) > 0 {
		if only, err = strconv.Atoi(args[0]); err != nil || only < 1 || only > len(all) {
			return 0, fmt.Errorf("%q is none of the breaks from 1 to %d", args[0], len(all))
		}
	}
	for i, b := range all {
		if only > 0 && only != i+1 {
			continue
		}
		how, err := b.try(ctx, root, only > 0)
		if err != nil {
			return unnoticed, fmt.Errorf("%s: %w", b.Name, err)
		}
		if how == "" {
			unnoticed++
			how = "NOT NOTICED"
		}
		fmt.Printf("%2d  %s (%s)\n    %s\n", i+1, b.Name, b.File, how)
	}
	return unnoticed, nil
}

// try runs the suite with the break in place, and returns how it was noticed; "" if it was not.
func (b Break) try(ctx context.Context, root string, verbose bool) (string, error) {
	dir, err := os.MkdirTemp("", "prune-gen-breaks-")
	if err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	overlay, err := b.overlay(filepath.Join(root, "..", ".."), dir)
	if err != nil {
		return "", err
	}
	// The golden cases and random CRDs have every construct; the corpus has nothing that they do not.
	board := filepath.Join(dir, "board.json")
	cmd := exec.CommandContext(ctx, "go", "run", "-overlay", overlay, "./cmd/scoreboard", "--overlay", overlay,
		"--sample", "0", "--random", "100", "--objects", "30", "--mutations", "0", "--json", board)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if verbose {
		fmt.Printf("%s", out)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err
	}
	data, readErr := os.ReadFile(board)
	if readErr != nil {
		if err == nil {
			return "", readErr
		}
		return "the suite does not get to compare: " + lastLine(string(out)), nil
	}
	return noticed(data)
}

// overlay writes the broken file and an overlay that puts it in place, whose path it returns.
func (b Break) overlay(repository, dir string) (string, error) {
	file := filepath.Join(repository, filepath.FromSlash(b.File))
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(source), b.Old); n != 1 {
		return "", fmt.Errorf("%s has the line to break %d times: bring breaks.json up to date", b.File, n)
	}
	broken := filepath.Join(dir, "broken.go")
	if err := os.WriteFile(broken, []byte(strings.Replace(string(source), b.Old, b.New, 1)), 0o600); err != nil {
		return "", err
	}
	data, err := json.Marshal(scratch.Overlay{Replace: map[string]string{file: broken}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o600)
}

// noticed says what the suite found.
func noticed(data []byte) (string, error) {
	var board score.Board
	if err := json.Unmarshal(data, &board); err != nil {
		return "", fmt.Errorf("read the scoreboard: %w", err)
	}
	var parts []string
	for _, r := range board.Rows {
		if r.Disagreements > 0 {
			parts = append(parts, fmt.Sprintf("%s disagrees on %d of %d %s", r.Name, r.Disagreements, r.Compared, r.What))
		}
	}
	for _, f := range board.Failures[:min(1, len(board.Failures))] {
		parts = append(parts, fmt.Sprintf("for example at %s: ours %s, theirs %s", f.At, f.Ours, f.Theirs))
	}
	return strings.Join(parts, "; "), nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if line := strings.TrimSpace(lines[i]); line != "" && !strings.HasPrefix(line, "exit status") {
			return line
		}
	}
	return ""
}
