// Prebuilt prunes manifests of every kind whose functions are linked into it. The imports below are all it takes: the
// packages were generated with --register, and so make their kinds known when the program starts.
//
//	prebuilt                     list the kinds
//	prebuilt manifest.yaml ...   prune manifests
//
// A server can do the same for the CRDs that it knows when it is built. Before it trusts the functions, it compares the
// hash of the schema that they were made from with that of the CRD that is installed.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/prune-gen/prune-gen/examples/internal/manifest"
	prunert "github.com/prune-gen/prune-gen/runtime"

	_ "github.com/prune-gen/prune-gen/examples/prebuilt/pruners/v1"
	_ "github.com/prune-gen/prune-gen/examples/prebuilt/pruners/v1beta1"
)

//go:generate go tool prune-gen generate --register --output-dir pruners crds

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(files []string, stdout, stderr io.Writer) int {
	if len(files) == 0 {
		for _, r := range prunert.Registered() {
			fmt.Fprintf(stdout, "%s %s\n", r.APIVersion(), r.Kind)
		}
		return 0
	}
	code := 0
	for _, name := range files {
		if err := prune(name, stdout, stderr); err != nil {
			fmt.Fprintf(stderr, "prebuilt: %s: %s\n", name, manifest.Printable(err.Error()))
			code = 1
		}
	}
	return code
}

// prune prints the manifest in a file as a YAML document, without what its schema does not specify.
func prune(name string, stdout, stderr io.Writer) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	obj, err := manifest.Read(f)
	if err != nil {
		return err
	}
	resource, err := lookup(obj)
	if err != nil {
		return err
	}
	for _, path := range resource.PruneReport(obj) {
		fmt.Fprintf(stderr, "%s: unknown field %q\n", name, path)
	}
	fmt.Fprintln(stdout, "---")
	return manifest.Write(stdout, obj)
}

// lookup finds the resource of an object.
func lookup(obj map[string]any) (prunert.Resource, error) {
	apiVersion, _ := obj["apiVersion"].(string)
	kind, _ := obj["kind"].(string)
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group, version = "", apiVersion
	}
	resource, ok := prunert.Lookup(group, version, kind)
	if !ok {
		return resource, fmt.Errorf("nothing is known of %q %q", apiVersion, kind)
	}
	return resource, nil
}
