package parity

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// scaleCRDs are kinds that only the tests of scale need. No code is generated for them: what interprets the schemas is linked.
const scaleCRDs = "testdata/crds/scales.yaml"

// linkScales registers the kinds of scaleCRDs.
func linkScales(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(scaleCRDs)
	if err != nil {
		t.Fatal(err)
	}
	for doc := range strings.SplitSeq(string(data), "\n---\n") {
		crd, err := load.CRD([]byte(doc), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := dynamic.Compile(crd)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			if err := prunert.Linked().Put(r); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// scales is a script about the scale subresource.
func scales() []Request {
	var script []Request
	add := func(name, method, path, mediaType, body string) {
		script = append(script, Request{Name: "scale: " + name, Method: method, Path: path, Type: mediaType, Body: body})
	}
	scale := func(name, rest string) string {
		return fmt.Sprintf(`{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":%q,"namespace":"default"%s`, name, rest)
	}
	const fleets = "/apis/scale.example.com/v1/namespaces/default/fleets"
	add("create", "POST", fleets, JSON, `{"apiVersion":"scale.example.com/v1","kind":"Fleet","metadata":{"name":"f"},"spec":{"name":"n","size":{"wanted":3}}}`)
	add("create without replicas", "POST", fleets, JSON, `{"apiVersion":"scale.example.com/v1","kind":"Fleet","metadata":{"name":"none"},"spec":{}}`)
	add("create with negative replicas", "POST", fleets, JSON, `{"apiVersion":"scale.example.com/v1","kind":"Fleet","metadata":{"name":"negative"},"spec":{"size":{"wanted":-1}}}`)
	add("create with too many replicas", "POST", fleets, JSON, `{"apiVersion":"scale.example.com/v1","kind":"Fleet","metadata":{"name":"many"},"spec":{"size":{"wanted":2147483648}}}`)
	add("create with replicas of another type", "POST", fleets, JSON, `{"apiVersion":"scale.example.com/v1","kind":"Fleet","metadata":{"name":"text"},"spec":{"size":{"wanted":"3"}}}`)
	add("status", "PATCH", fleets+"/f/status", MergePatch, `{"status":{"size":{"actual":2},"selector":"a=b"}}`)
	add("status with negative replicas", "PATCH", fleets+"/f/status", MergePatch, `{"status":{"size":{"actual":-2}}}`)
	add("status with too many replicas", "PATCH", fleets+"/f/status", MergePatch, `{"status":{"size":{"actual":99999999999}}}`)
	add("get", "GET", fleets+"/f/scale", "", "")
	add("get without replicas", "GET", fleets+"/none/scale", "", "")
	add("get of nothing", "GET", fleets+"/nothing/scale", "", "")
	for _, accept := range []string{"application/yaml", "application/vnd.kubernetes.protobuf", "application/json;as=Table;v=v1;g=meta.k8s.io",
		"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", "application/xml"} {
		script = append(script, Request{Name: "scale: get as " + accept, Method: "GET", Path: fleets + "/f/scale", Accept: accept})
	}
	add("update without a resource version", "PUT", fleets+"/f/scale", JSON, scale("f", `},"spec":{"replicas":5}}`))
	add("update", "PUT", fleets+"/f/scale", JSON, scale("f", `,"resourceVersion":"${rv:f}"},"spec":{"replicas":6},"status":{"replicas":99}}`))
	add("update an old one", "PUT", fleets+"/f/scale", JSON, scale("f", `,"resourceVersion":"1"},"spec":{"replicas":7}}`))
	add("update with another uid", "PUT", fleets+"/f/scale", JSON, scale("f", `,"uid":"wrong"},"spec":{"replicas":7}}`))
	add("update to negative", "PUT", fleets+"/f/scale", JSON, scale("f", `},"spec":{"replicas":-1}}`))
	add("update to nothing", "PUT", fleets+"/f/scale", JSON, scale("f", `}}`))
	add("update to too many", "PUT", fleets+"/f/scale", JSON, scale("f", `},"spec":{"replicas":2147483648}}`))
	add("update to text", "PUT", fleets+"/f/scale", JSON, scale("f", `},"spec":{"replicas":"1"}}`))
	add("update another name", "PUT", fleets+"/f/scale", JSON, scale("g", `},"spec":{"replicas":1}}`))
	add("update with unknown fields", "PUT", fleets+"/f/scale", JSON, scale("f", `,"odd":1},"odd":1,"spec":{"replicas":4,"odd":1}}`))
	add("update with unknown fields, strictly", "PUT", fleets+"/f/scale?fieldValidation=Strict", JSON, scale("f", `,"odd":1},"odd":1,"spec":{"replicas":4,"odd":1}}`))
	add("update with another kind", "PUT", fleets+"/f/scale", JSON, `{"apiVersion":"scale.example.com/v1","kind":"Fleet","metadata":{"name":"f"},"spec":{"size":{"wanted":1}}}`)
	add("update with nonsense", "PUT", fleets+"/f/scale", JSON, `{`)
	add("update as YAML", "PUT", fleets+"/f/scale", YAML, "apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: f, namespace: default}\nspec: {replicas: 8}\n")
	add("update as what there is not", "PUT", fleets+"/f/scale", "application/xml", "<a/>")
	add("update, if only", "PUT", fleets+"/f/scale?dryRun=All", JSON, scale("f", `},"spec":{"replicas":77}}`))
	add("update what has no replicas", "PUT", fleets+"/none/scale?dryRun=All", JSON, scale("none", `},"spec":{"replicas":1}}`))
	add("update nothing there", "PUT", fleets+"/nothing/scale", JSON, scale("nothing", `},"spec":{"replicas":1}}`))
	add("merge patch", "PATCH", fleets+"/f/scale", MergePatch, `{"spec":{"replicas":9}}`)
	add("merge patch of nothing", "PATCH", fleets+"/f/scale", MergePatch, `{}`)
	add("merge patch with an unknown field", "PATCH", fleets+"/f/scale?fieldValidation=Strict", MergePatch, `{"spec":{"odd":9}}`)
	add("merge patch with a resource version", "PATCH", fleets+"/f/scale", MergePatch, `{"metadata":{"resourceVersion":"1"},"spec":{"replicas":9}}`)
	add("merge patch of what has no replicas", "PATCH", fleets+"/none/scale", MergePatch, `{"metadata":{"labels":{"a":"b"}}}`)
	add("merge patch to null", "PATCH", fleets+"/f/scale", MergePatch, `{"spec":{"replicas":null}}`)
	add("JSON patch", "PATCH", fleets+"/f/scale", JSONPatch, `[{"op":"replace","path":"/spec/replicas","value":11}]`)
	add("strategic patch", "PATCH", fleets+"/f/scale", "application/strategic-merge-patch+json", `{"spec":{"replicas":9}}`)
	add("apply", "PATCH", fleets+"/f/scale?fieldManager=scaler&force=true", Apply, scale("f", `},"spec":{"replicas":12}}`))
	add("apply with a conflict", "PATCH", fleets+"/f/scale?fieldManager=other", Apply, scale("f", `},"spec":{"replicas":13}}`))
	add("who owns the replicas", "GET", fleets+"/f", "", "")
	add("apply the object", "PATCH", fleets+"/f?fieldManager=owner", Apply, `{"apiVersion":"scale.example.com/v1","kind":"Fleet","spec":{"size":{"wanted":14}}}`)
	for _, n := range []int64{math.MaxInt32 - 1, math.MaxInt32, math.MaxInt32 + 1} {
		name := fmt.Sprintf("n%d", n)
		add("create with "+name, "POST", fleets, JSON, fmt.Sprintf(`{"apiVersion":"scale.example.com/v1","kind":"Fleet","metadata":{"name":%q},"spec":{"size":{"wanted":%d}}}`, name, n))
		add("get with "+name, "GET", fleets+"/"+name+"/scale", "", "")
		add("update the object to "+name, "PATCH", fleets+"/f", MergePatch, fmt.Sprintf(`{"spec":{"size":{"wanted":%d}}}`, n))
		add("update to "+name, "PUT", fleets+"/f/scale", JSON, scale("f", fmt.Sprintf(`},"spec":{"replicas":%d}}`, n)))
		add("merge patch to "+name, "PATCH", fleets+"/f/scale", MergePatch, fmt.Sprintf(`{"spec":{"replicas":%d}}`, n))
		add("status with "+name, "PATCH", fleets+"/f/status", MergePatch, fmt.Sprintf(`{"status":{"size":{"actual":%d}}}`, n))
		add("get after "+name, "GET", fleets+"/f/scale", "", "")
	}
	add("no POST", "POST", fleets+"/f/scale", JSON, scale("f", `}}`))
	add("no DELETE", "DELETE", fleets+"/f/scale", "", "")

	const loose, two = "/apis/scale.example.com/v1/loose", "/apis/scale.example.com/v2/loose"
	object := func(name, rest string) string {
		return fmt.Sprintf(`{"apiVersion":"scale.example.com/v1","kind":"Loose","metadata":{"name":%q}%s}`, name, rest)
	}
	for i, rest := range []string{``, `,"spec":{}`, `,"spec":7`, `,"spec":{"replicas":"1"}`, `,"spec":{"replicas":1.5}`, `,"spec":{"replicas":-1}`, `,"spec":{"replicas":3000000000}`,
		`,"spec":{"replicas":null}`, `,"spec":{"replicas":2.0}`, `,"spec":{"replicas":4,"count":5}`} {
		name := fmt.Sprintf("l%d", i)
		path := loose + "/" + name
		add("create with "+rest, "POST", loose, JSON, object(name, rest))
		add("get with "+rest, "GET", path+"/scale", "", "")
		add("patch with "+rest, "PATCH", path+"/scale", MergePatch, `{"spec":{"replicas":2}}`)
		add("get of the other version with "+rest, "GET", two+"/"+name+"/scale", "", "")
		add("patch of the other version with "+rest, "PATCH", two+"/"+name+"/scale", MergePatch, `{"spec":{"replicas":3}}`)
		add("status with "+rest, "PATCH", path+"/status", MergePatch, `{"status":{"replicas":"x","selector":7}}`)
		add("status as text with "+rest, "PATCH", path+"/status", MergePatch, `{"status":"x"}`)
		add("what is left of "+rest, "GET", path, "", "")
	}
	add("the example's kind", "POST", "/apis/stable.example.com/v1/namespaces/default/crontabs", JSON,
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"scaled"},"spec":{"cronSpec":"* * * * *","image":"i"}}`)
	for _, version := range []string{"v1", "v1beta1"} {
		path := "/apis/stable.example.com/" + version + "/namespaces/default/crontabs/scaled/scale"
		add("get the example's "+version, "GET", path, "", "")
		add("patch the example's "+version, "PATCH", path, MergePatch, `{"spec":{"replicas":4}}`)
		add("patch the example's too far "+version, "PATCH", path, MergePatch, `{"spec":{"replicas":40}}`)
	}
	add("the example's object", "GET", "/apis/stable.example.com/v1/namespaces/default/crontabs/scaled", "", "")
	return script
}
