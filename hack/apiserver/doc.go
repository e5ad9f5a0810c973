// Package apiserver has no code of its own: its tests hold what prune-gen makes of an object against what a running API
// server makes of it. Package server runs that API server.
//
// Objects are sent, read back, patched, looked at in etcd, put into etcd behind the server's back, and converted between
// versions, which covers the three places where Kubernetes prunes: requests, storage and conversion. What the server warns
// of, and what it refuses with fieldValidation=Strict, has to be what prune-gen reports. Pruning is held against the server
// with Kubernetes' own code in the place of what the server does besides; normalizing is held against it as it is, down to
// the bytes in etcd. Requests are answered as it answers them, CEL rules included, whose refusals and warnings are compared for
// kinds of well-known projects and for one with generated code.
package apiserver
