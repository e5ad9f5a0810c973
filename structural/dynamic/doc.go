// Package dynamic compiles CustomResourceDefinitions that are known only at run time into resources, and reports whether generated
// code still fits the CRD that is installed.
package dynamic
