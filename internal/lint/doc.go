// Package lint finds everything that the API server refuses in a CustomResourceDefinition, with its own texts, and what loses data
// or has no effect.
package lint
