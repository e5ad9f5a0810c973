package cost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/scratch"
)

const corePackage = "k8s.io/api/core/v1"

// compile measures how long the compiler takes.
//
// The go command keeps what it has compiled. A flag that means nothing to the compiler but is new every time makes it
// compile a package again, that package alone, and -toolexec puts this program between it and the compiler to see how
// long the latter takes.
func compile(ctx context.Context, e *Env) (*report.Cost, error) {
	workflow, err := e.kind("Workflow")
	if err != nil {
		return nil, err
	}
	m, err := scratch.NewLikeBench(ctx)
	if err != nil {
		return nil, err
	}
	defer m.Remove()
	const workflowPackage = "scratch/workflow"
	if err := m.Generate("workflow", []generator.Input{workflow.Input}, generator.AllFeatures()); err != nil {
		return nil, err
	}
	const validatePackage = "scratch/workflowvalidate"
	if err := m.Generate("workflowvalidate", []generator.Input{workflow.Input}, generator.Features{generator.FeatureValidate}); err != nil {
		return nil, err
	}
	if _, err := m.Go(ctx, "build", workflowPackage, validatePackage, corePackage); err != nil {
		return nil, err
	}
	validate, err := e.median("compiling "+validatePackage, func() (spent, error) { return compilePackage(ctx, m, validatePackage) })
	if err != nil {
		return nil, err
	}
	ours, err := e.median("compiling "+workflowPackage, func() (spent, error) { return compilePackage(ctx, m, workflowPackage) })
	if err != nil {
		return nil, err
	}
	theirs, err := e.median("compiling "+corePackage, func() (spent, error) { return compilePackage(ctx, m, corePackage) })
	if err != nil {
		return nil, err
	}
	r := &report.Cost{Table: report.Table{
		Title: "Compile time",
		Note: "The Go compiler on the generated package for Workflow with all functions and on the largest API package of Kubernetes, " +
			"their imports being compiled already.",
		Header: []string{"package", "processor time", "time"},
		Rows: [][]string{
			{"Workflow, all functions", report.Duration(ours.cpu), report.Duration(ours.wall)},
			{"Workflow, validate only", report.Duration(validate.cpu), report.Duration(validate.wall)},
			{corePackage, report.Duration(theirs.cpu), report.Duration(theirs.wall)},
		},
	}}
	r.Headline("Compiling Workflow with all functions takes %.2f of the time of %s",
		float64(ours.cpu)/float64(theirs.cpu), corePackage)
	return r, nil
}

// compilation is one run of the compiler, as it is written to a file.
type compilation struct {
	CPU  time.Duration
	Wall time.Duration
}

// The variables that make this program stand in for the compiler.
const (
	compilePackageVar = "PRUNE_GEN_BENCH_COMPILE_PACKAGE"
	compileResultVar  = "PRUNE_GEN_BENCH_COMPILE_RESULT"
)

// compilePackage compiles one package, whether or not that was done before.
func compilePackage(ctx context.Context, m *scratch.Module, pkg string) (took spent, err error) {
	exe, err := os.Executable()
	if err != nil {
		return took, err
	}
	result := m.Path("compilation.json")
	if err := os.Remove(result); err != nil && !errors.Is(err, os.ErrNotExist) {
		return took, err
	}
	// -D is for relative imports, of which there are none.
	flag := fmt.Sprintf("-gcflags=%s=-D=/%d", pkg, time.Now().UnixNano())
	env := []string{compilePackageVar + "=" + pkg, compileResultVar + "=" + result}
	if _, err := m.GoEnv(ctx, env, "build", "-toolexec="+exe, flag, pkg); err != nil {
		return took, err
	}
	data, err := os.ReadFile(result)
	if err != nil {
		return took, fmt.Errorf("the compiler was not run for %s: %w", pkg, err)
	}
	var c compilation
	err = json.Unmarshal(data, &c)
	return spent{wall: c.Wall, cpu: c.CPU}, err
}

// ToolExec does the work of a tool of the go command if that is what this program was started for, and reports whether it
// was. It writes down how long the compiler takes for the package in question.
func ToolExec() (wasStarted bool, exitCode int) {
	pkg, result := os.Getenv(compilePackageVar), os.Getenv(compileResultVar)
	if pkg == "" || result == "" || len(os.Args) < 2 {
		return false, 0
	}
	tool, args := os.Args[1], os.Args[2:]
	cmd := exec.Command(tool, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return true, exit.ExitCode()
		}
		fmt.Fprintln(os.Stderr, err)
		return true, 1
	}
	i := slices.Index(args, "-p")
	name := strings.TrimSuffix(filepath.Base(tool), ".exe")
	if name == "compile" && i >= 0 && i+1 < len(args) && args[i+1] == pkg {
		data, err := json.Marshal(compilation{CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), Wall: wall})
		if err == nil {
			err = os.WriteFile(result, data, 0o666)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return true, 1
		}
	}
	return true, 0
}
