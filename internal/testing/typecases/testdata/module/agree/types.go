// Package agree has a type that agrees with its schema, in every form that a field can have.
package agree

import (
	"encoding/json"
	"net"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}

type Spec struct {
	Bool       bool               `json:"bool"`
	Int        *int32             `json:"int,omitempty"`
	Whole      int64              `json:"whole"` // the schema says int-or-string nowhere, and number takes integers
	Float      float64            `json:"float"`
	Rounded    float32            `json:"rounded"`
	String     Name               `json:"string,omitempty"`
	Quoted     int                `json:"quoted,string"`
	QuotedList []int              `json:"quotedList,string"` // the option is for scalars
	Bytes      []byte             `json:"bytes"`
	List       []*Element         `json:"list"`
	Array      [2]bool            `json:"array"`
	Numbers    [4]byte            `json:"numbers"`
	Map        map[string]Element `json:"map"`
	Keyed      map[int]string     `json:"keyed"`
	Text       net.IP             `json:"text"`
	Time       metav1.Time        `json:"time"`
	Stamp      *time.Time         `json:"stamp"`
	Duration   *metav1.Duration   `json:"duration"`
	Port       intstr.IntOrString `json:"port"`
	Quantity   resource.Quantity  `json:"quantity"`
	Amount     *resource.Quantity `json:"amount"`
	Number     json.Number        `json:"number"`
	Raw        json.RawMessage    `json:"raw"`
	Any        any                `json:"any"`
	Marshal    Marshaller         `json:"marshal"`
	Unmarshal  Unmarshaller       `json:"unmarshal"`
	Anonymous  struct {
		X string `json:"x"`
	} `json:"anonymous"`
	Untagged string
	Dash     string `json:"-,"`
	Bad      string `json:"b\\ad"` // not a name that encoding/json takes
	Hidden   string `json:"-"`
	private  string
	Chain    **int `json:"chain"`
}

type Name string

type Element struct {
	X string `json:"x"`
}

// Marshaller is opaque: what it is in JSON cannot be known.
type Marshaller struct{ Unknown int }

func (Marshaller) MarshalJSON() ([]byte, error) { return []byte(`"x"`), nil }

type Unmarshaller struct{ Unknown int }

func (*Unmarshaller) UnmarshalJSON([]byte) error { return nil }
