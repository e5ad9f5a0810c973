// Package options has the flags of an API server's command, and runs it.
package options

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/klog/v2"

	"github.com/prune-gen/prune-gen/kube/apiserver"
	"github.com/prune-gen/prune-gen/kube/apiserver/embedded"
)

// keyPrefix is where the keys of the server begin in etcd.
const keyPrefix = "/registry"

// watchGrace is how long a server that ends takes to end the watches. Without it, they are waited for as long as for requests.
const watchGrace = 5 * time.Second

// Options are the flags of a server.
type Options struct {
	Recommended *genericoptions.RecommendedOptions
	Run         *genericoptions.ServerRunOptions
	// DataDir is where the embedded etcd keeps its data; empty means a directory that is removed when the server ends.
	DataDir string
	// Local lets everybody who reaches the server do everything, and asks no cluster for anything.
	Local bool

	// Conversion has the handlers that convert objects in the process: see apiserver.Config.
	Conversion map[schema.GroupKind]http.Handler

	// flags are those that the options were added to, nil without any.
	flags *pflag.FlagSet
}

// New returns the options as they are without flags: port 6443 on loopback, with certificates made on the spot, and an
// embedded etcd.
func New() *Options {
	o := &Options{Recommended: genericoptions.NewRecommendedOptions(keyPrefix, nil), Run: genericoptions.NewServerRunOptions()}
	o.Run.ShutdownWatchTerminationGracePeriod = watchGrace
	serving := o.Recommended.SecureServing
	serving.Required = true
	serving.BindAddress = net.IPv4(127, 0, 0, 1)
	serving.BindPort = 6443
	serving.ServerCert.CertDirectory = ""
	serving.ServerCert.PairName = "apiserver"
	return o
}

// AddFlags makes the options flags.
func (o *Options) AddFlags(flags *pflag.FlagSet) {
	o.flags = flags
	o.Run.AddUniversalFlags(flags)
	o.Recommended.AddFlags(flags)
	flags.StringVar(&o.DataDir, "data-dir", o.DataDir,
		"where the embedded etcd keeps its data, if --etcd-servers names no other; with --local, by default a directory that is removed at the end")
	flags.BoolVar(&o.Local, "local", o.Local,
		"let everybody who reaches the server do everything: no authentication, no authorization, no admission; only on loopback")
}

// Validate returns everything that is wrong with the options.
func (o *Options) Validate() error {
	r := o.Recommended
	errs := r.SecureServing.Validate()
	errs = append(errs, o.Run.Validate()...)
	errs = append(errs, r.Audit.Validate()...)
	errs = append(errs, r.Features.Validate()...)
	errs = append(errs, o.validateEtcd()...)
	if o.Local {
		errs = append(errs, o.validateLocal()...)
		return errors.Join(errs...)
	}
	errs = append(errs, r.Authentication.Validate()...)
	errs = append(errs, r.Authorization.Validate()...)
	errs = append(errs, r.Admission.Validate()...)
	if o.embedsEtcd() && o.DataDir == "" {
		errs = append(errs, errors.New("--data-dir or --etcd-servers must say where the data is kept; only with --local it may be thrown away at the end"))
	}
	return errors.Join(errs...)
}

// embedsEtcd reports whether the server has an etcd of its own.
func (o *Options) embedsEtcd() bool {
	return len(o.Recommended.Etcd.StorageConfig.Transport.ServerList) == 0
}

func (o *Options) validateEtcd() (errs []error) {
	etcd := *o.Recommended.Etcd
	switch {
	case o.embedsEtcd():
		etcd.StorageConfig.Transport.ServerList = []string{"embedded"}
	case o.DataDir != "":
		errs = append(errs, errors.New("--data-dir is for the embedded etcd: it cannot be combined with --etcd-servers"))
	}
	for _, name := range []string{"etcd-servers-overrides", "storage-media-type"} {
		if o.flags != nil && o.flags.Changed(name) {
			errs = append(errs, fmt.Errorf("--%s has no effect: one etcd has all objects, as JSON", name))
		}
	}
	return append(errs, etcd.Validate()...)
}

