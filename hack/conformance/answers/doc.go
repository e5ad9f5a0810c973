// Package answers writes down what Kubernetes says about objects that aim at the keywords of golden cases, for the tests of the
// root module, which does not import Kubernetes:
//
//	go test ./answers -update
package answers
