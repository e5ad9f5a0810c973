package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	crdStart = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\nspec:\n" +
		"  group: example.com\n  scope: Namespaced\n  names: {kind: Thing, plural: things}\n  versions:\n" +
		"  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        "
	jsonStart = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},` +
		`"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1",` +
		`"served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",`
	jsonEnd = "}}}]}}"
)

// numbered returns format, which has a place for a number, n times.
func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// hostile is a directory with copies of one file.
type hostile struct {
	copies int
	text   func() string
	stream bool // the files are streams of JSON objects, which no limit ends
	noCRD  bool // commands only read the files, for there is no CRD in them: see readCRDs
}

// write writes the files. It returns how many million bytes the streams among them have.
func (h hostile) write(t *testing.T, dir string) (streams float64) {
	t.Helper()
	text := []byte(h.text())
	if h.stream {
		streams = float64(h.copies*len(text)) / 1e6
	}
	for i := range h.copies {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return streams
}

// hostileCRDs are texts made to take as much memory or time as reading can be made to take. They come close to the limits of internal/base/meter.
func hostileCRDs() map[string]hostile {
	const separators, all = 398_000, 2_990_000
	return map[string]hostile{
		"values of a list":                  {copies: 8, noCRD: true, text: func() string { return "[" + strings.Repeat("a,", separators) }},
		"keys of a map":                     {copies: 8, noCRD: true, text: func() string { return "{" + numbered("k%d,", separators-10) + "}" }},
		"numbers":                           {copies: 8, noCRD: true, text: func() string { return "[" + numbered("%d.5,", separators-10) + "]" }},
		"numbers that are not decimal":      {copies: 8, noCRD: true, text: func() string { return "[" + numbered("%#x,", separators-10) + "]" }},
		"numbers with underscores":          {copies: 8, noCRD: true, text: func() string { return "[" + numbered("1_%d.5,", separators-10) + "]" }},
		"anchors":                           {copies: 8, noCRD: true, text: func() string { return numbered("- &a%d 1\n", separators/2-10) }},
		"comments":                          {copies: 8, noCRD: true, text: func() string { return strings.Repeat("- a # b\n# c\n", separators/3-10) }},
		"values of a list in JSON":          {copies: 8, noCRD: true, text: func() string { return `{"a":[` + strings.Repeat("1,", all-10) + "1]}" }},
		"JSON that ends in the wrong place": {copies: 6, noCRD: true, text: func() string { return `{"a":[` + strings.Repeat("1,", separators) + "x}" }},
		"empty schemas":                     {copies: 6, text: func() string { return crdStart + "anyOf: [" + strings.Repeat("{},", separators/2-20) + "]\n" }},
		"empty schemas in JSON": {copies: 6, text: func() string {
			return jsonStart + `"properties":{` + numbered(`"k%d":{},`, all/4) + `"k":{}}` + jsonEnd
		}},
		"schemas in JSON": {copies: 6, text: func() string {
			return strings.Repeat(jsonStart+`"properties":{`+numbered(`"k%d":{"type":"string"},`, 49_900)+`"k":{"type":"string"}}`+jsonEnd+"\n", 4)
		}},
		"nested schemas": {copies: 6, text: func() string {
			return strings.Repeat(jsonStart+`"properties":{`+numbered(`"k%d":{"type":"object","properties":{"a":{"type":"string"}}},`, 24_900)+`"k":{"type":"string"}}`+jsonEnd+"\n", 4)
		}},
		"schemas": {copies: 6, text: func() string {
			return strings.Repeat("---\n"+crdStart+"properties: {"+numbered("k%d: {type: string},", 49_900)+"}\n", 4)
		}},
		"a long enum":            {copies: 1, text: func() string { return crdStart + "enum: [" + numbered("a%d,", separators-100) + "]\n" }},
		"an enum":                {copies: 6, text: func() string { return crdStart + "enum: [" + strings.Repeat("a,", separators-100) + "]\n" }},
		"a default":              {copies: 6, text: func() string { return crdStart + "default: [" + strings.Repeat("[],", separators/2-50) + "]\n" }},
		"versions of one schema": {copies: 1, text: func() string { return manyVersions(2000, 1000) }},
		"versions": {copies: 1, text: func() string {
			return strings.Replace(crdStart, "  versions:\n", "  versions:\n"+numbered("  - {name: v1alpha%d, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n", 15_000), 1) + "\n"
		}},
		"groups": {copies: 1, text: func() string {
			return numbered(strings.NewReplacer("things.example.com", "things.e%[1]d.com", "example.com", "e%[1]d.com").Replace(jsonStart)+`"description":""`+jsonEnd+"\n", 9_900)
		}},
		"small CRDs":              {copies: 6, text: func() string { return strings.Repeat(jsonStart+`"a":1`+jsonEnd+"\n", 49_000) }},
		"documents":               {copies: 6, noCRD: true, text: func() string { return strings.Repeat("--- a\n", separators/4) }},
		"documents with problems": {copies: 6, noCRD: true, text: func() string { return strings.Repeat("--- {\"a\"\n", separators/6) }},
		"long names in findings": {copies: 300, text: func() string {
			return crdStart + "properties:\n          ? " + strings.Repeat("n", 9000) + "\n          : type: object\n            properties: {" + numbered("k%d: {},", 1000) + "}\n"
		}},
		"long names in warnings": {copies: 6, text: func() string {
			names := strings.Repeat("N", 60)
			names = `"shortNames":["` + names + `"` + strings.Repeat(`,"`+names+`"`, 99) + `],"plural"`
			return strings.Repeat(strings.Replace(jsonStart, `"plural"`, names, 1)+`"description":""`+jsonEnd+"\n", 3000)
		}},
		"long names in errors of skeletons": {copies: 300, text: func() string {
			return crdStart + "properties:\n          ? " + strings.Repeat("n", 9000) + "\n          : type: object\n            properties: {" +
				numbered("k%d: {properties: {a: {}}, additionalProperties: {}},", 500) + "}\n"
		}},
		"a long string":               {copies: 6, noCRD: true, text: func() string { return `a: "` + strings.Repeat("x", 60<<20) + `"` }},
		"a long string in UTF-16":     {copies: 6, noCRD: true, text: func() string { return "\xff\xfe" + strings.Repeat("\xac\x20", 21<<20) }},
		"too long a string in UTF-16": {copies: 6, noCRD: true, text: func() string { return "\xff\xfe" + strings.Repeat("\xac\x20", 30<<20) }},
	}
}

// ruledCRD has rules that cost as much as the API server allows, and fields for whatever else an object can make costly.
var ruledCRD = crdStart + `properties:
          spec:
            type: object
            x-kubernetes-preserve-unknown-fields: true
            properties:
              words: {type: array, maxItems: 300, items: {type: string, maxLength: 8}, x-kubernetes-validations: [{rule: "self.all(a, self.all(b, a + b != 'x'))"}]}
              name: {type: string, pattern: "(a?){900}b$"}
              numbers: {type: array, items: {type: integer}}
              labels: {type: object, additionalProperties: {type: string}}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
          many: {type: object, required: [` + numbered("known%d,", 1000) + "], properties: {" + numbered("known%d: {type: string},", 2000) + "}}\n" +
	"          long: {type: object, properties: {" + numbered("? "+longName+"%d\n : {type: string},", 100) + "}}\n" +
	"          deep: " + strings.Repeat("{type: object, properties: {? "+longName+"\n : ", 20) + "{type: object, additionalProperties: {type: integer}}" + strings.Repeat("}}", 20) + "\n" +
	"          choices: {type: array, items: {type: string, enum: [" + numbered("choice%d,", 5000) + "]}}\n" +
	"          texts: {type: array, items: {type: object, properties: {a: {type: string, default: " + strings.Repeat("d", 10_000) + "}}}}\n" +
	"          small: {type: array, items: {type: object, properties: {" + numbered("d%d: {type: integer, default: 1},", 200) + "}}}\n" +
	"          alternatives: {type: array, items: {type: string, anyOf: [" + strings.Repeat("{maxLength: 1},", 1000) + "]}}\n"

// longName is as long as a name can be that stays in one line.
var longName = strings.Repeat("n", 9000)

const objectStart = "---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n"

// hostileManifests are made like hostileCRDs. Their objects are of the kind of ruledCRD.
func hostileManifests() map[string]hostile {
	const separators = 398_000
	list := "apiVersion: v1\nkind: List\nitems:\n"
	item := "- {apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: "
	words := "spec: {words: [" + numbered("w%d,", 300) + "]}\n"
	return map[string]hostile{
		"small objects":      {copies: 6, text: func() string { return strings.Repeat(objectStart, 40_000) }},
		"objects in a list":  {copies: 6, text: func() string { return list + strings.Repeat(item+"{}}\n", separators/15) }},
		"unknown fields":     {copies: 6, text: func() string { return objectStart + "spec: {" + numbered("k%d: 1,", separators/3) + "}\n" }},
		"fields at the root": {copies: 6, text: func() string { return objectStart + numbered("k%d: 1\n", separators/3) }},
		"dotted fields":      {copies: 6, text: func() string { return objectStart + numbered("k%d.b: 1\n", separators/3) }},
		"misspelt fields":    {copies: 6, text: func() string { return objectStart + "many: {" + numbered("knwon%d: 1,", separators/3) + "}\n" }},
		"a key of dots": {copies: 6, text: func() string {
			return strings.Repeat(objectStart+"? "+strings.Repeat("a.", 1<<20)+"b\n: 1\n"+numbered("k%d: 1\n", 40), 2)
		}},
		"wrong labels": {copies: 6, text: func() string { return objectStart + "spec: {labels: {" + numbered("k%d: 1,", separators/8) + "}}\n" }},
		"a set":        {copies: 6, text: func() string { return objectStart + "spec: {set: [" + numbered("k%d,", separators/4) + "]}\n" }},
		"costly rules": {copies: 6, text: func() string { return strings.Repeat(objectStart+words, 1500) }},
		"costly rules in a list": {copies: 1, text: func() string {
			return list + "- &a {apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, " + strings.TrimSpace(words) + "}\n" + strings.Repeat("- *a\n", 1000)
		}},
		"a pattern": {copies: 6, text: func() string {
			return strings.Repeat(objectStart+"spec: {name: "+strings.Repeat("a", 2_900_000)+"}\n", 3)
		}},
		"aliases of a long text": {copies: 6, text: func() string {
			return list + "- &a {apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: {x: " + strings.Repeat("a", 2_900_000) + "}}\n" + strings.Repeat("- *a\n", 30_000)
		}},
		"aliases of a long key": {copies: 6, text: func() string {
			return list + "- &a {apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, ? " + strings.Repeat("k", 100_000) + " : 1}\n" + strings.Repeat("- *a\n", 30_000)
		}},
		"aliases in an object": {copies: 6, text: func() string {
			return objectStart + "spec:\n  a: &a " + strings.Repeat("x", 1<<20) + "\n  b: [" + strings.Repeat("*a,", 200_000) + "]\n"
		}},
		"deep maps": {copies: 6, text: func() string {
			return strings.Repeat(objectStart+"spec: "+strings.Repeat("{a: ", 500)+"1"+strings.Repeat("}", 500)+"\n", 700)
		}},
		"deep maps in JSON": {copies: 6, text: func() string {
			return strings.Repeat(`{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":`+strings.Repeat(`{"a":`, 500)+"1"+strings.Repeat("}", 500)+"}\n", 1400)
		}},
		"objects in JSON": {copies: 6, text: func() string {
			return `{"apiVersion":"v1","kind":"List","items":[` + strings.Repeat(`{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"b":[1,1,1,1]},`, 100_000) + "{}]}"
		}, stream: true},
		"objects with errors in JSON": {copies: 6, text: func() string {
			return strings.Repeat(`{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"labels":{`+numbered(`"k%d":1,`, 10)+`"k":1}}}`+"\n", 50_000)
		}, stream: true},
		"small objects in JSON": {copies: 6, text: func() string {
			return strings.Repeat(`{"apiVersion":"example.com/v1","kind":"Thing"}`, 150_000)
		}, stream: true},
		"a line of 100 MB": {copies: 1, text: func() string { return objectStart + "spec: {x: " + strings.Repeat("x", 100<<20) + "}\n" }},
		"a line of 60 MB":  {copies: 6, text: func() string { return objectStart + "spec: {x: " + strings.Repeat("x", 60<<20) + "}\n" }},
		"a line of 100 MB of JSON": {copies: 1, text: func() string {
			return `{"apiVersion":"example.com/v1","kind":"Thing","spec":{"x":"` + strings.Repeat("x", 100<<20) + `"}}`
		}},
		"long paths": {copies: 6, text: func() string {
			return objectStart + "deep: " + strings.Repeat("{? "+longName+"\n : ", 20) + "{" + numbered("k%d: a,", 20_000) + "}" + strings.Repeat("}", 20) + "\n"
		}},
		"long paths in many objects": {copies: 6, text: func() string {
			return strings.Repeat(objectStart+"deep: "+strings.Repeat("{? "+longName+"\n : ", 20)+"{"+numbered("k%d: a,", 80)+"}"+strings.Repeat("}", 20)+"\n", 100)
		}},
		"long names beside misspelt ones": {copies: 6, text: func() string { return objectStart + "long: {" + numbered("nnnnnn%d: 1,", separators/3) + "}\n" }},
		"a long name of an object": {copies: 6, text: func() string {
			return "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: " + strings.Repeat("n", 1<<20) + "}\nspec: {labels: {" + numbered("k%d: 1,", 20_000) + "}}\n"
		}},
		"wrong choices":                 {copies: 6, text: func() string { return objectStart + "choices: [" + numbered("c%d,", 10_000) + "]\n" }},
		"wrong choices in many objects": {copies: 6, text: func() string { return strings.Repeat(objectStart+"choices: [a, b]\n", 20_000) }},
		"long defaults":                 {copies: 6, text: func() string { return objectStart + "texts: [" + strings.Repeat("{},", separators/3) + "]\n" }},
		"long defaults in many objects": {copies: 6, text: func() string { return strings.Repeat(objectStart+"texts: [{},{},{},{}]\n", 10_000) }},
		"small defaults":                {copies: 6, text: func() string { return objectStart + "small: [" + strings.Repeat("{},", separators/3) + "]\n" }},
		"alternatives":                  {copies: 6, text: func() string { return objectStart + "alternatives: [" + strings.Repeat("abc,", separators/3) + "]\n" }},
		"alternatives in many objects": {copies: 6, text: func() string {
			return strings.Repeat(objectStart+"alternatives: [abc,abc,abc,abc,abc,abc,abc,abc,abc]\n", 10_000)
		}},
		"a large stored object": {copies: 6, text: func() string {
			return strings.Repeat(objectStart, 30_000) + objectStart + "spec: {" + numbered("k%d: 1,", 50_000) + "}\n"
		}},
		"a line with many errors": {copies: 6, text: func() string {
			return `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"x":"` + strings.Repeat("x", 2<<20) + `","spec":{"labels":{` + numbered(`"k%d":1,`, 20_000) + `"k":1}}}`
		}},
		"other files":         {copies: 2000, text: func() string { return objectStart + words }},
		"unknown kinds":       {copies: 6, text: func() string { return numbered("---\napiVersion: v1\nkind: K%d\n", 40_000) }},
		"misspelt kinds":      {copies: 6, text: func() string { return numbered("---\napiVersion: example.com/v1\nkind: Thin%d\n", 40_000) }},
		"duplicate keys":      {copies: 6, text: func() string { return objectStart + "spec: {" + strings.Repeat("k: 1,", separators/3) + "}\n" }},
		"values of a list":    {copies: 8, text: func() string { return "[" + strings.Repeat("a,", separators) }},
		"comments in objects": {copies: 6, text: func() string { return objectStart + "spec:\n" + numbered("  k%d: 1 # b\n  # c\n", separators/5) }},
	}
}
