// Package suite tests CRDs: it runs cases, which say what an API server does with objects, and reports those that do
// not hold.
//
// Cases come from suites, files in the format in which openshift/api tests its CRDs, and from directories of manifests that are to be
// accepted or refused. A case runs with every variant of its CRD: see Variants.
//
// The room also has the coverage of the constraints of a CRD, objects at random, and first suites. It imports base, text, crd, cel and answer. The command test calls
// it, the page of explain, and what compares with Kubernetes at random.
package suite
