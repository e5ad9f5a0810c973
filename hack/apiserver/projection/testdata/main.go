// The program compares projections with what following the paths of a list through JSON gives.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/prune-gen/prune-gen/internal/testing/restrict"
	"github.com/prune-gen/prune-gen/projected/odd"
)

const objects = 20

var (
	rnd                       = rand.New(rand.NewPCG(1, 2))
	compared, changed, failed int
)

func main() {
	all()
	fmt.Printf("%d objects compared, %d of them changed", compared, changed)
	if failed > 0 || changed < compared/2 {
		os.Exit(1)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func check[T any](name string, project func(*T), text string) {
	var list restrict.List
	must(json.Unmarshal([]byte(text), &list))
	for range objects {
		var made T
		fill(reflect.ValueOf(&made).Elem(), 0)
		whole, err := json.Marshal(&made)
		must(err)
		got, want := new(T), new(T)
		must(json.Unmarshal(whole, got))
		var obj map[string]any
		must(json.Unmarshal(whole, &obj))
		kept, err := json.Marshal(list.Object(obj))
		must(err)
		must(json.Unmarshal(kept, want))
		before := new(T)
		must(json.Unmarshal(whole, before))
		project(got)
		if o, ok := any(got).(*odd.Odd); ok && o.Spec.Outer != nil && reflect.DeepEqual(*o.Spec.Outer, odd.Outer{}) {
			o.Spec.Outer = nil // JSON does not tell whether an embedded pointer is nil
		}
		compared++
		if !reflect.DeepEqual(got, before) {
			changed++
		}
		if !reflect.DeepEqual(got, want) {
			failed++
			if failed < 4 {
				g, _ := json.Marshal(got)
				w, _ := json.Marshal(want)
				fmt.Printf("%s %s\n is %s\nnot %s\nof %s\n", name, text, g, w, whole)
			}
		}
		if n := testing.AllocsPerRun(1, func() { project(got) }); n != 0 {
			failed++
			fmt.Printf("%s: %v allocations\n", name, n)
		}
		if !reflect.DeepEqual(got, want) && failed == 0 {
			failed++
			fmt.Printf("%s: the second time changes more\n", name)
		}
	}
}

func fill(v reflect.Value, depth int) {
	switch p := v.Addr().Interface().(type) {
	case *metav1.Time:
		*p = metav1.Unix(rnd.Int64N(1e9), 0)
		return
	case *metav1.MicroTime:
		*p = metav1.NewMicroTime(metav1.Unix(rnd.Int64N(1e9), 0).Time)
		return
	case *resource.Quantity:
		*p = resource.MustParse(fmt.Sprint(rnd.IntN(1000), "Mi"))
		return
	case *intstr.IntOrString:
		*p = intstr.FromInt32(rnd.Int32N(100))
		return
	case *runtime.RawExtension:
		p.Raw = []byte(`{"a":1}`)
		return
	case *metav1.FieldsV1:
		p.Raw = []byte(`{"f:a":{}}`)
		return
	case json.Unmarshaler:
		if json.Unmarshal([]byte(`"text"`), p) != nil {
			must(json.Unmarshal([]byte(`true`), p))
		}
		return
	}
	n := 0
	if depth < 14 {
		n = rnd.IntN(3)
	}
	switch v.Kind() {
	case reflect.String:
		if rnd.IntN(4) > 0 {
			v.SetString(fmt.Sprint("s", rnd.IntN(1000)))
		}
	case reflect.Bool:
		v.SetBool(rnd.IntN(2) == 0)
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Int16:
		v.SetInt(rnd.Int64N(100))
	case reflect.Uint8:
		v.SetUint(rnd.Uint64N(100))
	case reflect.Float64:
		v.SetFloat(float64(rnd.IntN(100)) / 4)
	case reflect.Pointer:
		if n > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range v.Len() {
			fill(v.Index(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		if n > 0 {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for i := range n {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			k.SetString(fmt.Sprint("k", i))
			fill(e, depth+1)
			v.SetMapIndex(k, e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), depth+1)
			}
		}
	}
}
