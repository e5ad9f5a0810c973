// Apiserver is a Kubernetes API server for resources whose code is linked into it: see package apis for what they are, and the module
// kube/apiserver for how it works.
//
//	apiserver --local                          for a try: port 6443 on loopback, an etcd of its own, everybody may do everything
//	apiserver --local --data-dir DIR           the same, and the data is still there after a restart
//	apiserver --etcd-servers URL \
//	    --kubeconfig F --authentication-kubeconfig F --authorization-kubeconfig F
//	                                           in a cluster, served by its aggregation layer
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/spf13/pflag"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/klog/v2"

	"github.com/prune-gen/prune-gen/examples/apiserver/apis"
	"github.com/prune-gen/prune-gen/kube/apiserver/options"
)

func main() {
	opts := options.New()
	flags := pflag.NewFlagSet("apiserver", pflag.ContinueOnError)
	opts.AddFlags(flags)
	logging := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(logging)
	flags.AddGoFlagSet(logging)
	if err := flags.Parse(os.Args[1:]); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(2)
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "apiserver: unexpected arguments %q: there are flags only\n", flags.Args())
		os.Exit(2)
	}
	definitions, err := apis.Definitions()
	if err == nil {
		err = opts.Serve(genericapiserver.SetupSignalContext(), definitions)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}
