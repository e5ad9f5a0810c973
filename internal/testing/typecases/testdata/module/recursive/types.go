// Package recursive has types that refer to themselves, and types with parameters.
package recursive

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}

type Spec struct {
	Node    *Node             `json:"node"`
	Pointer Pointer           `json:"pointer"`
	Slice   Slice             `json:"slice"`
	Strings List[string]      `json:"strings"`
	Parts   *List[Part]       `json:"parts"`
	Pair    Pair[int, string] `json:"pair"`
	Grow    Grow              `json:"grow"`
}

type Node struct {
	Name     string          `json:"name"`
	Children map[string]Node `json:"children"`
	Next     *Node           `json:"next"` // want types/dropped: Node.Next is not in the schema: the API server drops spec.node.children.*.next (and one other place)
}

// Pointer is legal, and has no values but nil.
type Pointer *Pointer

type Slice []Slice

type List[T any] struct {
	Items []T `json:"items"`
	Size  int `json:"size"` // want types/dropped: List[Part].Size is not in the schema: the API server drops spec.parts.size
}

type Part struct {
	X string `json:"x"`
	Y string `json:"y"` // want types/dropped: Part.Y is not in the schema: the API server drops spec.parts.items[].y
}

type Pair[K comparable, V any] struct {
	Key    K       `json:"key"`
	Value  V       `json:"value"` // want types/mismatch: Pair[int, string].Value: spec.pair.value is a string in Go (string) and an integer
	Values map[K]V `json:"values"`
}

// Grow could be compared with the schema of its values in more ways than there is time for.
type Grow struct {
	A, B, C, D, E, F, G, H *Grow
}
