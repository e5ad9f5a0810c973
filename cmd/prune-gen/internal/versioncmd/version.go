// Package versioncmd is the command version.
package versioncmd

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
)

// mirrored is the version of k8s.io/apiextensions-apiserver that prune-gen behaves like.
const mirrored = "v0.37.2"

// Run prints the versions that a bug report needs.
func Run(env *cli.Environment, args []string) error {
	fl := cli.NewFlags("version", "", "Print the version of prune-gen, of the Go it was built with, and of the Kubernetes it mirrors.")
	fl.SetExamples(cli.Example{Does: "for a bug report", Line: "prune-gen version"})
	args, err := fl.Parse(env, args)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return fl.Errorf("unexpected argument %q", args[0])
	}
	fmt.Fprintf(env.Stdout, "prune-gen %s\n", cli.BuildVersion())
	fmt.Fprintf(env.Stdout, "built with %s for %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(env.Stdout, "mirrors k8s.io/apiextensions-apiserver %s, Kubernetes %s\n", mirrored,
		strings.Replace(mirrored, "v0.", "v1.", 1))
	return nil
}
