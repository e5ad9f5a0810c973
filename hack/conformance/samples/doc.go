// Package samples compares the commands on manifests with Kubernetes, on the manifests that public Go modules ship.
package samples
