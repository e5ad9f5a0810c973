package jsondocs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// outcome is what a function returns: a zero value with an error.
type outcome struct {
	value any
	err   error
}

// reported is what PruneJSONReport returns.
type reported struct {
	json   []byte
	report prunert.JSONReport
}

// outcomes returns what the functions of r on JSON bytes return for a document, by their names. A function that r does not have is
// left out. Pruned documents are appended to dst.
func outcomes(r prunert.Resource, doc, dst []byte) map[string]outcome {
	all := map[string]outcome{}
	if r.PruneJSON != nil {
		out, err := r.PruneJSON(bytes.Clone(dst), doc)
		all["PruneJSON"] = outcome{out, err}
	}
	if r.PruneJSONReport != nil {
		out, report, err := r.PruneJSONReport(nil, doc)
		all["PruneJSONReport"] = outcome{reported{out, report}, err}
	}
	if r.DecodeJSON != nil {
		obj, err := r.DecodeJSON(doc)
		all["DecodeJSON"] = outcome{obj, err}
	}
	if r.PruneStream != nil {
		var b bytes.Buffer
		err := r.PruneStream(&b, bytes.NewReader(doc))
		if err != nil {
			b.Reset() // how much is written before an error is left to each
		}
		all["PruneStream"] = outcome{b.String(), err}
	}
	return all
}

// Agree returns something on which the functions of two resources on JSON bytes disagree about a document: bytes, reports, values,
// which documents are wrong and where. A function that one of them does not have is not compared.
func Agree(a, b prunert.Resource, doc []byte) error {
	others := outcomes(b, doc, nil)
	for function, x := range outcomes(a, doc, nil) {
		y, ok := others[function]
		var syntaxX, syntaxY *prunert.SyntaxError
		switch {
		case !ok:
		case (x.err == nil) != (y.err == nil):
			return fmt.Errorf("%s returns the errors %v and %v", function, x.err, y.err)
		case errors.As(x.err, &syntaxX) && errors.As(y.err, &syntaxY) && syntaxX.Offset != syntaxY.Offset:
			return fmt.Errorf("%s finds errors in different places: %v and %v", function, x.err, y.err)
		case !reflect.DeepEqual(withoutChance(x.value), withoutChance(y.value)):
			return fmt.Errorf("%s returns\n\t%.2000q and\n\t%.2000q", function, x.value, y.value)
		}
	}
	return nil
}

// withoutChance returns an outcome without what chance decides: which fields are listed if there are too many.
func withoutChance(v any) any {
	if r, ok := v.(reported); ok && len(r.report.Dropped) > prunelimits.Current().Entries {
		r.report.Dropped = nil
		return r
	}
	return v
}

// Check compares what the functions of r on JSON bytes do with a document with what encoding/json says about it and what the functions of
// r on decoded objects do. It returns a difference, if there is one. A function that r does not have is not checked; r must have Prune
// and PruneReport.
func Check(r prunert.Resource, doc []byte) error {
	before, dst := bytes.Clone(doc), []byte("before")
	offset, wrong := errorOffset(doc)
	for function, o := range outcomes(r, doc, dst) {
		var err error
		switch {
		case !bytes.Equal(before, doc):
			err = errors.New("the document is changed, by this function or by another")
		case function == "PruneStream":
			err = checkStream(r, doc)
		case wrong:
			err = wantSyntaxError(o.err, offset, reflect.ValueOf(o.value).IsZero())
		case function == "DecodeJSON":
			err = checkDecode(r, doc, o)
		case o.err != nil:
			err = fmt.Errorf("a valid document: %w", o.err)
		case function == "PruneJSON":
			err = checkPruneJSON(r, doc, dst, o.value.([]byte))
		default:
			err = checkReport(r, doc, o.value.(reported))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", function, err)
		}
	}
	return nil
}

func checkPruneJSON(r prunert.Resource, doc, dst, got []byte) error {
	rest, ok := bytes.CutPrefix(got, dst)
	if !ok {
		return fmt.Errorf("%.200q is not after what was in dst", got)
	}
	obj := decode(doc)
	dropped := prune(r, obj)
	if pruned := decode(rest); !reflect.DeepEqual(pruned, obj) {
		return fmt.Errorf("decoding %.500q gives\n\t%.2000q, want\n\t%.2000q", rest, pruned, obj)
	}
	if len(dropped) == 0 && len(Duplicates(doc)) == 0 && !bytes.Equal(rest, doc) {
		return fmt.Errorf("there is nothing to drop, and it returns %.500q", rest)
	}
	again, err := r.PruneJSON(nil, rest)
	if err != nil || !bytes.Equal(again, rest) {
		return fmt.Errorf("pruning %.500q again gives %.500q, %v", rest, again, err)
	}
	return nil
}

