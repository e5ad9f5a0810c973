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
	"k8s.io/apiserver/pkg/endpoints"
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

// byVersion returns the kinds of each version of each group, sorted by name.
func byVersion(kinds []*kind) map[schema.GroupVersion][]*kind {
	all := map[schema.GroupVersion][]*kind{}
	for _, k := range kinds {
		for name := range k.versions {
			gv := schema.GroupVersion{Group: k.Group, Version: name}
			all[gv] = append(all[gv], k)
		}
	}
	for _, served := range all {
		slices.SortFunc(served, func(a, b *kind) int { return cmp.Compare(a.Names.Plural, b.Names.Plural) })
	}
	return all
}

// installDiscovery tells clients what is served: in the lists of groups, which the generic server has, and below each group.
func installDiscovery(s *genericapiserver.GenericAPIServer, kinds []*kind) (discoveryHandler, error) {
	groups := map[string][]metav1.GroupVersionForDiscovery{}
	h := discoveryHandler{}
	for gv, served := range byVersion(kinds) {
		groups[gv.Group] = append(groups[gv.Group], metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version})
		resources := apiResources(served, gv.Version)
		h["apis/"+gv.String()] = discovery.NewAPIVersionHandler(codecs, gv, discovery.APIResourceListerFunc(func() []metav1.APIResource { return resources }))
		if m := s.AggregatedDiscoveryGroupManager; m != nil {
			aggregated, err := aggregate(resources, gv)
			if err != nil {
				return nil, err
			}
			m.AddGroupVersion(gv.Group, aggregated)
			m.SetGroupVersionPriority(metav1.GroupVersion(gv), groupPriority, versionPriority)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		list := groups[group]
		slices.SortFunc(list, func(a, b metav1.GroupVersionForDiscovery) int {
			return version.CompareKubeAwareVersionStrings(b.Version, a.Version)
		})
		apiGroup := metav1.APIGroup{Name: group, Versions: list, PreferredVersion: list[0]}
		h["apis/"+group] = discovery.NewAPIGroupHandler(codecs, apiGroup)
		if m := s.DiscoveryGroupManager; m != nil {
			m.AddGroup(apiGroup)
		}
	}
	return h, nil
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
			Namespaced:   k.Namespaced(),
			Kind:         k.Names.Kind,
			Verbs:        resourceVerbs,
			ShortNames:   k.Names.ShortNames,
			Categories:   k.Names.Categories,
		}
		if k.versions[k.Storage] != nil {
			r.StorageVersionHash = discovery.StorageVersionHash(k.Group, k.Storage, k.Names.Kind)
		}
		all = append(all, r)
		part := metav1.APIResource{Namespaced: k.Namespaced(), Verbs: partVerbs}
		subresources := k.versions[version].Subresources
		if subresources.Status != nil {
			part.Name, part.Kind = k.Names.Plural+"/status", k.Names.Kind
			all = append(all, part)
		}
		if subresources.Scale != nil {
			part.Name, part.Group, part.Version, part.Kind = k.Names.Plural+"/scale", scaleKind.Group, scaleKind.Version, scaleKind.Kind
			all = append(all, part)
		}
	}
	return all
}

// aggregate returns the resources in the form that holds all groups in one document.
func aggregate(resources []metav1.APIResource, gv schema.GroupVersion) (apidiscoveryv2.APIVersionDiscovery, error) {
	whole := slices.Clone(resources)
	for i := range whole {
		if whole[i].Group == "" {
			whole[i].Group, whole[i].Version = gv.Group, gv.Version
		}
	}
	found, err := endpoints.ConvertGroupVersionIntoToDiscovery(whole)
	return apidiscoveryv2.APIVersionDiscovery{Freshness: apidiscoveryv2.DiscoveryFreshnessCurrent, Version: gv.Version, Resources: found}, err
}
