// Package intstr stands for that of Kubernetes.
package intstr

type IntOrString struct {
	Type   int
	IntVal int32
	StrVal string
}

func (i IntOrString) MarshalJSON() ([]byte, error) { return nil, nil }
func (i *IntOrString) UnmarshalJSON([]byte) error  { return nil }
