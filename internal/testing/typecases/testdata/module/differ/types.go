// Package differ has a type that differs from its schema in every way.
package differ

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec   `json:"spec,omitempty"`
	Status Status `json:"status,omitempty"`
}

type Status struct { // want types/lost: Status has no field for status.phase:
	Phrase string `json:"phrase"` // want types/dropped: Status.Phrase is not in the schema: the API server drops status.phrase
}

type Spec struct { // want types/lost: Spec has no field for spec.gone:
	New    bool               `json:"new"`           // want types/dropped: drops spec.new
	Number int                `json:"number"`        // want types/mismatch: Spec.Number: spec.number is an integer in Go (int) and a string in the schema
	Word   *string            `json:"word"`          // want types/mismatch: spec.word is a string in Go (string) and a boolean in the schema
	List   []string           `json:"list"`          // want types/mismatch: spec.list is a list in Go ([]string) and an object
	Object Part               `json:"object"`        // want types/mismatch: spec.object is an object in Go (Part) and a list
	Parts  []Part             `json:"parts"`         // want types/mismatch: Spec.Parts: spec.parts[] is an object in Go (Part) and a string
	Map    map[string]int     `json:"map"`           // want types/mismatch: Spec.Map: spec.map.* is an integer in Go (int) and a string
	Bytes  []byte             `json:"bytes"`         // want types/mismatch: spec.bytes is a string in Go ([]byte) and a list
	Quoted *int               `json:"quoted,string"` // want types/mismatch: spec.quoted is a string in Go (int) and an integer
	Time   *metav1.Time       `json:"time"`          // want types/mismatch: spec.time is a string in Go (v1.Time) and an integer
	Memory resource.Quantity  `json:"memory"`        // want types/mismatch: spec.memory is a string in Go (resource.Quantity) and an integer
	Port   intstr.IntOrString `json:"port"`          // want types/mismatch: spec.port is an integer or a string in Go (intstr.IntOrString) and a boolean
	Target string             `json:"target"`        // want types/narrow: spec.target is an integer or a string in the schema, and string cannot hold all of that
	Weight int32              `json:"weight"`        // want types/narrow: spec.weight is a number in the schema, and int32 cannot hold all of that
	Empty  Part               `json:"empty"`         // want types/dropped: Spec.Empty is an object without fields in the schema: the API server drops everything in spec.empty
	Labels map[string]string  `json:"labels"`        // want types/dropped: drops everything in spec.labels
	Inline Part               `json:",inline"`       // want types/dropped: Spec.Inline is not in the schema: the API server drops spec.Inline
	Named  map[string]int     `json:"named"`         // want types/mismatch: spec.named.a is an integer in Go (int) and a string
	Values Values             `json:"values"`
	Chain  **int              `json:"chain"` // want types/mismatch: spec.chain is an integer in Go (int) and a string
	First  Part               `json:"first"`
	Second *Part              `json:"second"`
	Third  []Part             `json:"third"`
	Deep   map[string][]Deep  `json:"deep"`
}

type Part struct {
	X string `json:"x"`
	Y string `json:"y"` // want types/dropped: Part.Y is not in the schema: the API server drops spec.first.y (and 2 other places)
}

type Deep struct { // want types/lost: Deep has no field for spec.deep.*[].z:
	Y string `json:"y"` // want types/dropped: drops spec.deep.*[].y
}

type Values struct {
	N int `json:"n"` // want types/mismatch: Values.N: spec.values.n is an integer in Go (int) and a string
}
