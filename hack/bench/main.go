// Command bench measures generated code side by side with Kubernetes' own, and what it costs those who use it.
//
//	go run . [flags]
//
// It generates code for the kinds of the benchmark set, compiles it together with the benchmarks in speed, runs them and those
// in cost, and prints tables of what they print.
//
//	-bench REGEXP   run only the benchmarks that match, as in go test
//	-count N        how often to run those in speed; the ratios of tables are medians
//	-benchtime T    how long each of them takes, as in go test
//	-o FILE         keep what the benchmarks print: benchstat -col /by FILE
//	-from FILE      run nothing; read what they printed before
//	-report DIR     write DIR/benchmarks.md
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/set"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	var (
		r      runs
		out    = flags.String("o", "", "keep what the benchmarks print in `file`")
		from   = flags.String("from", "", "read what the benchmarks printed from `file`")
		report = flags.String("report", "", "write benchmarks.md into `dir`")
	)
	flags.StringVar(&r.bench, "bench", ".", "run only the benchmarks that match `regexp`")
	flags.IntVar(&r.count, "count", 9, "how often to run the benchmarks in speed")
	flags.StringVar(&r.benchtime, "benchtime", "20ms", "how long each of them takes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var printed []byte
	var err error
	if *from != "" {
		printed, err = os.ReadFile(*from)
	} else {
		printed, err = r.run()
	}
	if err != nil {
		return err
	}
	if *out != "" {
		if err := os.WriteFile(*out, printed, 0o666); err != nil {
			return err
		}
	}
	results, err := read(bytes.NewReader(printed))
	if err != nil {
		return err
	}
	results.print(w)
	if *report == "" {
		return nil
	}
	page, err := results.page()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(*report, "benchmarks.md"), page, 0o666)
}

// runs says what to run.
type runs struct {
	bench, benchtime string
	count            int
}

// run runs the benchmarks and returns what they print, with lines that say with what it was measured.
func (r runs) run() ([]byte, error) {
	overlay, err := set.NewOverlay()
	if err != nil {
		return nil, err
	}
	defer overlay.Remove()
	if err := generate(overlay); err != nil {
		return nil, err
	}
	kubernetes, err := exec.Command("go", "list", "-m", "k8s.io/apiextensions-apiserver").Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m k8s.io/apiextensions-apiserver: %w", err)
	}
	var printed bytes.Buffer
	fmt.Fprintf(&printed, "toolchain: %s\nkubernetes: %s", runtime.Version(), kubernetes)
	bench := func(build string, args ...string) error {
		fmt.Fprintf(&printed, "build: %s\n", build)
		cmd := exec.Command(overlay.Path(build), append([]string{"-test.run=^$", "-test.timeout=0", "-test.bench=" + r.bench}, args...)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = "speed", io.MultiWriter(&printed, os.Stderr), os.Stderr
		return cmd.Run()
	}
	for _, b := range []struct{ build, pkg, tags string }{{"default", "./speed", ""}, {"purego", "./speed", "purego"}, {"cost", "./cost", ""}} {
		fmt.Fprintf(os.Stderr, "compiling %s, %s\n", b.pkg, b.build)
		if err := overlay.Go("test", "-c", "-vet=off", "-tags="+b.tags, "-o", overlay.Path(b.build), b.pkg); err != nil {
			return nil, err
		}
	}
	// Each round runs all of them once: what disturbs the machine disturbs both sides of a pair.
	for range r.count {
		if err := bench("default", "-test.benchtime="+r.benchtime); err != nil {
			return nil, err
		}
		// Only functions on JSON differ.
		if err := bench("purego", "-test.benchtime="+r.benchtime, "-test.skip=^Benchmark[^J]*$"); err != nil {
			return nil, err
		}
	}
	err = bench("cost", "-test.benchtime=1x")
	return printed.Bytes(), err
}

// generate adds the code of all kinds to an overlay, and the file of package speed that has their resources.
func generate(overlay *set.Overlay) error {
	kinds, err := set.Read(set.All()...)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	var imports, resources strings.Builder
	for _, k := range kinds {
		if seen[k.Name()] {
			continue
		}
		seen[k.Name()] = true
		pkg := strings.ToLower(k.Name())
		if err := overlay.Generate("kinds/"+pkg, []generator.Input{k.Input}, generator.AllFeatures()); err != nil {
			return err
		}
		fmt.Fprintf(&imports, "\t%q\n", set.ImportPath+"/kinds/"+pkg)
		fmt.Fprintf(&resources, "\t%q: %s.%s,\n", k.Name(), pkg, generator.ResourceName(k.Name()))
	}
	return overlay.Write("speed/generated_test.go", fmt.Appendf(nil, `package speed

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
%s)

var generated = map[string]prunert.Resource{
%s}
`, &imports, &resources))
}
