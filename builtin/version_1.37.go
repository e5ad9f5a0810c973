//go:build !v1.33 && !v1.34 && !v1.35 && !v1.36

package main

import (
	_ "k8s.io/kubernetes/pkg/apis/lifecycle/install"
	certificates "k8s.io/kubernetes/pkg/registry/certificates/rest"
	lifecycle "k8s.io/kubernetes/pkg/registry/lifecycle/rest"
	resources "k8s.io/kubernetes/pkg/registry/resource/rest"
)

// versionedGroups returns the groups that other versions of Kubernetes do not have, or make in another way.
func versionedGroups() []group {
	return []group{
		certificates.RESTStorageProvider{Authorizer: allow},
		lifecycle.RESTStorageProvider{},
		resources.RESTStorageProvider{NamespaceClient: nothing{}, Authorizer: allow},
	}
}
