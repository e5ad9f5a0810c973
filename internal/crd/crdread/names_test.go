package crdread_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

const (
	labelRule = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
		"and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
	noSchema = "error: spec.versions[0].schema.openAPIV3Schema: Required value (describe the fields below schema.openAPIV3Schema; " +
		"to keep everything, write {type: object, x-kubernetes-preserve-unknown-fields: true} there)"
	wantOneStorage = "9:3 error: spec.versions: Invalid value: <value omitted>: must have exactly one version marked as storage version " +
		"(write storage: true in one version and storage: false in the others)"
)

// TestNamesFollowTheRulesOfKubernetes changes one thing about a CRD at a time.
func TestNamesFollowTheRulesOfKubernetes(t *testing.T) {
	good := structuraltest.CRDWith("type: object\nproperties: {a: {type: string}}")
	const otherName = `4:3 error: metadata.name: Invalid value: "jobs.example.com": must be spec.names.plural+"."+spec.group ` +
		"(name it after spec.names.plural and spec.group)"
	long := strings.Repeat("a", 64)
	longGroup := strings.Repeat("a.", 127)
	for name, test := range map[string]struct {
		old, new string
		want     []string
	}{
		"nothing": {"", "", nil},
		"no group": {"  group: example.com\n", "", []string{
			otherName,
			"5:1 error: spec.group: Required value (a domain of yours, for example stable.example.com)",
		}},
		"an empty group": {"group: example.com", "group: ''", []string{
			otherName,
			"6:3 error: spec.group: Required value (a domain of yours, for example stable.example.com)",
		}},
		"a group in capitals": {"group: example.com", "group: Example.com", []string{
			`4:3 error: metadata.name: Invalid value: "jobs.example.com": must be spec.names.plural+"."+spec.group (write name: jobs.Example.com)`,
			`6:3 error: spec.group: Invalid value: "Example.com": ` + kubenames.SubdomainRule,
		}},
		"a group that leads elsewhere": {"group: example.com", "group: ../../etc", []string{
			`4:3 error: metadata.name: Invalid value: "jobs.example.com": must be spec.names.plural+"."+spec.group (write name: jobs.../../etc)`,
			`6:3 error: spec.group: Invalid value: "../../etc": ` + kubenames.SubdomainRule,
		}},
		"a group without a dot": {"group: example.com", "group: example", []string{
			`4:3 error: metadata.name: Invalid value: "jobs.example.com": must be spec.names.plural+"."+spec.group (write name: jobs.example)`,
			`6:3 error: spec.group: Invalid value: "example": should be a domain with at least one dot`,
		}},
		"a group that is too long": {"group: example.com", "group: " + longGroup, []string{
			`4:3 error: metadata.name: Invalid value: "jobs.example.com": must be spec.names.plural+"."+spec.group (write name: jobs.` +
				longGroup[:55] + `...)`,
			`6:3 error: spec.group: Invalid value: "` + longGroup + `": must be no more than 253 characters,` + kubenames.SubdomainRule,
		}},
		"no name": {"  name: jobs.example.com\n", "  labels: {}\n", []string{
			"3:1 error: metadata.name: Required value: name or generateName is required (write name: jobs.example.com)",
		}},
		"no metadata": {"metadata:\n  name: jobs.example.com\n", "", []string{
			"1:1 error: metadata.name: Required value: name or generateName is required (write name: jobs.example.com)",
		}},
		"another name": {"name: jobs.example.com", "name: job.example.com", []string{
			`4:3 error: metadata.name: Invalid value: "job.example.com": must be spec.names.plural+"."+spec.group (write name: jobs.example.com)`,
		}},
		"a name in capitals": {"name: jobs.example.com", "name: Jobs.example.com", []string{
			`4:3 error: metadata.name: Invalid value: "Jobs.example.com": ` + kubenames.SubdomainRule,
			`4:3 error: metadata.name: Invalid value: "Jobs.example.com": must be spec.names.plural+"."+spec.group (write name: jobs.example.com)`,
		}},
		"no kind": {"kind: Job, ", "", []string{
			"7:3 error: spec.names.kind: Required value (the kind of the objects, for example CronTab)",
			"7:3 error: spec.names.listKind: Required value (write spec.names.kind, from which it is derived)",
			"7:3 error: spec.names.singular: Required value (write spec.names.kind, from which it is derived)",
		}},
		"a kind with mixed case": {"kind: Job,", "kind: jOB,", nil},
		"a kind with a dot": {"kind: Job,", "kind: Jo.b, singular: job, listKind: JobList,", []string{
			`7:11 error: spec.names.kind: Invalid value: "Jo.b": may have mixed case, but should otherwise match: ` + labelRule,
		}},
		"a kind in another script": {"kind: Job,", "kind: Jöb, singular: job, listKind: JobList,", []string{
			`7:11 error: spec.names.kind: Invalid value: "Jöb": may have mixed case, but should otherwise match: ` + labelRule,
		}},
		"a kind that is too long": {"kind: Job,", "kind: " + long + ", singular: job, listKind: JobList,", []string{
			`7:11 error: spec.names.kind: Invalid value: "` + long +
				`": may have mixed case, but should otherwise match: must be no more than 63 characters`,
		}},
		"a list of the same kind": {"kind: Job,", "kind: Job, listKind: Job,", []string{
			`7:22 error: spec.names.listKind: Invalid value: "Job": kind and listKind may not be the same`,
		}},
		"a list with a line break": {"kind: Job,", `kind: Job, listKind: "Job\nList",`, []string{
			`7:22 error: spec.names.listKind: Invalid value: "Job\nList": may have mixed case, but should otherwise match: ` + labelRule,
		}},
		"no plural": {", plural: jobs}", "}", []string{
			otherName,
			"7:3 error: spec.names.plural: Required value (the name in URLs and in kubectl, for example crontabs)",
		}},
		"a plural in capitals": {"plural: jobs}", "plural: Jobs}", []string{
			`4:3 error: metadata.name: Invalid value: "jobs.example.com": must be spec.names.plural+"."+spec.group (write name: Jobs.example.com)`,
			`7:22 error: spec.names.plural: Invalid value: "Jobs": ` + labelRule,
		}},
		"bad short names": {"plural: jobs}", "plural: jobs, shortNames: [j, J, null], categories: [1a], singular: a_b}", []string{
			`7:52 error: spec.names.shortNames[1]: Invalid value: "J": ` + labelRule,
			`7:55 error: spec.names.shortNames[2]: Invalid value: "": ` + labelRule,
			`7:75 error: spec.names.categories[0]: Invalid value: "1a": ` + labelRule,
			`7:80 error: spec.names.singular: Invalid value: "a_b": ` + labelRule,
		}},
		"no names": {"  names: {kind: Job, plural: jobs}\n", "", []string{
			otherName,
			"5:1 error: spec.names.plural: Required value (the name in URLs and in kubectl, for example crontabs)",
			"5:1 error: spec.names.kind: Required value (the kind of the objects, for example CronTab)",
			"5:1 error: spec.names.listKind: Required value (write spec.names.kind, from which it is derived)",
			"5:1 error: spec.names.singular: Required value (write spec.names.kind, from which it is derived)",
		}},
		"no scope": {"  scope: Namespaced\n", "", []string{
			"5:1 error: spec.scope: Required value (write scope: Namespaced or scope: Cluster)",
		}},
		"another scope": {"scope: Namespaced", "scope: namespaced", []string{
			`8:3 error: spec.scope: Unsupported value: "namespaced": supported values: "Cluster", "Namespaced"`,
		}},
		"a version without a name": {"  - name: v1\n    served", "  - served", []string{
			`10:5 error: spec.versions[0].name: Invalid value: "": ` + labelRule + " (name the version, for example v1)",
		}},
		"a version in capitals": {"name: v1\n", "name: V1\n", []string{`10:5 error: spec.versions[0].name: Invalid value: "V1": ` + labelRule}},
		"a version with a path": {"name: v1\n", "name: v1/../x\n", []string{`10:5 error: spec.versions[0].name: Invalid value: "v1/../x": ` + labelRule}},
		"the same version twice": {"  versions:\n", "  versions:\n  - name: v1\n    storage: false\n", []string{
			"10:5 " + noSchema,
			`12:5 error: spec.versions[1].name: Invalid value: "v1": must contain unique version names (the first one is in line 10)`,
		}},
		"versions that are null": {"  versions:\n", "  versions:\n  - null\n", []string{
			`10:5 error: spec.versions[0].name: Invalid value: "": ` + labelRule + " (name the version, for example v1)",
			"10:5 " + noSchema,
		}},
		"no stored version":   {"storage: true", "storage: false", []string{wantOneStorage}},
		"two stored versions": {"  versions:\n", "  versions:\n  - name: v2\n    storage: true\n", []string{wantOneStorage, "10:5 " + noSchema}},
	} {
		t.Run(name, func(t *testing.T) {
			wantFindings(t, structuraltest.FindAll(strings.Replace(good, test.old, test.new, 1)), test.want...)
		})
	}
}

