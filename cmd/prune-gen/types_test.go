package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// inTypedModule puts files below a new directory with a module that requires the runtime and a stand-in for the types of
// Kubernetes, and goes there. Unless files say otherwise, it has a CRD of the kind Thing and its type, which differ.
func inTypedModule(t *testing.T, files map[string]string) {
	t.Helper()
	mod, sum := runtimeModule(t)
	all := map[string]string{
		"go.mod": mod + "\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => " +
			filepath.Join(repository, "internal/testing/typecases/testdata/apimachinery") + "\n",
		"go.sum":          sum,
		"crd.yaml":        thingCRD,
		"api/v1/types.go": thingType,
		"api/v1/doc.go":   "// Package v1 has things.\n// +groupName=example.com\npackage v1\n",
		"parts/parts.go":  "// Package parts has parts of things.\npackage parts\n\ntype Part struct {\n\tName string `json:\"name\"`\n\tKept bool   `json:\"kept\"`\n}\n",
	}
	for name, text := range files {
		all[name] = text
	}
	t.Chdir(write(t, all))
}

const thingCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Thing
    plural: things
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              replicas: {type: string}
              schedule: {type: string}
              part:
                type: object
                properties:
                  name: {type: string}
`

const thingType = `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/app/parts"
)

type Thing struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec ThingSpec ` + "`json:\"spec,omitempty\"`" + `
}

type ThingSpec struct {
	Replicas int32      ` + "`json:\"replicas\"`" + `
	Suspend  *bool      ` + "`json:\"suspend,omitempty\"`" + `
	Part     parts.Part ` + "`json:\"part\"`" + `
}
`

// What lint prints for people.
const lintedTypes = `api/v1/types.go:16:6: warning: ThingSpec has no field for spec.schedule: programs that use the type drop it when they write an object back [types/lost]
   |
16 | type ThingSpec struct {
   |      ^^^^^^^^^
   = things.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[schedule]
   = hint: add the field, or generate the CRD from the Go types again (the schema is at crd.yaml:23)

api/v1/types.go:17:2: error: ThingSpec.Replicas: spec.replicas is an integer in Go (int32) and a string in the schema [types/mismatch]
   |
17 |     Replicas int32      ` + "`json:\"replicas\"`" + `
   |     ^^^^^^^^
   = things.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[replicas]
   = hint: change one of the two: the API server refuses what the Go type writes (the schema is at crd.yaml:22)

api/v1/types.go:18:2: error: ThingSpec.Suspend is not in the schema: the API server drops spec.suspend [types/dropped]
   |
18 |     Suspend  *bool      ` + "`json:\"suspend,omitempty\"`" + `
   |     ^^^^^^^
   = things.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[suspend]
   = hint: generate the CRD from the Go types again, or remove the field (the schema is at crd.yaml:21)

parts/parts.go:6: error: parts.Part.Kept is not in the schema: the API server drops spec.part.kept [types/dropped]
  |
6 |     Kept bool   ` + "`json:\"kept\"`" + `
  |     ^^^^
`

func TestLintComparesTypes(t *testing.T) {
	inTypedModule(t, nil)
	r := wantRun(t, exitInput, lintedTypes, "-", "lint", "--types", "api/v1", "crd.yaml")
	if want := "read 1 CRD with 1 version in 1 file: 3 errors, 1 warning\n"; !strings.HasSuffix(r.stdout, want) {
		t.Errorf("it does not end with %q:\n%s", want, r.stdout)
	}
	wantRun(t, exitOK, "ok  things.example.com", "-", "lint", "crd.yaml")

	r = wantRun(t, exitInput, "", "-", "lint", "--types=api/v1", "--output=json", "crd.yaml")
	found := readFindings(t, r.stdout)
	want := structural.Finding{
		ID: "types/dropped", File: "api/v1/types.go", Line: 18, Column: 2, CRD: "things.example.com", Version: "v1", Severity: structural.SeverityError,
		Path:    "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[suspend]",
		Message: "ThingSpec.Suspend is not in the schema: the API server drops spec.suspend",
		Hint:    "generate the CRD from the Go types again, or remove the field (the schema is at crd.yaml:21)",
	}
	if len(found) != 4 || !reflect.DeepEqual(found[2], want) {
		t.Errorf("%+v, want four and the third\n%+v", found, want)
	}

	wantRun(t, exitInput, "::error file=api/v1/types.go,line=18,col=2,title=things.example.com v1%3A types/dropped::ThingSpec.Suspend is not in the schema", "-",
		"lint", "--types=api/v1", "--output=github", "crd.yaml")

	r = wantRun(t, exitInput, "", "-", "lint", "--types=api/v1", "--output=sarif", "crd.yaml")
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				RuleIndex int
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) != 4 {
		t.Fatalf("%v in\n%s", err, r.stdout)
	}
	result := log.Runs[0].Results[2]
	at := result.Locations[0].PhysicalLocation
	if result.RuleID != "types/dropped" || result.RuleIndex < 0 || at.ArtifactLocation.URI != "api/v1/types.go" || at.Region.StartLine != 18 || at.Region.StartColumn != 2 {
		t.Errorf("%+v", result)
	}
}

