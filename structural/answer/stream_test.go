package answer_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Streams are taken that are JSON objects one after the other, and no others, whether they are held in memory or not. What nobody
// knows comes out as it went in.
func TestPruneStreamTakesJSON(t *testing.T) {
	s := newServer(t, crd)
	tokens := []string{"{", "}", "[", "]", `"a"`, ":", ",", "1"}
	check := func(text string, limit int) {
		defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(limit))
		var out strings.Builder
		_, err := s.PruneStream(&out, strings.NewReader(text))
		var tooLarge *prunert.ObjectSizeError
		if errors.As(err, &tooLarge) && limit > 0 {
			return
		}
		var syntax *prunert.SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Errorf("%s with the limit %d: %v", text, limit, err)
		}
		if want := areObjects(text); (err == nil) != want || want && out.String() != text {
			t.Errorf("%s with the limit %d: %q, %v, want %t", text, limit, out.String(), err, want)
		}
	}
	var walk func(text string, depth int)
	walk = func(text string, depth int) {
		check(text, 0)
		if list := `{"kind": "List", "items": ` + text + "}"; depth < 4 {
			check(list, 0)
			check(list, 20)
		}
		if depth == 4 || depth > 2 && text[0] != '{' && text[0] != '[' {
			return
		}
		for _, token := range tokens {
			walk(text+token, depth+1)
		}
	}
	walk("", 0)
}

// areObjects reports whether a text is JSON objects one after the other, and lists of objects are lists of objects.
func areObjects(text string) bool {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			return true
		} else if err != nil {
			return false
		}
		object, isObject := v.(map[string]any)
		if !isObject {
			return false
		}
		if items, isList := object["items"].([]any); isList && object["kind"] == "List" {
			for _, item := range items {
				if _, isObject := item.(map[string]any); !isObject {
					return false
				}
			}
		}
	}
}
