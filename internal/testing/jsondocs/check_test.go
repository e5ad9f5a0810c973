package jsondocs

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// nothing is a resource of which nothing is specified, with functions as plain as can be. They know no lists, and spoil
// numbers in objects that they change.
func nothing() prunert.Resource {
	r := prunert.Resource{Group: "example.com", Version: "v1", Kind: "Widget"}
	r.PruneReport = func(obj map[string]any) (dropped []string) {
		for k := range obj {
			if k != "kind" {
				delete(obj, k)
				dropped = append(dropped, k)
			}
		}
		return dropped
	}
	r.DecodeJSON = func(src []byte) (map[string]any, error) {
		if offset, wrong := errorOffset(src); wrong {
			return nil, &prunert.SyntaxError{Offset: offset, Message: "wrong"}
		}
		obj := decode(src)
		r.PruneReport(obj)
		return numbers.Convert(obj).(map[string]any), nil
	}
	r.PruneJSON = func(dst, src []byte) ([]byte, error) {
		obj, err := r.DecodeJSON(src)
		if err != nil {
			return nil, err
		}
		if len(obj) == len(decode(src)) {
			return append(dst, src...), nil
		}
		out, err := json.Marshal(obj)
		return append(dst, out...), err
	}
	r.PruneJSONReport = func(dst, src []byte) ([]byte, prunert.JSONReport, error) {
		out, err := r.PruneJSON(dst, src)
		if err != nil {
			return nil, prunert.JSONReport{}, err
		}
		return out, prunert.JSONReport{Dropped: r.PruneReport(decode(src)), Duplicate: Duplicates(src)}, nil
	}
	r.PruneStream = func(w io.Writer, from io.Reader) error {
		src, err := io.ReadAll(from)
		if err != nil {
			return err
		}
		for i, doc := range bytes.Split(src, []byte("\n")) {
			if i > 0 {
				w.Write([]byte("\n"))
			}
			if len(doc) == 0 {
				continue
			}
			out, err := r.PruneJSON(nil, doc)
			if err != nil {
				return err
			}
			w.Write(out)
		}
		return nil
	}
	return r
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	docs := []string{`{}`, `{"kind":1,"u":2}`, `{"kind":"a","kind":"b"}`, `{"kind":1`, `{"kind":1.5}`, `{"kind":[1]} `, `[`, ``}
	check := func(r prunert.Resource) error {
		for _, doc := range docs {
			if err := Check(r, []byte(doc)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := check(nothing()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(r *prunert.Resource, right prunert.Resource){
		"keeps everything": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneJSON = func(dst, src []byte) ([]byte, error) {
				if _, err := right.PruneJSON(nil, src); err != nil {
					return nil, err
				}
				return append(dst, src...), nil
			}
		},
		"takes anything": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneJSON = func(dst, src []byte) ([]byte, error) {
				if out, err := right.PruneJSON(dst, src); err == nil {
					return out, nil
				}
				return dst, nil
			}
		},
		"finds errors elsewhere": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneJSON = func(dst, src []byte) ([]byte, error) {
				out, err := right.PruneJSON(dst, src)
				if err != nil {
					return nil, &prunert.SyntaxError{Offset: 1, Message: "wrong"}
				}
				return out, nil
			}
		},
		"returns something with an error": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneJSON = func(dst, src []byte) ([]byte, error) {
				out, err := right.PruneJSON(dst, src)
				if err != nil {
					return dst, err
				}
				return out, nil
			}
		},
		"forgets what was in dst": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneJSON = func(_, src []byte) ([]byte, error) { return right.PruneJSON(nil, src) }
		},
		"writes clean documents anew": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneJSON = func(dst, src []byte) ([]byte, error) { return right.PruneJSON(dst, bytes.TrimSpace(src)) }
		},
		"writes into the document": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneJSON = func(dst, src []byte) ([]byte, error) {
				out, err := right.PruneJSON(dst, src)
				if len(src) > 0 {
					src[len(src)-1] = 'x'
				}
				return out, err
			}
		},
		"reports no duplicate keys": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneJSONReport = func(dst, src []byte) ([]byte, prunert.JSONReport, error) {
				out, report, err := right.PruneJSONReport(dst, src)
				report.Duplicate = nil
				return out, report, err
			}
		},
		"reports another path": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneJSONReport = func(dst, src []byte) ([]byte, prunert.JSONReport, error) {
				out, report, err := right.PruneJSONReport(dst, src)
				for i := range report.Dropped {
					report.Dropped[i] += "."
				}
				return out, report, err
			}
		},
		"decodes integers as floats": func(r *prunert.Resource, right prunert.Resource) {
			r.DecodeJSON = func(src []byte) (map[string]any, error) {
				obj, err := right.DecodeJSON(src)
				if _, ok := obj["kind"].(int64); ok {
					obj["kind"] = 1.0
				}
				return obj, err
			}
		},
		"ends a stream after one document": func(r *prunert.Resource, right prunert.Resource) {
			r.PruneStream = func(w io.Writer, from io.Reader) error {
				src, _ := io.ReadAll(from)
				doc, _, _ := bytes.Cut(src, []byte("\n"))
				out, err := right.PruneJSON(nil, doc)
				w.Write(out)
				return err
			}
		},
	} {
		r := nothing()
		spoil(&r, nothing())
		if err := check(r); err == nil {
			t.Errorf("%s: it is not noticed", name)
		}
		differ := false
		for _, doc := range docs {
			differ = differ || Agree(r, nothing(), bytes.Clone([]byte(doc))) != nil
		}
		if alone := name == "forgets what was in dst" || name == "returns something with an error"; !differ && !alone {
			t.Errorf("%s: there is no difference", name)
		}
	}
}
