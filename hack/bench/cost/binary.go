package cost

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/scratch"
	"github.com/prune-gen/prune-gen/hack/bench/set"
)

// The programs prune an object from standard input to standard output; the first of them leaves it as it is.
const (
	programHead = `package main

import (
	"encoding/json"
	"log"
	"os"
`
	programBody = `)

func main() {
	var obj map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&obj); err != nil {
		log.Fatal(err)
	}
`
	programTail = `	if err := json.NewEncoder(os.Stdout).Encode(obj); err != nil {
		log.Fatal(err)
	}
}
`
	basicProgram = programHead + programBody + programTail
	kubeProgram  = programHead + `	_ "embed"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
)

//go:embed schema.json
var schemaJSON []byte

func main() {
	var obj map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&obj); err != nil {
		log.Fatal(err)
	}
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(schemaJSON, &v1); err != nil {
		log.Fatal(err)
	}
	var props apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &props, nil); err != nil {
		log.Fatal(err)
	}
	structural, err := schema.NewStructural(&props)
	if err != nil {
		log.Fatal(err)
	}
	pruning.Prune(obj, structural, true)
` + programTail
)

// pruneProgram prunes an object of a kind, whose package is called after it.
func pruneProgram(kind string) string {
	pkg := strings.ToLower(kind)
	return programHead + "\n\t\"scratch/" + pkg + "\"\n" + programBody + "\t" + pkg + ".Prune" + kind + "(obj)\n" + programTail
}

// allProgram also checks the object and reports what is dropped.
func allProgram(kind string) string {
	pkg := strings.ToLower(kind)
	return programHead + "\n\t\"scratch/" + pkg + "\"\n" + programBody + `	if errs := ` + pkg + `.Check` + kind + `(obj); errs != nil {
		log.Fatal(errs)
	}
	for _, path := range ` + pkg + `.Prune` + kind + `Report(obj) {
		log.Print(path)
	}
` + programTail
}

// validateProgram validates the object.
func validateProgram(kind string) string {
	pkg := strings.ToLower(kind)
	return programHead + "\n\t\"scratch/" + pkg + "\"\n" + programBody + `	if errs := ` + pkg + `.Validate` + kind + `(obj); errs != nil {
		log.Fatal(errs)
	}
` + programTail
}

// rulesProgram evaluates CEL rules on the object.
func rulesProgram(kind string) string {
	pkg := strings.ToLower(kind)
	return programHead + "\n\t\"scratch/" + pkg + "\"\n" + programBody + `	if errs, _ := ` + pkg + `.Validate` + kind + `Rules(obj, nil); errs != nil {
		log.Fatal(errs)
	}
` + programTail
}

// podTemplate returns a kind that has a pod template in it, as many do: JobSet.
func podTemplate(e *Env) (generator.Input, error) {
	crds, err := set.ReadFile(e.Modules, "sigs.k8s.io/jobset", "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml")
	if err != nil {
		return generator.Input{}, err
	}
	if len(crds) != 1 || len(crds[0].Versions) != 1 {
		return generator.Input{}, errors.New("there is not one JobSet")
	}
	return generator.Input{CRD: crds[0].CRD, Version: crds[0].Versions[0]}, nil
}

// binary measures by how much a program grows that prunes one kind.
func binary(ctx context.Context, e *Env) (*report.Cost, error) {
	cert, err := e.kind("Certificate")
	if err != nil {
		return nil, err
	}
	jobset, err := podTemplate(e)
	if err != nil {
		return nil, err
	}
	route, err := e.kind("HTTPRoute")
	if err != nil {
		return nil, err
	}
	schema, err := json.Marshal(cert.Version.Schema.Object())
	if err != nil {
		return nil, err
	}
	// The generated code is compiled where nothing of Kubernetes is in sight.
	plain, err := scratch.New(ctx)
	if err != nil {
		return nil, err
	}
	defer plain.Remove()
	like, err := scratch.NewLikeBench(ctx)
	if err != nil {
		return nil, err
	}
	defer like.Remove()

	prune, rules := generator.Features{generator.FeaturePrune}, generator.Features{generator.FeatureRules}.Complete()
	programs := []struct {
		title    string
		module   *scratch.Module
		source   string
		kind     generator.Input
		features generator.Features // of the code that it has in it
	}{
		{title: "JSON in, JSON out", module: plain, source: basicProgram},
		{"with the generated PruneCertificate", plain, pruneProgram("Certificate"), cert.Input, prune},
		{"with its check and its report as well", plain, allProgram("Certificate"), cert.Input, generator.AllFeatures()},
		{"with the generated PruneJobSet, which has a pod template in it", plain, pruneProgram("JobSet"), jobset, prune},
		{"with the check and the report of JobSet as well", plain, allProgram("JobSet"), jobset, generator.AllFeatures()},
		{"with the generated ValidateCertificate", plain, validateProgram("Certificate"), cert.Input, generator.Features{generator.FeatureValidate}},
		{"with the generated ValidateJobSet", plain, validateProgram("JobSet"), jobset, generator.Features{generator.FeatureValidate}},
		{"with the generated ValidateJobSetRules, which evaluates 7 CEL rules", plain, rulesProgram("JobSet"), jobset, rules},
		{"with the generated ValidateHTTPRouteRules, which evaluates about 100", plain, rulesProgram("HTTPRoute"), route.Input, rules},
		{title: "with Kubernetes' pruning package", module: like, source: kubeProgram},
	}
	r := &report.Cost{Summary: true, File: "binary.svg", Axis: "MB that a program grows by", Table: report.Table{
		Title:  "Binary growth for pruning one kind",
		Note:   "A program that reads an object as JSON and writes it again, and the same with a pruner in between: for a Certificate, a small kind, and for a JobSet, which has a pod template in it.",
		Header: []string{"program", "size", "growth", "modules"},
	}}
	var base int64
	for i, p := range programs {
		if p.features != nil {
			if err := p.module.Generate(strings.ToLower(p.kind.CRD.Names.Kind), []generator.Input{p.kind}, p.features); err != nil {
				return nil, err
			}
		}
		for name, content := range map[string][]byte{"main.go": []byte(p.source), "schema.json": schema} {
			if err := p.module.Write(name, content); err != nil {
				return nil, err
			}
		}
		size, modules, err := buildProgram(ctx, p.module)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			base = size
		}
		growth := size - base
		r.Table.Rows = append(r.Table.Rows, []string{
			p.title, report.Bytes(float64(size)), report.Bytes(float64(growth)), fmt.Sprint(modules),
		})
		if i > 0 {
			r.Headline("A program %s grows by %s; modules in it: %d", p.title, report.Bytes(float64(growth)), modules)
			r.Bars = append(r.Bars, report.Bar{Label: p.title, Value: float64(growth) / 1e6, Text: report.Bytes(float64(growth))})
		}
	}
	return r, nil
}

// buildProgram compiles the program in a module and returns its size and how many modules are in it besides its own.
func buildProgram(ctx context.Context, m *scratch.Module) (size int64, modules int, err error) {
	if _, err := m.Go(ctx, "build", "-trimpath", "-o", "program.exe", "."); err != nil {
		return 0, 0, err
	}
	stat, err := os.Stat(m.Path("program.exe"))
	if err != nil {
		return 0, 0, err
	}
	info, err := buildinfo.ReadFile(m.Path("program.exe"))
	if err != nil {
		return 0, 0, err
	}
	return stat.Size(), len(info.Deps), nil
}
