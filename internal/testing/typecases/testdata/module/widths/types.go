// Package widths has integers that are too narrow for their schemas, or too wide.
package widths

import (
	"example.com/lib"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}

type Percent int8

type Spec struct {
	Port     *int8              `json:"port,omitempty"` // want types/narrow: Spec.Port: spec.port takes 128, which int8 cannot hold
	Percent  Percent            `json:"percent"`
	Far      int8               `json:"far,omitempty"`    // want types/narrow: spec.far takes 1000, which int8 cannot hold
	Above    int8               `json:"above,omitempty"`  // want types/narrow: spec.above takes 1001, which int8 cannot hold
	Either   uint16             `json:"either,omitempty"` // want types/narrow: spec.either takes 70000, which uint16 cannot hold
	Octet    uint8              `json:"octet"`
	Below    Percent            `json:"below"` // want types/narrow: spec.below takes -129, which Percent cannot hold
	Long     int32              `json:"long"`  // want types/narrow: spec.long takes 2147483648, which int32 cannot hold
	Short    int32              `json:"short"`
	Open     int32              `json:"open"`           // want types/narrow: spec.open takes 2147483648, which int32 cannot hold
	List     []int16            `json:"list,omitempty"` // want types/narrow: Spec.List: spec.list[] takes 32768, which int16 cannot hold
	Map      map[string]uint    `json:"map,omitempty"`  // want types/narrow: spec.map.* takes -1, which uint cannot hold
	Wide     uint64             `json:"wide"`           // want types/wide: Spec.Wide: uint64 can hold more than 9223372036854775807, the largest integer that spec.wide takes
	Bounded  uint64             `json:"bounded"`
	Negative uint32             `json:"negative"` // want types/narrow: spec.negative takes -1, which uint32 cannot hold
	Native   int                `json:"native"`
	Float    float32            `json:"float"`
	Quoted   int8               `json:"quoted,string"`
	Port32   intstr.IntOrString `json:"port32"`
	Foreign  lib.Octet          `json:"foreign"`
	Maybe    *uint8             `json:"maybe"`
}
