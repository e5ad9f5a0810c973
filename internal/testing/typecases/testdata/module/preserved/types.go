// Package preserved has a type with fields that its schema keeps without specifying them.
package preserved

import (
	"example.com/lib"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}

type Spec struct {
	Unspecified string            `json:"unspecified"`
	Schemaless  Part              `json:"schemaless"`
	Untyped     Part              `json:"untyped"`
	Kept        Part              `json:"kept"`
	Map         map[string]string `json:"map"`
	List        []Part            `json:"list"`
	Nested      [][]Part          `json:"nested"`
	True        Part              `json:"true"`
	Values      Part              `json:"values"`
	Both        Both              `json:"both"`
	Inner       Inner             `json:"inner"`
	Probe       *lib.Probe        `json:"probe"`
}

type Part struct {
	X string `json:"x"`
}

type Both struct {
	A string `json:"a"`
	B string `json:"b"`
	C string `json:"c"`
}

// Inner has a field with a schema of its own, which does not preserve unknown fields.
type Inner struct {
	Rest  string   `json:"rest"`
	Field struct { // want types/lost: the struct has no field for spec.inner.field.other:
		X string `json:"x"` // want types/dropped: drops spec.inner.field.x
	} `json:"field"`
}
