//go:build v1.36

package main

import (
	certificates "k8s.io/kubernetes/pkg/registry/certificates/rest"
	resources "k8s.io/kubernetes/pkg/registry/resource/rest"
)

// versionedGroups returns the groups that other versions of Kubernetes make in another way.
func versionedGroups() []group {
	return []group{
		certificates.RESTStorageProvider{Authorizer: allow},
		resources.RESTStorageProvider{NamespaceClient: nothing{}, Authorizer: allow},
	}
}
