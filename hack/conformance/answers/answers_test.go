package answers

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/aimed"
)

var update = flag.Bool("update", false, "write the answers instead of comparing with them")

// asked are the golden cases for which answers are written down.
var asked = []string{"aimed-objects", "combined", "aimed-values", "formats", "names-odd"}

func TestAnswersAreThoseOfKubernetes(t *testing.T) {
	for _, name := range asked {
		dir := filepath.Join("../../../golden", name)
		all, err := aimed.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			t.Run(name+"/"+r.Kind, func(t *testing.T) {
				file := filepath.Join(dir, aimed.AnswersFile(r.Version, r.Kind))
				have := aimed.Answers(r.Objects, functions(t, r))
				if *update {
					if err := os.WriteFile(file, []byte(have), 0o666); err != nil {
						t.Fatal(err)
					}
					return
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if have != string(want) {
					t.Errorf("%s is not current; to write it again: go test ./answers -update", file)
				}
			})
		}
	}
}

// functions returns those of Kubernetes.
func functions(t *testing.T, r aimed.Resource) aimed.Functions {
	t.Helper()
	crd, err := kube.DecodeCRD(r.CRD)
	if err != nil {
		t.Fatal(err)
	}
	if errs := crd.Validate(); len(errs) > 0 {
		t.Fatalf("the CRD is refused: %q", errs)
	}
	theirs, err := crd.Resource(r.Version)
	if err != nil {
		t.Fatal(err)
	}
	return aimed.Functions{
		Prune: func(obj map[string]any) []string { return theirs.Prune(obj).Reported },
		Normalize: func(obj map[string]any) error {
			_, err := theirs.Normalize(obj, kube.FromRequest, false)
			return err
		},
		Check: func(obj map[string]any) []string {
			theirs.TakeMetas(obj)
			return theirs.Check(obj)
		},
		Validate: func(obj map[string]any) []string {
			texts, _ := theirs.Texts(obj)
			return texts
		},
		Update: theirs.UpdateTexts,
	}
}
