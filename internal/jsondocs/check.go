package jsondocs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/numbers"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Check holds what the functions of r on JSON bytes make of a document against what encoding/json says about it and what
// the functions of r on decoded objects make of it. It returns the first thing that is wrong. A function that r does not
// have is not checked; Prune and PruneReport must be there.
func Check(r prunert.Resource, doc []byte) error {
	for _, check := range []struct {
		function string
		has      bool
		check    func(prunert.Resource, []byte) error
	}{
		{"PruneJSON", r.PruneJSON != nil, checkPruneJSON},
		{"PruneJSONReport", r.PruneJSONReport != nil, checkReport},
		{"DecodeJSON", r.DecodeJSON != nil, checkDecode},
		{"PruneStream", r.PruneStream != nil && r.PruneJSON != nil, checkStream},
	} {
		if !check.has {
			continue
		}
		before := bytes.Clone(doc)
		if err := check.check(r, doc); err != nil {
			return fmt.Errorf("%s: %w", check.function, err)
		}
		if !bytes.Equal(before, doc) {
			return fmt.Errorf("%s changes the document that it is given", check.function)
		}
	}
	return nil
}

// Agree returns the first thing on which the functions of two resources on JSON bytes disagree about a document: bytes,
// reports, values, which documents are wrong and where. A function that one of them does not have is not compared.
func Agree(a, b prunert.Resource, doc []byte) error {
	if a.PruneJSON != nil && b.PruneJSON != nil {
		x, errX := a.PruneJSON(nil, doc)
		y, errY := b.PruneJSON(nil, doc)
		if err := sameOutcome("PruneJSON", string(x), string(y), errX, errY); err != nil {
			return err
		}
	}
	if a.PruneJSONReport != nil && b.PruneJSONReport != nil {
		x, reportX, errX := a.PruneJSONReport(nil, doc)
		y, reportY, errY := b.PruneJSONReport(nil, doc)
		if err := sameOutcome("PruneJSONReport", string(x), string(y), errX, errY); err != nil {
			return err
		}
		// Where there are more than may be listed, chance decides which.
		most := prunert.CurrentLimits().Entries
		if few := len(reportX.Dropped) <= most && len(reportY.Dropped) <= most; few && !slices.Equal(reportX.Dropped, reportY.Dropped) {
			return fmt.Errorf("PruneJSONReport reports as dropped %q and %q", reportX.Dropped, reportY.Dropped)
		}
		if !slices.Equal(reportX.Duplicate, reportY.Duplicate) {
			return fmt.Errorf("PruneJSONReport reports as duplicate %q and %q", reportX.Duplicate, reportY.Duplicate)
		}
	}
	if a.DecodeJSON != nil && b.DecodeJSON != nil {
		x, errX := a.DecodeJSON(doc)
		y, errY := b.DecodeJSON(doc)
		if err := sameOutcome("DecodeJSON", any(x), any(y), errX, errY); err != nil {
			return err
		}
	}
	if a.PruneStream != nil && b.PruneStream != nil {
		var x, y bytes.Buffer
		errX, errY := a.PruneStream(&x, bytes.NewReader(doc)), b.PruneStream(&y, bytes.NewReader(doc))
		if errX != nil && errY != nil { // how much is written before an error is left to each
			x.Reset()
			y.Reset()
		}
		if err := sameOutcome("PruneStream", x.String(), y.String(), errX, errY); err != nil {
			return err
		}
	}
	return nil
}

func sameOutcome(function string, x, y any, errX, errY error) error {
	var syntaxX, syntaxY *prunert.SyntaxError
	switch {
	case (errX == nil) != (errY == nil):
		return fmt.Errorf("%s returns the errors %v and %v", function, errX, errY)
	case errors.As(errX, &syntaxX) && errors.As(errY, &syntaxY) && syntaxX.Offset != syntaxY.Offset:
		return fmt.Errorf("%s finds errors in different places: %v and %v", function, errX, errY)
	case !reflect.DeepEqual(x, y):
		return fmt.Errorf("%s returns\n\t%.2000q and\n\t%.2000q", function, x, y)
	}
	return nil
}

func checkPruneJSON(r prunert.Resource, doc []byte) error {
	const before = "before"
	got, err := r.PruneJSON([]byte(before), doc)
	if offset, wrong := errorOffset(doc); wrong {
		return wantSyntaxError(err, offset, got == nil)
	}
	if err != nil {
		return fmt.Errorf("a valid document: %w", err)
	}
	rest, ok := strings.CutPrefix(string(got), before)
	if !ok {
		return fmt.Errorf("%.200q is not behind what was in dst", got)
	}
	obj := decode(doc)
	dropped := prune(r, obj)
	if pruned := decode([]byte(rest)); !reflect.DeepEqual(pruned, obj) {
		return fmt.Errorf("decoding %.500q gives\n\t%.2000q, want\n\t%.2000q", rest, pruned, obj)
	}
	if len(dropped) == 0 && len(Duplicates(doc)) == 0 && rest != string(doc) {
		return fmt.Errorf("there is nothing to drop, and it returns %.500q", rest)
	}
	again, err := r.PruneJSON(nil, []byte(rest))
	if err != nil || string(again) != rest {
		return fmt.Errorf("pruning %.500q again gives %.500q, %v", rest, again, err)
	}
	return nil
}

