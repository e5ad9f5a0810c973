// Package zeros has fields whose zero values are refused, replaced by a default, or missing.
package zeros

import (
	"time"

	"example.com/lib"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec   `json:"spec,omitempty"`
	Status Status `json:"status,omitempty"`
}

type Spec struct {
	// A program has to set them.
	Name string `json:"name"`
	Mode string `json:"mode"`

	Count   int32    `json:"count,omitempty"`   // want types/zero-missing: Spec.Count: a program cannot set spec.count to 0
	Enabled bool     `json:"enabled,omitempty"` // want types/zero-missing: Spec.Enabled: a program cannot set spec.enabled to false
	Title   string   `json:"title,omitempty"`   // "" is refused, in any case
	Ratio   int      `json:"ratio,omitempty"`
	Items   []string `json:"items,omitempty"`
	Place   string   `json:"place,omitzero"` // want types/zero-missing: Spec.Place: a program cannot set spec.place to ""
	Label   string   `json:"label,omitempty"`

	Phase      string            `json:"phase"` // want types/zero-refused: Spec.Phase: a program that does not set spec.phase sends "", which the API server refuses: phase: Unsupported value: "": supported values: "A", "B"
	Short      string            `json:"short"` // want types/zero-refused: short: Invalid value: "": short in body should be at least 1 chars long
	Shape      string            `json:"shape"` // want types/zero-refused: shape: Invalid value: "": shape in body should match '^[a-z]+$'
	Least      int32             `json:"least"` // want types/zero-refused: a program that does not set spec.least sends 0 | types/narrow: spec.least
	When       metav1.Time       `json:"when"`
	Stamp      time.Time         `json:"stamp"`
	Maybe      *string           `json:"maybe"`
	Left       string            `json:"left,omitempty"`
	Zeroed     string            `json:"zeroed,omitzero"`
	Quoted     int               `json:"quoted,string"`
	QuotedText string            `json:"quotedText,string"`
	Custom     Custom            `json:"custom"`
	Text       Text              `json:"text"`
	Period     metav1.Duration   `json:"period,omitempty"` // want types/zero-refused: a program that does not set spec.period sends "0s"
	Memory     resource.Quantity `json:"memory"`
	Moded      string            `json:"moded"`   // want types/zero-refused: a program that does not set spec.moded sends ""
	Nothing    *string           `json:"nothing"` // want types/default-unused: Spec.Nothing: a program that does not set spec.nothing sends null, so the default "a" never applies

	Backup  Backup    `json:"backup,omitempty"` // want types/zero-refused: Spec.Backup: a program that does not set spec.backup sends {"mode":""}, which the API server refuses: backup.mode: Unsupported value
	Pointed *Backup   `json:"pointed"`
	Omitted Backup    `json:"omitted,omitzero"`
	Listed  []Backup  `json:"listed"`
	Filled  Filled    `json:"filled"`
	Missing Missing   `json:"missing"` // want types/zero-refused: a program that does not set spec.missing sends {}, which the API server refuses: missing.number: Required value
	Outer   Outer     `json:"outer"`
	Foreign lib.Mode  `json:"foreign"` // want types/zero-refused: Spec.Foreign: a program that does not set spec.foreign sends {"mode":"","optional":""}
	Array   [2]string `json:"array"`
	Embedded
	*EmbeddedPointer

	Replicas     int32    `json:"replicas"` // want types/default-unused: Spec.Replicas: a program that does not set spec.replicas sends 0, so the default 3 never applies | types/narrow: spec.replicas
	Zero         int64    `json:"zero"`
	Float        float64  `json:"float"`
	OmittedFloat float64  `json:"omittedFloat,omitempty"`
	Flag         bool     `json:"flag"` // want types/default-unused: a program that does not set spec.flag sends false, so the default true never applies
	Some         *int     `json:"some"`
	Cannot       int      `json:"cannot,omitempty"`    // want types/zero-defaulted: Spec.Cannot: a program cannot set spec.cannot to 0: it is left out, and the API server fills in the default 3
	CannotZero   int      `json:"cannotZero,omitzero"` // want types/zero-defaulted: spec.cannotZero
	Positive     int      `json:"positive,omitempty"`
	Off          bool     `json:"off,omitempty"`    // want types/zero-defaulted: a program cannot set spec.off to false
	Word         string   `json:"word,omitempty"`   // "" says nothing
	Choice       string   `json:"choice,omitempty"` // want types/zero-defaulted: a program cannot set spec.choice to ""
	List         []string `json:"list,omitempty"`
	Strategy     Strategy `json:"strategy"`
	Plan         Plan     `json:"plan"` // want types/default-unused: a program that does not set spec.plan sends {}, so the default {"kind":"Q"} never applies
	Empty        Plan     `json:"empty"`
}

type Custom string

func (Custom) MarshalJSON() ([]byte, error) { return []byte(`"A"`), nil }

type Text string

func (Text) MarshalText() ([]byte, error)  { return []byte("A"), nil }
func (*Text) UnmarshalText(b []byte) error { return nil }

type Backup struct {
	Mode     string `json:"mode"`
	Optional string `json:"optional"` // want types/zero-refused: Backup.Optional: a program that does not set spec.backup.optional sends "", which the API server refuses: optional: Unsupported value
	Schedule string `json:"schedule,omitempty"`
}

type Filled struct {
	Schedule string `json:"schedule,omitempty"`
}

type Missing struct {
	Number *int `json:"number"`
}

type Outer struct {
	Inner Backup `json:"inner"` // want types/zero-refused: Outer.Inner: a program that does not set spec.outer.inner sends {"mode":""}
}

type Embedded struct {
	EmbeddedRefused string `json:"embeddedRefused"` // want types/zero-refused: Embedded.EmbeddedRefused: a program
}

type EmbeddedPointer struct {
	EmbeddedLeft string `json:"embeddedLeft"`
}

type Strategy struct {
	Kind string `json:"kind,omitempty"`
}

type Plan struct {
	Kind string `json:"kind,omitempty"`
}

type Status struct {
	Phase     string `json:"phase"` // want types/zero-refused: Status.Phase: a program that does not set status.phase sends ""
	State     string `json:"state"`
	Parts     []Part `json:"parts,omitempty"`
	Always    Part   `json:"always"` // want types/zero-refused: Status.Always: a program that does not set status.always sends {"phase":""}
	Pointed   *Part  `json:"pointed"`
	Sometimes Part   `json:"sometimes"` // want types/zero-refused: Status.Sometimes: a program that does not set status.sometimes sends {"phase":""}
}

type Part struct {
	Phase string `json:"phase"`
}
