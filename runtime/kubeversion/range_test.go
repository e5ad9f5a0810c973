package kubeversion_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

func TestParseRange(t *testing.T) {
	for text, want := range map[string][2]kubeversion.Version{
		"1.34": {34, 34}, "v1.28.3": {28, 28}, "1.31..": {31, kubeversion.Newest}, "1.31..1.34": {31, 34}, "1.31..v1.31": {31, 31},
		"": {kubeversion.Newest, kubeversion.Newest}, "1.25": {25, 25},
		"..": {}, "..1.34": {}, "1.24..": {}, "1.34..1.33": {}, "1.34..x": {}, "1.33..1.99": {}, "1.33..1.34..": {},
	} {
		first, last, err := kubeversion.ParseRange(text)
		if want[0] == 0 {
			if err == nil {
				t.Errorf("%q: %s to %s", text, first, last)
			}
		} else if first != want[0] || last != want[1] || err != nil {
			t.Errorf("%q: %s to %s, %v", text, first, last, err)
		}
	}
}
