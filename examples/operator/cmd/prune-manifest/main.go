// Prune-manifest shows what the API server would make of a CronTab manifest, without an API server: it prints the object
// as it would be stored, without the fields that the CRD does not specify and with its defaults, and says on standard error
// which fields were unknown and which values are wrong.
//
//	prune-manifest config/samples/crontab.yaml
//	kustomize build | prune-manifest
//
// The exit status is 1 where the API server would refuse the object, and 2 where there is no CronTab to be read.
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
	unknown, err := v1.NormalizeCronTab(obj, prunert.NormalizeOptions{ReportUnknown: true})
	for _, path := range unknown {
		fmt.Fprintf(stderr, "unknown field %q\n", path)
	}
	if err == nil {
		err = v1.ValidateCronTab(obj).Err()
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(stderr, "error: %s\n", manifest.Printable(strings.TrimSuffix(line, "\n")))
		}
	}
	if err := manifest.Write(stdout, obj); err != nil {
		fmt.Fprintf(stderr, "prune-manifest: %v\n", err)
		return 2
	}
	if err != nil {
		return 1
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
	if want := v1.CronTabResource; !want.Matches(obj) {
		return nil, fmt.Errorf("want %s %s, have %v %v", want.APIVersion(), want.Kind, obj["apiVersion"], obj["kind"])
	}
	return obj, nil
}
