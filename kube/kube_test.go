package kube_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	goruntime "runtime"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	"github.com/prune-gen/prune-gen/internal/base/badvalue"
	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

var cronTab = schema.GroupKind{Group: "stable.example.com", Kind: "CronTab"}

// generated returns a set with generated code.
func generated() *prunert.Set {
	set := &prunert.Set{}
	if err := set.Add(v1.CronTabResource); err != nil {
		panic(err)
	}
	return set
}

// interpreted returns a set with all functions, those on JSON among them.
func interpreted(t testing.TB) *prunert.Set {
	t.Helper()
	return renamed(t, "CronTab")
}

// renamed is interpreted with another name for the kind.
func renamed(t testing.TB, kind string) *prunert.Set {
	t.Helper()
	data, err := os.ReadFile("../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte("CronTab"), []byte(kind))
	crd, err := load.CRD(data, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	resources, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	set := &prunert.Set{}
	if err := set.Add(resources...); err != nil {
		t.Fatal(err)
	}
	return set
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

func TestFieldErrorsPrintTheSameText(t *testing.T) {
	types := []prunert.ErrorType{prunert.ErrorTypeInvalid, prunert.ErrorTypeTypeInvalid, prunert.ErrorTypeRequired, prunert.ErrorTypeNotSupported,
		prunert.ErrorTypeTooLong, prunert.ErrorTypeTooMany, prunert.ErrorTypeDuplicate, prunert.ErrorTypeForbidden, prunert.ErrorTypeNotFound, prunert.ErrorTypeOmitted}
	for _, value := range []any{prunert.OmittedValue{}, "text", int64(1), 1.5, true, nil, []any{"a"}, map[string]any{"a": int64(1)}, badvalue.Go{Value: []any{"a"}}, badvalue.Go{}} {
		for _, typ := range types {
			e := &prunert.Error{Type: typ, Field: "spec.a[0]", BadValue: value, Detail: "what is wrong"}
			list := kube.FieldErrors(prunert.ErrorList{e})
			if got := list[0].Error(); got != e.Error() {
				t.Errorf("%s of %v: %q, want %q", typ, value, got, e.Error())
			}
		}
	}
	if got := kube.FieldErrors(nil); got != nil {
		t.Errorf("no errors are %v", got)
	}
}

func TestInvalidHasTheCauses(t *testing.T) {
	errs := prunert.ErrorList{{Type: prunert.ErrorTypeRequired, Field: "spec.a"}, {Type: prunert.ErrorTypeInvalid, Field: "spec.b", BadValue: int64(7), Detail: "too odd"}}
	var status *apierrors.StatusError
	if err := kube.Invalid(cronTab, "x", errs); !errors.As(err, &status) || status.ErrStatus.Code != http.StatusUnprocessableEntity || !reflect.DeepEqual(status.ErrStatus.Details.Causes, kube.Causes(errs)) {
		t.Errorf("%+v, want the causes %v", err, kube.Causes(errs))
	}
	validate := func() error { return kube.Invalid(cronTab, "x", nil) }
	if err := validate(); err != nil {
		t.Errorf("no errors are the error %#v", err)
	}
}

// NewInvalid returns what apimachinery returns.
func TestNewInvalidIsThatOfApimachinery(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5, 1000} {
		for name, key := range map[string]func(i int) string{
			"different": func(i int) string { return fmt.Sprint("k", i) },
			"twice":     func(i int) string { return fmt.Sprint("k", i/2) },
			"equal":     func(int) string { return "k" },
		} {
			var errs field.ErrorList
			for i := range n {
				errs = append(errs, field.Invalid(field.NewPath("spec"), key(i), "is bad"))
			}
			if have, want := kube.NewInvalid(cronTab, "a", errs), apierrors.NewInvalid(cronTab, "a", errs); !reflect.DeepEqual(have, want) {
				t.Errorf("%d errors, %s: %.500v, want %.500v", n, name, have, want)
			}
		}
	}
}

// The cost of a list of errors is linear in its length, not quadratic.
func TestManyErrorsAreCheap(t *testing.T) {
	var errs prunert.ErrorList
	for i := range 10_000 {
		errs = append(errs, &prunert.Error{Type: prunert.ErrorTypeInvalid, Field: fmt.Sprintf("spec.list[%d].name", i), BadValue: "x", Detail: "is bad"})
	}
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	err := kube.Invalid(cronTab, "a", errs)
	goruntime.ReadMemStats(&after)
	if used, length := after.TotalAlloc-before.TotalAlloc, uint64(len(err.Error())); used > 100*length {
		t.Errorf("%d bytes for an error of %d", used, length)
	}
}

func BenchmarkInvalid(b *testing.B) {
	var errs prunert.ErrorList
	for i := range 10_000 {
		errs = append(errs, &prunert.Error{Type: prunert.ErrorTypeInvalid, Field: fmt.Sprintf("spec.list[%d].name", i), BadValue: "x", Detail: "is bad"})
	}
	b.ReportAllocs()
	for b.Loop() {
		kube.Invalid(cronTab, "a", errs)
	}
}

// The refusals of requests are the errors that clients recognise, and have the content of the Status that they are as JSON.
func TestErrIsTheErrorOfAClient(t *testing.T) {
	old := object(t, good)
	old.SetResourceVersion("2")
	stale := old.DeepCopy()
	stale.SetResourceVersion("1")
	set := generated()
	for _, test := range []struct {
		name   string
		answer prunert.Answer
		is     func(error) bool
	}{
		{"invalid", set.Create(object(t, strings.Replace(good, `"i"`, `1`, 1)).Object, prunert.Request{}), apierrors.IsInvalid},
		{"conflict", set.Update(stale.Object, old.Object, prunert.Request{}), apierrors.IsConflict},
		{"not found", set.Update(object(t, good).Object, nil, prunert.Request{Name: "a"}), apierrors.IsNotFound},
		{"bad request", set.Create(object(t, good).Object, prunert.Request{Namespace: "other"}), apierrors.IsBadRequest},
		{"method not allowed", set.Create(object(t, good).Object, prunert.Request{Subresource: "status"}), apierrors.IsMethodNotSupported},
	} {
		err := kube.Err(test.answer)
		if err == nil || !test.is(err) || err.Error() != test.answer.Refusal.Message {
			t.Errorf("%s: %v, refused with %v", test.name, err, test.answer.Refusal)
			continue
		}
		got, _ := json.Marshal(kube.Status(test.answer.Refusal))
		want, _ := json.Marshal(test.answer.Refusal)
		if !reflect.DeepEqual(object(t, string(got)), object(t, string(want))) {
			t.Errorf("%s: Status %s, want %s", test.name, got, want)
		}
	}
	if err := kube.Err(set.Create(object(t, good).Object, prunert.Request{})); err != nil {
		t.Errorf("an accepted request: %v", err)
	}
	if kube.StatusError(nil) != nil {
		t.Error("no refusal is an error")
	}
}

// tombstone is cache.DeletedFinalStateUnknown, without its package.
type tombstone struct {
	Key string
	Obj any
}

func TestTransformKeepsWhatTheCodeKnows(t *testing.T) {
	transform := kube.Transform(generated())
	full := func() *unstructured.Unstructured {
		u := object(t, strings.Replace(good, `"name":"a"`, `"name":"a","managedFields":[{"manager":"m"}]`, 1))
		unstructured.SetNestedField(u.Object, "x", "spec", "odd")
		return u
	}
	for _, test := range []struct{ in, want any }{
		{full(), object(t, good)},
		{tombstone{"a", full()}, tombstone{"a", object(t, good)}},
		{&tombstone{"a", full()}, &tombstone{"a", object(t, good)}},
		{tombstone{Key: "a"}, tombstone{Key: "a"}},
		{object(t, `{"apiVersion":"v1","kind":"Pod","odd":1}`), object(t, `{"apiVersion":"v1","kind":"Pod","odd":1}`)},
		{(*tombstone)(nil), (*tombstone)(nil)},
		{"text", "text"},
		{nil, nil},
	} {
		if out, err := transform(test.in); err != nil || !reflect.DeepEqual(out, test.want) {
			t.Errorf("%v, %v; want %v", out, err, test.want)
		}
	}
}

// An informer hands out what it keeps: an object that was transformed is read by others when it comes a second time.
func TestTransformDoesNotWriteTwice(t *testing.T) {
	transform := kube.Transform(generated())
	u := object(t, good)
	read := make(chan struct{})
	go func() {
		defer close(read)
		for range 1000 {
			_ = fmt.Sprint(u.Object)
		}
	}()
	for range 1000 {
		transform(u)
	}
	<-read
}
