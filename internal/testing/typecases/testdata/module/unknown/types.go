// Package unknown has types that cannot be loaded: nothing is known about them.
package unknown

import (
	"example.com/gone"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}

type Spec struct {
	Gone   gone.Type   `json:"gone"`
	Listed []gone.Type `json:"listed"`
	Known  string      `json:"known"` // want types/dropped: drops spec.known
	Open   Open        `json:"open"`
}

type Open struct {
	gone.Embedded
}
