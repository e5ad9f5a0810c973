// Package dynamic makes resources of CustomResourceDefinitions that are known only at run time, and says whether generated code
// still fits the one that is installed.
package dynamic