// A comment on the line of a field leaves out findings about it.
func TestCommentsInGoLeaveOutFindings(t *testing.T) {
	testsize.NotShort(t)
	const tag = "`json:\"suspend,omitempty\"`"
	inTypedModule(t, map[string]string{"api/v1/types.go": strings.Replace(thingType, tag, tag+" // prune-gen:ignore types/dropped not yet", 1)})
	for _, command := range []string{"lint --types=api/v1 --output=json crd.yaml", "verify --output-dir=api/v1 --output=json crd.yaml"} {
		r := wantRun(t, exitInput, "", "", strings.Fields(command)...)
		if strings.Contains(r.stdout, "spec.suspend") || !strings.Contains(r.stdout, "spec.part.kept") {
			t.Errorf("%s: %s", command, r.stdout)
		}
	}
}

// A package is compared with its own group and version.
func TestLintFindsTheVersionOfAPackage(t *testing.T) {
	testsize.NotShort(t)
	const none = "has no type for a kind of these CRDs"
	inTypedModule(t, map[string]string{
		"two.yaml":            kindCRD("Thing", "v1", "v2"),
		"api/other/doc.go":    "// Package other is of another group.\n// +groupName=other.example.com\npackage other\n",
		"api/other/types.go":  strings.Replace(thingType, "package v1", "package other", 1),
		"api/apis/types.go":   strings.Replace(thingType, "package v1", "package apis", 1),
		"api/v2/types.go":     strings.Replace(thingType, "package v1", "package v2", 1),
		"api/marked/doc.go":   "// Package marked is of version v2.\n// +versionName=v2\npackage marked\n",
		"api/marked/types.go": strings.Replace(thingType, "package v1", "package marked", 1),
		"api/empty/doc.go":    "// Package empty has no types.\npackage empty\n",
	})
	for _, test := range []struct {
		dir, crd string
		code     int
		want     string
	}{
		{"api/v1", "crd.yaml", exitInput, "things.example.com v1: "},
		{"api/v1", "two.yaml", exitInput, "things.example.com v1: "},
		{"api/v2", "two.yaml", exitInput, "things.example.com v2: "},
		{"api/v2", "crd.yaml", exitOK, none},
		{"api/apis", "crd.yaml", exitInput, "things.example.com v1: "}, // the only version
		{"api/apis", "two.yaml", exitOK, none},
		{"api/marked", "two.yaml", exitInput, "things.example.com v2: "},
		{"api/other", "crd.yaml", exitOK, none},
		{"api/empty", "crd.yaml", exitOK, none},
	} {
		t.Run(test.dir+" "+test.crd, func(t *testing.T) {
			wantRun(t, test.code, test.want, "-", "lint", "--types", test.dir, test.crd)
		})
	}
}

func TestLintSaysWhichTypesItCannotLoad(t *testing.T) {
	inTypedModule(t, map[string]string{
		"broken/types.go": strings.NewReplacer("package v1", "package broken", "parts.Part", "gone.Part", "app/parts", "app/gone").Replace(thingType),
		"empty/readme.md": "empty\n",
	})
	wantRun(t, exitInput, "-", "there is no Go package in empty", "lint", "--types=empty", "crd.yaml")
	wantRun(t, exitInput, "-", "there is no Go package in missing", "lint", "--types=missing", "crd.yaml")
	// What is known is compared all the same.
	r := wantRun(t, exitInput, "broken: warning: the package does not compile; types that are unknown because of that are not compared: ", "-",
		"lint", "--types=broken", "crd.yaml")
	if !strings.Contains(r.stdout, "2 errors, 2 warnings") {
		t.Errorf("%s", r.stdout)
	}
	t.Chdir(write(t, map[string]string{"crd.yaml": thingCRD, "v1/types.go": thingType}))
	wantRun(t, exitOK, "v1: warning: there is no go.mod here or above: types that the package imports are unknown", "-", "lint", "--types=v1", "crd.yaml")
	if err := os.WriteFile("go.mod", []byte(bareModule), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", "")
	wantRun(t, exitOK, "v1: warning: there is no go command: types that the package imports are unknown [module/no-go]", "-", "lint", "--types=v1", "crd.yaml")
}

// Generate and verify warn of differences, and do their work.
func TestGenerateAndVerifyCompareTypes(t *testing.T) {
	testsize.NotShort(t)
	inTypedModule(t, nil)
	const dropped = "api/v1/types.go:18:2: warning: ThingSpec.Suspend is not in the schema: the API server drops spec.suspend"
	wantRun(t, exitInput, "-", dropped, "generate", "--strict", "--output-dir=api/v1", pruneOnly, "crd.yaml")
	if have := generated(t); have != "" {
		t.Fatalf("%s in spite of --strict", have)
	}
	for range 2 { // also if nothing has changed
		r := wantRun(t, exitOK, "1 kind", dropped, "generate", "--output-dir=api/v1", pruneOnly, "crd.yaml")
		if strings.Contains(r.stderr, "error:") || strings.Count(r.stderr, "warning:") != 4 {
			t.Errorf("%s", r.stderr)
		}
	}
	if have, want := generated(t), "api/v1/zz_generated.prune.thing.go"; have != want {
		t.Errorf("%s, want %s", have, want)
	}
	wantRun(t, exitOK, "1 file up to date", dropped, "verify", "--output-dir=api/v1", pruneOnly, "crd.yaml")
	wantRun(t, exitInput, `"id": "types/dropped"`, "1 file up to date", "verify", "--strict", "--output=json", "--output-dir=api/v1", pruneOnly, "crd.yaml")
	// A package without types is not compared.
	wantRun(t, exitOK, "1 kind", "-", "generate", "--output-dir=generated", pruneOnly, "crd.yaml")
}
