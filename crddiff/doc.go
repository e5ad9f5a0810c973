// Package crddiff compares CustomResourceDefinitions: what changes for those who write and read objects when one takes the place of
// another.
package crddiff
