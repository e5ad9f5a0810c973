package kubenames_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

var update = flag.Bool("update", false, "write the recorded file")

// The answers are those of k8s.io/apimachinery: IsDNS1035Label, IsDNS1123Subdomain, IsQualifiedName, IsValidLabelValue,
// IsValidPathSegmentName and IsDNS1123Label.
func TestNamesAreRecorded(t *testing.T) {
	functions := []struct {
		name  string
		wrong func(string) []string
	}{
		{"label", kubenames.Label}, {"subdomain", kubenames.Subdomain}, {"label key", kubenames.LabelKey},
		{"label value", func(s string) []string { return inMetadata("labels", map[string]any{"k": s}) }},
		{"path segment", func(s string) []string { return inMetadata("name", s) }},
		{"namespace", func(s string) []string { return inMetadata("namespace", s) }},
		{"joined label", func(s string) []string { return one(kubenames.JoinedLabel(s)) }}, {"kind", func(s string) []string { return one(kubenames.Kind(s)) }},
	}
	var have strings.Builder
	for _, f := range functions {
		// Names are listed after what is wrong with them, and each text occurs once.
		numbers := map[string]int{}
		var texts, answers []string
		names := map[string][]string{}
		for _, name := range namesAtEdges() {
			answer := "good"
			for i, text := range f.wrong(name) {
				if numbers[text] == 0 {
					texts = append(texts, text)
					numbers[text] = len(texts)
				}
				if i == 0 {
					answer = ""
				}
				answer += fmt.Sprintf("(%d)", numbers[text])
			}
			if names[answer] == nil {
				answers = append(answers, answer)
			}
			names[answer] = append(names[answer], short(name))
		}
		fmt.Fprintf(&have, "%s\n", f.name)
		for _, answer := range answers {
			fmt.Fprintf(&have, "  %s: %s\n", answer, strings.Join(names[answer], " "))
		}
		for i, text := range texts {
			fmt.Fprintf(&have, "  (%d) is: %s\n", i+1, text)
		}
	}
	recorded.Compare(t, *update, "testdata/names.txt", have.String())
}

// inMetadata returns what the runtime finds wrong with a field in the metadata of an embedded resource.
func inMetadata(field string, v any) (wrong []string) {
	rec := &pruneimpl.Recorder{}
	pruneimpl.ValidateEmbeddedMetadata(map[string]any{"metadata": map[string]any{field: v}}, rec)
	for _, e := range rec.Errors() {
		wrong = append(wrong, e.Detail)
	}
	return wrong
}

func one(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// namesAtEdges returns names with every kind of character first, in the middle and last, in one part and in two, of every length
// that is a limit, and one longer.
func namesAtEdges() []string {
	names := []string{"", "a", "ab", "a.b", "a..b", "a/b", "a/b/c", "/a", "a/", "/", "//", ".", "..", "...", "a.b/c", "A.b/c", "a.b/C_d.e", "a b/c", "-/a", "a/-", "a%/b", "a\n"}
	for _, c := range []string{"-", "_", ".", "A", "1", "%", "é", " "} {
		names = append(names, c, c+"b", "a"+c+"b", "a"+c)
	}
	for _, n := range []int{63, 64, 253, 254} {
		long := strings.Repeat("x", n)
		names = append(names, long, long+"/a", "a/"+long, long[1:]+"-")
	}
	return names
}

// short writes a name with x*64 for 64 times x.
func short(name string) string {
	for _, n := range []int{254, 253, 252, 64, 63, 62} {
		name = strings.Replace(name, strings.Repeat("x", n), fmt.Sprintf("x*%d", n), 1)
	}
	return fmt.Sprintf("%q", name)
}

func TestKindsOfKubernetesAreBuiltIn(t *testing.T) {
	for kind, want := range map[[2]string]bool{
		{"", "Pod"}: true, {"", "Secret"}: true, {"apps", "Deployment"}: true, {"apiextensions.k8s.io", "CustomResourceDefinition"}: true,
		{"networking.k8s.io", "Ingress"}: true, {"storagemigration.k8s.io", "StorageVersionMigration"}: true, {"apiregistration.k8s.io", "APIService"}: true,
		{"", "Deployment"}: false, {"extensions", "Deployment"}: false, {"apps", "deployment"}: false, {"example.com", "Pod"}: false, {"", ""}: false,
	} {
		if have := kubenames.IsBuiltIn(kind[0], kind[1]); have != want {
			t.Errorf("%q: %t", kind, have)
		}
	}
}

func TestGeneratedNamesMayEndInADash(t *testing.T) {
	for name, want := range map[string]string{"": "", "a": "a", "-": "-", "a-": "a", "ab-": "aa", "a--": "aa", "ab-c": "ab-c"} {
		if have := kubenames.MaskDash(name); have != want {
			t.Errorf("%q becomes %q, want %q", name, have, want)
		}
	}
}

func TestWordsForLimits(t *testing.T) {
	for most, want := range map[int64][2]string{
		-1: {"has too many items", "value is too long"}, 0: {"must have at most 0 items", "may not be more than 0 bytes"},
		1: {"must have at most 1 item", "may not be more than 1 byte"}, 2: {"must have at most 2 items", "may not be more than 2 bytes"},
	} {
		if have := [2]string{kubenames.TooMany(most), kubenames.TooLong(most)}; have != want {
			t.Errorf("%d: %q", most, have)
		}
	}
}
