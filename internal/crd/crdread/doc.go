// Package crdread reads CustomResourceDefinitions from YAML and JSON, with the place of everything that is wrong in them.
package crdread
