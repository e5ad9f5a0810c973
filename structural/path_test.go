package structural_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

func TestPathsAreWrittenInThreeNotations(t *testing.T) {
	var root *structural.Path
	for _, tt := range []struct {
		path                   *structural.Path
		brackets, dots, inBody string
	}{
		{root, "<nil>", "", ""},
		{root.Child("spec", "list").Index(3).Child("name"), "spec.list[3].name", "spec.list[3].name", "spec.list[3].name"},
		{root.Child("spec", "labels").Key("a.b/c"), "spec.labels[a.b/c]", "spec.labels.a.b/c", "spec.labels.a.b/c"},
		{root.Key("k"), "[k]", "k", ".k"},
		{root.Child("").Child("a"), "[].a", ".a", "a"},
		{root.Child("a").Child(""), "a[]", "a.", "a."},
		{root.Child("spec").Key("web").Metadata().Child("labels").Key("app"),
			"spec[web].metadata.labels[app]", "spec[web].metadata.labels.app", "spec[web].metadata.labels.app"},
		{root.Metadata().Child("name"), "metadata.name", "metadata.name", "metadata.name"},
	} {
		if got := tt.path.String(); got != tt.brackets {
			t.Errorf("String: %s, want %s", got, tt.brackets)
		}
		if got := tt.path.Dotted(); got != tt.dots {
			t.Errorf("Dotted: %s, want %s", got, tt.dots)
		}
		if got := tt.path.InBody(); got != tt.inBody {
			t.Errorf("InBody: %s, want %s", got, tt.inBody)
		}
		if tt.path != nil && tt.path.TextSize() < len(tt.brackets)-4 {
			t.Errorf("%s: size %d", tt.brackets, tt.path.TextSize())
		}
	}
}
