package caches

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// jsonName returns the name of a field in JSON, "" if the struct has its fields inline.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// isLeaf reports whether a value has no fields of its own in Go: it may be a string, or have JSON of its own.
func isLeaf(v reflect.Value) bool {
	_, own := reflect.New(v.Type()).Interface().(json.Unmarshaler)
	return own || v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8
}

// projection drops random fields: those that drops says, and everything below them.
type projection struct {
	seed uint64
	rate uint64 // of fields in a hundred that are dropped
}

func (p projection) drops(path string) bool {
	switch path {
	case ".metadata", ".metadata.name", ".metadata.namespace", ".metadata.uid", ".metadata.resourceVersion":
		return false
	case ".metadata.managedFields":
		return true
	}
	h := fnv.New64a()
	fmt.Fprint(h, p.seed, path)
	return h.Sum64()%100 < p.rate
}

// pod projects a Pod in place.
func (p projection) pod(pod *corev1.Pod) { p.project(reflect.ValueOf(pod).Elem(), "") }

func (p projection) project(v reflect.Value, path string) {
	if isLeaf(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			p.project(v.Elem(), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			below := path
			if name := jsonName(v.Type().Field(i)); name != "" {
				below += "." + name
			}
			switch {
			case below != path && p.drops(below):
				v.Field(i).SetZero()
			case below != ".kind" && below != ".apiVersion":
				p.project(v.Field(i), below)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			p.project(v.Index(i), path+"[]")
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(k))
			p.project(value, path+"[*]")
			v.SetMapIndex(k, value)
		}
	}
}

// content projects a Pod that is unstructured content.
func (p projection) content(obj map[string]any) {
	pod := &corev1.Pod{}
	must(runtime.DefaultUnstructuredConverter.FromUnstructured(obj, pod))
	p.pod(pod)
	clear(obj)
	maps.Copy(obj, unstructuredOf(pod))
}

func unstructuredOf(obj any) map[string]any {
	out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	must(err)
	return out
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// word returns a random string that is a name of whatever is named.
func word(r *rand.Rand) string { return fmt.Sprintf("n%d", r.IntN(1<<30)) }

// randomPod returns a Pod with random content that a server stores.
func randomPod(r *rand.Rand) *corev1.Pod {
	p := &corev1.Pod{}
	randomize(r, reflect.ValueOf(&p.Spec).Elem(), 0)
	randomize(r, reflect.ValueOf(&p.Status).Elem(), 0)
	p.Labels, p.Annotations = map[string]string{}, map[string]string{}
	for range r.IntN(3) {
		p.Labels[word(r)] = word(r)
		p.Annotations[word(r)] = word(r)
		p.Finalizers = append(p.Finalizers, "example.com/"+word(r))
		p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{APIVersion: "v1", Kind: "Node", Name: word(r), UID: types.UID(word(r))})
	}
	return p
}

// randomize sets about half of what is in v.
func randomize(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case metav1.Time:
		v.Set(reflect.ValueOf(metav1.Unix(r.Int64N(1<<30), 0)))
		return
	case resource.Quantity:
		v.Set(reflect.ValueOf(resource.MustParse(fmt.Sprint(1 + r.IntN(1000)))))
		return
	case intstr.IntOrString:
		v.Set(reflect.ValueOf(intstr.FromInt32(int32(1 + r.IntN(1000)))))
		return
	case metav1.FieldsV1:
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if r.IntN(3) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			randomize(r, v.Elem(), depth)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if depth < 2 || r.IntN(depth) == 0 {
				randomize(r, v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		if n := r.IntN(3); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				randomize(r, v.Index(i), depth+1)
				named(r, v.Index(i))
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			value := reflect.New(v.Type().Elem()).Elem()
			randomize(r, value, depth+1)
			v.SetMapIndex(reflect.ValueOf(word(r)).Convert(v.Type().Key()), value)
		}
	default:
		scalar(r, v)
	}
}

// named sets what strategic merge patches know the elements of a list by.
func named(r *rand.Rand, v reflect.Value) {
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		if f := v.Field(i); f.IsZero() && (f.Kind() == reflect.String || f.Kind() == reflect.Int32) {
			scalar(r, f)
		}
	}
}

// scalar sets v to something other than zero.
func scalar(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(word(r))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(1 + r.Int64N(1<<30))
	case reflect.Uint8:
		v.SetUint(1 + r.Uint64N(200))
	}
}

