//go:build v1.33 || v1.34 || v1.35 || v1.36

package main

import kubeapiserver "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"

// ofPeer are the options of the API server that answers are compared with.
var ofPeer kubeapiserver.TestServerInstanceOptions
