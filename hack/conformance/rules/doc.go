// Package rules compares what CEL rules say about objects with what Kubernetes says: errors, warnings and costs.
package rules
