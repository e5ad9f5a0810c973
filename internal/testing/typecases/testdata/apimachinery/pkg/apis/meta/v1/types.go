// Package v1 stands for that of Kubernetes, with as much of it as the tests need.
package v1

import "time"

type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}

type ObjectMeta struct {
	Name              string            `json:"name,omitempty"`
	UID               string            `json:"uid,omitempty"`
	CreationTimestamp Time              `json:"creationTimestamp,omitzero"`
	Labels            map[string]string `json:"labels,omitempty"`
}

type Time struct{ time.Time }

func (t Time) MarshalJSON() ([]byte, error)  { return t.Time.MarshalJSON() }
func (t *Time) UnmarshalJSON(b []byte) error { return t.Time.UnmarshalJSON(b) }

type Duration struct{ time.Duration }

func (d Duration) MarshalJSON() ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }
func (d *Duration) UnmarshalJSON([]byte) error  { return nil }
