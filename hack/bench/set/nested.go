package set

import (
	"fmt"
	"strings"
)

// Levels is how deep the objects of the kind Nested can be.
const Levels = 32

// Nested is a kind that nobody has. Its objects have the same values in few levels or in many: they show what nesting costs.
func Nested() []Origin { return []Origin{{Kind: "Nested", Version: "v1", File: "nested.yaml"}} }

// nestedCRD returns the CRD of the kind Nested: a list of objects that are nested.
func nestedCRD() []byte {
	const open, end = "{type: object, properties: {a: {type: string}, b: {type: integer}, c: {type: boolean}", "}}"
	level := strings.Repeat(open+", next: ", Levels-1) + open + strings.Repeat(end, Levels)
	return fmt.Appendf(nil, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nested.bench.example.com}
spec:
  group: bench.example.com
  scope: Namespaced
  names: {plural: nested, singular: nested, kind: Nested, listKind: NestedList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {items: {type: array, items: %s}}}}}}
`, level)
}
