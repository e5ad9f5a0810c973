package kube_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/prune-gen/prune-gen/kube"
)

// refusing is a delegate that must not be asked.
type refusing struct{}

func (refusing) Decode([]byte, *schema.GroupVersionKind, runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	return nil, nil, errors.New("the delegate was asked")
}

// Decoding gives the object that Kubernetes decodes and generated code prunes.
func TestDecoderDecodesAndPrunes(t *testing.T) {
	odd := strings.Replace(good, `"image":"i"`, `"image":"i","odd":{"a":[1,2]}`, 1)
	list := `{"apiVersion":"stable.example.com/v1","kind":"CronTabList","metadata":{"resourceVersion":"7","continue":"c"},"items":[` + odd + `,` +
		strings.Replace(odd, `"apiVersion":"stable.example.com/v1","kind":"CronTab",`, "", 1) + `]}`
	mixed := `{"apiVersion":"v1","kind":"List","items":[` + odd + `]}`
	set := interpreted(t)
	for _, body := range []string{good, odd, list, mixed, strings.Replace(list, odd, good, 1)} {
		for _, into := range []runtime.Object{nil, &unstructured.Unstructured{}, &unstructured.UnstructuredList{}} {
			if _, isList := into.(*unstructured.UnstructuredList); isList && !strings.Contains(body, "items") {
				continue
			}
			var wantInto runtime.Object
			if into != nil {
				wantInto = reflect.New(reflect.TypeOf(into).Elem()).Interface().(runtime.Object)
			}
			got, gotKind, err := kube.Decoder(set, refusing{}).Decode([]byte(body), nil, into)
			if err != nil {
				t.Errorf("%s into %T: %v", body, into, err)
				continue
			}
			want, wantKind, err := unstructured.UnstructuredJSONScheme.Decode([]byte(body), nil, wantInto)
			if err != nil {
				t.Fatal(err)
			}
			switch want := want.(type) {
			case *unstructured.Unstructured:
				err = set.Prune(want.Object)
			case *unstructured.UnstructuredList:
				for _, item := range want.Items {
					err = errors.Join(err, set.Prune(item.Object))
				}
			}
			if err != nil || !reflect.DeepEqual(got, want) || *gotKind != *wantKind {
				t.Errorf("%s into %T:\n%v %v, want\n%v %v (%v)", body, into, got, gotKind, want, wantKind, err)
			}
			if into != nil && got != into {
				t.Errorf("%T: decoded into another object", into)
			}
		}
	}
}

// The kind of a list without "List" at its end is the kind of the items that have none, whatever letters it ends with.
func TestDecoderNamesTheKindOfItems(t *testing.T) {
	for _, kind := range []string{"CronTab", "Widget", "Tissit", "ListList"} {
		body := fmt.Sprintf(`{"apiVersion":"stable.example.com/v1","kind":"%sList","items":[{"metadata":{"name":"a"}}]}`, kind)
		got, _, err := kube.Decoder(renamed(t, kind), refusing{}).Decode([]byte(body), nil, nil)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		want, _, err := unstructured.UnstructuredJSONScheme.Decode([]byte(body), nil, nil)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v, %v", got, want, err)
		}
	}
}

func TestDecoderLeavesTheRestToItsDelegate(t *testing.T) {
	d := kube.Decoder(interpreted(t), refusing{})
	for _, test := range []struct {
		body string
		into runtime.Object
	}{
		{`{"apiVersion":"v1","kind":"Pod"}`, nil},
		{`{"apiVersion":"stable.example.com/v1","kind":"CronTab"`, nil},
		{"apiVersion: stable.example.com/v1\nkind: CronTab\n", nil},
		{good, &metav1.PartialObjectMetadata{}},
		{`{"apiVersion":"stable.example.com/v1","kind":"CronTabList","items":[1]}`, &unstructured.UnstructuredList{}},
	} {
		if obj, _, err := d.Decode([]byte(test.body), nil, test.into); err == nil {
			t.Errorf("%s into %T: %v", test.body, test.into, obj)
		}
	}
	// Generated code without functions on JSON decodes nothing.
	if _, _, err := kube.Decoder(generated(), refusing{}).Decode([]byte(good), nil, nil); err == nil {
		t.Error("there is no function to decode with")
	}
}

// A client with the serializer decodes and prunes objects, and knows the Status that a server answers with.
func TestSerializerPrunesWhatItDecodes(t *testing.T) {
	s := kube.Serializer(interpreted(t))
	info, ok := runtime.SerializerInfoForMediaType(s.SupportedMediaTypes(), "application/json")
	if !ok || len(s.SupportedMediaTypes()) != 1 || info.StreamSerializer == nil || !info.EncodesAsText || !info.StreamSerializer.EncodesAsText {
		t.Fatalf("%+v", s.SupportedMediaTypes())
	}
	d := s.DecoderToVersion(info.Serializer, nil)
	odd := strings.Replace(good, `"image":"i"`, `"image":"i","odd":{"a":[1,2]}`, 1)
	got, kind, err := d.Decode([]byte(odd), nil, nil)
	if err != nil || !reflect.DeepEqual(got, object(t, good)) || kind.Kind != "CronTab" {
		t.Errorf("%v, %v: %v", got, kind, err)
	}
	other := `{"apiVersion":"example.com/v1","kind":"Other","odd":1}`
	if got, kind, err = d.Decode([]byte(other), nil, nil); err != nil || !reflect.DeepEqual(got, object(t, other)) || kind.Kind != "Other" {
		t.Errorf("another kind: %v, %v: %v", got, kind, err)
	}
	got, _, err = d.Decode([]byte(`{"apiVersion":"v1","kind":"Status","status":"Failure","code":404}`), nil, nil)
	if status, ok := got.(*metav1.Status); err != nil || !ok || status.Code != 404 {
		t.Errorf("%T %v: %v", got, got, err)
	}
	var out strings.Builder
	if err := s.EncoderForVersion(info.Serializer, nil).Encode(object(t, good), &out); err != nil || !reflect.DeepEqual(object(t, out.String()), object(t, good)) {
		t.Errorf("encoded as %s: %v", out.String(), err)
	}
	out.Reset()
	if err := s.EncoderForVersion(info.Serializer, schema.GroupVersion{Version: "v1"}).Encode(&metav1.DeleteOptions{}, &out); err != nil ||
		out.String() != `{"kind":"DeleteOptions","apiVersion":"v1"}`+"\n" {
		t.Errorf("options are encoded as %s: %v", out.String(), err)
	}
}
