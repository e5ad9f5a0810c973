// Package embedded has embedded structs, with the rules of Go for their fields.
package embedded

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}

type Spec struct { // want types/lost: Spec has no field for spec.Both:
	Common `json:",inline"`
	*Pointed
	unexported
	Named `json:"named"`
	Left
	Right
	Shallow string `json:"shallow"`
	Interface
	Scalar
	*Spec // by itself
}

type Common struct {
	A       string `json:"a"`
	Shallow int    `json:"shallow"` // hidden
	Hidden  string `json:"hidden"`  // want types/dropped: Common.Hidden is not in the schema: the API server drops spec.hidden
}

type Pointed struct {
	B string `json:"b"`
}

type unexported struct {
	C string `json:"c"`
}

type Named struct {
	D string `json:"d"`
}

// Left and Right have a field each of the same name: there is none in JSON. Of the others, the one with a tag counts.
type Left struct {
	Both   string
	Tagged string `json:"Tagged"`
}

type Right struct {
	Both   int
	Tagged int
}

type Interface interface{ M() }

type Scalar int
