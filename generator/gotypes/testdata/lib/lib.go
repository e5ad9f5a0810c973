// Package lib stands for a package of another module.
package lib

// Probe has a field that schemas in the tests do not have.
type Probe struct {
	Path string `json:"path"`
	New  string `json:"new"`
}
