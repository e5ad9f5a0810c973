package servertest

import (
	"fmt"
	"time"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/endpoints"
	"k8s.io/apiserver/pkg/endpoints/discovery"
	discoveryendpoint "k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"github.com/prune-gen/prune-gen/kube/apiserver"
	"github.com/prune-gen/prune-gen/kube/apiserver/memory"
)

// installer adds kinds that have Go types to a server.
type installer struct {
	server  *apiserver.Server
	storage memory.Storage
	// builtin are the groups of built-in kinds.
	builtin map[string]bool
	// minTimeout is how long a watch lasts at least that does not say it.
	minTimeout time.Duration
	log        func(format string, args ...any)
}

// types are kinds that have Go types.
type types struct {
	scheme *runtime.Scheme
	codecs serializer.CodecFactory
	// merge knows how the fields of objects merge.
	merge managedfields.TypeConverter
}

// install serves the resources and subresources of a version of a group.
func (i installer) install(t types, gv schema.GroupVersion, stores map[string]rest.Storage) error {
	s := i.server
	group := &endpoints.APIGroupVersion{
		Storage:                    stores,
		Root:                       genericapiserver.APIGroupPrefix,
		GroupVersion:               gv,
		Serializer:                 t.codecs,
		ParameterCodec:             runtime.NewParameterCodec(t.scheme),
		Typer:                      t.scheme,
		Creater:                    t.scheme,
		Convertor:                  t.scheme,
		ConvertabilityChecker:      t.scheme,
		Defaulter:                  t.scheme,
		Namer:                      meta.NewAccessor(),
		UnsafeConvertor:            runtime.UnsafeObjectConvertor(t.scheme),
		TypeConverter:              t.merge,
		EquivalentResourceRegistry: s.EquivalentResourceRegistry,
		Authorizer:                 s.Authorizer,
		MinRequestTimeout:          i.minTimeout,
	}
	manager := s.AggregatedDiscoveryGroupManager
	if gv.Group == "" {
		group.Root, manager = genericapiserver.DefaultLegacyAPIPrefix, s.AggregatedLegacyDiscoveryGroupManager
	}
	resources, _, err := group.InstallREST(s.Handler.GoRestfulContainer)
	if err != nil {
		return fmt.Errorf("serve %s: %w", gv, err)
	}
	manager.AddGroupVersion(gv.Group, apidiscoveryv2.APIVersionDiscovery{
		Freshness: apidiscoveryv2.DiscoveryFreshnessCurrent, Version: gv.Version, Resources: resources,
	})
	if gv.Group == "" {
		root := discovery.NewLegacyRootAPIHandler(discovery.DefaultAddresses{DefaultAddress: s.ExternalAddress}, t.codecs, genericapiserver.DefaultLegacyAPIPrefix)
		wrapped := discoveryendpoint.WrapAggregatedDiscoveryToHandler(root, manager, manager)
		s.Handler.GoRestfulContainer.Add(wrapped.GenerateWebService(genericapiserver.DefaultLegacyAPIPrefix, metav1.APIVersions{}))
		return nil
	}
	version := metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version}
	apiGroup := metav1.APIGroup{Name: gv.Group, Versions: []metav1.GroupVersionForDiscovery{version}, PreferredVersion: version}
	s.DiscoveryGroupManager.AddGroup(apiGroup)
	s.Handler.GoRestfulContainer.Add(discovery.NewAPIGroupHandler(t.codecs, apiGroup).WebService())
	return nil
}

// options are where and how the stores of a version keep objects: as JSON.
func (i installer) options(t types, gv schema.GroupVersion) generic.RESTOptionsGetter {
	info, _ := runtime.SerializerInfoForMediaType(t.codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	hub := schema.GroupVersion{Group: gv.Group, Version: runtime.APIVersionInternal}
	return withCodec{i.storage, t.codecs.CodecForVersions(info.Serializer, t.codecs.UniversalDeserializer(), gv, hub)}
}

type withCodec struct {
	memory.Storage
	codec runtime.Codec
}

func (w withCodec) GetRESTOptions(resource schema.GroupResource, example runtime.Object) (generic.RESTOptions, error) {
	opts, err := w.Storage.GetRESTOptions(resource, example)
	opts.StorageConfig.Codec = w.codec
	return opts, err
}
