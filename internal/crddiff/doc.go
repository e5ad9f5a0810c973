// Package crddiff compares CustomResourceDefinitions: which fields one keeps and another drops, and what else changes for those
// who write and read objects.
package crddiff
