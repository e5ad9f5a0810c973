package custom_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// What the scale subresource could not read is refused as by the strategy of Kubernetes, at the bounds of replicas and for values of other types.
func TestScaleIsReadAsByKubernetes(t *testing.T) {
	crd, err := load.CRD([]byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Set, plural: sets, singular: set, listKind: SetList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.deep.replicas, labelSelectorPath: .status.selector}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	resources, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	selector, preserve := ".status.selector", true
	props := &apiextensions.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &preserve}
	structural, err := structuralschema.NewStructural(props)
	if err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		t.Fatal(err)
	}
	kind := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Set"}
	theirs := customresource.NewStrategy(runtime.NewScheme(), false, kind, validator, nil, structural, &apiextensions.CustomResourceSubresourceStatus{},
		&apiextensions.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.deep.replicas", LabelSelectorPath: &selector}, nil)
	theirsOfStatus := customresource.NewStatusStrategy(theirs)
	c := &custom.Codec{Kind: kind.GroupKind(), Resources: custom.Resources{"v1": resources[0]}}
	ours, err := custom.NewStrategy(c, "v1", theirs,
		&apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.deep.replicas", LabelSelectorPath: &selector})
	if err != nil {
		t.Fatal(err)
	}
	oursOfStatus := custom.StatusStrategy{Base: theirsOfStatus, Resource: ours}

	numbers := []string{"null", "-1", "0", "1", fmt.Sprint(math.MaxInt32 - 1), fmt.Sprint(math.MaxInt32), fmt.Sprint(math.MaxInt32 + 1), fmt.Sprint(math.MaxInt64), fmt.Sprint(math.MinInt64),
		"1.0", "1.5", "1e3", `"1"`, "true", "{}", "[]"}
	var objects []string
	for _, v := range numbers {
		objects = append(objects, `"spec":{"replicas":`+v+`}`, `"status":{"deep":{"replicas":`+v+`}}`, `"status":{"deep":`+v+`}`, `"spec":`+v, `"status":`+v,
			`"spec":{"replicas":`+v+`},"status":{"deep":{"replicas":`+v+`},"selector":1}`)
	}
	for _, v := range []string{"null", `""`, `"a=b"`, `"="`, "1", "{}", "[]"} {
		objects = append(objects, `"status":{"selector":`+v+`}`)
	}
	refused := 0
	for _, fields := range append(objects, `"other":1`) {
		of := func(fields string) *unstructured.Unstructured {
			return object(t, `{"apiVersion":"example.com/v1","kind":"Set","metadata":{"name":"a","resourceVersion":"1"},`+fields+`}`)
		}
		for name, judged := range map[string][2]field.ErrorList{
			"create":        {ours.Validate(t.Context(), of(fields)), theirs.Validate(t.Context(), of(fields))},
			"update":        {ours.ValidateUpdate(t.Context(), of(fields), of(`"spec":{"replicas":1}`)), theirs.ValidateUpdate(t.Context(), of(fields), of(`"spec":{"replicas":1}`))},
			"no change":     {ours.ValidateUpdate(t.Context(), of(fields), of(fields)), theirs.ValidateUpdate(t.Context(), of(fields), of(fields))},
			"status update": {oursOfStatus.ValidateUpdate(t.Context(), of(fields), of(`"spec":{"replicas":1}`)), theirsOfStatus.ValidateUpdate(t.Context(), of(fields), of(`"spec":{"replicas":1}`))},
		} {
			if have, want := texts(judged[0]), texts(judged[1]); !slices.Equal(have, want) {
				t.Errorf("%s of %s: %q, want %q", name, fields, have, want)
			} else if len(want) > 0 {
				refused++
			}
		}
	}
	if refused < 100 {
		t.Errorf("%d are refused", refused)
	}
}

// texts returns errors as text, sorted.
func texts(errs field.ErrorList) (all []string) {
	for _, e := range errs {
		all = append(all, e.Error())
	}
	slices.Sort(all)
	return all
}

// Metadata of requests and of stored objects is decoded as Kubernetes does, with its errors.
func TestMetadataIsDecodedAsByKubernetes(t *testing.T) {
	c := codec(t)
	wrong := 0
	for _, metadata := range []string{`null`, `"x"`, `1`, `1.5`, `true`, `[]`, `[1]`, `{}`, `{"name":1}`, `{"name":"a","labels":1}`, `{"labels":{"a":1}}`, `{"labels":null}`, `{"labels":{"a":null}}`, `{"annotations":[]}`,
		`{"generation":"x"}`, `{"generation":1.5}`, `{"generation":7}`, `{"creationTimestamp":"x"}`, `{"creationTimestamp":1}`, `{"creationTimestamp":null}`, `{"ownerReferences":{}}`, `{"ownerReferences":[1]}`,
		`{"ownerReferences":[{"uid":1}]}`, `{"finalizers":"x"}`, `{"finalizers":["a",1]}`, `{"managedFields":1}`, `{"managedFields":[{"time":"x"}]}`, `{"deletionGracePeriodSeconds":"x"}`, `{"odd":1}`,
		`{"name":"a","labels":{"a":1},"annotations":{"b":"c"},"odd":1}`, `{"Name":"a"}`, `{"Labels":{"a":1}}`} {
		body := `{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{},"metadata":` + metadata + `}`
		for _, source := range []prunert.Source{prunert.FromRequest, prunert.FromStorage} {
			var want map[string]any
			if err := utiljson.Unmarshal([]byte(body), &want); err != nil {
				t.Fatal(err)
			}
			meta, found, _, wantErr := objectmeta.GetObjectMetaWithOptions(want, objectmeta.ObjectMetaOptions{DropMalformedFields: source == prunert.FromStorage})
			if wantErr == nil && found {
				if source == prunert.FromStorage && meta.Generation == 0 {
					meta.Generation = 1
				}
				if err := objectmeta.SetObjectMeta(want, meta); err != nil {
					t.Fatal(err)
				}
			}
			obj, _, err := c.Decoder(unstructured.UnstructuredJSONScheme, source, false).Decode([]byte(body), nil, nil)
			if wantErr != nil {
				if wrong++; fmt.Sprint(err) != wantErr.Error() {
					t.Errorf("%s from %v: %v, want %v", metadata, source, err, wantErr)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s from %v: %v", metadata, source, err)
				continue
			}
			if have := obj.(*unstructured.Unstructured).Object["metadata"]; !reflect.DeepEqual(have, want["metadata"]) {
				haveText, _ := json.Marshal(have)
				wantText, _ := json.Marshal(want["metadata"])
				t.Errorf("%s from %v: %s, want %s", metadata, source, haveText, wantText)
			}
		}
	}
	if wrong < 20 {
		t.Errorf("%d are refused", wrong)
	}
}
