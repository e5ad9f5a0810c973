package apiserver

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// normalizer changes an object as the server does before it validates it, and check returns the errors that it then finds.
type normalizer struct {
	name      string
	normalize func(obj map[string]any, opts prunert.NormalizeOptions) ([]string, error)
	check     func(obj map[string]any) prunert.ErrorList
}

// normalizers returns the interpreter and, where there is some, generated code.
func (r *resource) normalizers(t *testing.T) []normalizer {
	t.Helper()
	if r.normalizing != nil {
		return r.normalizing
	}
	schema, errs := structural.NewSchema(r.version.Schema, r.version.SchemaPath)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	how := interpret.PruneOptions{PreserveUnknownFields: !r.version.Pruned}
	r.normalizing = []normalizer{{
		name: "interpret.Normalize",
		normalize: func(obj map[string]any, opts prunert.NormalizeOptions) ([]string, error) {
			return new(interpret.Work).Normalize(obj, interpret.PruneDefaults(schema), how, opts)
		},
		check: func(obj map[string]any) prunert.ErrorList { return new(interpret.Work).Check(obj, schema) },
	}}
	res, ok := prunert.Lookup(r.crd.Group, r.version.Name, r.crd.Names.Kind)
	if fit, err := dynamic.Fits(res, r.crd); ok && err == nil && fit.Same {
		r.normalizing = append(r.normalizing, normalizer{"generated Normalize", res.Normalize, res.Check})
	}
	return r.normalizing
}

// request normalizes an object as it is sent. Where status is a subresource, a create does not set it.
func (n normalizer) request(t *testing.T, r *resource, sent map[string]any) (obj map[string]any, unknown []string, err error) {
	t.Helper()
	obj = decode(t, encode(t, sent))
	unknown, err = n.normalize(obj, prunert.NormalizeOptions{Source: prunert.FromRequest, ReportUnknown: true})
	if r.version.HasStatus {
		delete(obj, "status")
	}
	for i, path := range unknown {
		unknown[i] = fmt.Sprintf(`unknown field "%s"`, path)
	}
	return obj, unknown, err
}

// answer does to an object, which was normalized, what the server does when it answers with it: it is converted to the version
// of the request, and its metadata is coerced once more. A deletionTimestamp that is zero is null the first time, and is in
// etcd as null, but null is absent the second time.
func (n normalizer) answer(obj map[string]any) error {
	_, err := n.normalize(obj, prunert.NormalizeOptions{Source: prunert.FromRequest})
	return err
}

// checkNormalizedRequest fails the test if the answer to a create is not what Normalize leads to: the same metadata is
// refused, the same fields are unknown, in the same order, and the object is the same.
func (r *resource) checkNormalizedRequest(t *testing.T, what string, sent map[string]any, resp *server.Response) {
	t.Helper()
	theirs := slices.DeleteFunc(slices.Clone(resp.Warnings), func(text string) bool {
		return !strings.HasPrefix(text, "unknown field ")
	})
	for _, n := range r.normalizers(t) {
		ours, unknown, err := n.request(t, r, sent)
		if refused := resp.Code == http.StatusBadRequest; refused != (err != nil) {
			t.Errorf("%s: %s says %v, the server answered %d: %s", what, n.name, err, resp.Code, resp.Body)
			continue
		}
		if err != nil {
			continue
		}
		if unknown = asWarnings(unknown); !slices.Equal(unknown, theirs) {
			t.Errorf("%s: the server's warnings differ from the report of %s:\n ours   %s\n theirs %s",
				what, n.name, strings.Join(unknown, "\n        "), strings.Join(theirs, "\n        "))
		}
		if resp.Code != http.StatusCreated {
			continue
		}
		ours = withoutServerFields(t, ours)
		if err := n.answer(ours); err != nil {
			t.Errorf("%s: %s refuses what it made: %v", what, n.name, err)
		}
		got := object(t, resp, http.StatusCreated)
		if diff := firstDifference("", ours, withoutServerFields(t, got)); diff != "" {
			t.Errorf("%s: %s and the server disagree at %s", what, n.name, diff)
		}
	}
}

// checkNormalizedStrict fails the test if a create with fieldValidation=Strict does not name what Normalize reports, or
// is refused although it reports nothing.
func (r *resource) checkNormalizedStrict(t *testing.T, s *server.Server, what string, sent map[string]any, otherwise int) {
	t.Helper()
	resp := do(t, s, http.MethodPost, r.collection()+"?dryRun=All&fieldValidation=Strict", server.JSON, sent)
	for _, n := range r.normalizers(t) {
		_, unknown, err := n.request(t, r, sent)
		if err != nil {
			t.Fatalf("%s: %s: %v", what, n.name, err)
		}
		if len(unknown) == 0 {
			if resp.Code != otherwise {
				t.Errorf("%s: %s reports nothing, the server answered %d: %s", what, n.name, resp.Code, resp.Body)
			}
			continue
		}
		if theirs := strictError(t, resp, http.StatusBadRequest); theirs != strings.Join(unknown, ", ") {
			t.Errorf("%s: the server's strict error differs from the report of %s:\n ours   %s\n theirs %s",
				what, n.name, strings.Join(unknown, ", "), theirs)
		}
	}
}

