// Package lint finds everything that the API server refuses in a CustomResourceDefinition, in its words, and what loses data or
// has no effect.
package lint
