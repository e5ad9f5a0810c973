// Package kube is Kubernetes as the other side of a comparison: thin adapters that give its functions the shape of ours.
// Nothing here decides anything that Kubernetes' own code can decide.
package kube
