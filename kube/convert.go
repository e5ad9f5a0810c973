package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Converter turns an object of one version of a kind into one of another, apiVersion, as a new map or in place.
type Converter func(obj map[string]any, apiVersion string) (map[string]any, error)

// conversionRequest and conversionResponse are the parts of a ConversionReview, whose Go type is in k8s.io/apiextensions-apiserver. They are the
// same in v1 and in v1beta1.
type conversionRequest struct {
	UID               types.UID         `json:"uid"`
	DesiredAPIVersion string            `json:"desiredAPIVersion"`
	Objects           []json.RawMessage `json:"objects"`
}

type conversionResponse struct {
	UID              types.UID        `json:"uid"`
	ConvertedObjects []map[string]any `json:"convertedObjects"`
	Result           metav1.Status    `json:"result"`
}

// ConversionHandler returns a conversion webhook: it answers a ConversionReview with the objects that c makes. If c fails for one of them,
// the answer has the error and no objects.
func ConversionHandler(c Converter) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		serveReview(w, req, "ConversionReview", []string{"apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"}, c.answer)
	})
}

// answer converts all objects or none.
func (c Converter) answer(req *conversionRequest) *conversionResponse {
	converted := make([]map[string]any, len(req.Objects))
	for i, raw := range req.Objects {
		obj, err := c.convert(raw, req.DesiredAPIVersion)
		if err != nil {
			return &conversionResponse{UID: req.UID, Result: metav1.Status{Status: metav1.StatusFailure, Message: fmt.Sprintf("object %d: %v", i, err)}}
		}
		converted[i] = obj
	}
	return &conversionResponse{UID: req.UID, ConvertedObjects: converted, Result: metav1.Status{Status: metav1.StatusSuccess}}
}

func (c Converter) convert(raw []byte, apiVersion string) (map[string]any, error) {
	var obj map[string]any
	if err := utiljson.Unmarshal(raw, &obj); err != nil {
		return nil, fmt.Errorf("it is not an object: %w", err)
	}
	if obj == nil {
		return nil, errors.New("it is null")
	}
	if obj["apiVersion"] == apiVersion {
		return obj, nil
	}
	name := fmt.Sprintf("%v %v", obj["apiVersion"], obj["kind"])
	converted, err := c(obj, apiVersion)
	if err == nil && converted == nil {
		err = errors.New("the converter returned no object")
	}
	if err != nil {
		return nil, fmt.Errorf("%s to %s: %w", name, apiVersion, err)
	}
	return converted, nil
}
