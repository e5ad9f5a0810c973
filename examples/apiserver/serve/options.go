package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/pflag"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/util/compatibility"

	"github.com/prune-gen/prune-gen/examples/apiserver/embedded"
)

// keyPrefix is where the keys of the server begin in etcd.
const keyPrefix = "/registry"

// Options are the flags of a server.
type Options struct {
	Recommended *genericoptions.RecommendedOptions
	// DataDir is where the embedded etcd keeps its data; empty means a directory that is removed when the server ends.
	DataDir string
	// Local lets everybody who reaches the server do everything, and asks no cluster for anything.
	Local bool
	// AllowRules is that of Config.
	AllowRules bool
}

// NewOptions returns the options as they are without flags: port 6443 on loopback, with certificates made on the spot, and an
// embedded etcd.
func NewOptions() *Options {
	o := &Options{Recommended: genericoptions.NewRecommendedOptions(keyPrefix, nil)}
	o.Recommended.SecureServing.BindAddress = net.IPv4(127, 0, 0, 1)
	o.Recommended.SecureServing.BindPort = 6443
	o.Recommended.SecureServing.ServerCert.CertDirectory = ""
	o.Recommended.SecureServing.ServerCert.PairName = "apiserver"
	return o
}

// AddFlags makes the options flags.
func (o *Options) AddFlags(flags *pflag.FlagSet) {
	o.Recommended.AddFlags(flags)
	flags.StringVar(&o.DataDir, "data-dir", o.DataDir,
		"where the embedded etcd keeps its data, if --etcd-servers names no other; by default a directory that is removed at the end")
	flags.BoolVar(&o.Local, "local", o.Local,
		"let everybody who reaches the server do everything: no authentication, no authorization, no admission; only on loopback")
	flags.BoolVar(&o.AllowRules, "allow-rules", o.AllowRules,
		"serve kinds with CEL rules, although generated code does not evaluate them")
}

// Validate returns everything that is wrong with the options.
func (o *Options) Validate() error {
	r := o.Recommended
	errs := r.SecureServing.Validate()
	if o.Local {
		if !r.SecureServing.BindAddress.IsLoopback() {
			errs = append(errs, fmt.Errorf("--local opens the server to everybody who reaches it: not with --bind-address=%s", r.SecureServing.BindAddress))
		}
		return errors.Join(errs...)
	}
	errs = append(errs, r.Authentication.Validate()...)
	errs = append(errs, r.Authorization.Validate()...)
	errs = append(errs, r.Audit.Validate()...)
	errs = append(errs, r.Admission.Validate()...)
	errs = append(errs, r.Features.Validate()...)
	return errors.Join(errs...)
}

// Run serves the definitions until ctx ends.
func (o *Options) Run(ctx context.Context, definitions []*Definition) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if len(o.Recommended.Etcd.StorageConfig.Transport.ServerList) == 0 {
		stop, err := o.startEtcd(ctx)
		if err != nil {
			return err
		}
		// etcd stops last: the server's own end needs it.
		defer stop()
	}
	config, err := o.Config()
	if err != nil {
		return err
	}
	server, err := Config{Generic: config, Definitions: definitions, AllowRules: o.AllowRules}.New()
	if err != nil {
		return err
	}
	return server.PrepareRun().RunWithContext(ctx)
}

// startEtcd starts the embedded etcd and makes it the server's.
func (o *Options) startEtcd(ctx context.Context) (stop func(), err error) {
	dir, remove := o.DataDir, func() {}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "linked-resources-"); err != nil {
			return nil, err
		}
		remove = func() { os.RemoveAll(dir) }
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	etcd, err := embedded.Start(ctx, dir, embedded.Options{Forgetful: o.DataDir == ""})
	if err != nil {
		remove()
		return nil, err
	}
	o.Recommended.Etcd.StorageConfig.Transport.ServerList = []string{etcd.URL}
	return func() { etcd.Close(); remove() }, nil
}

// Config returns the configuration of the generic server that the options describe. etcd runs already.
func (o *Options) Config() (*genericapiserver.RecommendedConfig, error) {
	r := o.Recommended
	if err := r.SecureServing.MaybeDefaultWithSelfSignedCerts("localhost", nil, []net.IP{net.IPv4(127, 0, 0, 1)}); err != nil {
		return nil, fmt.Errorf("make certificates: %w", err)
	}
	config := newGenericConfig()
	config.PublicAddress = r.SecureServing.BindAddress
	if !o.Local {
		if err := r.ApplyTo(config); err != nil {
			return nil, err
		}
		return config, nil
	}
	if err := r.Etcd.ApplyTo(&config.Config); err != nil {
		return nil, err
	}
	if err := r.SecureServing.ApplyToConfig(&config.Config); err != nil {
		return nil, err
	}
	if err := r.Audit.ApplyTo(&config.Config); err != nil {
		return nil, err
	}
	config.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	return config, nil
}

// newGenericConfig returns what all configurations have in common.
func newGenericConfig() *genericapiserver.RecommendedConfig {
	config := genericapiserver.NewRecommendedConfig(codecs)
	config.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	// The documents come from the CRDs: see installOpenAPI.
	config.SkipOpenAPIInstallation = true
	return config
}
