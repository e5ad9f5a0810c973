// Package custom fits the code that prune-gen generates into API servers on k8s.io/apiserver: [Strategy] and [StatusStrategy]
// validate and prepare objects as the API server of CustomResourceDefinitions does, and [Codec] puts generated code where objects
// enter a server: between the bytes of a request or of etcd and the object that the server works with. What does not need
// k8s.io/apiserver is in the module github.com/prune-gen/prune-gen/kube.
//
// No schema is needed, and none is kept: all decisions are in the generated functions of a [prunert.Resource].
package custom

import prunert "github.com/prune-gen/prune-gen/runtime"

// Resources are the versions of one kind, by the name of the version.
type Resources map[string]prunert.Resource