// change is a change of an object that a program makes: it follows steps from the object, and does what do says.
type change struct {
	path  string // of the change, for messages
	apply func(*corev1.Pod)
}

// randomChange returns a change that a program can make which has the cached object: it sets anything, and removes only what it sees.
func randomChange(r *rand.Rand, cached *corev1.Pod) change {
	var steps []func(reflect.Value) reflect.Value // from a value to one in it
	var path strings.Builder
	step := func(name string, next func(reflect.Value) reflect.Value) {
		path.WriteString(name)
		steps = append(steps, next)
	}
	field := func(v reflect.Value, i int) {
		name := jsonName(v.Type().Field(i))
		if name != "" {
			name = "." + name
		}
		step(name, func(v reflect.Value) reflect.Value { return v.Field(i) })
	}
	v := reflect.ValueOf(cached.DeepCopy()).Elem()
	var act func(reflect.Value)
	for first := true; act == nil; first = false {
		seed := r.Uint64()
		again := func() *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
		switch {
		case isLeaf(v):
			act = func(v reflect.Value) { randomize(again(), v, 0) }
		case v.Kind() == reflect.Pointer:
			if !v.IsNil() && r.IntN(6) == 0 {
				act = func(v reflect.Value) { v.SetZero() }
				break
			}
			next := func(v reflect.Value) reflect.Value {
				if v.IsNil() {
					v.Set(reflect.New(v.Type().Elem()))
				}
				return v.Elem()
			}
			step("", next)
			v = next(v)
		case v.Kind() == reflect.Struct:
			i := r.IntN(v.NumField())
			if first { // labels and the like, the spec or the status
				i = 1 + r.IntN(3)
			}
			if v.Type() == reflect.TypeFor[metav1.ObjectMeta]() {
				of := []string{"Labels", "Annotations", "Finalizers", "OwnerReferences"}[r.IntN(4)]
				f, _ := v.Type().FieldByName(of)
				i = f.Index[0]
			}
			field(v, i)
			v = v.Field(i)
		case v.Kind() == reflect.Slice:
			n := v.Len()
			switch what := r.IntN(4); {
			case n > 0 && what == 0:
				i := r.IntN(n)
				act = func(v reflect.Value) { v.Set(reflect.AppendSlice(v.Slice(0, i), v.Slice(i+1, v.Len()))) }
			case n > 0 && what == 1 && v.Type().Elem().Kind() == reflect.Struct:
				i := r.IntN(n)
				step("[]", func(v reflect.Value) reflect.Value { return v.Index(i) })
				v = v.Index(i)
			case n > 0 && what == 2:
				act = func(v reflect.Value) { v.SetZero() }
			default:
				e := reflect.New(v.Type().Elem()).Elem()
				if ref, ok := e.Addr().Interface().(*metav1.OwnerReference); ok {
					*ref = metav1.OwnerReference{APIVersion: "v1", Kind: "Node", Name: word(r), UID: types.UID(word(r))}
				} else if path.String() == ".metadata.finalizers" {
					e.SetString("example.com/" + word(r))
				} else {
					randomize(again(), e, 1)
					named(again(), e)
				}
				act = func(v reflect.Value) { v.Set(reflect.Append(v, e)) }
			}
		case v.Kind() == reflect.Map:
			keys := v.MapKeys()
			key := reflect.ValueOf(word(r)).Convert(v.Type().Key())
			if len(keys) > 0 && r.IntN(2) == 0 {
				key = keys[r.IntN(len(keys))]
				if r.IntN(2) == 0 {
					act = func(v reflect.Value) { v.SetMapIndex(key, reflect.Value{}) }
					break
				}
			}
			act = func(v reflect.Value) {
				if v.IsNil() {
					v.Set(reflect.MakeMap(v.Type()))
				}
				value := reflect.New(v.Type().Elem()).Elem()
				if is := v.MapIndex(key); is.IsValid() {
					value.Set(is)
				}
				randomize(again(), value, 0)
				if isLeaf(value) || value.Kind() != reflect.Struct {
					v.SetMapIndex(key, value)
				}
			}
		case !v.IsZero() && r.IntN(4) == 0:
			act = func(v reflect.Value) { v.SetZero() }
		default:
			act = func(v reflect.Value) { scalar(again(), v) }
		}
	}
	return change{path.String(), func(p *corev1.Pod) {
		v := reflect.ValueOf(p).Elem()
		for _, next := range steps {
			v = next(v)
		}
		act(v)
	}}
}