func checkReport(r prunert.Resource, doc []byte) error {
	got, report, err := r.PruneJSONReport(nil, doc)
	if offset, wrong := errorOffset(doc); wrong {
		return wantSyntaxError(err, offset, got == nil && report.Dropped == nil && report.Duplicate == nil)
	}
	if err != nil {
		return fmt.Errorf("a valid document: %w", err)
	}
	if r.PruneJSON != nil {
		if want, _ := r.PruneJSON(nil, doc); !bytes.Equal(got, want) {
			return fmt.Errorf("it returns %.500q, and PruneJSON %.500q", got, want)
		}
	}
	duplicates := Duplicates(doc)
	if want := duplicates[:min(len(duplicates), prunert.MaxDuplicates)]; !slices.Equal(report.Duplicate, want) {
		return fmt.Errorf("the duplicate keys are %q, want %q", report.Duplicate, want)
	}
	if changed := !bytes.Equal(got, doc); changed != (len(report.Dropped) > 0) {
		return fmt.Errorf("the document is changed: %t, and these are reported as dropped: %q", changed, report.Dropped)
	}
	want := prune(r, decode(doc))
	limits := prunert.CurrentLimits()
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

// containsAll reports whether a sorted list has all texts of another in it, as often as they are there.
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

func checkDecode(r prunert.Resource, doc []byte) error {
	got, err := r.DecodeJSON(doc)
	if offset, wrong := errorOffset(doc); wrong {
		return wantSyntaxError(err, offset, got == nil)
	}
	if r.PruneJSON != nil {
		// Whether a number is too large is asked of those that are kept, duplicate keys among them.
		if kept, pruneErr := r.PruneJSON(nil, doc); pruneErr == nil {
			var v any
			if tooLarge := json.Unmarshal(kept, &v) != nil; tooLarge {
				if err == nil || got != nil {
					return fmt.Errorf("a number is too large for a float64, and it returns %v, %v", got, err)
				}
				return nil
			}
		}
	}
	if err != nil {
		return fmt.Errorf("a valid document: %w", err)
	}
	want := decode(doc)
	prune(r, want)
	if !reflect.DeepEqual(got, numbers.Convert(want)) {
		return fmt.Errorf("it returns\n\t%#v, want\n\t%#v", got, numbers.Convert(want))
	}
	return nil
}

// checkStream sends the document through twice.
func checkStream(r prunert.Resource, doc []byte) error {
	if len(doc) > prunert.MaxStreamObject() {
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
	// What is wrong as a document may be several that are right: what json.Decoder can read is right.
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

// errorOffset returns where a document is wrong: by encoding/json, or because it is no object.
func errorOffset(doc []byte) (offset int64, wrong bool) {
	if begin := len(doc) - len(bytes.TrimLeft(doc, " \t\r\n")); begin == len(doc) || doc[begin] != '{' {
		return int64(begin), true
	}
	if json.Valid(doc) {
		return 0, false
	}
	// The offset in an error of encoding/json is one behind the byte that is wrong, and the length of a text that ends too
	// early. A byte that is wrong everywhere makes the second the same as the first.
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
	d := duplicates{decoder: json.NewDecoder(bytes.NewReader(doc)), seen: map[string]bool{}}
	d.decoder.UseNumber()
	d.value()
	return d.paths
}

type duplicates struct {
	decoder *json.Decoder
	steps   []string
	paths   []string
	seen    map[string]bool
}

func (d *duplicates) value() {
	switch d.token() {
	case json.Delim('{'):
		keys := map[string]int{}
		for d.decoder.More() {
			key := d.token().(string)
			step := key
			if len(d.steps) > 0 {
				step = "." + key
			}
			d.steps = append(d.steps, step)
			if keys[key]++; keys[key] > 1 {
				d.report()
			}
			d.value()
			d.steps = d.steps[:len(d.steps)-1]
		}
		d.token()
	case json.Delim('['):
		for i := 0; d.decoder.More(); i++ {
			d.steps = append(d.steps, fmt.Sprintf("[%d]", i))
			d.value()
			d.steps = d.steps[:len(d.steps)-1]
		}
		d.token()
	}
}

func (d *duplicates) report() {
	if path := strings.Join(d.steps, ""); !d.seen[path] {
		d.seen[path] = true
		d.paths = append(d.paths, path)
	}
}

func (d *duplicates) token() json.Token {
	t, err := d.decoder.Token()
	if err != nil {
		panic(err)
	}
	return t
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
