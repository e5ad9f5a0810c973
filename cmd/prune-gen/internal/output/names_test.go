package output

import (
	"fmt"
	"slices"
	"testing"
)

func TestNamesThatNoPackageDirectoryHas(t *testing.T) {
	for _, name := range []string{
		"", ".", "..", "a/b", `a\b`, "c:", "_v1", ".v1", "testdata", "vendor", "Vendor", "internal", "init", "main",
		"con", "CON", "nul.v1", "com1.x", "lpt¹", "v1.", "v1 ",
	} {
		if CheckPackageDir(name) == nil {
			t.Errorf("%q is accepted", name)
		}
	}
	for _, name := range []string{"v1", "v1beta1", "vendors", "conv", "v1.con", "initial"} {
		if err := CheckPackageDir(name); err != nil {
			t.Error(err)
		}
	}
}

func TestNamesAreRefusedForAReason(t *testing.T) {
	const over, device, end = "the go command skips such directories", "it is a device on Windows", "Windows drops a dot or a space at its end"
	reasons := map[string]string{
		"_": over, "_v1": over, ".v1": over, "testdata": over, "TestData.x": over, "vendor": "the go command keeps copies of other modules there", "VENDOR.x": "the go command keeps copies of other modules there",
		"internal": "other modules cannot import packages below such a directory", "init": "a package cannot be imported under this name", "main": "a package of this name is a program", "main.x": "a package of this name is a program",
		"v1.": end, "v1 ": end, "a.b.": end,
	}
	for _, name := range devices {
		reasons[name], reasons[name+".v1"] = device, device
	}
	for name, reason := range reasons {
		if have, want := fmt.Sprint(CheckPackageDir(name)), fmt.Sprintf("%q cannot be the directory of a Go package: %s", name, reason); have != want {
			t.Errorf("%s, want %s", have, want)
		}
	}
	for _, name := range []string{"", ".", "..", "a/b", "/a", "a/", `a\b`, "a:b"} {
		if have, want := fmt.Sprint(CheckPackageDir(name)), fmt.Sprintf("%q cannot be the name of a directory", name); have != want || IsSafeName(name) {
			t.Errorf("%s, want %s", have, want)
		}
	}
	for _, name := range []string{"a", "a.b", "...a", "v1_", "a b", "testdatas", "x.vendor", "com", "com10", "lpt", "my.init"} {
		if err := CheckPackageDir(name); !IsSafeName(name) || err != nil && name != "...a" {
			t.Errorf("%q is not safe: %v", name, err)
		}
	}
}

// Only names of files that a run makes beside a generated file, or beside its journal, are such names.
func TestNamesBesideOthers(t *testing.T) {
	for name, want := range map[string]bool{
		".zz_generated.prune.a.go.12345678.new": true, ".zz_generated.prune.a.go.12345678.old": true, ".zz_generated.prune_check.a.go.0.new": true, "." + journalName + ".12345678.new": true,
		"zz_generated.prune.a.go.12345678.new": false, ".zz_generated.prune.a.go.12345678": false, ".zz_generated.prune.a.go.12345678.tmp": false, ".main.go.12345678.new": false, ".new": false, "..new": false, "": false,
		".zz_generated.prune.a.go.new": false, journalName: false, ".zz_generated.prune.a.txt.12345678.old": false,
	} {
		if isBeside(name) != want {
			t.Errorf("%q is such a name: %t", name, !want)
		}
	}
	var made []string
	for _, suffix := range []string{tempSuffix, backupSuffix} {
		for _, name := range []string{"zz_generated.prune.a.go", "v1/zz_generated.prune.a.go", journalName} {
			made = append(made, besideName(name, suffix))
		}
	}
	for i, name := range made {
		j := &journal{Steps: []step{{Name: []string{"zz_generated.prune.a.go", "v1/zz_generated.prune.a.go", "zz_generated.prune.a.go"}[i%3], Temp: name, Backup: name}}}
		if !j.valid() {
			t.Errorf("%s is not taken from a journal", name)
		}
	}
	if slices.Sort(made); len(slices.Compact(made)) != 6 {
		t.Errorf("%q", made)
	}
	for _, steps := range [][]step{
		{{Name: "zz_generated.prune.a.go"}, {Name: "main.go"}},
		{{Name: "zz_generated.prune.a.go", Temp: made[0]}, {Name: "v1/zz_generated.prune.a.go", Temp: made[0]}},
		{{Name: "/zz_generated.prune.a.go"}},
		{{Name: "v1/../../zz_generated.prune.a.go"}},
	} {
		if (&journal{Steps: steps}).valid() {
			t.Errorf("%+v is taken", steps)
		}
	}
}
