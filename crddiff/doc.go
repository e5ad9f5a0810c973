// Package crddiff compares CustomResourceDefinitions: what changes for those who write and read objects when one replaces another, and
// whom that breaks. The command prune-gen diff prints what it finds. It imports nothing of Kubernetes.
//
// Compare compares two CRDs, which structural/load reads. Each Change has a Level:
//
//	changes, err := crddiff.Compare(old, new)
//	for _, c := range changes {
//		if c.Level >= crddiff.Requests { ... }
//	}
package crddiff
