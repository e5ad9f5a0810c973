// Prune-manifest answers as the API server would if a CronTab manifest were created, without an API server: it prints the
// object as it would be stored, without the fields that the CRD does not specify and with its defaults. Warnings, and the
// reason why the API server would refuse the object, are printed on standard error as kubectl does.
//
//	prune-manifest config/samples/crontab.yaml
//	kustomize build | prune-manifest
//
// The exit status is 1 if the API server would refuse the object, and 2 if there is no manifest to read.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/prune-gen/prune-gen/examples/internal/manifest"
	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	obj, err := read(args, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "prune-manifest: %s\n", manifest.Printable(err.Error()))
		return 2
	}
	answer := v1.CronTabResource.Create(obj, prunert.Request{})
	for _, text := range answer.Warnings {
		fmt.Fprintf(stderr, "Warning: %s\n", manifest.Printable(text))
	}
	if err := answer.Err(); err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintln(stderr, manifest.Printable(strings.TrimSuffix(line, "\n")))
		}
		return 1
	}
	if err := manifest.Write(stdout, answer.Object); err != nil {
		fmt.Fprintf(stderr, "prune-manifest: %v\n", err)
		return 2
	}
	return 0
}

// read reads the manifest in the file that args name, or on standard input.
func read(args []string, stdin io.Reader) (map[string]any, error) {
	switch len(args) {
	case 0:
	case 1:
		f, err := os.Open(args[0])
		if err != nil {
			return nil, err
		}
		defer f.Close()
		stdin = f
	default:
		return nil, fmt.Errorf("want one file, have %d", len(args))
	}
	obj, err := manifest.Read(stdin)
	if err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	return obj, nil
}
