package interpretjson_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/recorded"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

var update = flag.Bool("update", false, "write the recorded file")

// brokenDocuments are documents in which every kind of byte stands where another is wanted.
func brokenDocuments() []string {
	var all []string
	for _, value := range []string{"", "]", "}", ",", ":", "x", "tru", "trux", "nul", "falsy", "-", "-a", "01", "1.", "1.x", "1e", "1e+", "1e+x", "1x", ".5", "+1", `"`, `"\`, `"\x"`, `"\u`, `"\u12g4"`, `"\u12"`, "\"\x00\"", "\"\n\"", "\"\x1f\"", "'a'", "NaN", "\x00", "é",
		"[", "[1", "[1,", "[1,]", "[,]", "[1 2]", "[1}", "{", `{"b"`, `{"b":`, `{"b":1`, `{"b":1,`, `{"b":1,}`, `{,}`, `{b:1}`, `{"b" 1}`, `{"b"=1}`, `{"b":1 "c":2}`, `{"b":1]`, "{1:2}", `{"b":}`} {
		all = append(all, `{"spec":`+value+`}`)
	}
	return append(all, "", " ", "1", "[]", "null", `"a"`, "{", "{}}", "{}{}", "{} x", "\ufeff{}", "{},", "{}\x00", "\x00")
}

func TestErrorsOfDocumentsAreRecorded(t *testing.T) {
	r := compileWidget(t)
	var have strings.Builder
	for _, doc := range brokenDocuments() {
		_, err := r.PruneJSON(nil, []byte(doc))
		if err == nil {
			t.Errorf("%q has no error", doc)
		}
		fmt.Fprintf(&have, "%q: %v\n", doc, err)
		_, _, reported := r.PruneJSONReport(nil, []byte(doc))
		_, decoded := r.DecodeJSON([]byte(doc))
		if fmt.Sprint(reported) != fmt.Sprint(err) || fmt.Sprint(decoded) != fmt.Sprint(err) {
			t.Errorf("%q: %v, with a report %v, decoded %v", doc, err, reported, decoded)
		}
	}
	recorded.Compare(t, *update, "testdata/errors.txt", have.String())
}

// A list that is too large for memory comes out of a stream as one that is not, byte for byte, also if it is cut off or has a wrong
// byte anywhere.
func TestLargeListsAreTreatedAsSmallOnes(t *testing.T) {
	r := compileWidget(t)
	const widget = `{"apiVersion":"example.com/v1","kind":"Widget","u":1}`
	stream := func(limit int, doc string) (string, error) {
		defer prunert.SetMaxStreamObject(prunert.SetMaxStreamObject(limit))
		var to bytes.Buffer
		err := r.PruneStream(&to, strings.NewReader(doc))
		return to.String(), err
	}
	for _, doc := range []string{
		` {"kind":"WidgetList", "apiVersion":"example.com/v1", "items" : [ ` + widget + ` , {"u":[1]}, "x" ] , "u": [ {"v":"\"]"} ] } `,
		`{"apiVersion":"v1","items":[` + widget + `,` + widget + `],"kind":"List","metadata":{"resourceVersion":""}}{"u":1}`,
		`{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","u":1},` + widget + `],"items":[` + widget + `]}`,
	} {
		whole, err := stream(1000, doc)
		if large, other := stream(70, doc); err != nil || other != nil || large != whole {
			t.Fatalf("%s\n\t%s, %v\n\t%s, %v", doc, whole, err, large, other)
		}
		texts := []string{}
		for i := range len(doc) {
			texts = append(texts, doc[:i])
			for _, c := range `"]},:{1` {
				texts = append(texts, doc[:i]+string(c)+doc[i+1:])
			}
		}
		for _, text := range texts {
			whole, err := stream(1000, text)
			large, other := stream(70, text)
			var syntax, otherSyntax *prunert.SyntaxError
			var size *prunert.ObjectSizeError
			var late *prunert.LateKindError
			switch {
			case errors.As(other, &size) || errors.As(other, &late): // it looks like something else, or says late what it is
			case errors.As(err, &syntax):
				if !errors.As(other, &otherSyntax) || syntax.Offset != otherSyntax.Offset {
					t.Errorf("%s: %v, large %v", text, err, other)
				}
			case err != nil || other != nil || whole != large:
				t.Errorf("%s\n\t%s, %v\n\t%s, %v", text, whole, err, large, other)
			}
		}
	}
}
