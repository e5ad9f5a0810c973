// Package celrules parses and checks the CEL rules of schemas, x-kubernetes-validations, as the API server of a version of Kubernetes does:
// the environment of functions, the types of the values that rules see, the texts of errors and the estimates of costs.
//
// It is the one package of the module that imports cel-go. Programs that evaluate rules do not need it.
package celrules
