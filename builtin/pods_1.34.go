//go:build v1.33 || v1.34

package main

import (
	"k8s.io/apiserver/pkg/registry/generic"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"
)

// newPods returns the storages of Pods.
func newPods(opts generic.RESTOptionsGetter) (podstore.PodStorage, error) {
	return podstore.NewStorage(opts, nil, nil, nil)
}
