package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// misfit is a value that does not fit the Go type of its field.
type misfit struct {
	At      string `json:"at"` // a JSON Pointer
	Message string `json:"message"`
}

// undecodable returns the values of an object that do not fit their fields. The API server stops at the first one, and often does not say
// where it is. So values are decoded alone: one that cannot be decoded although its parts can, or not even without them, is wrong itself.
func undecodable(kind schema.GroupVersionKind, object []byte) []misfit {
	var fields map[string]any
	if json.Unmarshal(object, &fields) != nil {
		return nil
	}
	for _, name := range []string{"apiVersion", "kind"} {
		if _, isText := fields[name].(string); isText {
			delete(fields, name)
		}
	}
	decode := func(value any) error {
		data, err := json.Marshal(value)
		if err == nil {
			_, _, err = legacyscheme.Codecs.UniversalDeserializer().Decode(data, &kind, nil)
		}
		return err
	}
	var wrong []misfit
	var look func(value any, at string, alone func(any) any)
	look = func(value any, at string, alone func(any) any) {
		err := decode(alone(value))
		if err == nil || len(wrong) == maxUndecodable {
			return
		}
		before := len(wrong)
		switch value := value.(type) {
		case map[string]any:
			if decode(alone(map[string]any{})) != nil {
				break
			}
			for _, key := range slices.Sorted(maps.Keys(value)) {
				look(value[key], at+"/"+escape.Replace(key), func(v any) any { return alone(map[string]any{key: v}) })
			}
		case []any:
			if decode(alone([]any{})) != nil {
				break
			}
			for i, element := range value {
				look(element, at+"/"+strconv.Itoa(i), func(v any) any { return alone([]any{v}) })
			}
		}
		if len(wrong) == before {
			wrong = append(wrong, misfit{at, err.Error()})
		}
	}
	look(fields, "", func(v any) any { return v })
	return wrong
}

// maxUndecodable is how many values are looked for.
const maxUndecodable = 100

// escape writes a key in a JSON Pointer.
var escape = strings.NewReplacer("~", "~0", "/", "~1")
