// Package answers records what Kubernetes says about objects of golden cases, for the tests of the root module, which does not
// import Kubernetes:
//
//	go test ./answers -update
package answers
