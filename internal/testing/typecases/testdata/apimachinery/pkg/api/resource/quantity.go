// Package resource stands for that of Kubernetes.
package resource

type Quantity struct{ s string }

func (q Quantity) MarshalJSON() ([]byte, error) { return []byte(`"` + q.s + `"`), nil }
func (q *Quantity) UnmarshalJSON([]byte) error  { return nil }
