// Package lint finds everything that the API server refuses in a CustomResourceDefinition, with its own texts, and what loses data
// or has no effect. It imports base, text, crd, cel and the interpreter in answer. The doors in structural call it, and the commands lint, generate and lsp.
package lint
