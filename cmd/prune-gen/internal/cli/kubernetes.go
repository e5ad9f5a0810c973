package cli

import (
	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// kubernetes is the value of the flag --kubernetes.
type kubernetes struct{ version kubeversion.Version }

// addKubernetes adds the flag --kubernetes.
func addKubernetes(cmd *cobra.Command) *kubernetes {
	k := &kubernetes{}
	cmd.Flags().Var(k, "kubernetes", "the version of Kubernetes whose API server is asked (default "+kubeversion.Newest.String()+")")
	var known []string
	for _, v := range kubeversion.Known() {
		known = append(known, v.String())
	}
	cmd.RegisterFlagCompletionFunc("kubernetes", cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
	return k
}

func (k *kubernetes) String() string {
	if k.version == 0 {
		return ""
	}
	return k.version.String()
}
func (k *kubernetes) Type() string { return "version" }

func (k *kubernetes) Set(text string) (err error) {
	k.version, err = kubeversion.Parse(text)
	return err
}
