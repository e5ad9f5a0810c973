// Package samples holds the commands on manifests against Kubernetes, on the manifests that public Go modules ship.
package samples
