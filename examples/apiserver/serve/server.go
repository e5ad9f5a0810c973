package serve

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/klog/v2"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Config is what a server is made of.
type Config struct {
	Generic *genericapiserver.RecommendedConfig
	// Resources is the linked code; nil means all registered resources.
	Resources   *prunert.Set
	Definitions []*Definition
}

// New returns a server that is ready to be run.
func (c Config) New() (*genericapiserver.GenericAPIServer, error) {
	if c.Resources == nil {
		c.Resources = prunert.Linked()
	}
	c.Definitions = slices.DeleteFunc(slices.Clone(c.Definitions), func(d *Definition) bool {
		if d.Unserved != "" {
			klog.Errorf("%s is not served: %s", d.GroupKind(), d.Unserved)
		}
		return d.Unserved != ""
	})
	if err := c.validate(); err != nil {
		return nil, err
	}
	generic := c.Generic.Complete()
	server, err := generic.New("linked-resources-apiserver", genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	h := &handler{
		kinds:      map[schema.GroupResource]*kind{},
		admission:  c.Generic.AdmissionControl,
		minTimeout: time.Duration(c.Generic.MinRequestTimeout) * time.Second,
	}
	var kinds []*kind
	server.RegisterDestroyFunc(func() {
		for _, k := range kinds {
			for _, v := range k.versions {
				v.resource.Destroy()
			}
		}
	})
	for _, d := range c.Definitions {
		k, err := newKind(d, kindOptions{
			set:          c.Resources,
			getter:       c.Generic.RESTOptionsGetter,
			authorizer:   server.Authorizer,
			observe:      observer(d),
			maxBodyBytes: c.Generic.MaxRequestBodyBytes,
		})
		if err != nil {
			server.Destroy()
			return nil, err
		}
		kinds = append(kinds, k)
		h.kinds[schema.GroupResource{Group: d.Group, Resource: d.Names.Plural}] = k
		for _, v := range k.versions {
			server.StorageReadinessHook.RegisterStorage(metav1.GroupVersionResource(v.scope.Resource), v.resource)
		}
	}
	if err := server.AddPostStartHook("linked-resources-storage", server.StorageReadinessHook.Hook); err != nil {
		server.Destroy()
		return nil, err
	}
	if h.discovery, err = installDiscovery(server, kinds); err != nil {
		server.Destroy()
		return nil, err
	}
	mux := server.Handler.NonGoRestfulMux
	installed := map[string]bool{}
	for _, k := range kinds {
		if path := "/apis/" + k.Group; !installed[path] {
			installed[path] = true
			mux.Handle(path, h)
			mux.HandlePrefix(path+"/", h)
		}
	}
	if err := installOpenAPI(server, kinds); err != nil {
		server.Destroy()
		return nil, err
	}
	return server, nil
}

// validate names everything that cannot be served.
func (c Config) validate() error {
	var errs []error
	seen := map[schema.GroupResource]bool{}
	for _, d := range c.Definitions {
		gr := schema.GroupResource{Group: d.Group, Resource: d.Names.Plural}
		if seen[gr] {
			errs = append(errs, fmt.Errorf("%s is defined twice", gr))
		}
		seen[gr] = true
		found, err := d.resources(c.Resources)
		errs = append(errs, err, d.fits(found))
		var rules []string
		for name, r := range found {
			if r.HasRules && r.ValidateRules == nil {
				rules = append(rules, name)
			}
		}
		if len(rules) > 0 {
			slices.Sort(rules)
			errs = append(errs, fmt.Errorf("%s has CEL rules (x-kubernetes-validations) in %s, which the linked code does not evaluate: generate it with --emit rules",
				gr, strings.Join(rules, ", ")))
		}
	}
	if len(c.Definitions) == 0 {
		errs = append(errs, errors.New("no resource is defined"))
	}
	return errors.Join(errs...)
}
