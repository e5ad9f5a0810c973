package jsonvalue

import "testing"

// A size is at least that of the text, and at most a few bytes more for each value: limits rest on it.
func TestSizeIsAboutThatOfTheText(t *testing.T) {
	word := "word"
	for _, v := range []any{
		"", word, []string{word, word}, []any{word, []any{word}, int64(1)}, map[string]any{"a": word, "b": []any{map[string]any{}}}, true, nil, 1.5,
	} {
		values := 1
		count(v, &values)
		if size, text := Size(v), len(Text(v)); size < text-2*values || size > text+8*values {
			t.Errorf("%v: %d, its text has %d bytes", v, size, text)
		}
	}
	if Size(&word) != 4 || Size((*string)(nil)) > 8 {
		t.Errorf("%d, %d", Size(&word), Size((*string)(nil)))
	}
}

func count(v any, values *int) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			*values++
			count(e, values)
		}
	case []any:
		for _, e := range v {
			*values++
			count(e, values)
		}
	case []string:
		*values += len(v)
	}
}
