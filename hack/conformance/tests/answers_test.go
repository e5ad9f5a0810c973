package tests

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/testing/answers"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write the answers instead of comparing with them")

func TestAnswersAreThoseOfKubernetes(t *testing.T) {
	scratch.Newest(t, "the answers are recorded for the newest version")
	files, err := filepath.Glob("../../../golden/*/answers.*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files with answers, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			objects, err := answers.Objects(string(text))
			if err != nil {
				t.Fatal(err)
			}
			have := answers.Text(objects, answersOf(t, file))
			if *update {
				if err := os.WriteFile(file, []byte(have), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if have != string(text) {
				t.Error("it is not current; to write it again: go test ./tests -run Answers -update")
			}
		})
	}
}

// answersOf returns those functions of Kubernetes for the version and the kind in the name of a file, whose CRD is beside it.
func answersOf(t *testing.T, file string) answers.Functions {
	t.Helper()
	crds, err := os.ReadFile(filepath.Join(filepath.Dir(file), "crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range bytes.Split(crds, []byte("\n---\n")) {
		raw, err := yaml.YAMLToJSON(doc)
		if err != nil {
			t.Fatal(err)
		}
		crd, err := kube.DecodeCRD(raw)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(filepath.Base(file), ".")
		if strings.ToLower(crd.Internal.Spec.Names.Kind) != parts[2] {
			continue
		}
		if errs := crd.Validate(); len(errs) > 0 {
			t.Fatalf("the CRD is refused: %q", errs)
		}
		theirs, err := crd.Resource(parts[1])
		if err != nil {
			t.Fatal(err)
		}
		return answers.Functions{
			Prune: func(obj map[string]any) []string { return theirs.Prune(obj).Reported },
			Normalize: func(obj map[string]any) error {
				_, err := theirs.Normalize(obj, prunert.NormalizeOptions{})
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
	t.Fatal("its CRD is not there")
	return answers.Functions{}
}
