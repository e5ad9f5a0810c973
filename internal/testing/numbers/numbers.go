// Package numbers reads and writes JSON with the numbers that the decoders of Kubernetes make: whole ones are int64, others float64.
package numbers

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
)

// Decode decodes an object. A number that is too large for a float64 is an error.
func Decode(text []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	var wrong error
	obj, ok := convert(v, &wrong).(map[string]any)
	if !ok {
		return nil, errors.New("not an object")
	}
	return obj, wrong
}

// Convert replaces each json.Number in a decoded value, in place. A number that is too large for a float64 is infinite.
func Convert(v any) any {
	var wrong error
	return convert(v, &wrong)
}

// convert is Convert, and sets wrong if a number is too large.
func convert(v any, wrong *error) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = convert(e, wrong)
		}
	case []any:
		for i, e := range v {
			v[i] = convert(e, wrong)
		}
	case json.Number:
		if i, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return i
		}
		f, err := v.Float64()
		if err != nil {
			*wrong = err
		}
		return f
	}
	return v
}

// Encode writes a value so that decoding gives it back: floats without a fraction are not written like integers. Each level is
// indented, and the text ends with a line feed.
func Encode(v any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(exact(v)); err != nil {
		panic(err) // it consists of what JSON is decoded to
	}
	return b.String()
}

// exact returns a copy of a value with each float as it is written.
func exact(v any) any {
	return jsonvalue.Map(v, func(v any) any {
		f, ok := v.(float64)
		if !ok {
			return v
		}
		text := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return json.Number(text)
	})
}
