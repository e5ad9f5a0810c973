package prunejson

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// errorsOf returns what each of the functions says about a document.
func errorsOf(doc string) map[string]error {
	_, pruned := pruneThing(nil, []byte(doc))
	_, asList := thing.Prune(nil, []byte(doc))
	_, _, reported := thing.PruneReport(nil, []byte(doc))
	_, decoded := free.Decode([]byte(doc))
	return map[string]error{
		"prune": pruned, "prune a list": asList, "report": reported, "decode": decoded, "stream": thing.PruneStream(io.Discard, strings.NewReader(doc)),
	}
}

// All functions report the same text for an invalid value, whether it is kept, a leaf, dropped, or in a list.
func TestErrorsHaveWords(t *testing.T) {
	for _, tt := range []struct {
		value string
		at    int // where in the value it is wrong
		want  string
	}{
		{`x`, 0, "invalid character 'x' looking for the beginning of a value"},
		{`'`, 0, `invalid character '\'' looking for the beginning of a value`},
		{"\x00", 0, `invalid character '\x00' looking for the beginning of a value`},
		{"\xe9", 0, "invalid character 'é' looking for the beginning of a value"},
		{`[,]`, 1, "invalid character ',' looking for the beginning of a value"},
		{`[1,]`, 3, "invalid character ']' looking for the beginning of a value"},
		{`{"a":}`, 5, "invalid character '}' looking for the beginning of a value"},
		{"\"a\x01\"", 2, `invalid character '\x01' in string literal`},
		{"\"a\n\"", 2, `invalid character '\n' in string literal`},
		{`"\x"`, 2, "invalid character 'x' in string escape code"},
		{`"\u12g4"`, 5, `invalid character 'g' in \u hexadecimal character escape`},
		{`"\u123`, 6, `invalid character ']' in \u hexadecimal character escape`},
		{`-x`, 1, "invalid character 'x' in numeric literal"},
		{`-.5`, 1, "invalid character '.' in numeric literal"},
		{`[01]`, 2, "invalid character '1' after an element of a list"},
		{`1.x`, 2, "invalid character 'x' after decimal point in numeric literal"},
		{`1ex`, 2, "invalid character 'x' in exponent of numeric literal"},
		{`1E+x`, 3, "invalid character 'x' in exponent of numeric literal"},
		{`trux`, 3, "invalid character 'x' in literal true"},
		{`t"`, 1, `invalid character '"' in literal true`},
		{`falsy`, 4, "invalid character 'y' in literal false"},
		{`nulx`, 3, "invalid character 'x' in literal null"},
		{`[1 2]`, 3, "invalid character '2' after an element of a list"},
		{`["a""b"]`, 4, `invalid character '"' after an element of a list`},
		{`[1}`, 2, "invalid character '}' after an element of a list"},
		{`[[1]2]`, 4, "invalid character '2' after an element of a list"},
		{`{"a":1 2}`, 7, "invalid character '2' after a value in an object"},
		{`{"a":"b" "c"}`, 9, `invalid character '"' after a value in an object`},
		{`{"a":1]`, 6, "invalid character ']' after a value in an object"},
		{`{"a":{}x}`, 7, "invalid character 'x' after a value in an object"},
		{`{"a" 1}`, 5, "invalid character '1' after a key"},
		{`{"a"}`, 4, "invalid character '}' after a key"},
		{`{"` + strings.Repeat("k", 70) + `",`, 73, "invalid character ',' after a key"},
		{`{"a":1,"b"x1}`, 10, "invalid character 'x' after a key"},
		{`{a:1}`, 1, "invalid character 'a' looking for the beginning of a key"},
		{`{,}`, 1, "invalid character ',' looking for the beginning of a key"},
		{`{"a":1,}`, 7, "invalid character '}' looking for the beginning of a key"},
		{"{\"a\":1,\n 2}", 9, "invalid character '2' looking for the beginning of a key"},
		{strings.Repeat("[", prunert.MaxDepth), -1, "exceeded max depth"},
		{strings.Repeat(`{"a":`, prunert.MaxDepth), -1, "exceeded max depth"},
	} {
		for _, place := range []string{
			`{"metadata":{"managedFields":[VALUE]}}`, `{"metadata":{"labels":[VALUE]}}`, `{"spec":{"name":[VALUE]}}`, `{"u":[VALUE]}`, `{"items":[VALUE]}`,
			`{"kind":"ThingList","items":[VALUE]}`, `{"kind":"List","apiVersion":"v1","metadata":[VALUE]}`,
		} {
			before, _, _ := strings.Cut(place, "VALUE")
			doc := strings.Replace(place, "VALUE", tt.value, 1)
			want := fmt.Sprintf("%s at offset %d", tt.want, len(before)+tt.at)
			if tt.at < 0 {
				levels := prunert.MaxDepth - strings.Count(before, "[") - strings.Count(before, "{")
				want = fmt.Sprintf("%s at offset %d", tt.want, len(before)+levels*len(tt.value)/prunert.MaxDepth)
			}
			for who, err := range errorsOf(doc) {
				if err == nil || err.Error() != want {
					t.Errorf("%s %.60s\nhave %v\nwant %s", who, doc, err, want)
				}
			}
		}
	}
	for doc, want := range map[string]string{
		"":            "unexpected end of JSON input at offset 0",
		" \n":         "unexpected end of JSON input at offset 2",
		" []":         "the document is not an object at offset 1",
		"x":           "the document is not an object at offset 0",
		`{} x`:        "invalid character 'x' after the document at offset 3",
		`{"spec":1}}`: "invalid character '}' after the document at offset 10",
	} {
		for who, err := range errorsOf(doc) {
			if who == "stream" { // which has no documents, or more than one
				continue
			}
			if err == nil || err.Error() != want {
				t.Errorf("%s %q\nhave %v\nwant %s", who, doc, err, want)
			}
		}
	}
	for doc, want := range map[string]string{"": "<nil>", " \n": "<nil>", "{} []": "the document is not an object at offset 3", "{}}": "the document is not an object at offset 2"} {
		if err := thing.PruneStream(io.Discard, strings.NewReader(doc)); fmt.Sprint(err) != want {
			t.Errorf("stream %q: have %v, want %s", doc, err, want)
		}
	}
}