// validateLocal refuses what --local would have to ignore.
func (o *Options) validateLocal() (errs []error) {
	r := o.Recommended
	if !r.SecureServing.BindAddress.IsLoopback() {
		errs = append(errs, fmt.Errorf("--local opens the server to everybody who reaches it: not with --bind-address=%s", r.SecureServing.BindAddress))
	}
	if o.flags == nil {
		return errs
	}
	idle := pflag.NewFlagSet("", pflag.ContinueOnError)
	none := genericoptions.NewRecommendedOptions(keyPrefix, nil)
	none.Authentication.AddFlags(idle)
	none.Authorization.AddFlags(idle)
	none.CoreAPI.AddFlags(idle)
	none.Admission.AddFlags(idle)
	none.EgressSelector.AddFlags(idle)
	idle.VisitAll(func(f *pflag.Flag) {
		if o.flags.Changed(f.Name) {
			errs = append(errs, fmt.Errorf("--%s has no effect with --local, which asks no cluster for anything", f.Name))
		}
	})
	if o.flags.Changed("enable-priority-and-fairness") && r.Features.EnablePriorityAndFairness {
		errs = append(errs, errors.New("--enable-priority-and-fairness needs a cluster: it cannot be combined with --local"))
	}
	return errs
}

// Serve serves the definitions until ctx ends. It returns nil if ctx ends before the server has started, too.
func (o *Options) Serve(ctx context.Context, definitions []*apiserver.Definition) error {
	err := o.serve(ctx, definitions)
	if errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

func (o *Options) serve(ctx context.Context, definitions []*apiserver.Definition) error {
	if err := o.Run.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if o.embedsEtcd() {
		stop, err := o.startEtcd(ctx)
		if err != nil {
			return err
		}
		// etcd stops last: the server's own end needs it.
		defer stop()
	} else if err := o.findEtcd(ctx); err != nil {
		return err
	}
	config, err := o.Config()
	if err != nil {
		return err
	}
	server, err := apiserver.Config{Generic: config, Conversion: o.Conversion, Definitions: definitions}.New()
	if err != nil {
		return err
	}
	return server.PrepareRun().RunWithContext(ctx)
}

// findEtcd waits for an etcd that is not embedded. The generic server would wait for it, too, without naming it, and even after ctx ends.
func (o *Options) findEtcd(ctx context.Context) (err error) {
	config := o.Recommended.Etcd.StorageConfig
	servers := strings.Join(config.Transport.ServerList, ", ")
	klog.Infof("Connecting to etcd at %s", servers)
	found := make(chan error, 1)
	go func() {
		prober, err := factory.CreateProber(config)
		if err == nil {
			err = prober.Close()
		}
		found <- err
	}()
	select {
	case err = <-found:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("connect to etcd at %s: %w", servers, err)
	}
	return nil
}

// startEtcd starts the embedded etcd and makes it the server's.
func (o *Options) startEtcd(ctx context.Context) (stop func(), err error) {
	dir, remove := o.DataDir, func() {}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "linked-resources-"); err != nil {
			return nil, err
		}
		remove = func() { os.RemoveAll(dir) }
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
	config := apiserver.NewGenericConfig()
	if err := o.Run.ApplyTo(&config.Config); err != nil {
		return nil, err
	}
	if config.PublicAddress == nil {
		config.PublicAddress = r.SecureServing.BindAddress
	}
	if !o.Local {
		if err := r.ApplyTo(config); err != nil {
			return nil, err
		}
		return config, nil
	}
	features := *r.Features
	features.EnablePriorityAndFairness = false // a cluster says who has which priority
	for _, apply := range []func() error{
		func() error { return r.Etcd.ApplyTo(&config.Config) },
		func() error { return r.Traces.ApplyTo(nil, &config.Config) },
		func() error { return r.SecureServing.ApplyToConfig(&config.Config) },
		func() error { return r.Audit.ApplyTo(&config.Config) },
		func() error { return features.ApplyTo(&config.Config, nil, nil) },
	} {
		if err := apply(); err != nil {
			return nil, err
		}
	}
	config.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	return config, nil
}
