package prunetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/prune-gen/prune-gen/kube"
)

// HandlerConverter converts by the handler of a conversion webhook: that of controller-runtime, for example, which converts the Go types of
// a scheme by their methods or by the converters in its registry.
func HandlerConverter(h http.Handler) kube.Converter {
	type fields = map[string]any
	return func(obj map[string]any, apiVersion string) (map[string]any, error) {
		asked, err := json.Marshal(fields{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
			"request": fields{"uid": "prunetest", "desiredAPIVersion": apiVersion, "objects": []any{obj}}})
		if err != nil {
			return nil, err
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(asked)))
		var review struct {
			Response struct {
				ConvertedObjects []json.RawMessage
				Result           metav1.Status
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &review); err != nil {
			return nil, fmt.Errorf("the handler does not answer with a review, but with %d %q", w.Code, w.Body)
		}
		answer := review.Response
		switch {
		case answer.Result.Status != metav1.StatusSuccess:
			return nil, errors.New(answer.Result.Message)
		case len(answer.ConvertedObjects) != 1:
			return nil, fmt.Errorf("the handler makes %d objects of one", len(answer.ConvertedObjects))
		}
		var out map[string]any
		err = utiljson.Unmarshal(answer.ConvertedObjects[0], &out)
		return out, err
	}
}

// convertNone converts as the conversion strategy None does.
func convertNone(obj map[string]any, apiVersion string) (map[string]any, error) {
	obj["apiVersion"] = apiVersion
	return obj, nil
}

// typeDecoder decodes objects into Go types.
type typeDecoder struct{ decoder runtime.Decoder }

func goTypes(scheme *runtime.Scheme) *typeDecoder {
	return &typeDecoder{serializer.NewCodecFactory(scheme).UniversalDeserializer()}
}

func (d *typeDecoder) decode(obj map[string]any) (runtime.Object, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	typed, _, err := d.decoder.Decode(data, nil, nil)
	return typed, err
}

// throughJSON returns an object as those who decode its JSON see it.
func throughJSON(obj any) (map[string]any, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	err = utiljson.Unmarshal(data, &out)
	return out, err
}
