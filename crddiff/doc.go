// Package crddiff compares CustomResourceDefinitions: what changes for those who write and read objects when one takes the place of
// another, and whom that breaks. The command prune-gen diff prints what it finds. It imports nothing of Kubernetes.
//
// Texts compares CRDs as text; Compare those that a program has read already, with structural/load for example; Between the versions of
// one CRD. Each Change has a Level:
//
//	changes, err := crddiff.Compare(old, new)
//	for _, c := range changes {
//		if c.Level >= crddiff.Requests { ... }
//	}
package crddiff
