package pruneimpl

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

func withMeta(meta map[string]any) map[string]any { return map[string]any{"metadata": meta} }

// metadataErrors returns the errors about metadata; old is nil for a new object.
func metadataErrors(meta, old map[string]any) prunert.ErrorList {
	var r Recorder
	var before map[string]any
	if old != nil {
		before = withMeta(old)
	}
	validateRootMetadata(withMeta(meta), before, &r, true)
	return r.Errors()
}

func wantErrors(t *testing.T, errs prunert.ErrorList, want ...string) {
	t.Helper()
	var got []string
	for _, e := range errs {
		got = append(got, e.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// validMeta is metadata that nothing is wrong with.
func validMeta() map[string]any {
	return map[string]any{
		"name": "a.b-c", "generateName": "a-", "namespace": "default", "generation": int64(1), "uid": "u", "resourceVersion": "1",
		"creationTimestamp": "2020-01-01T00:00:00Z",
		"labels":            map[string]any{"app.kubernetes.io/Name": "x_y.Z", "a": ""},
		"annotations":       map[string]any{"Example.com/Key": "any text: ", "b": "c"},
		"finalizers":        []any{"kubernetes", "example.com/clean"},
		"ownerReferences": []any{
			map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": "1", "controller": true, "blockOwnerDeletion": true},
			map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "2", "controller": false},
		},
		"managedFields": []any{map[string]any{"manager": "kubectl", "operation": "Apply", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{}}},
	}
}

func TestValidMetadataAllocatesNothing(t *testing.T) {
	obj, old := withMeta(validMeta()), withMeta(validMeta())
	var r Recorder
	allocated := testing.AllocsPerRun(100, func() {
		if n := validateRootMetadata(obj, nil, &r, true) + validateRootMetadata(obj, old, &r, true) + ValidateEmbeddedMetadata(obj, &r); n != 0 {
			t.Fatal(r.Errors())
		}
	})
	if allocated != 0 {
		t.Errorf("%v allocations", allocated)
	}
}

func TestMetadataOfNewObjectsIsValidated(t *testing.T) {
	wantErrors(t, metadataErrors(nil, nil), `metadata.name: Required value: name or generateName is required`, `metadata.namespace: Required value`)
	meta := validMeta()
	meta["name"], meta["namespace"], meta["generation"] = "A", "a.b", int64(-1)
	meta["labels"] = map[string]any{"a": "-"}
	meta["annotations"] = map[string]any{"/a": strings.Repeat("x", 256<<10)}
	meta["finalizers"] = []any{"orphan", "foregroundDeletion", ""}
	meta["ownerReferences"] = []any{nil, map[string]any{"apiVersion": "v1", "kind": "Event", "name": "n", "uid": "<u>"}}
	meta["managedFields"] = []any{map[string]any{"operation": "Delete", "manager": "a\x00", "subresource": strings.Repeat("s", 257)}}
	wantErrors(t, metadataErrors(meta, nil),
		`metadata.annotations: Invalid value: "/a": prefix part must be non-empty`,
		`metadata.annotations: Too long: may not be more than 262144 bytes`,
		`metadata.finalizers: Invalid value: "": name part must be non-empty`,
		`metadata.finalizers: Invalid value: "": name part `+QualifiedWords,
		`metadata.finalizers: Invalid value: ["orphan","foregroundDeletion",""]: finalizer orphan and foregroundDeletion cannot be both set`,
		`metadata.generation: Invalid value: -1: must be greater than or equal to 0`,
		`metadata.labels: Invalid value: "-": `+LabelValueWords,
		`metadata.managedFields[0].manager: Invalid value: "a\x00": invalid character U+0000 (at position 1)`,
		`metadata.managedFields[0].operation: Unsupported value: "Delete": supported values: "Apply", "Update"`,
		`metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes`,
		`metadata.name: Invalid value: "A": `+SubdomainWords,
		`metadata.namespace: Invalid value: "a.b": must not contain dots`,
		`metadata.ownerReferences[0].apiVersion: Required value: must not be empty`,
		`metadata.ownerReferences[0].kind: Required value: must not be empty`,
		`metadata.ownerReferences[0].name: Required value: must not be empty`,
		`metadata.ownerReferences[0].uid: Required value: must not be empty`,
		`metadata.ownerReferences[1]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"n","uid":"\u003cu\u003e"}: /v1, Kind=Event is disallowed from being an owner`)
}

func TestMetadataOfUpdatesIsValidated(t *testing.T) {
	meta, old := validMeta(), validMeta()
	meta["creationTimestamp"] = "2020-01-01T01:00:00+01:00" // the same time
	meta["finalizers"] = []any{"not valid, and not looked at"}
	wantErrors(t, metadataErrors(meta, old))
	delete(meta, "resourceVersion")
	delete(meta, "creationTimestamp")
	meta["generation"], meta["name"], meta["uid"] = int64(0), "other", "<"
	meta["deletionGracePeriodSeconds"] = int64(5)
	old["deletionTimestamp"] = "2020-01-01T00:00:00Z"
	wantErrors(t, metadataErrors(meta, old),
		`metadata.creationTimestamp: Invalid value: null: field is immutable`,
		`metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable`,
		`metadata.deletionTimestamp: Invalid value: null: field is immutable`,
		`metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"not valid, and not looked at"}`,
		`metadata.generation: Invalid value: 0: must not be decremented`,
		`metadata.name: Invalid value: "other": field is immutable`,
		`metadata.resourceVersion: Invalid value: "": must be specified for an update`,
		`metadata.uid: Invalid value: "\u003c": field is immutable`)
}

// Errors in metadata are reported in updates as well, even if the old object had them.
func TestMetadataOfUpdatesIsValidatedAsAWhole(t *testing.T) {
	meta := validMeta()
	meta["labels"] = map[string]any{"a": "-"}
	meta["annotations"] = map[string]any{"/a": ""}
	meta["ownerReferences"] = []any{map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p"}}
	meta["managedFields"] = []any{map[string]any{}}
	meta["generation"] = int64(-1)
	wantErrors(t, metadataErrors(meta, meta),
		`metadata.annotations: Invalid value: "/a": prefix part must be non-empty`,
		`metadata.generation: Invalid value: -1: must be greater than or equal to 0`,
		`metadata.labels: Invalid value: "-": `+LabelValueWords,
		`metadata.managedFields[0].operation: Required value: must not be empty`,
		`metadata.ownerReferences[0].uid: Required value: must not be empty`)
}

// Each field that cannot be changed is compared by its value: times by the instant, and a missing number differs from any other.
func TestFieldsOfMetadataThatCannotBeChanged(t *testing.T) {
	const noon, later = "2020-01-01T12:00:00Z", "2020-01-01T12:00:01Z"
	for _, c := range []struct {
		field   string
		is, was any
		want    string
	}{
		{"name", "a", "b", `"a"`}, {"namespace", "a", "b", `"a"`}, {"uid", "<", "b", `"\u003c"`}, {"name", nil, "b", `""`}, {"uid", "", nil, "-"},
		{"creationTimestamp", noon, "2020-01-01T13:00:00+01:00", "-"}, {"creationTimestamp", noon, later, `"` + noon + `"`}, {"creationTimestamp", nil, noon, "null"},
		{"creationTimestamp", "0001-01-01T00:00:00Z", nil, "-"}, {"creationTimestamp", "2020-01-01T13:00:00+01:00", nil, `"` + noon + `"`},
		{"deletionTimestamp", noon, noon, "-"}, {"deletionTimestamp", noon, nil, `"` + noon + `"`}, {"deletionTimestamp", nil, noon, "null"}, {"deletionTimestamp", later, noon, `"` + later + `"`},
		{"deletionTimestamp", "0001-01-01T00:00:00Z", nil, "null"},
		{"deletionGracePeriodSeconds", int64(0), nil, "0"}, {"deletionGracePeriodSeconds", nil, int64(0), "null"}, {"deletionGracePeriodSeconds", int64(5), int64(5), "-"},
		{"deletionGracePeriodSeconds", int64(5), 5.0, "-"}, {"deletionGracePeriodSeconds", int64(5), int64(6), "5"},
	} {
		meta, old := validMeta(), validMeta()
		for _, m := range []struct {
			meta map[string]any
			v    any
		}{{meta, c.is}, {old, c.was}} {
			if m.meta[c.field] = m.v; m.v == nil {
				delete(m.meta, c.field)
			}
		}
		if c.want == "-" {
			wantErrors(t, metadataErrors(meta, old))
		} else {
			wantErrors(t, metadataErrors(meta, old), "metadata."+c.field+": Invalid value: "+c.want+": field is immutable")
		}
	}
	for _, c := range []struct {
		is, was any
		want    []string
	}{
		{int64(2), int64(1), nil}, {int64(1), int64(1), nil}, {1.0, int64(1), nil}, {int64(1), int64(2), []string{"metadata.generation: Invalid value: 1: must not be decremented"}},
		{"x", int64(1), []string{"metadata.generation: Invalid value: 0: must not be decremented"}}, {"x", nil, nil},
	} {
		meta, old := validMeta(), validMeta()
		meta["generation"], old["generation"] = c.is, c.was
		wantErrors(t, metadataErrors(meta, old), c.want...)
	}
}

// While an object is being deleted, finalizers can be removed but not added.
func TestFinalizersOfWhatIsBeingDeleted(t *testing.T) {
	const words = "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"
	for _, c := range []struct {
		is   []any
		want []string
	}{
		{nil, nil}, {[]any{"a"}, nil}, {[]any{"b", "a"}, nil}, {[]any{"a", "c"}, []string{words + `"c"}`}}, {[]any{"d", "c", "d", nil}, []string{words + `"", "c", "d"}`}},
	} {
		meta, old := validMeta(), validMeta()
		meta["finalizers"], old["finalizers"] = c.is, []any{"a", "b"}
		wantErrors(t, metadataErrors(meta, old))
		meta["deletionTimestamp"], old["deletionTimestamp"] = "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"
		wantErrors(t, metadataErrors(meta, old), c.want...)
	}
}

func TestEmbeddedMetadataNeedsNoName(t *testing.T) {
	var r Recorder
	if n := ValidateEmbeddedMetadata(map[string]any{}, &r) + ValidateEmbeddedMetadata(withMeta(nil), &r) + ValidateEmbeddedMetadata(withMeta(map[string]any{"name": "A B"}), &r); n != 0 {
		t.Error(r.Errors())
	}
	n := r.Key("k", ValidateEmbeddedMetadata(withMeta(map[string]any{"name": "..", "generateName": "a/%", "namespace": "A"}), &r))
	r.Field("spec", n)
	wantErrors(t, r.Errors(),
		`spec[k].metadata.generateName: Invalid value: "a/%": may not contain '%'`,
		`spec[k].metadata.generateName: Invalid value: "a/%": may not contain '/'`,
		`spec[k].metadata.name: Invalid value: "..": may not be '..'`,
		`spec[k].metadata.namespace: Invalid value: "A": `+LabelWords)
}

// Names are as long as the API server allows, and not longer. A prefix is counted without the dash at its end and the letter before it.
func TestNamesHaveLimits(t *testing.T) {
	chars := func(n int) string { return strings.Repeat("a", n) }
	dotted := func(n int) string { return strings.Repeat("a.", n/2) + "a" } // for odd n
	const (
		subdomainLong = "must be no more than 253 characters"
		labelLong     = "must be no more than 63 characters"
		valueLong     = "must be no more than 63 bytes"
		prefixLong    = "prefix part must be no more than 253 bytes"
		nameLong      = "name part must be no more than 63 bytes"
		tooManySlash  = "a valid label key " + QualifiedWords + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
	)
	text := func(s string) any { return s }
	label := func(k string) any { return map[string]any{k: ""} }
	value := func(v string) any { return map[string]any{"k": v} }
	list := func(s string) any { return []any{s} }
	for _, c := range []struct {
		field string
		in    func(string) any
		text  string
		want  []string
	}{
		{"name", text, dotted(253), nil},
		{"name", text, chars(253), nil},
		{"name", text, chars(254), []string{subdomainLong}},
		{"name", text, "0", nil},
		{"name", text, "9z.a-0", nil},
		{"name", text, "a_b", []string{SubdomainWords}},
		{"name", text, "a-", []string{SubdomainWords}},
		{"name", text, "-a", []string{SubdomainWords}},
		{"name", text, "a.", []string{SubdomainWords}},
		{"name", text, "a..b", []string{SubdomainWords}},
		{"name", text, "a-.b", []string{SubdomainWords}},
		{"generateName", text, "a-", nil},
		{"generateName", text, "--", nil},
		{"generateName", text, "-", []string{SubdomainWords}},
		{"generateName", text, "a--", nil},
		{"generateName", text, "a_-", nil},
		{"generateName", text, "a_b-", []string{SubdomainWords}},
		{"generateName", text, "a.", []string{SubdomainWords}},
		{"generateName", text, chars(253) + "-", nil},
		{"generateName", text, chars(254) + "-", []string{subdomainLong}},
		{"generateName", text, chars(254), []string{subdomainLong}},
		{"namespace", text, chars(63), nil},
		{"namespace", text, chars(64), []string{labelLong}},
		{"namespace", text, "a.b", []string{"must not contain dots"}},
		{"namespace", text, "a.", []string{LabelWords}},
		{"namespace", text, chars(32) + "." + chars(31), []string{"must not contain dots", labelLong}},
		{"namespace", text, "-", []string{LabelWords}},
		{"namespace", text, "0-9", nil},
		{"labels", label, chars(63), nil},
		{"labels", label, chars(64), []string{nameLong}},
		{"labels", label, chars(253) + "/" + chars(63), nil},
		{"labels", label, chars(254) + "/a", []string{prefixLong}},
		{"labels", label, "A/a", []string{"prefix part " + SubdomainWords}},
		{"labels", label, "a_/a", []string{"prefix part " + SubdomainWords}},
		{"labels", label, strings.Repeat("A", 254) + "/" + chars(64), []string{"prefix part " + SubdomainWords, nameLong, prefixLong}},
		{"labels", label, "/a", []string{"prefix part must be non-empty"}},
		{"labels", label, "a/", []string{"name part " + QualifiedWords, "name part must be non-empty"}},
		{"labels", label, "a/b/c", []string{tooManySlash}},
		{"labels", label, "aZ_.-9", nil},
		{"labels", label, "_a", []string{"name part " + QualifiedWords}},
		{"labels", label, "a.", []string{"name part " + QualifiedWords}},
		{"labels", value, chars(63), nil},
		{"labels", value, chars(64), []string{valueLong}},
		{"labels", value, strings.Repeat("-", 64), []string{LabelValueWords, valueLong}},
		{"labels", value, "a/b", []string{LabelValueWords}},
		{"annotations", label, chars(253) + "/" + chars(63), nil},
		{"annotations", label, chars(254) + "/a", []string{prefixLong}},
		{"annotations", label, chars(64), []string{nameLong}},
		{"annotations", label, "A.Z-9/a", nil},
		{"annotations", label, "A-/a", []string{"prefix part " + SubdomainWords}},
		{"annotations", label, "-A/a", []string{"prefix part " + SubdomainWords}},
		{"annotations", label, "A_/a", []string{"prefix part " + SubdomainWords}},
		{"annotations", label, "\u212a/a", nil}, // the Kelvin sign, a k in lower case
		{"annotations", label, "\u212a", nil},
		{"finalizers", list, chars(253) + "/" + chars(63), nil},
		{"finalizers", list, "a/" + chars(64), []string{nameLong}},
	} {
		meta := map[string]any{"name": "a", "namespace": "b"}
		meta[c.field] = c.in(c.text)
		var got []string
		for _, e := range metadataErrors(meta, nil) {
			if e.Field != "metadata."+c.field || e.BadValue != c.text || e.Type != prunert.ErrorTypeInvalid {
				t.Errorf("%s %.20q...: %v", c.field, c.text, e)
			}
			got = append(got, e.Detail)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %.20q of %d bytes: got %q, want %q", c.field, c.text, len(c.text), got, c.want)
		}
	}
}

// What is only a little wrong with lists of metadata, and what is just in order.
func TestListsOfMetadataHaveLimits(t *testing.T) {
	owner := func(version string) map[string]any {
		return map[string]any{"apiVersion": version, "kind": "Event", "name": "n", "uid": "u"}
	}
	controller := func(name string) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "name": name, "uid": "u", "controller": true}
	}
	entry := func(k, v string) map[string]any {
		e := map[string]any{"operation": "Apply", "manager": "m"}
		e[k] = v
		return e
	}
	for _, c := range []struct {
		field string
		list  []any
		want  []string
	}{
		{"ownerReferences", []any{owner("a/v1"), owner("v2"), owner("/v2")}, nil},
		{"ownerReferences", []any{owner("a/b/v1"), owner("a/"), owner("/")}, []string{
			`metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/v1": must be <group>/<version> or <version>`,
			`metadata.ownerReferences[1].apiVersion: Invalid value: "a/": must be <group>/<version> or <version>`,
			`metadata.ownerReferences[2].apiVersion: Invalid value: "/": must be <group>/<version> or <version>`,
		}},
		{"ownerReferences", []any{controller("a"), owner("v2"), controller("b")}, []string{
			`metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"a","uid":"u","controller":true},` +
				`{"apiVersion":"v2","kind":"Event","name":"n","uid":"u"},{"apiVersion":"v1","kind":"Pod","name":"b","uid":"u","controller":true}]: ` +
				`Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/b`,
		}},
		{"finalizers", []any{"orphan", "kubernetes"}, nil},
		{"finalizers", []any{"foregroundDeletion"}, nil},
		{"managedFields", []any{entry("manager", strings.Repeat("é", 64)), entry("subresource", strings.Repeat("s", 256)), entry("operation", "Update"), entry("fieldsType", "")}, nil},
		{"managedFields", []any{entry("manager", strings.Repeat("m", 129)), entry("subresource", strings.Repeat("s", 257)), entry("operation", ""), entry("fieldsType", "FieldsV2")}, []string{
			"metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
			"metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes",
			"metadata.managedFields[2].operation: Required value: must not be empty",
			"metadata.managedFields[3].fieldsType: Invalid value: \"FieldsV2\": must be `FieldsV1`",
		}},
	} {
		wantErrors(t, metadataErrors(map[string]any{"name": "a", "namespace": "b", c.field: c.list}, nil), c.want...)
	}
	for size, want := range map[int][]string{
		256<<10 - 2: nil,
		256<<10 - 1: {"metadata.annotations: Too long: may not be more than 262144 bytes"},
	} {
		annotations := map[string]any{"a": strings.Repeat("x", size-1), "b": "y"}
		wantErrors(t, metadataErrors(map[string]any{"name": "a", "namespace": "b", "annotations": annotations}, nil), want...)
	}
}

// Each controller except the first has an error that names all owners.
func TestManyControllersAreBounded(t *testing.T) {
	list := make([]any, 20_000)
	for i := range list {
		list[i] = map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": true}
	}
	var errs prunert.ErrorList
	bytes := allocated.By(func() {
		errs = metadataErrors(map[string]any{"name": "a", "namespace": "b", "ownerReferences": list}, nil)
	})
	last := errs[len(errs)-1]
	if len(errs) > 10 || last.Type != prunert.ErrorTypeOmitted {
		t.Errorf("%d errors, the last is of type %s", len(errs), last.Type)
	}
	if bytes > 5000*len(list) {
		t.Errorf("allocates %d bytes for %d owners", bytes, len(list))
	}
}