// checkNormalizedBytes fails the test if the bytes in etcd are not those of the normalized object. What only the server
// can know is taken from there.
func (r *resource) checkNormalizedBytes(t *testing.T, s *server.Server, sent map[string]any, name string) {
	t.Helper()
	raw, err := s.GetRaw(t.Context(), r.key(name))
	if err != nil {
		t.Fatal(err)
	}
	stored := decode(t, raw)["metadata"].(map[string]any)
	for _, n := range r.normalizers(t) {
		ours, _, err := n.request(t, r, sent)
		if err != nil {
			t.Fatal(err)
		}
		metadata := ours["metadata"].(map[string]any)
		for _, k := range serverFields {
			if v, ok := stored[k]; ok {
				metadata[k] = v
			} else {
				delete(metadata, k)
			}
		}
		if want := string(encode(t, ours)) + "\n"; want != string(raw) {
			t.Errorf("the bytes in etcd are not those of %s:\n ours   %s theirs %s", n.name, want, raw)
		}
	}
}

// checkNormalizedStorage fails the test if an object that lies in etcd is not read as Normalize makes it. The server
// sets nothing but the resourceVersion. An object that cannot be answered, as a write could not be, is not read at all.
func (r *resource) checkNormalizedStorage(t *testing.T, what string, stored map[string]any, resp *server.Response) {
	t.Helper()
	for _, n := range r.normalizers(t) {
		ours := decode(t, encode(t, stored))
		_, err := n.normalize(ours, prunert.NormalizeOptions{Source: prunert.FromStorage})
		if err == nil {
			err = n.answer(ours)
		}
		if (err != nil) != (resp.Code == http.StatusInternalServerError) {
			t.Errorf("%s: %s says %v, the server answered %d: %s", what, n.name, err, resp.Code, resp.Body)
			continue
		}
		if err != nil {
			continue
		}
		got := object(t, resp, http.StatusOK)
		delete(got["metadata"].(map[string]any), "resourceVersion")
		delete(ours["metadata"].(map[string]any), "resourceVersion")
		if diff := firstDifference("", decode(t, encode(t, ours)), got); diff != "" {
			t.Errorf("%s: %s and the server disagree at %s", what, n.name, diff)
		}
	}
}

func TestServerNormalizesRequestsAsWeDo(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	for _, c := range objectCases(t, accepted) {
		t.Run(c.name, func(t *testing.T) {
			sent := c.object()
			r := resourceOf(t, resources, sent)
			r.checkNormalizedStrict(t, s, "strict create", sent, http.StatusCreated)
			resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
			created := object(t, resp, http.StatusCreated)
			r.checkNormalizedRequest(t, "create", sent, resp)
			r.checkNormalizedBytes(t, s, sent, nameOf(created))

			// What comes back is what was stored, which is normal already.
			resp = do(t, s, http.MethodGet, r.collection()+"/"+nameOf(created), "", nil)
			r.checkNormalizedStorage(t, "get", created, resp)
		})
	}
}

// An object with other faults is normalized before they are found, and one with malformed metadata is refused by both.
func TestServerRefusesWhatWeDo(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	for _, v := range []verdict{invalid, malformed, unreadable} {
		for _, c := range objectCases(t, v) {
			t.Run(c.name, func(t *testing.T) {
				sent := c.object()
				r := resourceOf(t, resources, sent)
				resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
				want := http.StatusBadRequest
				if v == invalid {
					want = http.StatusUnprocessableEntity
					r.checkNormalizedStrict(t, s, "strict create", sent, want)
				}
				if resp.Code != want {
					t.Errorf("the server answered %d: %s", resp.Code, resp.Body)
				}
				r.checkNormalizedRequest(t, "create", sent, resp)
			})
		}
	}
}

func TestServerNormalizesStorageAsWeDo(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	for _, v := range []verdict{accepted, invalid, malformed, unreadable} {
		for _, c := range objectCases(t, v) {
			t.Run(c.name, func(t *testing.T) {
				stored := c.object()
				r := resourceOf(t, resources, stored)
				name := strings.ReplaceAll(c.name, "/", "-")
				store(t, s, r, name, stored)
				resp := do(t, s, http.MethodGet, r.collection()+"/"+name, "", nil)
				r.checkNormalizedStorage(t, "get", stored, resp)
			})
		}
	}
}

// A null anywhere: the server's verdict is that of Check after Normalize.
func TestServerJudgesNullsAsCheckAfterNormalize(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	verdicts := map[int]int{}
	for _, c := range objectCases(t, accepted) {
		obj := c.object()
		r := resourceOf(t, resources, obj)
		var places []string
		visit(obj, "", func(at string, _ any) { places = append(places, at) })
		for _, place := range places {
			if strings.Contains(place, ".metadata") {
				continue // where the server has more to say than types
			}
			_, sent := replace(obj, place, nil)
			if sent == nil {
				continue
			}
			resp := do(t, s, http.MethodPost, r.collection()+"?dryRun=All", server.JSON, sent)
			verdicts[resp.Code]++
			what := c.name + ": null at " + place
			r.checkNormalizedRequest(t, what, sent, resp)
			for _, n := range r.normalizers(t) {
				ours, _, err := n.request(t, r, sent)
				if err != nil {
					continue // malformed, and compared above
				}
				if errs := n.check(ours); (len(errs) == 0) != (resp.Code == http.StatusCreated) {
					t.Errorf("%s: after %s there are %d errors %v, the server answered %d: %s",
						what, n.name, len(errs), errs, resp.Code, resp.Body)
				}
			}
		}
	}
	t.Logf("answers %v", verdicts)
	for code, least := range map[int]int{http.StatusCreated: 100, http.StatusUnprocessableEntity: 10, http.StatusBadRequest: 5} {
		if verdicts[code] < least {
			t.Errorf("%d answers are %d, want %d", verdicts[code], code, least)
		}
	}
}
