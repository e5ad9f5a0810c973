package generator

import "testing"

func TestPackageNames(t *testing.T) {
	for name, want := range map[string]bool{
		"v1": true, "v1beta1": true, "prunert": true, "string": true, "größe": true,
		"": false, "_": false, "func": false, "a-b": false, "a.b": false, "1a": false, "a\nb": false, "a;func": false,
	} {
		if got := validPackageName(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
}
