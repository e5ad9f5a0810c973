// Scoreboard compares the project with Kubernetes and prints a table of what agrees and what does not.
//
//	go run ./cmd/scoreboard                          everything: about 100 objects for each version of the corpus
//	go run ./cmd/scoreboard --sample 20 --objects 10 a quick look
//	go run ./cmd/scoreboard --total 1000000          a long run
//	go run ./cmd/scoreboard --function rules         CEL rules alone, compiled ones among them
//
// It generates Go code for every CRD, compiles it together with the suite and runs the result, which does the comparing.
// It is to be run in its own module, hack/conformance. It exits with 0 when all agree, 1 when there is a disagreement that
// nobody has explained, 2 when the command line is at fault, and 3 when something else is.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/conformance/run"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(scoreboard(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func scoreboard(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := run.Parse("scoreboard", args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return run.ExitAgree
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return run.ExitUsage
	}
	root, err := scratch.ModuleRoot(ctx)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return run.ExitTrouble
	}
	if o.Golden == "" {
		o.Golden = filepath.Join(root, "..", "..", "golden")
		args = append(args[:len(args):len(args)], "--golden", o.Golden)
	}
	if !o.Generate {
		return run.Main(nil, args, stdout, stderr)
	}
	code, err := generateAndRun(ctx, o, args, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return run.ExitTrouble
	}
	return code
}

// generateAndRun makes the program, runs it, and returns its exit code.
func generateAndRun(ctx context.Context, o run.Options, args []string, stdout, stderr io.Writer) (int, error) {
	dir, err := os.MkdirTemp("", "prune-gen-conformance-")
	if err != nil {
		return 0, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	packages, err := generate(ctx, o, stderr)
	if err != nil {
		return 0, err
	}
	var overlay scratch.Overlay
	if o.Overlay != "" {
		data, err := os.ReadFile(o.Overlay)
		if err == nil {
			err = json.Unmarshal(data, &overlay)
		}
		if err != nil {
			return 0, fmt.Errorf("read the overlay: %w", err)
		}
	}
	start := time.Now()
	program, err := scratch.Build(ctx, dir, packages, overlay)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(stderr, "compiled them in %.1f s\n", time.Since(start).Seconds())
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// generate loads the CRDs and generates code for them. Nothing but the code outlives it: the program loads them again.
func generate(ctx context.Context, o run.Options, stderr io.Writer) ([]*scratch.Package, error) {
	c, err := run.Load(ctx, o)
	if err != nil {
		return nil, err
	}
	subjects, err := run.Subjects(c, o)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	features := generator.AllFeatures()
	if o.Function == "rules" { // much less to compile
		if features, err = generator.ParseFeatures([]string{string(generator.FeatureRules)}); err != nil {
			return nil, err
		}
	}
	packages, refused, stats, err := scratch.Generate(subjects, features)
	if err != nil {
		return nil, err
	}
	for _, r := range refused {
		fmt.Fprintf(stderr, "nothing is generated for %s: %s\n", r.Subject, r.Reason)
	}
	fmt.Fprintf(stderr, "generated %d kinds in %d packages, %.1f MB, in %.1f s\n",
		stats.Kinds, stats.Packages, float64(stats.Bytes)/1e6, time.Since(start).Seconds())
	return packages, nil
}
