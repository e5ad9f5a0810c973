// Package resources has embedded resources and metadata in other places.
package resources

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}

type Spec struct {
	Object   Object             `json:"object"`
	Objects  []Object           `json:"objects"`
	ByName   map[string]Object  `json:"byName"`
	Template Template           `json:"template"`
	Limited  Template           `json:"limited"`
	Metadata metav1.ObjectMeta  `json:"metadata"` // want types/lost: v1.ObjectMeta has no field for spec.metadata.colour: | types/mismatch: v1.ObjectMeta.Name: spec.metadata.name is a string in Go (string) and an integer
	Defaults *metav1.ObjectMeta `json:"defaults"` // want types/dropped: Spec.Defaults is an object without fields in the schema: the API server drops everything in spec.defaults
}

type Object struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Data              string `json:"data"`
}

type Template struct {
	metav1.ObjectMeta `json:"metadata"` // want types/dropped: Template.ObjectMeta is an object without fields in the schema: the API server drops everything in spec.template.metadata
}
