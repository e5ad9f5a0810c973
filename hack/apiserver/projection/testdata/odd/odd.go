// Package odd has a type of objects with all that makes projections hard.
package odd

import (
	"encoding/json"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Odd struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec   `json:"spec,omitempty"`
	Status *State `json:"status,omitempty"`
}

type State = Status

type Spec struct {
	Inner    `json:",inline"`
	*Outer   `json:",inline"`
	ByName   map[string]Part      `json:"byName,omitempty"`
	Pointers map[string]*Part     `json:"pointers,omitempty"`
	Lists    map[string][]Part    `json:"lists,omitempty"`
	Arrays   map[string][2]Part   `json:"arrays,omitempty"`
	Table    [][]Part             `json:"table,omitempty"`
	Refs     []*Part              `json:"refs,omitempty"`
	List     *[]Part              `json:"list,omitempty"`
	Maps     []map[string]Part    `json:"maps,omitempty"`
	Deep     **Part               `json:"deep,omitempty"`
	Pair     [2]Part              `json:"pair,omitempty"`
	Box      Box[Part]            `json:"box,omitempty"`
	Boxes    []Box[*Part]         `json:"boxes,omitempty"`
	Tree     *Tree                `json:"tree,omitempty"`
	Anything runtime.RawExtension `json:"anything,omitempty"`
	Port     intstr.IntOrString   `json:"port,omitempty"`
	Anon     struct {
		A string `json:"a,omitempty"`
		B *int64 `json:"b,omitempty"`
	} `json:"anon,omitempty"`
	Guarded Guarded `json:"guarded,omitempty"`
	Own     Own     `json:"own,omitempty"`
	Flag    bool    `json:"flag,omitempty"`
	Number  float64 `json:"number,omitempty"`
	hidden  int
	Skipped string `json:"-"`
}

type Inner struct {
	First  string `json:"first,omitempty"`
	Second *Part  `json:"second,omitempty"`
}

type Outer struct {
	Third  string `json:"third,omitempty"`
	Fourth []Part `json:"fourth,omitempty"`
}

type Part struct {
	Name   string             `json:"name,omitempty"`
	Amount *resource.Quantity `json:"amount,omitempty"`
	At     *metav1.Time       `json:"at,omitempty"`
	Small  map[string]Small   `json:"small,omitempty"`
	Sub    Small              `json:"sub,omitempty"`
	Words  []string           `json:"words,omitempty"`
}

type Small struct {
	X string `json:"x,omitempty"`
	Y int32  `json:"y,omitempty"`
}

type Box[T any] struct {
	Value T      `json:"value,omitempty"`
	Label string `json:"label,omitempty"`
	All   []T    `json:"all,omitempty"`
}

type Tree struct {
	Name  string `json:"name,omitempty"`
	Below []Tree `json:"below,omitempty"`
}

// Guarded must not be copied.
type Guarded struct {
	mu   sync.Mutex
	Name string `json:"name,omitempty"`
	Part Part   `json:"part,omitempty"`
}

// Own has its own JSON.
type Own struct{ text string }

func (o Own) MarshalJSON() ([]byte, error)     { return json.Marshal(o.text) }
func (o *Own) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &o.text) }

type Status struct {
	Parts      []Part             `json:"parts,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Count      int64              `json:"count,omitempty"`
}
