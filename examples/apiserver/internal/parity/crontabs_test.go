package parity

import (
	"fmt"
	"strings"
)

// cronTabs is a script about one kind: versions, selectors, pages, watches, status, list types, ratcheting.
func cronTabs() []Request {
	const v1, beta = "/apis/stable.example.com/v1/namespaces/tabs/crontabs", "/apis/stable.example.com/v1beta1/namespaces/tabs/crontabs"
	tab := func(name, rest string) string {
		return fmt.Sprintf(`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":%q},"spec":{"cronSpec":"* * * * *","image":"i"%s}}`, name, rest)
	}
	old := func(name, rest string) string {
		return fmt.Sprintf(`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":%q},"spec":{"cronSpec":"* * * * *"%s}}`, name, rest)
	}
	var script []Request
	add := func(name, method, path, mediaType, body string) {
		script = append(script, Request{Name: name, Method: method, Path: path, Type: mediaType, Body: body})
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		add("create "+name, "POST", v1, JSON, tab(name, ""))
	}
	add("create in the old version", "POST", beta, JSON, old("old", `,"image":"j","timeZone":"CET","odd":1`))
	add("read the old one in the new version", "GET", v1+"/old", "", "")
	add("read the old one in the old version", "GET", beta+"/old", "", "")
	add("read a new one in the old version", "GET", beta+"/a", "", "")
	add("a null that the old version does not know", "POST", v1, JSON, tab("null", `,"note":null`))
	add("read it in the old version", "GET", beta+"/null", "", "")
	add("change it in the old version", "PATCH", beta+"/null", MergePatch, `{"spec":{"timeZone":"CET"}}`)
	add("read it again", "GET", v1+"/null", "", "")
	add("a null that the new version fills in", "POST", beta, JSON, old("null2", `,"image":"i","concurrencyPolicy":null`))
	add("read that in the new version", "GET", v1+"/null2", "", "")
	add("read that in the old version", "GET", beta+"/null2", "", "")
	add("an unserved version", "GET", "/apis/stable.example.com/v2/namespaces/tabs/crontabs", "", "")
	add("the new version at the old path", "POST", beta, JSON, tab("wrong", ""))
	add("another namespace", "POST", v1, JSON, `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"n","namespace":"elsewhere"},"spec":{}}`)
	add("no namespace", "POST", "/apis/stable.example.com/v1/crontabs", JSON, tab("n", ""))
	add("a namespace for what has none", "GET", "/apis/fleet.example.com/v1alpha1/namespaces/tabs/machines", "", "")
	add("first page", "GET", v1+"?limit=2", "", "")
	add("second page", "GET", v1+"?limit=2&continue=${continue}", "", "")
	add("third page", "GET", v1+"?limit=2&continue=${continue}", "", "")
	add("no page", "GET", v1+"?limit=2&continue=nonsense", "", "")
	add("all namespaces", "GET", "/apis/stable.example.com/v1/crontabs", "", "")
	add("list the old version", "GET", beta, "", "")
	script = append(script, Request{Name: "list as a table", Method: "GET", Path: v1, Accept: "application/json;as=Table;v=v1;g=meta.k8s.io"})
	script = append(script, Request{Name: "list the old version as a table", Method: "GET", Path: beta, Accept: "application/json;as=Table;v=v1;g=meta.k8s.io"})
	script = append(script, Request{Name: "list as metadata", Method: "GET", Path: v1, Accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"})
	script = append(script, Request{Name: "as YAML", Method: "GET", Path: v1 + "/a", Accept: "application/yaml"})
	script = append(script, Request{Name: "as what there is not", Method: "GET", Path: v1 + "/a", Accept: "application/xml"})
	script = append(script, Request{Name: "as protobuf", Method: "GET", Path: v1 + "/a", Accept: "application/vnd.kubernetes.protobuf"})
	add("select by label", "GET", v1+"?labelSelector=a%3Db", "", "")
	add("select by image", "GET", v1+"?fieldSelector=spec.image%3Dj", "", "")
	add("select by image in the old version", "GET", beta+"?fieldSelector=spec.image%3Dj", "", "")
	add("watch from the start", "GET", v1+"?watch=1&timeoutSeconds=1&resourceVersion=${rv:a}", "", "")
	add("watch in the old version", "GET", beta+"?watch=1&timeoutSeconds=1&resourceVersion=${rv:a}", "", "")
	add("watch one", "GET", v1+"?watch=1&timeoutSeconds=1&resourceVersion=${rv:a}&fieldSelector=metadata.name%3Dc", "", "")

	add("YAML", "POST", v1, YAML, "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: yaml, odd: 1}\nspec: {cronSpec: '* * * * *', image: i, image: j, odd: 1}\n")
	add("YAML, strictly", "POST", v1+"?fieldValidation=Strict", YAML, "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: yaml2, odd: 1}\nspec: {cronSpec: '* * * * *', image: i, image: j, odd: 1}\n")
	add("a body of no type", "POST", v1, "", tab("typeless", ""))
	add("a body of an unknown type", "POST", v1, "application/xml", tab("typeless", ""))
	for _, mode := range []string{"Warn", "Strict", "Ignore"} {
		add("an unknown version, "+mode, "POST", v1+"?fieldValidation="+mode, JSON, strings.Replace(tab("future", `,"odd":1`), "/v1", "/v2", 1))
		add("an unknown version and metadata, "+mode, "POST", v1+"?fieldValidation="+mode, JSON, `{"apiVersion":"stable.example.com/v2","kind":"CronTab","metadata":{"name":"future","odd":1},"spec":{"podTemplate":{"metadata":{"odd":1}}},"status":{},"extra":1}`)
		add("an unknown version with nothing, "+mode, "POST", v1+"?fieldValidation="+mode, JSON, `{"apiVersion":"stable.example.com/v2","kind":"CronTab"}`)
		add("an unknown version of another kind, "+mode, "POST", v1+"?fieldValidation="+mode, JSON, `{"apiVersion":"stable.example.com/v2","kind":"Other","metadata":{"name":"a"},"spec":{}}`)
		add("an unknown version to update, "+mode, "PUT", v1+"/a?fieldValidation="+mode, JSON, strings.Replace(tab("a", `,"odd":1`), "/v1", "/v2", 1))
		add("patch to an unknown version, "+mode, "PATCH", v1+"/a?fieldValidation="+mode, MergePatch, `{"apiVersion":"stable.example.com/v2"}`)
	}
	add("duplicates", "POST", v1, JSON, tab("duplicates", `,"image":"j","odd":1,"odd":2`))
	add("duplicates, strictly", "POST", v1+"?fieldValidation=Strict", JSON, tab("duplicates2", `,"image":"j","odd":1,"odd":2`))
	add("duplicates, ignored", "POST", v1+"?fieldValidation=Ignore", JSON, tab("duplicates3", `,"image":"j","odd":1,"odd":2`))

	for i, rest := range []string{
		`,"replicas":11`, `,"replicas":-1`, `,"replicas":"1"`, `,"replicas":1.5`, `,"replicas":2.0`, `,"replicas":null`, `,"replicas":1e1`,
		`,"concurrencyPolicy":"Never"`, `,"concurrencyPolicy":null`, `,"maxUnavailable":true`, `,"maxUnavailable":5`, `,"note":null`, `,"note":1`,
		`,"env":[{"name":"a"},{"name":"a"}]`, `,"env":[{}]`, `,"env":[null]`, `,"env":{}`, `,"env":[{"name":"a","odd":1}]`, `,"env":null`,
		`,"days":["a","a"]`, `,"days":[1]`, `,"nodeSelector":{"a":1}`, `,"nodeSelector":{"a":null}`, `,"nodeSelector":[]`,
		`,"podTemplate":{}`, `,"podTemplate":{"apiVersion":"v1","kind":"Pod"}`, `,"podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":null}`,
		`,"podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":{"odd":1,"labels":{"a":"b"}},"anything":{"goes":1}}`,
		`,"podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":{"labels":1}}`, `,"podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"Not A Name"}}`,
		`,"podTemplate":{"apiVersion":"a/b/c","kind":"pod"}`, `,"image":"` + longText(70) + `"`, `,"cronSpec":"* * *"`, `,"suspend":"yes"`,
	} {
		add("try "+rest, "POST", v1+"?dryRun=All", JSON, tab(fmt.Sprintf("try%d", i), rest))
	}

	add("status is not created", "POST", v1, JSON, `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"s"},"spec":{"cronSpec":"* * * * *","image":"i"},"status":{"replicas":1}}`)
	add("status is not updated", "PATCH", v1+"/s", MergePatch, `{"status":{"replicas":1}}`)
	add("spec is not updated with status", "PATCH", v1+"/s/status", MergePatch, `{"spec":{"image":"other","odd":1},"metadata":{"labels":{"a":"b"}},"status":{"replicas":5,"odd":1}}`)
	add("status is validated", "PATCH", v1+"/s/status", MergePatch, `{"status":{"replicas":-5,"conditions":[{"type":"a","status":"x"},{"type":"a"}]}}`)
	add("status by JSON patch", "PATCH", v1+"/s/status", JSONPatch, `[{"op":"replace","path":"/status/replicas","value":6}]`)
	add("status by apply", "PATCH", v1+"/s/status?fieldManager=controller&force=true", Apply, `{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"image":"x"},"status":{"replicas":7,"conditions":[{"type":"a","status":"True"}]}}`)
	add("status by apply in the old version", "PATCH", beta+"/s/status?fieldManager=old&force=true", Apply, `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","status":{"replicas":8}}`)
	add("status by PUT", "PUT", v1+"/s/status", JSON, `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"s","resourceVersion":"${rv:s}"},"status":{"replicas":9}}`)
	add("read it", "GET", v1+"/s", "", "")
	add("no POST to status", "POST", v1+"/s/status", JSON, `{}`)
	add("no DELETE of status", "DELETE", v1+"/s/status", "", "")

	// What the old version lets in, the new one finds wrong; it may stay as long as it does not change.
	add("let something wrong in", "POST", beta, JSON, old("wrong", `,"image":"`+longText(70)+`","replicas":50`))
	add("read it in the new version", "GET", v1+"/wrong", "", "")
	add("change something else", "PATCH", v1+"/wrong", MergePatch, `{"spec":{"suspend":true}}`)
	add("change it to something else wrong", "PATCH", v1+"/wrong", MergePatch, `{"spec":{"replicas":51}}`)
	add("make it right", "PATCH", v1+"/wrong", MergePatch, `{"spec":{"replicas":5}}`)
	add("make it wrong again", "PATCH", v1+"/wrong", MergePatch, `{"spec":{"replicas":50}}`)
	add("its status", "PATCH", v1+"/wrong/status", MergePatch, `{"status":{"replicas":1}}`)

	for i, rest := range []string{
		`,"image":"i:latest"`, `,"concurrencyPolicy":"Replace","replicas":6`, `,"concurrencyPolicy":"Replace","replicas":5`, `,"image":"i:latest","replicas":11`,
		`,"image":"i:latest","replicas":"1"`, `,"image":"i:latest","env":[{"name":"a"},{"name":"a"}]`, `,"image":"i:latest","concurrencyPolicy":"Replace","replicas":9`,
		`,"image":"i:latest","podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"Not A Name"}}`, `,"image":"i:latest","podTemplate":{}`, `,"queue":"q"`,
	} {
		add("try rules with "+rest, "POST", v1+"?dryRun=All", JSON, tab(fmt.Sprintf("rules%d", i), rest))
	}
	add("let in what a rule refuses", "POST", beta, JSON, old("ruled", `,"image":"i:latest","concurrencyPolicy":"Replace","replicas":6`))
	add("change nothing", "PATCH", v1+"/ruled", MergePatch, `{}`)
	add("change a label", "PATCH", v1+"/ruled", MergePatch, `{"metadata":{"labels":{"a":"b"}}}`)
	add("change the status", "PATCH", v1+"/ruled/status", MergePatch, `{"status":{"replicas":1,"lastScheduleTime":"2026-01-02T03:04:05Z"}}`)
	add("set the status back", "PATCH", v1+"/ruled/status", MergePatch, `{"status":{"lastScheduleTime":"2026-01-01T03:04:05Z"}}`)
	add("change what one rule is about", "PATCH", v1+"/ruled", MergePatch, `{"spec":{"suspend":true}}`)
	add("change what both are about", "PATCH", v1+"/ruled", MergePatch, `{"spec":{"image":"j:latest"}}`)
	add("make one right", "PATCH", v1+"/ruled", MergePatch, `{"spec":{"replicas":5,"queue":"q"}}`)
	add("change what cannot be changed", "PATCH", v1+"/ruled", MergePatch, `{"spec":{"queue":"r"}}`)
	add("remove what cannot be changed", "PATCH", v1+"/ruled", MergePatch, `{"spec":{"queue":null}}`)
	add("scale what a rule refuses", "PATCH", v1+"/ruled/scale", MergePatch, `{"spec":{"replicas":7}}`)
	add("scale what a rule is silent about", "PATCH", v1+"/ruled/scale", MergePatch, `{"spec":{"replicas":4}}`)
	add("read what became of it", "GET", v1+"/ruled", "", "")

	add("apply a new one", "PATCH", v1+"/applied?fieldManager=one", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: applied}\nspec: {cronSpec: '* * * * *', image: i, env: [{name: a, value: '1'}], days: [Mon]}\n")
	add("apply from another side", "PATCH", v1+"/applied?fieldManager=two", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nspec: {env: [{name: b, value: '2'}], days: [Tue]}\n")
	add("apply a conflict", "PATCH", v1+"/applied?fieldManager=two", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nspec: {env: [{name: a, value: '3'}]}\n")
	add("apply by force", "PATCH", v1+"/applied?fieldManager=two&force=true", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nspec: {env: [{name: a, value: '3'}]}\n")
	add("apply less", "PATCH", v1+"/applied?fieldManager=one", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nspec: {cronSpec: '* * * * *', image: i}\n")
	add("apply something wrong", "PATCH", v1+"/applied?fieldManager=one", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nspec: {cronSpec: '* * * * *', image: i, replicas: 99}\n")
	add("apply a wrong type", "PATCH", v1+"/applied?fieldManager=one", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nspec: {cronSpec: 1}\n")
	add("apply an unknown field, ignored", "PATCH", v1+"/applied?fieldManager=one&fieldValidation=Ignore", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nspec: {odd: 1}\n")
	add("apply duplicates", "PATCH", v1+"/applied?fieldManager=one&force=true", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nspec: {cronSpec: '* * * * *', image: i, image: j}\n")
	add("apply the old version", "PATCH", beta+"/applied?fieldManager=three", Apply, "apiVersion: stable.example.com/v1beta1\nkind: CronTab\nspec: {cronSpec: '* * * * *', timeZone: CET}\n")
	add("apply another name", "PATCH", v1+"/applied?fieldManager=one", Apply, "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: other}\n")

	add("finalizer", "PATCH", v1+"/a", MergePatch, `{"metadata":{"finalizers":["odd","example.com/f"]}}`)
	add("delete what has a finalizer", "DELETE", v1+"/a", "", "")
	add("it is still there", "GET", v1+"/a", "", "")
	add("it gets no more finalizers", "PATCH", v1+"/a", MergePatch, `{"metadata":{"finalizers":["odd","example.com/f","example.com/g"]}}`)
	add("let it go", "PATCH", v1+"/a", MergePatch, `{"metadata":{"finalizers":null}}`)
	add("it is gone", "GET", v1+"/a", "", "")
	add("delete in the background", "DELETE", v1+"/b", JSON, `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background","preconditions":{"uid":"${uid:b}"}}`)
	add("delete badly", "DELETE", v1+"/c", JSON, `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Sometimes"}`)
	add("delete in the old version", "DELETE", beta+"/c", "", "")
	add("delete some", "DELETE", v1+"?labelSelector=nothing", "", "")
	add("delete all", "DELETE", v1, "", "")
	add("nothing is left", "GET", v1, "", "")
	return script
}

// hostile is bodies that people do not write.
func hostile() []Request {
	const path = "/apis/stable.example.com/v1/namespaces/hostile/crontabs"
	var script []Request
	for i, rest := range []string{
		`,"podTemplate":{"apiVersion":"v1","kind":"K","a":` + strings.Repeat("[", 9990) + strings.Repeat("]", 9990) + `}`,
		`,"podTemplate":{"apiVersion":"v1","kind":"K","a":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + `}`,
		`,"podTemplate":{"apiVersion":"v1","kind":"K","n":[1,1.0,-0.0,1e3,9223372036854775807,9223372036854775808,-9223372036854775809,1e-7,1.5e300]}`,
		`,"podTemplate":{"apiVersion":"v1","kind":"K","n":1e400}`, `,"replicas":9223372036854775808`, `,"replicas":01`, `,"replicas":+1`, `,"replicas":.5`,
		`,"image":"\ud800"`, `,"image":"\ud83d\ude00"`, "," + `"image":"` + "\xff\xfe" + `"`, `,"image":"\x"`, "," + `"image":"a` + "\x01" + `b"`, `,"i\u006dage":"escaped"`,
		`,"nodeSelector":{"":"empty","a.b":"dot","a\"b":"quote","a\nb":"line"}`, `,"note":"` + "\u2028<script>&" + `"`, `,"odd\n\"key":1`,
		`,"":1`, `,"Image":"case"`, `,"IMAGE":"case","replicaS":1`, `,"env":[` + strings.Repeat(`{"name":"a","x":1},`, 200) + `{"name":"b"}]`,
		`,"` + strings.Repeat("k", 5000) + `":1`, `},"spec":{"image":"second"`, `},"metadata":{"name":"second"},"x":{"a":1`, `},"kind":"Other","x":{`,
		`},"apiVersion":"stable.example.com/v1beta1","x":{`, `},"items":[{"a":1}],"x":{`, `},"metadata":null,"x":{`, `},"metadata":[],"x":{`, `},"status":null,"x":{`,
		`}} trailing {{`, `}} {"kind":"CronTab"} {{`,
	} {
		body := fmt.Sprintf(`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"h%d"},"spec":{"cronSpec":"* * * * *","image":"i"%s}}`, i, rest)
		for _, mode := range []string{"Warn", "Strict", "Ignore"} {
			script = append(script, Request{Name: fmt.Sprintf("hostile %d %s %.60s", i, mode, rest), Method: "POST", Path: path + "?dryRun=All&fieldValidation=" + mode, Type: JSON, Body: body})
		}
	}
	for _, body := range []string{"", " ", "null", "{}", "[]", `"text"`, "1", "{", "\xef\xbb\xbf{}", `{"kind":1}`, `{"apiVersion":["x"],"kind":"CronTab"}`,
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":"x"}`, `{"apiVersion":"a/b/c","kind":"CronTab"}`,
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab"}`, `{"apiVersion":"stable.example.com/v1","kind":"CronTabList","items":[]}`,
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"big"},"spec":{"image":"` + longText(4<<20) + `"}}`,
	} {
		script = append(script, Request{Name: fmt.Sprintf("hostile %.80s", body), Method: "POST", Path: path, Type: JSON, Body: body})
		script = append(script, Request{Name: fmt.Sprintf("hostile YAML %.80s", body), Method: "POST", Path: path, Type: YAML, Body: body})
	}
	return script
}

func longText(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
	}
	return string(b)
}
