package kube

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The project has ObjectMeta as a schema. It has the fields and the types that Kubernetes' Go type has.
func TestObjectMetaIsKubernetesObjectMeta(t *testing.T) {
	sameType(t, "metadata", structural.ObjectMeta(), reflect.TypeFor[metav1.ObjectMeta]())
}

func sameType(t *testing.T, at string, s *structural.Schema, typ reflect.Type) {
	t.Helper()
	if s == nil {
		t.Errorf("%s: no schema for %s", at, typ)
		return
	}
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	want := ""
	switch {
	case typ == reflect.TypeFor[metav1.Time]():
		want = "string date-time"
	case typ == reflect.TypeFor[metav1.FieldsV1]():
		want = "free"
	case typ.Kind() == reflect.Struct:
		want = "object"
		sameFields(t, at, s, typ)
	case typ.Kind() == reflect.Map:
		want = "object"
		if s.AdditionalProperties == nil {
			t.Errorf("%s: not a map", at)
			return
		}
		sameType(t, at+"[]", s.AdditionalProperties.Schema, typ.Elem())
	case typ.Kind() == reflect.Slice:
		want = "array"
		sameType(t, at+"[]", s.Items, typ.Elem())
	case typ.Kind() == reflect.String:
		want = "string"
	case typ.Kind() == reflect.Bool:
		want = "boolean"
	case typ.Kind() == reflect.Int64:
		want = "integer int64"
	default:
		t.Errorf("%s: this test does not know %s", at, typ)
	}
	got := strings.TrimSpace(s.Type + " " + s.ValueValidation.Format)
	if s.XPreserveUnknownFields {
		got = strings.TrimSpace(got + " free")
	}
	if got != want || !s.Nullable {
		t.Errorf("%s: %s, nullable %t; want %s, nullable as everything that Go decodes", at, got, s.Nullable, want)
	}
}

func sameFields(t *testing.T, at string, s *structural.Schema, typ reflect.Type) {
	t.Helper()
	var names []string
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
		if s.Properties[name] != nil {
			sameType(t, at+"."+name, s.Properties[name], typ.Field(i).Type)
		}
	}
	slices.Sort(names)
	if got := slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(got, names) {
		t.Errorf("%s: fields %q, want %q", at, got, names)
	}
	if s.AdditionalProperties != nil {
		t.Errorf("%s: has additionalProperties", at)
	}
}