// Wherever a document ends too early or has a wrong character, all functions report the offset that encoding/json reports.
func TestErrorsAreWhereTheLibrarySeesThem(t *testing.T) {
	for _, doc := range []string{
		`{"kind":"Thing","metadata":{"labels":{"a":"b\u00e9"},"x":1},"spec":{"name":[true,-1.5e+3,{"u":0}],"templates":{"t":{"u":null}}},"u":[false,{"v":"\n"}]}`,
		`{"kind":"ThingList","items":[{"u":10,"spec":{"name":"a"}},[1,"\\"],null],"u":{"v":[]}}`,
		"{\n  \"kind\": \"Thing\",\n  \"u\": 12,\n  \"spec\": {\n    \"name\": [\n      1,\n      {}\n    ]\n  }\n}",
	} {
		if errs := errorsOf(doc); errs["prune"] != nil || errs["decode"] != nil {
			t.Fatalf("%s: %v", doc, errs)
		}
		check := func(doc string, cut bool) {
			var ignored any
			want, end := "", cut
			var syntax *json.SyntaxError
			if err := json.Unmarshal([]byte(doc), &ignored); errors.As(err, &syntax) {
				want = place(&prunert.SyntaxError{Offset: syntax.Offset - 1})
				end = end || strings.HasPrefix(err.Error(), "unexpected end")
			}
			if end {
				want = place(&prunert.SyntaxError{Offset: int64(len(doc))})
			}
			for who, err := range errorsOf(doc) {
				if place(err) != want || end && !strings.HasPrefix(err.Error(), "unexpected end of JSON input at ") {
					t.Errorf("%s\n%s: have %v, want %s", who, doc, err, want)
				}
			}
		}
		for i := 1; i < len(doc); i++ { // the first brace is there
			check(doc[:i], true)
			for _, c := range []byte("\"{}[],: x0-.e\\\n\x01") {
				if changed := doc[:i] + string(c) + doc[i+1:]; i < len(doc)-1 {
					check(changed, false)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}
