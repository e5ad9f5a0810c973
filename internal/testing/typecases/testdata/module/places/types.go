// Package places has types in the less usual places of a schema.
package places

import (
	"example.com/lib"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Thing = Real

type Real struct { // want types/lost: Real has no field for extra:
	metav1.TypeMeta
	metav1.ObjectMeta `json:"metadata"`

	Spec *Spec  `json:"spec"`
	Top  string `json:"top"` // want types/dropped: Real.Top is not in the schema: the API server drops top
}

type Spec struct { // want types/lost: Spec has no field for spec.misspelled: | types/lost: Spec has no field for spec.kept: | types/lost: Spec has no field for spec.lost:
	Nothing    Nothing              `json:"nothing"`
	NoFields   map[string]Nothing   `json:"noFields"`
	Lists      [][]int              `json:"lists"`       // want types/mismatch: spec.lists[][] is an integer in Go (int) and a string
	Untyped    []Part               `json:"untyped"`     // a list without a schema of its elements
	Preserved  []map[string]Part    `json:"preserved"`   // want types/dropped: Spec.Preserved is an object without fields in the schema: the API server drops everything in spec.preserved[].*
	PartList   []Part               `json:"partList"`    // all elements keep what is unknown
	Quoted     []float32            `json:"quoted"`      // want types/narrow: spec.quoted[] is an integer or a string in the schema, and float32 cannot
	QuotedNum  float64              `json:"num,string"`  // want types/mismatch: spec.num is a string in Go (float64) and a number
	QuotedBool bool                 `json:"flag,string"` // want types/mismatch: spec.flag is a string in Go (bool) and a boolean
	QuotedMap  map[string]int       `json:"quotedMap,string"`
	QuotedObj  Numbers              `json:"quotedObj,string"` // the option is not for what is below
	Either     int                  `json:"either"`           // want types/narrow: spec.either is an integer or a string in the schema, and int cannot
	EitherText *string              `json:"eitherText"`
	True       map[string]Part      `json:"true"`
	Named      map[string]Part      `json:"named"`
	Embedded   Part                 `json:"embedded"`
	Resource   Resource             `json:"resource"`
	Resources  map[string]*Resource `json:"resources"`
	Any        Part                 `json:"any"`
	Inner      lib.Outer            `json:"inner"` // want types/dropped: 2 fields of lib.Few are not in the schema: the API server drops X, Y in spec.inner.few | types/lost: lib.Outer has no field for spec.inner.more: | types/mismatch: lib.Outer.Number: spec.inner.number is an integer in Go (int) and a string
	Anonymous  []struct {
		Own int `json:"own"` // want types/mismatch: Own: spec.Anonymous[].own is an integer in Go (int) and a boolean
		Two int `json:"two"` // want types/dropped: Two is not in the schema: the API server drops spec.Anonymous[].two
	}
	lib.Ten    `json:",omitempty"` // want types/dropped: 10 fields of lib.Ten are not in the schema: the API server drops A, B, C, D, E, F, G, H, I, J in spec
	Colour     string              `json:"colour"`    // want types/dropped: drops spec.colour
	Misspelled int                 `json:"misspeled"` // want types/dropped: drops spec.misspeled
}

type Nothing struct{}

type Part struct { // want types/lost: Part has no field for spec.partList[].z:
	X string `json:"x"`
}

type Numbers struct {
	N int `json:"n"`
}

// Resource is a resource in a place that keeps nothing else.
type Resource struct { // want types/lost: no field for spec.resource.data: | types/lost: no field for spec.resources.*.spec:
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	More              int `json:"more"` // want types/dropped: Resource.More is not in the schema: the API server drops spec.resource.more (and one other place)
}
