package scoreboard

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// generated is what was generated from a version.
type generated struct {
	resource prunert.Resource
	rules    *prunecel.Rules // nil if the version has no CEL rules
}

// linked is the generated code in this program, by the IDs of subjects; nil if there is none yet.
var linked map[string]generated

// link gives the subjects their generated code. A version that nothing was generated from must be one that the API server does not
// take either.
func link(subjects []*compare.Subject) *compare.Tally {
	row := &compare.Tally{Name: "generate", What: "versions"}
	for _, s := range subjects {
		row.Count(1, 1, 0)
		if g, ok := linked[s.ID()]; ok {
			s.Generated, s.Rules = &g.resource, g.rules
		} else if len(s.KubeCRD.Validate()) == 0 {
			row.Note("", func() string {
				return fmt.Sprintf("%s: %s: nothing was generated, but Kubernetes accepts the CRD", s.CRD.Origin, s)
			})
		}
	}
	return row
}

// generateAndRun compiles this test together with code for the subjects and runs it.
func generateAndRun(t *testing.T, subjects []*compare.Subject) {
	root := scratch.ModuleRoot(t)
	program := filepath.Join(t.TempDir(), "program")
	args := append([]string{"test", "-c", "-o", program}, scratch.Overlay(t, root, generate(t, subjects))...)
	scratch.Go(t, root, append(args, "./scoreboard")...)
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestScoreboard$", "-test.timeout=0")
	flag.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") {
			cmd.Args = append(cmd.Args, "-"+f.Name+"="+f.Value.String())
		}
	})
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	fmt.Println(strings.TrimSuffix(string(out), "PASS\n"))
}

// generate returns the files of generated packages, and one of this package that links them. The kinds of one group and version
// share a package, as they do for users, unless they occur several times: modules ship CRDs of others, and in several editions.
func generate(t *testing.T, subjects []*compare.Subject) map[string][]byte {
	features := generator.AllFeatures()
	if *functionFlag == "rules" { // much less to compile
		var err error
		if features, err = generator.ParseFeatures([]string{string(generator.FeatureRules)}); err != nil {
			t.Fatal(err)
		}
	}
	packages := map[string]map[string]*compare.Subject{} // by what they have in common, and by kind
	for _, s := range subjects {
		var bad *generator.InputError
		if _, err := generator.Lower([]generator.Input{input(s)}, generator.Options{Features: features}); errors.As(err, &bad) {
			continue
		}
		// Two kinds that differ in case or in a dash only would clash.
		kind := strings.ToLower(strings.ReplaceAll(s.CRD.Names.Kind, "-", ""))
		common := s.CRD.Group + "/" + s.Version.Name
		for packages[common][kind] != nil {
			common += " again"
		}
		if packages[common] == nil {
			packages[common] = map[string]*compare.Subject{}
		}
		packages[common][kind] = s
	}
	files := map[string][]byte{}
	var imports, entries strings.Builder
	for i, common := range slices.Sorted(maps.Keys(packages)) {
		name := fmt.Sprintf("p%03d", i)
		fmt.Fprintf(&imports, "\t%q\n", scratch.Module+"/generated/"+name)
		var inputs []generator.Input
		for _, kind := range slices.Sorted(maps.Keys(packages[common])) {
			inputs = append(inputs, input(packages[common][kind]))
		}
		made, err := generator.Generate(inputs, generator.Options{Package: name, Features: features})
		if err != nil {
			t.Fatalf("package of %s: %v", common, err)
		}
		var sources strings.Builder
		for _, f := range made {
			files["generated/"+name+"/"+f.Name] = f.Content
			sources.Write(f.Content)
		}
		tables := fmt.Sprintf("package %s\n", name)
		for _, s := range packages[common] {
			resource := generator.ResourceName(s.CRD.Names.Kind)
			fmt.Fprintf(&entries, "\t\t%q: {resource: %s.%s", s.ID(), name, resource)
			// The table of CEL rules is not exported. No generated name has an underscore.
			call := regexp.MustCompile(`func Validate` + strings.TrimSuffix(resource, "Resource") + `Rules\([^\n]*\n\treturn (\w+)\.Validate\(`)
			if m := call.FindStringSubmatch(sources.String()); m != nil {
				tables += fmt.Sprintf("\nvar Table_%[1]s = &%[1]s\n", m[1])
				fmt.Fprintf(&entries, ", rules: %s.Table_%s", name, m[1])
			}
			entries.WriteString("},\n")
		}
		files["generated/"+name+"/tables.go"] = []byte(tables)
	}
	files["scoreboard/linked_test.go"] = fmt.Appendf(nil, "package scoreboard\n\nimport (\n%s)\n\nfunc init() {\n\tlinked = map[string]generated{\n%s\t}\n}\n", &imports, &entries)
	return files
}

func input(s *compare.Subject) generator.Input {
	return generator.Input{CRD: s.CRD.CRD, Version: s.Version}
}
