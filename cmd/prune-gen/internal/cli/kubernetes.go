package cli

import (
	"github.com/spf13/cobra"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// AddKubernetes adds the flag --kubernetes, which sets v.
func AddKubernetes(cmd *cobra.Command, v *kubeversion.Version) {
	cmd.Flags().Var((*kubernetes)(v), "kubernetes", "the version of Kubernetes to behave like, such as 1.34 (default: the newest)")
	var known []string
	for _, v := range kubeversion.Known() {
		known = append(known, v.String())
	}
	cmd.RegisterFlagCompletionFunc("kubernetes", cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
}

// kubernetes is the value of the flag --kubernetes.
type kubernetes kubeversion.Version

func (k *kubernetes) String() string {
	if *k == 0 {
		return ""
	}
	return kubeversion.Version(*k).String()
}
func (k *kubernetes) Type() string { return "version" }

func (k *kubernetes) Set(text string) error {
	v, err := kubeversion.Parse(text)
	*k = kubernetes(v)
	return err
}
