package texts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// packages are those of the API server that refuse CRDs: their validation, structural schemas, defaults, CEL rules, metadata.
var packages = []string{
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation",
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema",
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel",
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting",
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta",
	"k8s.io/apiextensions-apiserver/pkg/apihelpers",
	"k8s.io/apiserver/pkg/util/webhook",
	"k8s.io/apimachinery/pkg/api/validation",
}

// cases is the test that asks the API server about all cases.
const cases = "TestCasesAreAnsweredAsByTheServer"

// TestEveryTextOfTheServerIsProvoked wants a case in internal/testing/crdcases for every text in the sources of the API server, apart from
// those that have a reason. It builds the packages so that they count what is run.
func TestEveryTextOfTheServerIsProvoked(t *testing.T) {
	testsize.Large(t, "compiles Kubernetes to count what is run")
	root := scratch.ModuleRoot(t)
	file := filepath.Join(t.TempDir(), "profile")
	scratch.Go(t, root, "test", "-vet=off", "-count=1", "-run", "^"+cases+"$", "-coverprofile", file, "-coverpkg", strings.Join(packages, ","), "./verdicts")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	profile, err := ReadProfile(data)
	if err != nil {
		t.Fatal(err)
	}
	provoked, excused := 0, 0
	used := map[string]bool{}
	for _, pkg := range packages {
		folder := scratch.Go(t, root, "list", "-f", "{{.Dir}}", pkg)
		places, err := Find(pkg, strings.TrimSpace(string(folder)))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			if profile.Ran(p) {
				provoked++
				continue
			}
			key := excuse(p)
			if key == "" {
				t.Errorf("no case provokes %s", p)
				continue
			}
			excused++
			used[key] = true
		}
	}
	for key := range excuses {
		if !used[key] {
			t.Errorf("nothing needs the excuse %q", key)
		}
	}
	t.Logf("%d texts are provoked, %d have an excuse", provoked, excused)
	if provoked < 200 {
		t.Errorf("only %d texts are provoked", provoked)
	}
}

// excuse returns the key of the excuse that a place has, "" if it has none.
func excuse(p Place) string {
	for _, key := range []string{filepath.Base(p.File), p.Function} {
		if excuses[key] != "" {
			return key
		}
	}
	for key := range excuses {
		function, text, ok := strings.Cut(key, ": ")
		if ok && function == p.Function && strings.Contains(p.Call, text) {
			return key
		}
	}
	return ""
}

func TestPlacesAreFound(t *testing.T) {
	const source = `package x

func f(a []string) []string {
	errs = append(errs, field.Invalid(at,
		v, "wrong"))
	if len(a) == 0 {
		return nil
	}
	a = append(a, "b"+c)
	a = append(a, b)
	s = fmt.Sprintf("%s", a)
	if a[0] == "b" {
		return []string{"c", d}
	}
	return g("")
}

func g(s string) error {
	field.Error()
	return fmt.Errorf("no %s", s)
}
`
	places, err := inFile("x/x.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range places {
		got = append(got, p.String())
	}
	want := []string{
		`x/x.go:4: f: field.Invalid(at, v, "wrong")`, `x/x.go:9: f: append(a, "b"+c)`, `x/x.go:13: f: return []string{"c", d}`,
		`x/x.go:20: g: fmt.Errorf("no %s", s)`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %s", strings.Join(got, "\n"))
	}
	profile, err := ReadProfile([]byte("mode: set\nx/x.go:3.29,6.17 2 1\nx/x.go:6.17,8.3 1 0\nx/x.go:9.2,12.17 4 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !profile.Ran(places[0]) || profile.Ran(places[1]) || profile.Ran(places[2]) {
		t.Error("what was run is not what the profile says")
	}
	if _, err := ReadProfile([]byte("x/x.go:1")); err == nil {
		t.Error("no error for a line that is cut off")
	}
}
