package crdread_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestHintsForKeywordsOfWrongTypes(t *testing.T) {
	const one = "write one type; for a value that is an integer or a string write x-kubernetes-int-or-string: true"
	for schema, want := range map[string]string{
		"type: [string]":                "write type: string",
		"type: [string, 'null']":        "write type: string and nullable: true",
		"type: [null, string]":          "write type: string and nullable: true",
		"type: [string, integer]":       one,
		"type: [string, integer, null]": one,
		"type: []":                      one,
		"type: 1":                       "put it in quotes",
		"type: {}":                      "",
		"exclusiveMinimum: 1":           "write the number as minimum and exclusiveMinimum: true",
		"exclusiveMaximum: 1.5":         "write the number as maximum and exclusiveMaximum: true",
		"exclusiveMaximum: a":           "",
		"nullable: 1":                   "",
	} {
		_, found := crdread.ParseSchema("x", []byte(schema))
		if len(found) != 1 || found[0].ID != "crd/wrong-type" || found[0].Hint != want {
			t.Errorf("%s: got %+v, want %q", schema, found, want)
		}
	}
}

// TestOnlyKnownVersionsCanBePatches: of an apiVersion that nobody knows, the apiVersion is the news.
func TestOnlyKnownVersionsCanBePatches(t *testing.T) {
	for version, want := range map[string]structural.ID{
		"v1": "crd/patch", "v1beta1": "crd/patch", "v3": "crd/unknown-api-version",
	} {
		found := structuraltest.FindAll("apiVersion: apiextensions.k8s.io/" + version + "\nkind: CustomResourceDefinition\nmetadata: {name: a}\n")
		if len(found) != 1 || found[0].ID != want {
			t.Errorf("%s: got %+v", version, found)
		}
	}
}

// TestDuplicateVersionsCanHaveBadNames: both are errors of the second.
func TestDuplicateVersionsCanHaveBadNames(t *testing.T) {
	count := map[structural.ID]int{}
	text := strings.Replace(structuraltest.CRDWith("type: object"), "- name: v1\n", "- name: V1\n  - name: V1\n", 1)
	for _, f := range crdread.Load("x", strings.NewReader(text)).Findings {
		count[f.ID]++
	}
	if count["crd/invalid-name"] != 2 || count["crd/duplicate-version"] != 1 {
		t.Errorf("got %v", count)
	}
}
