package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/jsondocs"
	prunert "github.com/prune-gen/prune-gen/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	kjson "sigs.k8s.io/json"
)

// documents calls visit with the object of a case as JSON, spelled in several ways, and without the metadata that Kubernetes
// refuses. It returns the first difference.
func (c *Case) documents(visit func(doc []byte, spelling jsondocs.Spelling) *Difference) *Difference {
	before := c.kubePruned().before
	if isList(c.Subject, before) {
		return nil // another function compares that
	}
	if c.spelled == nil {
		all, d := spell(before)
		if d != nil {
			return d
		}
		c.spelled = all
	}
	for spelling, doc := range c.spelled {
		if d := visit(doc, jsondocs.Spelling(spelling)); d != nil {
			d.At = fmt.Sprintf("%s, document %.400q", d.At, doc)
			return d
		}
	}
	return nil
}

// spell writes an object in every spelling, and makes sure that Kubernetes decodes it to the object.
func spell(obj map[string]any) ([][]byte, *Difference) {
	all := [][]byte{jsondocs.Spell(obj, jsondocs.Compact, 0)}
	seed := fnv.New64()
	seed.Write(all[0]) // the same object is spelled the same way, whoever makes it
	for spelling := jsondocs.Compact + 1; spelling < jsondocs.Spellings; spelling++ {
		all = append(all, jsondocs.Spell(obj, spelling, seed.Sum64()))
	}
	for _, doc := range all {
		decoded, err := decodeObject(doc)
		if err != nil {
			return nil, differ("spelling", fmt.Sprintf("%.400q", doc), err.Error())
		}
		if d := values("spelling", decoded, obj); d != nil {
			return nil, d
		}
	}
	return all, nil
}

// isList reports whether a document is a list to functions on JSON bytes.
func isList(s *Subject, doc map[string]any) bool {
	return doc["kind"] == listKind(s) || doc["kind"] == "List" && doc["apiVersion"] == "v1"
}

func listKind(s *Subject) string {
	if names := s.CRD.Names; names.ListKind != "" {
		return names.ListKind
	}
	return s.CRD.Names.Kind + "List"
}

// decodeObject decodes a document as the API server does.
func decodeObject(doc []byte) (obj map[string]any, err error) {
	err = utiljson.Unmarshal(doc, &obj)
	return obj, err
}

// pruneJSON compares what is left of documents, and makes sure that what nothing is dropped from stays byte for byte.
func pruneJSON(c *Case, r *prunert.Resource) *Difference {
	prune := r.PruneJSON
	theirs := c.kubePruned()
	return c.documents(func(doc []byte, spelling jsondocs.Spelling) *Difference {
		got, err := prune(nil, doc)
		if err != nil {
			return differ("error", err.Error(), "none")
		}
		obj, err := decodeObject(got)
		if err != nil {
			return differ("decoding", fmt.Sprintf("%.400q", got), err.Error())
		}
		if d := values("", obj, theirs.after); d != nil {
			return d
		}
		clean := len(theirs.dropped.All) == 0 && spelling != jsondocs.OddTwice
		if clean && !bytes.Equal(got, doc) {
			return differ("nothing to drop", fmt.Sprintf("%.400q", got), "the document")
		}
		if again, err := prune(nil, got); err != nil || !bytes.Equal(again, got) {
			return differ("second run", fmt.Sprintf("%.400q, %v", again, err), fmt.Sprintf("%.400q", got))
		}
		return inLists(c.Subject, prune, theirs.before, spelling)
	})
}

// inLists puts an object of the kind into lists, in which the same must become of it as alone.
func inLists(s *Subject, prune func(dst, src []byte) ([]byte, error), obj map[string]any, spelling jsondocs.Spelling) *Difference {
	kind, err := json.Marshal(listKind(s))
	if err != nil {
		return differ("list kind", err.Error(), "")
	}
	obj = jsonvalue.Copy(obj)
	obj["apiVersion"], obj["kind"] = s.CRD.Group+"/"+s.Version.Name, s.CRD.Names.Kind
	doc := jsondocs.Spell(obj, spelling, 1)
	pruned, err := prune(nil, doc)
	if err != nil {
		return differ("an object of the kind", err.Error(), "none")
	}
	const other = `{"apiVersion":"v1","kind":"Pod","spec":{"unknown":1},"metadata":{"unknown":1}}`
	for _, list := range []struct{ head, tail string }{
		{`{"kind":` + string(kind) + `,"items":[null,`, `],"spec":{"unknown":1}}`},
		{`{"apiVersion":"v1","items":[` + other + `,`, `],"kind":"List","metadata":{"unknown":1}}`},
	} {
		got, err := prune(nil, []byte(list.head+string(doc)+list.tail))
		if want := list.head + string(pruned) + list.tail; err != nil || string(got) != want {
			return differ("in a list", fmt.Sprintf("%.400q, %v", got, err), fmt.Sprintf("%.400q", want))
		}
	}
	return nil
}

// pruneJSONReport compares the dropped paths of documents without duplicate keys, and the duplicate keys. pruneJSON compares the pruned
// documents.
func pruneJSONReport(c *Case, r *prunert.Resource) *Difference {
	var wanted *Difference
	d := c.documents(func(doc []byte, spelling jsondocs.Spelling) *Difference {
		got, report, err := r.PruneJSONReport(nil, doc)
		if err != nil {
			return differ("error", err.Error(), "none")
		}
		if r.PruneJSON != nil {
			if plain, err := r.PruneJSON(nil, doc); err != nil || !bytes.Equal(got, plain) {
				return differ("without a report", fmt.Sprintf("%.400q", got), fmt.Sprintf("%.400q, %v", plain, err))
			}
		}
		duplicate, err := strictDuplicates(doc)
		if err != nil {
			return differ("strict decoding", fmt.Sprintf("%.400q", doc), err.Error())
		}
		if d := lists("duplicate key", report.Duplicate, duplicate); d != nil {
			return d
		}
		if changed := !bytes.Equal(got, doc); changed != (len(report.Dropped) > 0) {
			return differ("report", fmt.Sprintf("%d paths", len(report.Dropped)), fmt.Sprintf("changed: %t", changed))
		}
		if len(duplicate) > 0 {
			return nil
		}
		d := reported(report.Dropped, c.kubePruned().dropped)
		if d != nil && d.Known != "" {
			wanted, d = d, nil
		}
		return d
	})
	if d == nil {
		return wanted
	}
	return d
}

// strictDuplicates returns the duplicate keys that the strict decoder of the API server finds.
func strictDuplicates(doc []byte) (paths []string, err error) {
	var obj map[string]any
	strict, err := kjson.UnmarshalStrict(doc, &obj)
	for _, e := range strict {
		field, ok := e.(kjson.FieldError)
		if !ok {
			return nil, fmt.Errorf("a %T without a path: %w", e, e)
		}
		paths = append(paths, field.FieldPath())
	}
	return paths, err
}

// decodeJSON compares what documents are decoded to.
func decodeJSON(c *Case, r *prunert.Resource) *Difference {
	return c.documents(func(doc []byte, _ jsondocs.Spelling) *Difference {
		got, err := r.DecodeJSON(doc)
		if err != nil {
			return differ("error", err.Error(), "none")
		}
		return values("", got, c.kubePruned().after)
	})
}
