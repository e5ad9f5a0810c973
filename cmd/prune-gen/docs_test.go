package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// docs/output.md ends with a table of all ids.
func TestIDsAreDocumented(t *testing.T) {
	rules := findings.IDs()
	slices.SortFunc(rules, func(a, b structural.IDInfo) int { return strings.Compare(string(a.ID), string(b.ID)) })
	var table strings.Builder
	table.WriteString("| id | |\n| --- | --- |\n")
	for _, r := range rules {
		fmt.Fprintf(&table, "| `%s` | %s |\n", r.ID, strings.ReplaceAll(r.Summary, "|", `\|`))
	}
	compareTable(t, "output.md", table.String())
}

// docs/versions.md lists the changes between versions of Kubernetes.
func TestChangesAreDocumented(t *testing.T) {
	var table strings.Builder
	table.WriteString("| since | | change |\n| --- | --- | --- |\n")
	for _, c := range kubeversion.Changes() {
		mark := ""
		if !c.Mirrored() {
			mark = ` \*`
		}
		fmt.Fprintf(&table, "| %s%s | %s | [%s](%s) |\n", c.Since(), mark, c.Kind(), strings.ReplaceAll(c.What(), "|", `\|`), c.Link())
	}
	compareTable(t, "versions.md", table.String())
}

// docs/crds.md lists the levels of changes.
func TestLevelsAreDocumented(t *testing.T) {
	var table strings.Builder
	table.WriteString("| id | stored | requests | readers | breaks nobody | |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range crddiff.IDs() {
		fmt.Fprintf(&table, "| `%s` |", r.ID)
		for _, l := range []crddiff.Level{crddiff.Stored, crddiff.Requests, crddiff.Readers, crddiff.None} {
			table.WriteString(map[bool]string{false: " |", true: " ✓ |"}[slices.Contains(crddiff.Levels(r.ID), l)])
		}
		fmt.Fprintf(&table, " %s |\n", r.Summary)
	}
	compareTable(t, "crds.md", table.String())
}

// docs/config.md ends with a table of all keys.
func TestKeysAreDocumented(t *testing.T) {
	commands := newRoot(&cli.Environment{}).Commands()
	var table strings.Builder
	table.WriteString("| key | value | commands |\n| --- | --- | --- |\n")
	for _, k := range config.Keys() {
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", k.Name, k.Kind, strings.Join(k.Commands(commands), ", "))
	}
	compareTable(t, "config.md", table.String())
}

// compareTable compares the table of a page that a test writes.
func compareTable(t *testing.T, page, table string) {
	t.Helper()
	file := filepath.Join(repository, "docs", page)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "-update -->\n\n"
	before, after, found := strings.Cut(string(text), mark)
	if !found {
		t.Fatal("there is no place for the table")
	}
	if _, rest, ok := strings.Cut(after, "\n\n"); ok {
		table += "\n" + rest
	}
	compare(t, file, before+mark+table)
}

// Every field of a finding is documented.
func TestFieldsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs", "output.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| field | |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for f := range reflect.TypeFor[structural.Finding]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if !strings.Contains(table, "`"+name+"`") {
			t.Errorf("%s is not documented", name)
		}
		if !strings.Contains(string(text), `"`+name+`": `) {
			t.Errorf("%s is not in the example", name)
		}
	}
}

// docs/operator.md says for which job each function is.
func TestJobsOfFunctionsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs", "operator.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| job | flags |\n")
	table, _, found := strings.Cut(table, "\n\n")
	if !found {
		t.Fatal("there is no table")
	}
	for _, f := range generator.DescribeFeatures() {
		if !strings.Contains(table, "`"+string(f.Name)+"`") && !strings.Contains(table, " "+string(f.Name)+"`") {
			t.Errorf("%s has no job", f.Name)
		}
	}
}
