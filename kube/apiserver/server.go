package apiserver

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/compatibility"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Config is what a server is made of.
type Config struct {
	// Generic has everything that is not about kinds: storage, addresses, authentication, authorization, admission. NewGenericConfig
	// returns one to begin with.
	Generic *genericapiserver.RecommendedConfig
	// Linked is the linked code; nil means that of all registered resources.
	Linked *prunert.Set
	// Interpret serves kinds for which no code is linked, or that of another schema, by what their CRDs say. Without it, they are errors.
	Interpret bool
	// Lazy makes a kind ready when it is first asked for, which takes milliseconds for a large CRD: a server with many kinds starts at once. What
	// is wrong with a definition is the answer to requests then. It is for CRDs that are known to be right.
	Lazy bool
	// Conversion has the handlers that convert the objects of kinds in this process, as conversion webhooks do: one that a kind has here is
	// asked in place of what its CRD says. kube.ConversionHandler makes one of a function; that of controller-runtime is another.
	Conversion map[schema.GroupKind]http.Handler
	// Definitions are the kinds that are served from the start. There may be none: see Server.Put.
	Definitions []*Definition
}

// NewGenericConfig returns a configuration without storage, authentication, authorization and admission.
func NewGenericConfig() *genericapiserver.RecommendedConfig {
	config := genericapiserver.NewRecommendedConfig(codecs)
	config.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	// The documents come from the CRDs: see openAPI.
	config.SkipOpenAPIInstallation = true
	config.BuildHandlerChainFunc = func(h http.Handler, c *genericapiserver.Config) http.Handler {
		return endBodies(genericapiserver.DefaultBuildHandlerChain(h, c), c.RequestTimeout)
	}
	return config
}

// Server is an API server. Its kinds can change while it runs.
type Server struct {
	*genericapiserver.GenericAPIServer
	config  Config
	handler *handler
	openAPI *openAPI

	// changing is held while kinds are put and removed.
	changing  sync.Mutex
	destroyed bool
}

// New returns a server that is ready to be run.
func (c Config) New() (*Server, error) {
	if c.Linked == nil {
		c.Linked = prunert.Linked()
	}
	config := *c.Generic
	config.EffectiveVersion = newBuildVersion(config.EffectiveVersion)
	generic, err := config.Complete().New("custom-resources-apiserver", genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	s := &Server{GenericAPIServer: generic, config: c, handler: newHandler(c.Generic)}
	if s.openAPI, err = installOpenAPI(generic); err == nil {
		generic.Handler.NonGoRestfulMux.HandlePrefix("/apis/", s.handler)
		err = s.Put(c.Definitions...)
	}
	if err == nil {
		for _, k := range s.handler.kinds {
			for _, v := range k.made {
				generic.StorageReadinessHook.RegisterStorage(metav1.GroupVersionResource(v.scope.Resource), v.resource)
			}
		}
		err = generic.AddPostStartHook("custom-resources-storage", generic.StorageReadinessHook.Hook)
	}
	generic.RegisterDestroyFunc(s.destroy)
	if err != nil {
		generic.Destroy()
		return nil, err
	}
	return s, nil
}

// Put serves kinds. Those that are served already are served as their definitions say now; their objects stay. When it returns, clients can
// discover the kinds. If a kind cannot be served, nothing changes.
func (s *Server) Put(definitions ...*Definition) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	if s.destroyed {
		return errors.New("the server has ended")
	}
	added, err := s.newKinds(definitions)
	if err != nil {
		return err
	}
	all := maps.Clone(s.handler.kinds)
	var replaced []*kind
	for _, k := range added {
		if old, ok := all[k.groupResource()]; ok {
			replaced = append(replaced, old)
		}
		all[k.groupResource()] = k
	}
	if err := s.serve(all, slices.Concat(added, replaced), replaced); err != nil {
		for _, k := range added {
			k.destroy()
		}
		return err
	}
	return nil
}

// newKinds returns kinds for definitions, or everything that is wrong with these.
func (s *Server) newKinds(definitions []*Definition) ([]*kind, error) {
	kinds, errs := make([]*kind, len(definitions)), make([]error, len(definitions))
	seen := map[schema.GroupResource]bool{}
	var making sync.WaitGroup
	for i, d := range definitions {
		if seen[d.groupResource()] {
			errs[i] = fmt.Errorf("%s is defined twice", d.groupResource())
			continue
		}
		seen[d.groupResource()] = true
		making.Go(func() { kinds[i], errs[i] = s.newKind(d) })
	}
	making.Wait()
	err := errors.Join(errs...)
	for _, k := range kinds {
		if k != nil && err != nil {
			k.destroy()
		}
	}
	return kinds, err
}

// Remove stops serving a kind, and reports whether it was served. Its objects stay where they are stored.
func (s *Server) Remove(gr schema.GroupResource) (bool, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	old, ok := s.handler.kinds[gr]
	if !ok {
		return false, nil
	}
	all := maps.Clone(s.handler.kinds)
	delete(all, gr)
	return true, s.serve(all, []*kind{old}, []*kind{old})
}

// serve makes all the kinds that are served. The changed ones are new, replaced or gone, the old ones are those of them that end.
func (s *Server) serve(all map[schema.GroupResource]*kind, changed, old []*kind) error {
	versions := map[schema.GroupVersion]bool{}
	for _, k := range changed {
		for _, v := range k.served() {
			versions[schema.GroupVersion{Group: k.Group, Version: v.Name}] = true
		}
	}
	served := byVersion(all)
	announce, err := updateDiscovery(s.GenericAPIServer, versions, served)
	if err != nil {
		return err
	}
	s.handler.set(all, discoveryOf(served))
	s.openAPI.update(versions, served)
	announce()
	for _, k := range old {
		go k.retire()
	}
	return nil
}

func (s *Server) destroy() {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.destroyed = true
	for _, k := range s.handler.kinds {
		k.destroy()
	}
}

func (s *Server) newKind(d *Definition) (*kind, error) {
	k := &kind{Definition: d, make: func() (map[string]*servedVersion, error) { return s.newVersions(d) }}
	if s.config.Lazy {
		return k, nil
	}
	_, err := k.versions()
	return k, err
}

func (s *Server) newVersions(d *Definition) (map[string]*servedVersion, error) {
	resources, err := d.resources(s.config.Linked, s.config.Interpret)
	if err != nil {
		return nil, err
	}
	safe, unsafe, err := s.converters(d)
	if err != nil {
		return nil, fmt.Errorf("conversion of %s: %w", d.groupResource(), err)
	}
	return newVersions(d, kindOptions{
		resources:    resources,
		safe:         safe,
		unsafe:       unsafe,
		getter:       s.config.Generic.RESTOptionsGetter,
		authorizer:   s.Authorizer,
		maxBodyBytes: s.config.Generic.MaxRequestBodyBytes,
	})
}
