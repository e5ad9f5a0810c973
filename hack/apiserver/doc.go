// Package apiserver has no code of its own: its tests compare what prune-gen does to an object with what a running API server does to it.
// Package server runs that API server.
//
// Objects are sent, read back, patched, looked at in etcd, written directly to etcd, and converted between
// versions, which covers the three places where Kubernetes prunes: requests, storage and conversion. What the server warns
// of, and what it refuses with fieldValidation=Strict, has to be what prune-gen reports. To compare pruning, Kubernetes' own code does
// everything else that the server does; normalizing is compared directly, down to the bytes in etcd. Requests are answered as it answers
// them, CEL rules included, whose refusals and warnings are compared for kinds of well-known projects and for one with generated code.
package apiserver