func checkReport(r prunert.Resource, doc []byte, got reported) error {
	if r.PruneJSON != nil {
		if want, _ := r.PruneJSON(nil, doc); !bytes.Equal(got.json, want) {
			return fmt.Errorf("it returns %.500q, and PruneJSON %.500q", got.json, want)
		}
	}
	report, duplicates := got.report, Duplicates(doc)
	if want := duplicates[:min(len(duplicates), prunert.MaxDuplicates)]; !slices.Equal(report.Duplicate, want) {
		return fmt.Errorf("the duplicate keys are %q, want %q", report.Duplicate, want)
	}
	if changed := !bytes.Equal(got.json, doc); changed != (len(report.Dropped) > 0) {
		return fmt.Errorf("the document is changed: %t, and these are reported as dropped: %q", changed, report.Dropped)
	}
	want := prune(r, decode(doc))
	limits := prunelimits.Current()
	switch {
	case len(report.Dropped) > limits.Entries || len(strings.Join(report.Dropped, "")) > limits.Bytes:
		// Not all are listed.
	case !slices.IsSorted(report.Dropped):
		return fmt.Errorf("not sorted: %q", report.Dropped)
	case len(duplicates) == 0 && !slices.Equal(report.Dropped, want):
		return fmt.Errorf("reported as dropped are %q, and by PruneReport %q", report.Dropped, want)
	case !containsAll(report.Dropped, want):
		return fmt.Errorf("reported as dropped are %q, want at least %q", report.Dropped, want)
	}
	return nil
}

// containsAll reports whether a sorted list contains all texts of another, each as often.
func containsAll(all, some []string) bool {
	for _, text := range some {
		i, ok := slices.BinarySearch(all, text)
		if !ok {
			return false
		}
		all = all[i+1:]
	}
	return true
}

func checkDecode(r prunert.Resource, doc []byte, o outcome) error {
	if r.PruneJSON != nil {
		// Whether a number is too large is asked of those that are kept, duplicate keys among them.
		kept, err := r.PruneJSON(nil, doc)
		if err == nil && json.Unmarshal(kept, new(any)) != nil {
			if o.err == nil || !reflect.ValueOf(o.value).IsZero() {
				return fmt.Errorf("a number is too large for a float64, and it returns %v, %v", o.value, o.err)
			}
			return nil
		}
	}
	if o.err != nil {
		return fmt.Errorf("a valid document: %w", o.err)
	}
	obj := decode(doc)
	prune(r, obj)
	if want := numbers.Convert(obj); !reflect.DeepEqual(o.value, want) {
		return fmt.Errorf("it returns\n\t%#v, want\n\t%#v", o.value, want)
	}
	return nil
}

// checkStream sends the document through twice.
func checkStream(r prunert.Resource, doc []byte) error {
	if r.PruneJSON == nil || len(doc) > prunert.DefaultMaxStreamObject {
		return nil
	}
	var got bytes.Buffer
	err := r.PruneStream(&got, bytes.NewReader(slices.Concat(doc, []byte("\n"), doc)))
	want, wantErr := r.PruneJSON(nil, doc)
	if wantErr == nil {
		if want := slices.Concat(want, []byte("\n"), want); err != nil || !bytes.Equal(got.Bytes(), want) {
			return fmt.Errorf("a stream with the document twice gives %.500q, %v", got.Bytes(), err)
		}
		return nil
	}
	// An invalid document may be several valid ones: whatever json.Decoder can read is valid.
	decoder := json.NewDecoder(bytes.NewReader(doc))
	for {
		var m json.RawMessage
		switch readErr := decoder.Decode(&m); {
		case readErr == nil && m[0] == '{':
			continue
		case readErr != nil && readErr.Error() == "EOF":
			if err != nil {
				return fmt.Errorf("a stream of objects: %w", err)
			}
		case err == nil:
			return fmt.Errorf("a stream that ends with %v, %.20q: no error", readErr, m)
		}
		return nil
	}
}

func wantSyntaxError(err error, offset int64, nothing bool) error {
	var syntax *prunert.SyntaxError
	switch {
	case !errors.As(err, &syntax):
		return fmt.Errorf("the error is %v, want one for the offset %d", err, offset)
	case syntax.Offset != offset:
		return fmt.Errorf("the error is %w, want the offset %d", err, offset)
	case syntax.Message == "":
		return fmt.Errorf("the error for the offset %d has no text", offset)
	case !nothing:
		return fmt.Errorf("with %w something is returned", err)
	}
	return nil
}

