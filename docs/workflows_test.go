package docs

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// workflow is a workflow of GitHub Actions.
type workflow struct {
	On   any
	Jobs map[string]struct {
		Steps []struct{ Uses, Run string }
	}
}

// The steps of workflows are bash, what they make has a rule in the Makefile, and the actions that they use have a whole version.
func TestWorkflowsRunWhatTheMakefileHas(t *testing.T) {
	var targets []string
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets = append(targets, m[1])
	}
	made := map[string][]string{}
	for _, name := range tracked(t, ".github/workflows/*.yaml") {
		var w workflow
		if err := yaml.Unmarshal([]byte(read(t, name)), &w); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				if (step.Uses == "") == (step.Run == "") {
					t.Errorf("%s: a step that uses %q and runs %q", name, step.Uses, step.Run)
				}
				if step.Uses != "" && !regexp.MustCompile(`^[\w-]+/[\w-]+@v\d+\.\d+\.\d+$`).MatchString(step.Uses) {
					t.Errorf("%s: %s has no whole version", name, step.Uses)
				}
				check := exec.Command("bash", "-n")
				check.Stdin = strings.NewReader(step.Run)
				if out, err := check.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", name, err, out)
				}
				for _, m := range regexp.MustCompile(`\bmake ([a-z-]+)`).FindAllStringSubmatch(step.Run, -1) {
					made[name] = append(made[name], m[1])
					if !slices.Contains(targets, m[1]) {
						t.Errorf("%s: the Makefile has no %s", name, m[1])
					}
				}
			}
		}
	}
	for name, want := range map[string][]string{".github/workflows/ci.yaml": {"test"}, ".github/workflows/release.yaml": {"test", "dist"}} {
		if !slices.Equal(made[name], want) {
			t.Errorf("%s makes %q, want %q", name, made[name], want)
		}
	}
}

// GitHub shows a form only if it has a name, a description and fields with labels.
func TestIssueFormsAreWhole(t *testing.T) {
	forms := tracked(t, ".github/ISSUE_TEMPLATE/*.yaml")
	for _, name := range forms {
		var form struct {
			Name, Description string
			Labels            []string
			Body              []struct {
				Type, ID    string
				Attributes  struct{ Label, Description, Placeholder, Render string }
				Validations struct{ Required bool }
			}
		}
		if err := yaml.UnmarshalStrict([]byte(read(t, name)), &form); err != nil || form.Name == "" || form.Description == "" || len(form.Body) == 0 {
			t.Errorf("%s: %v in %+v", name, err, form)
		}
		for _, field := range form.Body {
			if field.Type != "textarea" || field.ID == "" || field.Attributes.Label == "" {
				t.Errorf("%s: a field without an id or a label: %+v", name, field)
			}
		}
	}
	if len(forms) != 2 {
		t.Errorf("the forms are %q", forms)
	}
}

// What RELEASING.md says to run exists.
func TestReleasingRunsWhatTheMakefileHas(t *testing.T) {
	text := read(t, "RELEASING.md")
	for _, m := range regexp.MustCompile("`make ([a-z-]+)").FindAllStringSubmatch(text, -1) {
		if !strings.Contains(read(t, "Makefile"), "\n"+m[1]+":") {
			t.Errorf("the Makefile has no %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile("`([\\w./-]+/[\\w.-]+\\.(?:md|txt|json|yaml))`").FindAllStringSubmatch(strings.ReplaceAll(text, "v*", "v1"), -1) {
		if len(tracked(t, m[1])) == 0 {
			t.Errorf("there is no file %s", m[1])
		}
	}
}
