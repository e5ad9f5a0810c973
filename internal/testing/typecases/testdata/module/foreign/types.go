// Package foreign has fields of a type of another module: findings are about the field that leads there.
package foreign

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
	First     lib.Probe   `json:"first"` // want types/dropped: lib.Probe.New is not in the schema: the API server drops spec.first.new (and one other place) | types/lost: lib.Probe has no field for spec.first.old:
	Second    []lib.Probe `json:"second"`
	Many      lib.Many    `json:"many"` // want types/dropped: 11 fields of lib.Many are not in the schema: the API server drops B, C, D, E, F, G, H, I, J, K and 1 more in spec.many
	Few       lib.Few     `json:"few"`  // want types/dropped: 2 fields of lib.Few are not in the schema: the API server drops X, Z in spec.few (and one other place)
	lib.Probe             // want types/dropped: lib.Probe.Path is not in the schema: the API server drops spec.path
}
