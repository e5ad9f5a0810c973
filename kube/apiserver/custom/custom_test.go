package custom_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubejson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

var cronTab = schema.GroupKind{Group: "stable.example.com", Kind: "CronTab"}

func codec(t *testing.T) *custom.Codec {
	t.Helper()
	data, err := os.ReadFile("../../../examples/apiserver/apis/crds/crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	crd, err := load.CRD(data, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	resources, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	spec := apiextensionsv1.CustomResourceDefinitionSpec{Group: cronTab.Group, Conversion: &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}}
	for _, r := range resources {
		spec.Versions = append(spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{Name: r.Version})
	}
	_, converter, err := (&conversion.CRConverterFactory{}).NewConverter(&apiextensionsv1.CustomResourceDefinition{Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	c := &custom.Codec{Kind: cronTab, Resources: custom.Resources{}, Converter: converter}
	for _, r := range resources {
		c.Resources[r.Version] = r
	}
	return c
}

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal([]byte(text), &u.Object); err != nil {
		t.Fatal(err)
	}
	return u
}

const good = `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a","namespace":"n"},"spec":{"cronSpec":"* * * * *","image":"i"},"status":{"replicas":1}}`

func TestDecoderReportsUnknownFieldsBehindDuplicates(t *testing.T) {
	c := codec(t)
	strict := kubejson.NewSerializerWithOptions(kubejson.DefaultMetaFactory, creater{}, runtime.NewScheme(), kubejson.SerializerOptions{Strict: true})
	body := strings.Replace(good, `"image":"i"`, `"image":"h","image":"i","odd":1`, 1)
	body = strings.Replace(body, `"name":"a"`, `"name":"a","odd":1`, 1)
	obj, _, err := c.Decoder(strict, prunert.FromRequest, true).Decode([]byte(body), nil, &unstructured.Unstructured{})
	want := `strict decoding error: duplicate field "spec.image", unknown field "metadata.odd", unknown field "spec.odd"`
	if err == nil || err.Error() != want || !runtime.IsStrictDecodingError(err) {
		t.Errorf("error %v, want %s", err, want)
	}
	spec := obj.(*unstructured.Unstructured).Object["spec"]
	if want := map[string]any{"cronSpec": "* * * * *", "image": "i", "replicas": int64(1), "concurrencyPolicy": "Allow"}; !reflect.DeepEqual(spec, want) {
		t.Errorf("spec %v, want %v", spec, want)
	}
}

// creater makes unstructured objects.
type creater struct{}

func (creater) New(schema.GroupVersionKind) (runtime.Object, error) {
	return &unstructured.Unstructured{}, nil
}

func TestConvertDropsWhatTheOtherVersionLacks(t *testing.T) {
	u := object(t, strings.Replace(good, `"image":"i"`, `"image":"i","suspend":true`, 1))
	u, err := codec(t).Convert(u, "v1beta1")
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]any{"cronSpec": "* * * * *", "image": "i"}; !reflect.DeepEqual(u.Object["spec"], want) || u.GetAPIVersion() != "stable.example.com/v1beta1" {
		t.Errorf("%v", u.Object)
	}
	if _, err := codec(t).Convert(u, "v7"); err == nil {
		t.Error("there is no v7")
	}
}

// strategies returns the strategies of a resource and of its status.
func strategies(t *testing.T) (*custom.Strategy, custom.StatusStrategy) {
	t.Helper()
	base := customresource.NewStrategy(runtime.NewScheme(), true, cronTab.WithVersion("v1"), nil, nil, nil, &apiextensions.CustomResourceSubresourceStatus{}, nil, nil)
	s, err := custom.NewStrategy(codec(t), "v1", base, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, custom.StatusStrategy{Base: customresource.NewStatusStrategy(base), Resource: s}
}

func TestStrategyKeepsStatusToItsSubresource(t *testing.T) {
	s, ofStatus := strategies(t)
	created := object(t, good)
	s.PrepareForCreate(t.Context(), created)
	if created.Object["status"] != nil || created.GetGeneration() != 1 {
		t.Errorf("created %v", created.Object)
	}
	old, updated := object(t, good), object(t, strings.NewReplacer(`"replicas":1`, `"replicas":2`, `"image":"i"`, `"image":"j"`).Replace(good))
	old.SetGeneration(4)
	s.PrepareForUpdate(t.Context(), updated, old)
	if !reflect.DeepEqual(updated.Object["status"], old.Object["status"]) || updated.GetGeneration() != 5 {
		t.Errorf("updated %v", updated.Object)
	}
	status := object(t, strings.NewReplacer(`"replicas":1`, `"replicas":2`, `"image":"i"`, `"image":"j"`).Replace(good))
	ofStatus.PrepareForUpdate(t.Context(), status, old)
	if !reflect.DeepEqual(status.Object["spec"], old.Object["spec"]) || !reflect.DeepEqual(status.Object["status"], map[string]any{"replicas": int64(2)}) {
		t.Errorf("status updated %v", status.Object)
	}
}

func TestStrategyPrunesWhatAdmissionAdded(t *testing.T) {
	s, _ := strategies(t)
	created := object(t, strings.Replace(good, `"image":"i"`, `"image":"i","odd":1`, 1))
	s.PrepareForCreate(t.Context(), created)
	updated := object(t, strings.Replace(good, `"image":"i"`, `"image":"i","odd":1`, 1))
	s.PrepareForUpdate(t.Context(), updated, object(t, good))
	for _, u := range []*unstructured.Unstructured{created, updated} {
		if _, ok, _ := unstructured.NestedFieldNoCopy(u.Object, "spec", "odd"); ok {
			t.Errorf("%v", u.Object)
		}
	}
}

// defaulted returns an object as it is when it reaches a strategy: CEL rules read the defaults.
func defaulted(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := object(t, text)
	codec(t).Default(u.Object)
	return u
}

func TestStrategyTolerates(t *testing.T) {
	s, ofStatus := strategies(t)
	bad := defaulted(t, strings.Replace(good, `"image":"i"`, `"image":"i","replicas":50`, 1))
	bad.SetResourceVersion("1")
	want := "spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10"
	if errs := s.Validate(t.Context(), bad); errs.ToAggregate() == nil || errs.ToAggregate().Error() != want {
		t.Errorf("create: %v, want %s", errs, want)
	}
	same := bad.DeepCopy()
	unstructured.SetNestedField(same.Object, "j", "spec", "image")
	if errs := s.ValidateUpdate(t.Context(), same, bad); len(errs) > 0 {
		t.Errorf("update of something else: %v", errs)
	}
	worse := bad.DeepCopy()
	unstructured.SetNestedField(worse.Object, int64(51), "spec", "replicas")
	if errs := s.ValidateUpdate(t.Context(), worse, bad); len(errs) != 1 {
		t.Errorf("update to something worse: %v", errs)
	}
	status := bad.DeepCopy()
	unstructured.SetNestedField(status.Object, int64(-1), "status", "replicas")
	errs := ofStatus.ValidateUpdate(t.Context(), status, bad)
	if len(errs) != 1 || errs[0].Field != "status.replicas" {
		t.Errorf("update of status: %v", errs)
	}
	other := defaulted(t, good)
	other.SetKind("Other")
	if errs := s.Validate(t.Context(), other); len(errs) != 1 || errs[0].Type != field.ErrorTypeInvalid || errs[0].Field != "kind" {
		t.Errorf("another kind: %v", errs)
	}
	named := defaulted(t, strings.Replace(good, `"name":"a"`, `"name":"Not A Name"`, 1))
	if errs := s.Validate(t.Context(), named); len(errs) != 1 || errs[0].Field != "metadata.name" {
		t.Errorf("a bad name: %v", errs)
	}
}

func TestStrategyWarnsOfNewFinalizersOnly(t *testing.T) {
	s, ofStatus := strategies(t)
	old, updated := object(t, good), object(t, good)
	old.SetFinalizers([]string{"odd"})
	updated.SetFinalizers([]string{"odd", "with.domain", "fine.example.com/x"})
	want := `metadata.finalizers: "with.domain": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`
	if got := s.WarningsOnUpdate(t.Context(), updated, old); !slices.Equal(got, []string{want}) {
		t.Errorf("update: %q", got)
	}
	if got := s.WarningsOnCreate(t.Context(), updated); len(got) != 2 {
		t.Errorf("create: %q", got)
	}
	if got := ofStatus.WarningsOnUpdate(t.Context(), updated, old); got != nil {
		t.Errorf("status: %q", got)
	}
}
