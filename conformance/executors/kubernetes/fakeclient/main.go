// The executor of the plain fake client of controller-runtime, which has no field validation. It skips CRDs and scales.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/prune-gen/prune-gen/internal/conformance"
)

func main() {
	if err := conformance.Answers(os.Stdin, os.Stdout, answer); err != nil {
		log.Fatal(err)
	}
}

func answer(q *conformance.Question) (conformance.Answer, error) {
	switch {
	case q.CRD == nil:
		return conformance.Answer{Skipped: "a CRD"}, nil
	case q.Subresource == "scale":
		return conformance.Answer{Skipped: "a scale"}, nil
	case q.Object == nil:
		return conformance.Answer{Skipped: "not an object"}, nil
	}
	var crd struct {
		Spec struct {
			Scope    string
			Versions []struct {
				Name         string
				Subresources struct{ Status *struct{} }
			}
		}
	}
	if err := json.Unmarshal(q.CRD, &crd); err != nil {
		return conformance.Answer{}, err
	}
	read := func(data []byte) (*unstructured.Unstructured, error) {
		obj := &unstructured.Unstructured{}
		err := obj.UnmarshalJSON(data)
		if err == nil && obj.GetNamespace() == "" && crd.Spec.Scope == "Namespaced" {
			obj.SetNamespace(q.Namespace)
		}
		return obj, err
	}
	obj, err := read(q.Object)
	if err != nil {
		return said(err, nil, 0)
	}
	objects := fake.NewClientBuilder().WithScheme(runtime.NewScheme())
	code, send := 201, func(c client.Client) error {
		return c.Create(context.Background(), obj)
	}
	if q.Stored != nil {
		stored, err := read(q.Stored)
		if err != nil {
			return conformance.Answer{}, err
		}
		for _, v := range crd.Spec.Versions {
			if v.Name == q.Version && v.Subresources.Status != nil {
				objects.WithStatusSubresource(stored)
			}
		}
		objects.WithObjects(stored)
		code, send = 200, func(c client.Client) error {
			if q.Subresource != "" {
				return c.SubResource(q.Subresource).Update(context.Background(), obj)
			}
			return c.Update(context.Background(), obj)
		}
	}
	return said(send(objects.Build()), obj, code)
}

// said returns the answer that a client gets.
func said(err error, obj *unstructured.Unstructured, code int) (conformance.Answer, error) {
	if err == nil {
		return conformance.Answer{Code: code, Object: obj.Object}, nil
	}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) && status.Status().Code != 0 {
		return conformance.Answer{Code: int(status.Status().Code), Status: conformance.StatusOf(status.Status())}, nil
	}
	return conformance.YesOrNo(false), nil // it cannot be sent
}