// errorOffset returns where a document is wrong: by encoding/json, or because it is not an object.
func errorOffset(doc []byte) (offset int64, wrong bool) {
	if begin := len(doc) - len(bytes.TrimLeft(doc, " \t\r\n")); begin == len(doc) || doc[begin] != '{' {
		return int64(begin), true
	}
	if json.Valid(doc) {
		return 0, false
	}
	// The offset in an error of encoding/json is one after the wrong byte, or the length of a text that ends too early. Adding a byte
	// that is wrong everywhere turns the second case into the first.
	var syntax *json.SyntaxError
	if err := json.Unmarshal(append(bytes.Clone(doc), 0), new(any)); !errors.As(err, &syntax) {
		panic(fmt.Sprintf("%q is not valid, and the error is %v", doc, err))
	}
	return syntax.Offset - 1, true
}

// decode decodes a valid document that is an object, and keeps numbers as they are written.
func decode(doc []byte) map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(doc))
	decoder.UseNumber()
	var obj map[string]any
	if err := decoder.Decode(&obj); err != nil {
		panic(fmt.Sprintf("%q: %v", doc, err))
	}
	return obj
}

// prune prunes a document, or the items of a list in it, and returns the paths of what was dropped.
func prune(r prunert.Resource, doc map[string]any) []string {
	listKind := r.ListKind
	if listKind == "" {
		listKind = r.Kind + "List"
	}
	all := doc["kind"] == listKind && listKind != r.Kind
	if some := doc["kind"] == "List" && doc["apiVersion"] == "v1"; !all && !some {
		return r.PruneReport(doc)
	}
	var dropped []string
	items, _ := doc["items"].([]any)
	for i, e := range items {
		if item, ok := e.(map[string]any); ok && (all || r.Matches(item)) {
			for _, path := range r.PruneReport(item) {
				dropped = append(dropped, fmt.Sprintf("items[%d].%s", i, path))
			}
		}
	}
	slices.Sort(dropped)
	return dropped
}

// Duplicates returns the paths of the duplicate keys in a valid document, each once, in its order.
func Duplicates(doc []byte) []string {
	decoder := json.NewDecoder(bytes.NewReader(doc))
	decoder.UseNumber()
	token := func() json.Token {
		t, err := decoder.Token()
		if err != nil {
			panic(err)
		}
		return t
	}
	var paths, steps []string
	seen := map[string]bool{}
	var value func(step string)
	value = func(step string) {
		steps = append(steps, step)
		keys := map[string]bool{}
		switch open := token(); open {
		case json.Delim('{'), json.Delim('['):
			for i := 0; decoder.More(); i++ {
				step := fmt.Sprintf("[%d]", i)
				if open == json.Delim('{') {
					if step = token().(string); keys[step] {
						// A long path is joined only if it is reported.
						path := strings.TrimPrefix(strings.Join(steps, "")+"."+step, ".")
						if !seen[path] {
							paths, seen[path] = append(paths, path), true
						}
					}
					keys[step] = true
					step = "." + step
				}
				value(step)
			}
			token()
		}
		steps = steps[:len(steps)-1]
	}
	value("")
	return paths
}

// Around returns documents that are objects with text as a value in several places, one of which is known to the schema
// of Widget and others of which are not.
func Around(text string) map[string]string {
	const head = `{"apiVersion":"example.com/v1","kind":"Widget",`
	return map[string]string{
		"known":              head + `"spec":{"name":` + text + `}}`,
		"known and first":    head + `"spec":{"name":` + text + `,"count":1}}`,
		"in a known list":    head + `"spec":{"steps":[` + text + `,{"run":"x"}]}}`,
		"in the root":        head + `"spec":` + text + `}`,
		"in metadata":        head + `"metadata":` + text + `}`,
		"in a map":           head + `"metadata":{"labels":{"a":` + text + `,"b":"c"}}}`,
		"free":               head + `"spec":{"free":` + text + `}}`,
		"unknown":            head + `"unknown":` + text + `}`,
		"unknown in a list":  head + `"spec":{"steps":[{"unknown":[` + text + `]}]}}`,
		"unknown and first":  `{"unknown":` + text + `,"kind":"Widget"}`,
		"kind":               `{"kind":` + text + `,"apiVersion":"v1","items":[]}`,
		"an item":            `{"apiVersion":"v1","items":[` + text + `],"kind":"List"}`,
		"an item of its own": `{"apiVersion":"example.com/v1","items":[{"spec":` + text + `}],"kind":"WidgetList"}`,
		"items":              `{"kind":"WidgetList","items":` + text + `}`,
	}
}
