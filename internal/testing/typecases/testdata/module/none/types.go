// Package none has something with the name of the kind that is not a resource.
package none

type Thing struct {
	Spec int `json:"spec"`
}
