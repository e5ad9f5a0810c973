package serve

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/endpoints/discovery"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

var (
	resourceVerbs = metav1.Verbs{"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"}
	partVerbs     = metav1.Verbs{"get", "patch", "update"}
)

// discoveryHandler serves /apis/<group> and /apis/<group>/<version>.
type discoveryHandler map[string]http.Handler

func (h discoveryHandler) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if handler, ok := h[strings.Trim(req.URL.Path, "/")]; ok {
		handler.ServeHTTP(w, req)
		return
	}
	http.NotFound(w, req)
}

// installDiscovery tells clients what is served: in the lists of groups, which the generic server has, and below each group.
func installDiscovery(s *genericapiserver.GenericAPIServer, kinds []*kind) discoveryHandler {
	groups := map[string]map[string][]*kind{} // group, version
	for _, k := range kinds {
		for name := range k.versions {
			if groups[k.Group] == nil {
				groups[k.Group] = map[string][]*kind{}
			}
			groups[k.Group][name] = append(groups[k.Group][name], k)
		}
	}
	h := discoveryHandler{}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		versions := groups[group]
		var list []metav1.GroupVersionForDiscovery
		for name, served := range versions {
			gv := schema.GroupVersion{Group: group, Version: name}
			list = append(list, metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: name})
			slices.SortFunc(served, func(a, b *kind) int { return cmp.Compare(a.Names.Plural, b.Names.Plural) })
			h["apis/"+gv.String()] = discovery.NewAPIVersionHandler(codecs, gv,
				discovery.APIResourceListerFunc(func() []metav1.APIResource { return apiResources(served, name) }))
			if m := s.AggregatedDiscoveryGroupManager; m != nil {
				m.AddGroupVersion(group, aggregated(served, gv))
				m.SetGroupVersionPriority(metav1.GroupVersion(gv), groupPriority, versionPriority)
			}
		}
		slices.SortFunc(list, func(a, b metav1.GroupVersionForDiscovery) int {
			return version.CompareKubeAwareVersionStrings(b.Version, a.Version)
		})
		apiGroup := metav1.APIGroup{Name: group, Versions: list, PreferredVersion: list[0]}
		h["apis/"+group] = discovery.NewAPIGroupHandler(codecs, apiGroup)
		if m := s.DiscoveryGroupManager; m != nil {
			m.AddGroup(apiGroup)
		}
	}
	return h
}

// The priorities that a CRD's group and version have.
const (
	groupPriority   = 1000
	versionPriority = 100
)

// apiResources lists the resources of one version of a group.
func apiResources(kinds []*kind, version string) []metav1.APIResource {
	var all []metav1.APIResource
	for _, k := range kinds {
		r := metav1.APIResource{
			Name:         k.Names.Plural,
			SingularName: k.Names.Singular,
			Namespaced:   k.Namespaced,
			Kind:         k.Names.Kind,
			Verbs:        resourceVerbs,
			ShortNames:   k.Names.ShortNames,
			Categories:   k.Names.Categories,
		}
		if k.serves(k.Storage) {
			r.StorageVersionHash = discovery.StorageVersionHash(k.Group, k.Storage, k.Names.Kind)
		}
		all = append(all, r)
		if k.versions[version].Status {
			all = append(all, metav1.APIResource{
				Name: k.Names.Plural + "/status", Namespaced: k.Namespaced, Kind: k.Names.Kind, Verbs: partVerbs})
		}
		if k.versions[version].Scale != nil {
			all = append(all, metav1.APIResource{Group: scaleKind.Group, Version: scaleKind.Version, Kind: scaleKind.Kind,
				Name: k.Names.Plural + "/scale", Namespaced: k.Namespaced, Verbs: partVerbs})
		}
	}
	return all
}

func (k *kind) serves(version string) bool { return k.versions[version] != nil }

// aggregated is apiResources in the form that holds all groups in one document.
func aggregated(kinds []*kind, gv schema.GroupVersion) apidiscoveryv2.APIVersionDiscovery {
	doc := apidiscoveryv2.APIVersionDiscovery{Freshness: apidiscoveryv2.DiscoveryFreshnessCurrent, Version: gv.Version}
	for _, k := range kinds {
		response := &metav1.GroupVersionKind{Group: gv.Group, Version: gv.Version, Kind: k.Names.Kind}
		r := apidiscoveryv2.APIResourceDiscovery{
			Resource:         k.Names.Plural,
			SingularResource: k.Names.Singular,
			Scope:            apidiscoveryv2.ScopeCluster,
			ResponseKind:     response,
			Verbs:            resourceVerbs,
			ShortNames:       k.Names.ShortNames,
			Categories:       k.Names.Categories,
		}
		if k.Namespaced {
			r.Scope = apidiscoveryv2.ScopeNamespace
		}
		if k.versions[gv.Version].Status {
			r.Subresources = append(r.Subresources, apidiscoveryv2.APISubresourceDiscovery{Subresource: "status", ResponseKind: response, Verbs: partVerbs})
		}
		if k.versions[gv.Version].Scale != nil {
			kind := metav1.GroupVersionKind(scaleKind)
			r.Subresources = append(r.Subresources, apidiscoveryv2.APISubresourceDiscovery{Subresource: "scale", ResponseKind: &kind, Verbs: partVerbs})
		}
		doc.Resources = append(doc.Resources, r)
	}
	return doc
}