func TestCRDsNeedVersions(t *testing.T) {
	const want = "spec.versions: Invalid value: <value omitted>: must have exactly one version marked as storage version (list the versions with name, served, storage and schema)"
	good := structuraltest.CRDWith("type: object")
	without, _, _ := strings.Cut(good, "  versions:\n")
	for _, test := range []struct{ text, want string }{
		{without, "5:1 error: " + want},
		{without + "  versions:\n", "9:3 error: " + want},
		{without + "  versions: []\n", "9:3 error: " + want},
		{without + "  versions: {v1: {}}\n", "9:3 error: spec.versions: expected a list of versions, found an object"},
		{strings.Replace(without, "/v1\n", "/v1beta1\n", 1) + "  version: ''\n", "5:1 error: " + want},
		{strings.Replace(without, "/v1\n", "/v1beta1\n", 1) + "  version: V1\n", `9:3 error: spec.version: Invalid value: "V1": ` + labelRule},
	} {
		f := crdread.Load("x", strings.NewReader(test.text))
		wantFindings(t, f.Findings, test.want)
		if len(f.CRDs) != 0 {
			t.Error("the CRD was used")
		}
	}
}

func TestFindingsAboutAVersionNameIt(t *testing.T) {
	f := crdread.Load("x", strings.NewReader(strings.Replace(structuraltest.CRDWith("type: object"), "name: v1\n", "name: v1\n  - name: v1\n", 1)))
	lint.Refused(f)
	if len(f.Findings) != 2 {
		t.Errorf("%+v", f.Findings)
	}
	for _, f := range f.Findings {
		if f.Version != "v1" {
			t.Errorf("%+v", f)
		}
	}
}
