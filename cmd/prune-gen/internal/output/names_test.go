package output

import "testing"

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
