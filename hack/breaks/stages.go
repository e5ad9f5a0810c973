package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// stage is one command that can notice a break. Its failure is what notices.
type stage struct {
	name        string
	dir         string
	command     []string
	conformance bool
}

// stages returns what is run for a break, the cheapest first. Code is generated again as soon as it can differ.
func stages(b Break) []stage {
	own := test(b.pkg())
	rest := []stage{
		test("./golden", "./golden/run", "./runtime/...", "./generator/...", "./structural/...", "./internal/..."),
		test("./cmd/...", "./examples/operator/..."),
		{"comparison with Kubernetes", "hack/conformance", []string{"go", "run", "./cmd/scoreboard",
			"--sample", "0", "--random", "60", "--objects", "30", "--mutations", "20"}, true},
	}
	switch {
	case !b.generates():
		return append([]stage{own}, rest...)
	case strings.HasPrefix(b.File, "generator/internal/emit/"):
		return append(append(generate(), own), rest...) // its own tests compare generated code
	}
	return append(append([]stage{own}, generate()...), rest...)
}

func test(packages ...string) stage {
	return stage{name: "tests", dir: ".", command: append([]string{"go", "test", "-vet=off", "-failfast", "-timeout", "5m"}, packages...)}
}

// generate makes all generated code again. That can fail, and notices the break then.
func generate() []stage {
	return []stage{
		{name: "generating the runtime", dir: ".", command: []string{"go", "generate", "./runtime/..."}},
		{name: "generating golden code", dir: ".", command: []string{"go", "test", "-vet=off", "./golden", "-run", "TestGoldenCodeIsCurrent", "-update"}},
		{name: "generating forms", dir: ".", command: []string{"go", "test", "-vet=off", "./generator/internal/emit", "-update"}},
		{name: "generating examples", dir: ".", command: []string{"go", "generate", "./examples/..."}},
	}
}

// stage runs one command up to the first failure that it prints, and returns what failed; "" if nothing did.
func (w *workplace) stage(ctx context.Context, s stage) (string, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := w.command(ctx, s.dir, s.command[0], s.command[1:]...)
	r, pipe := io.Pipe()
	cmd.Stdout, cmd.Stderr = pipe, pipe
	if err := cmd.Start(); err != nil {
		return "", err
	}
	done := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		pipe.Close()
		done <- err
	}()
	failed, last, found := "", "", ""
	for lines := bufio.NewScanner(r); lines.Scan(); {
		line := lines.Text()
		if w.verbose {
			fmt.Println("        |", line)
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case found != "":
		case strings.HasPrefix(trimmed, "--- FAIL: "):
			failed, _, _ = strings.Cut(strings.TrimPrefix(trimmed, "--- FAIL: "), " (") // a subtest comes after its test
		case strings.HasPrefix(line, "panic: "):
			failed = strings.TrimSpace(failed + " " + line)
		case strings.HasPrefix(line, "FAIL\t"):
			found = strings.TrimSpace(strings.Fields(line)[1] + " " + failed)
			if strings.Contains(line, "[build failed]") {
				found += " does not compile: " + last
			}
			stop()
		}
		if trimmed != "" && !strings.HasPrefix(line, "exit status") && trimmed != "FAIL" {
			last = trimmed
		}
	}
	r.Close() // lets the command end where a line was too long to read
	err := <-done
	var exit *exec.ExitError
	switch {
	case found != "":
		return strings.TrimPrefix(found, modulePath+"/"), nil
	case err == nil:
		return "", nil
	case context.Cause(ctx) != nil || !errors.As(err, &exit):
		return "", err
	}
	return s.name + ": " + last, nil
}
