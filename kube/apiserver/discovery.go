package apiserver

import (
	"cmp"
	"net/http"
	"slices"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
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

// byVersion returns the kinds of each version of each group, sorted by name.
func byVersion(kinds map[schema.GroupResource]*kind) map[schema.GroupVersion][]*kind {
	all := map[schema.GroupVersion][]*kind{}
	for _, k := range kinds {
		for _, v := range k.served() {
			gv := schema.GroupVersion{Group: k.Group, Version: v.Name}
			all[gv] = append(all[gv], k)
		}
	}
	for _, served := range all {
		slices.SortFunc(served, func(a, b *kind) int { return cmp.Compare(a.Names.Plural, b.Names.Plural) })
	}
	return all
}

// discoveryOf returns what tells clients below the paths of groups what is served.
func discoveryOf(served map[schema.GroupVersion][]*kind) map[string]http.Handler {
	handlers := map[string]http.Handler{}
	for gv, kinds := range served {
		resources := apiResources(kinds, gv.Version)
		handlers["apis/"+gv.String()] = discovery.NewAPIVersionHandler(codecs, gv, discovery.APIResourceListerFunc(func() []metav1.APIResource { return resources }))
	}
	for name, group := range groupsOf(served) {
		handlers["apis/"+name] = discovery.NewAPIGroupHandler(codecs, group)
	}
	return handlers
}

// groupsOf returns the groups with their versions, the preferred one first.
func groupsOf(served map[schema.GroupVersion][]*kind) map[string]metav1.APIGroup {
	groups := map[string]metav1.APIGroup{}
	for gv := range served {
		group := groups[gv.Group]
		group.Name = gv.Group
		group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version})
		groups[gv.Group] = group
	}
	for name, group := range groups {
		slices.SortFunc(group.Versions, func(a, b metav1.GroupVersionForDiscovery) int {
			return version.CompareKubeAwareVersionStrings(b.Version, a.Version)
		})
		group.PreferredVersion = group.Versions[0]
		groups[name] = group
	}
	return groups
}

// updateDiscovery returns what changes the lists of groups, which the generic server has, for versions of which kinds have changed.
func updateDiscovery(s *genericapiserver.GenericAPIServer, changed map[schema.GroupVersion]bool, served map[schema.GroupVersion][]*kind) (announce func(), err error) {
	aggregated := map[schema.GroupVersion]apidiscoveryv2.APIVersionDiscovery{}
	for gv := range changed {
		if kinds, ok := served[gv]; ok {
			if aggregated[gv], err = aggregate(apiResources(kinds, gv.Version), gv); err != nil {
				return nil, err
			}
		}
	}
	return func() {
		groups := groupsOf(served)
		for gv := range changed {
			if m := s.DiscoveryGroupManager; m != nil {
				if group, ok := groups[gv.Group]; ok {
					m.AddGroup(group)
				} else {
					m.RemoveGroup(gv.Group)
				}
			}
			m := s.AggregatedDiscoveryGroupManager
			if m == nil {
				continue
			}
			version, ok := aggregated[gv]
			if !ok {
				m.RemoveGroupVersion(metav1.GroupVersion(gv))
				continue
			}
			m.AddGroupVersion(gv.Group, version)
			m.SetGroupVersionPriority(metav1.GroupVersion(gv), groupPriority, versionPriority)
		}
	}, nil
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
		var subresources *apiextensionsv1.CustomResourceSubresources
		for _, v := range k.served() {
			if v.Storage {
				r.StorageVersionHash = discovery.StorageVersionHash(k.Group, v.Name, k.Names.Kind)
			}
			if v.Name == version {
				subresources = v.Subresources
			}
		}
		all = append(all, r)
		part := metav1.APIResource{Namespaced: k.Namespaced(), Verbs: partVerbs}
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
