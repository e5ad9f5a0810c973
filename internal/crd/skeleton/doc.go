// Package skeleton reduces schemas to their skeletons, as the first proposal for pruning (KEP-24) defines them.
package skeleton
