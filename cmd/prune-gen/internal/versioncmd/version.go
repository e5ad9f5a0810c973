// Package versioncmd is the command version.
package versioncmd

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
)

// mirrored is the version of k8s.io/apiextensions-apiserver that prune-gen behaves like.
const mirrored = "v0.37.2"

// Command returns the command.
func Command(env *cli.Environment) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of prune-gen and of the Kubernetes it mirrors",
		Long:  "Print the version of prune-gen, of the Go it was built with, and of the Kubernetes it mirrors.",
		Example: `  # for a bug report
  prune-gen version`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(env.Stdout, Text())
			return err
		},
	}
}

// Text returns the versions that a bug report needs.
func Text() string {
	return fmt.Sprintf("prune-gen %s\nbuilt with %s for %s/%s\nmirrors k8s.io/apiextensions-apiserver %s, Kubernetes %s\n",
		cli.BuildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, mirrored, strings.Replace(mirrored, "v0.", "v1.", 1))
}
