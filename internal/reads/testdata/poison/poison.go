// Package poison fills the fields of objects that a program does not read, so that it shows if it does.
package poison

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"sync"
)

// config is read from the file that the environment variable POISON names.
type config struct {
	Mode string              // zero, random, or none
	Keep map[string][]string // paths, by Go type
}

var load = sync.OnceValue(func() (c config) {
	if name := os.Getenv("POISON"); name != "" {
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &c)
		}
		if err != nil {
			panic(err)
		}
	}
	return c
})

// Object drops the fields of an object, or of the objects of a list, that are not kept.
func Object(obj any) {
	c := load()
	if c.Mode == "none" || c.Mode == "" {
		return
	}
	v := reflect.ValueOf(obj)
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	if items := v.FieldByName("Items"); items.IsValid() && items.Kind() == reflect.Slice {
		for i := range items.Len() {
			Object(items.Index(i).Addr().Interface())
		}
		return
	}
	if keep, ok := c.Keep[v.Type().PkgPath()+"."+v.Type().Name()]; ok {
		p := &poisoner{random: c.Mode == "random", keep: keep}
		p.walk(v, "")
	}
}

type poisoner struct {
	random bool
	keep   []string
}

// walk drops what is not kept in v.
func (p *poisoner) walk(v reflect.Value, path string) {
	below := false
	for _, k := range p.keep {
		if rest, ok := strings.CutPrefix(path, k); ok && (rest == "" || k == "" || rest[0] == '.' || rest[0] == '[') {
			return
		}
		rest, ok := strings.CutPrefix(k, path)
		below = below || ok && (path == "" || rest[0] == '.' || rest[0] == '[')
	}
	if !below {
		p.drop(v, 0)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			p.walk(v.Elem(), path)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			p.walk(v.Index(i), path+"[]")
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			e := reflect.New(v.Type().Elem()).Elem()
			e.Set(v.MapIndex(k))
			p.walk(e, path+"[*]")
			v.SetMapIndex(k, e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case !f.IsExported() || name == "-":
			case name == "" && (f.Anonymous || strings.Contains(options, "inline")):
				p.walk(v.Field(i), path)
			case path == "":
				p.walk(v.Field(i), name)
			default:
				p.walk(v.Field(i), path+"."+name)
			}
		}
	}
}

// drop sets v to zero or to something random.
func (p *poisoner) drop(v reflect.Value, depth int) {
	v.SetZero()
	if !p.random || depth > 6 || rand.IntN(8) == 0 {
		return
	}
	if m, ok := v.Addr().Interface().(json.Unmarshaler); ok && v.Kind() != reflect.Pointer {
		for _, i := range rand.Perm(len(forms)) {
			if m.UnmarshalJSON([]byte(forms[i])) == nil {
				return
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(words[rand.IntN(len(words))])
	case reflect.Bool:
		v.SetBool(rand.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rand.Int64N(100))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(rand.Uint64N(100))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(rand.Float64())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.drop(v.Elem(), depth+1)
	case reflect.Slice:
		n := rand.IntN(4)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			p.drop(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rand.IntN(4) {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			p.drop(k, depth+1)
			p.drop(e, depth+1)
			v.SetMapIndex(k, e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				p.drop(v.Field(i), depth+1)
			}
		}
	}
}

var (
	forms = []string{`"7m"`, `"2001-02-03T04:05:06Z"`, `7`, `{"a":1}`, `"5s"`, `"x"`}
	words = []string{"poison-a", "poison-b", "poison-c", "", "0", "true"}
)
