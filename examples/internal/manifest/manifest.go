// Package manifest reads and writes objects as Kubernetes tools do: YAML or JSON on one side, maps on the other.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"sigs.k8s.io/yaml"
)

// Read reads one object, in YAML or JSON. Integers come out as int64, as the Kubernetes API machinery has them.
func Read(r io.Reader) (map[string]any, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	text, err = yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	v, err = numbers(v)
	if err != nil {
		return nil, err
	}
	obj, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("it is not an object")
	}
	return obj, nil
}

// Write writes an object as YAML.
func Write(w io.Writer, obj map[string]any) error {
	text, err := yaml.Marshal(obj)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Printable returns s with a question mark for each character that is not printable. Keys and values of manifests are untrusted, and a
// terminal obeys control characters.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

// numbers turns the numbers in a decoded value into int64 where that can hold them, and float64 elsewhere.
func numbers(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
		f, err := v.Float64()
		if err != nil {
			return nil, fmt.Errorf("number %s: %w", v, err)
		}
		return f, nil
	case map[string]any:
		for k, e := range v {
			if v[k], err = numbers(e); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, e := range v {
			if v[i], err = numbers(e); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
