package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/jsondocs"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Each of these functions is wrong in one way.
func TestWrongFunctionsOnJSONAreNoticed(t *testing.T) {
	s := subject(t)
	right := s.Interpreted
	unless := func(wrong func(src []byte) bool) *prunert.Resource {
		return &prunert.Resource{PruneJSON: func(dst, src []byte) ([]byte, error) {
			if wrong(src) {
				return append(dst, src...), nil
			}
			return right.PruneJSON(dst, src)
		}}
	}
	for name, wrong := range map[string]*prunert.Resource{
		"keeps everything":          unless(func([]byte) bool { return true }),
		"does not decode keys":      unless(func(src []byte) bool { return bytes.Contains(src, []byte(`\u`)) }),
		"does not know lists":       unless(func(src []byte) bool { return bytes.Contains(src, []byte(`"WidgetList"`)) }),
		"does not know kubectl":     unless(func(src []byte) bool { return bytes.Contains(src, []byte(`"List"`)) }),
		"wants no blanks in front":  unless(func(src []byte) bool { return src[0] != '{' }),
		"ends a document too early": {PruneJSON: func(dst, src []byte) ([]byte, error) { return right.PruneJSON(dst, bytes.TrimRight(src, " \n")) }},
		"refuses an exponent": {PruneJSON: func(dst, src []byte) ([]byte, error) {
			if bytes.Contains(src, []byte("e+")) {
				return nil, errors.New("no number")
			}
			return right.PruneJSON(dst, src)
		}},
		"writes a document anew": {PruneJSON: func(dst, src []byte) ([]byte, error) {
			obj, err := right.DecodeJSON(src)
			if err != nil {
				return nil, err
			}
			out, err := json.Marshal(obj)
			return append(dst, out...), err
		}},
		"reports no duplicate keys": {PruneJSONReport: func(dst, src []byte) ([]byte, prunert.JSONReport, error) {
			out, report, err := right.PruneJSONReport(dst, src)
			return out, prunert.JSONReport{Dropped: report.Dropped}, err
		}},
		"reports nothing dropped": {PruneJSONReport: func(dst, src []byte) ([]byte, prunert.JSONReport, error) {
			out, report, err := right.PruneJSONReport(dst, src)
			return out, prunert.JSONReport{Duplicate: report.Duplicate}, err
		}},
		"knows one type of number": {DecodeJSON: func(src []byte) (obj map[string]any, err error) {
			out, err := right.PruneJSON(nil, src)
			if err != nil {
				return nil, err
			}
			return obj, json.Unmarshal(out, &obj)
		}},
		"decodes without pruning": {DecodeJSON: decodeObject},
	} {
		s.Generated = wrong
		noticed := false
		for _, f := range []Function{function(t, "PruneJSON"), function(t, "PruneJSONReport"), function(t, "DecodeJSON")} {
			if !f.Applies(s) {
				continue
			}
			for seed := range uint64(200) {
				if d := f.Compare(NewCase(s, Object(s, seed))); d != nil && d.Known == "" {
					noticed = true
					break
				}
			}
		}
		if !noticed {
			t.Errorf("%s: not noticed", name)
		}
	}
}

// FuzzJSON feeds documents, right and wrong, to functions on JSON bytes and to Kubernetes.
func FuzzJSON(f *testing.F) {
	subjects := goldenSubjects(f)
	for i, s := range subjects {
		for seed := range uint64(1) {
			for spelling := range jsondocs.Spellings {
				f.Add(uint8(i), jsondocs.Spell(Object(s, seed), spelling, seed))
			}
		}
	}
	for i, text := range jsondocs.All() {
		if len(text.JSON) < 500 && i%10 == 0 { // each takes long where coverage of all of Kubernetes is counted
			f.Add(uint8(i), []byte(`{"spec":`+text.JSON+`,"apiVersion":"v1"}`))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, doc []byte) {
		s := subjects[int(which)%len(subjects)]
		agreeOnJSON(t, s, s.Interpreted, doc)
		if s.Generated.PruneJSON != nil {
			agreeOnJSON(t, s, s.Generated, doc)
			if err := jsondocs.Agree(*s.Generated, *s.Interpreted, doc); err != nil {
				t.Errorf("%s: generated code and the reference: %v\nfor %q", s, err, doc)
			}
		}
	})
}

// agreeOnJSON fails the test if functions on JSON bytes differ from Kubernetes on a document.
func agreeOnJSON(t *testing.T, s *Subject, r *prunert.Resource, doc []byte) {
	t.Helper()
	want, err := decodeObject(doc)
	pruned, pruneErr := r.PruneJSON(nil, doc)
	isObject := bytes.HasPrefix(bytes.TrimLeft(doc, " \t\r\n"), []byte("{"))
	if valid := json.Valid(doc) && isObject; valid != (pruneErr == nil) {
		t.Errorf("%s: %q is valid: %t, and the error is %v", s, doc, valid, pruneErr)
	}
	if pruneErr != nil || err != nil { // a number that Kubernetes refuses may be in a dropped part
		return
	}
	got, err := decodeObject(pruned)
	if err != nil {
		t.Errorf("%s: %q is pruned to %q: %v", s, doc, pruned, err)
		return
	}
	kubePruneDocument(s, want)
	removeMalformed(s, got)
	if d := values("", got, want); d != nil {
		t.Errorf("%s: %q is pruned to %q: at %s\nours   %s\ntheirs %s", s, doc, pruned, d.At, d.Ours, d.Theirs)
	}
	if r.DecodeJSON != nil {
		decoded, err := r.DecodeJSON(doc)
		if err != nil {
			t.Errorf("%s: %q: %v", s, doc, err)
		}
		removeMalformed(s, decoded)
		if d := values("", decoded, want); d != nil {
			t.Errorf("%s: %q is decoded: at %s\nours   %s\ntheirs %s", s, doc, d.At, d.Ours, d.Theirs)
		}
	}
	if r.PruneJSONReport != nil {
		_, report, err := r.PruneJSONReport(nil, doc)
		duplicate, strictErr := strictDuplicates(doc)
		if d := lists("duplicate key", report.Duplicate, duplicate); err != nil || strictErr != nil || d != nil {
			t.Errorf("%s: %q: %v, %v, %+v", s, doc, err, strictErr, d)
		}
	}
}

// kubePruneDocument lets Kubernetes prune a document, or those items of a list that are to be pruned.
func kubePruneDocument(s *Subject, doc map[string]any) {
	for _, obj := range resourcesIn(s, doc) {
		s.Kube.Malformed(obj)
		s.Kube.Prune(obj)
	}
}

// removeMalformed removes the metadata that Kubernetes refuses.
func removeMalformed(s *Subject, doc map[string]any) {
	for _, obj := range resourcesIn(s, doc) {
		s.Kube.Malformed(obj)
	}
}

// resourcesIn returns the objects in a document that are pruned.
func resourcesIn(s *Subject, doc map[string]any) []map[string]any {
	if !isList(s, doc) {
		return []map[string]any{doc}
	}
	var all []map[string]any
	items, _ := doc["items"].([]any)
	for _, e := range items {
		item, ok := e.(map[string]any)
		if ok && (doc["kind"] == listKind(s) || item["apiVersion"] == s.CRD.Group+"/"+s.Version.Name && item["kind"] == s.CRD.Names.Kind) {
			all = append(all, item)
		}
	}
	return all
}
