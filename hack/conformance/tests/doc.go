// Package tests compares with Kubernetes what needs no package of its own: functions of CEL; commands, on the manifests of public Go modules; JSON
// Schemas, with a library that validates with them. It records what Kubernetes says about objects of golden cases, for the tests of the root module,
// which does not import Kubernetes:
//
//	go test ./tests -run Answers -update
package tests
