package output

import (
	"fmt"
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
