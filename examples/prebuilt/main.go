// Prebuilt shows what the API server would make of manifests of every kind whose functions are linked into it. The imports
// below are all it takes: the packages were generated with --register, and so make their kinds known when the program starts.
//
//	prebuilt                          list the kinds
//	prebuilt manifest.yaml ...        normalize manifests
//	prebuilt --crds dir manifest...   the same, for the CRDs in a directory
//
// With --crds it does what a server does whose code was built from some CRDs, and that finds other ones installed when it starts: linked
// code that is missing, or no longer fits the CRD, is replaced by the interpreter, and the program says which fields it would have lost.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/examples/internal/manifest"
	_ "github.com/prune-gen/prune-gen/examples/prebuilt/pruners/v1"
	_ "github.com/prune-gen/prune-gen/examples/prebuilt/pruners/v1beta1"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

//go:generate go tool prune-gen generate --emit-only normalize,fields --register --output-dir pruners crds

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("prebuilt", flag.ContinueOnError)
	flags.SetOutput(stderr)
	crds := flags.String("crds", "", "the directory with the CRDs that are installed")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	resources, err := linked(*crds, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "prebuilt: %s\n", manifest.Printable(err.Error()))
		return 1
	}
	if flags.NArg() == 0 {
		for _, r := range resources.Resources() {
			fmt.Fprintf(stdout, "%s %s\n", r.APIVersion(), r.Kind)
		}
		return 0
	}
	code := 0
	for _, name := range flags.Args() {
		if err := normalize(resources, name, stdout, stderr); err != nil {
			fmt.Fprintf(stderr, "prebuilt: %s: %s\n", name, manifest.Printable(err.Error()))
			code = 1
		}
	}
	return code
}

// linked returns the linked resources, with what fits the CRDs in dir better in place of those that do not fit.
func linked(dir string, stderr io.Writer) (*prunert.Set, error) {
	set := &prunert.Set{}
	if err := set.AddPartial(prunert.Registered()...); err != nil || dir == "" {
		return set, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		crd, err := load.CRD(data, load.Options{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := install(set, crd, stderr); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return set, nil
}

// install makes sure that the set has what fits a CRD.
func install(set *prunert.Set, crd *structural.CRD, stderr io.Writer) error {
	interpreted, err := dynamic.Compile(crd)
	if err != nil {
		return err
	}
	for _, r := range interpreted {
		code, ok := set.Lookup(r.Group, r.Version, r.Kind)
		if !ok {
			fmt.Fprintf(stderr, "%s %s: no code is linked for it; interpreting its schema\n", r.APIVersion(), r.Kind)
			if err := set.Put(r); err != nil {
				return err
			}
			continue
		}
		fit, err := dynamic.Fits(code, crd)
		if err != nil {
			return err
		}
		if fit.Same {
			continue
		}
		fmt.Fprintf(stderr, "%s %s: the linked code does not fit the CRD; interpreting its schema\n", r.APIVersion(), r.Kind)
		if len(fit.Lost) > 0 {
			fmt.Fprintf(stderr, "  the code would drop %s\n", manifest.Printable(strings.Join(fit.Lost, ", ")))
		}
		if len(fit.Extra) > 0 {
			fmt.Fprintf(stderr, "  the API server drops %s\n", manifest.Printable(strings.Join(fit.Extra, ", ")))
		}
		if err := set.Put(r); err != nil {
			return err
		}
	}
	return nil
}

// normalize prints the manifest in a file as a YAML document, as the API server would store it.
func normalize(resources *prunert.Set, name string, stdout, stderr io.Writer) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	obj, err := manifest.Read(f)
	if err != nil {
		return err
	}
	unknown, err := resources.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
	if err != nil {
		return err
	}
	for _, path := range unknown {
		fmt.Fprintf(stderr, "%s: unknown field %q\n", name, path)
	}
	fmt.Fprintln(stdout, "---")
	return manifest.Write(stdout, obj)
}
