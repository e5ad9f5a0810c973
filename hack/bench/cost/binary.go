package cost

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/scratch"
)

const maxGrowth = 500_000 // bytes

// The programs prune a Certificate from standard input to standard output; the first of them leaves it as it is.
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
	importCert   = "\n\t\"scratch/certificate\"\n"
	pruneProgram = programHead + importCert + programBody + "\tcertificate.PruneCertificate(obj)\n" + programTail
	allProgram   = programHead + importCert + programBody + `	if errs := certificate.CheckCertificate(obj); errs != nil {
		log.Fatal(errs)
	}
	for _, path := range certificate.PruneCertificateReport(obj) {
		log.Print(path)
	}
` + programTail
	kubeProgram = programHead + `	_ "embed"

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

// binary measures by how much a program grows that prunes one kind.
func binary(ctx context.Context, e *Env) (*report.Cost, error) {
	cert, err := e.kind("Certificate")
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

	prune := generator.Features{generator.FeaturePrune}
	programs := []struct {
		title    string
		module   *scratch.Module
		source   string
		features generator.Features // of the code that it has in it
	}{
		{"JSON in, JSON out", plain, basicProgram, nil},
		{"with the generated PruneCertificate", plain, pruneProgram, prune},
		{"with its check and its report as well", plain, allProgram, generator.AllFeatures()},
		{"with Kubernetes' pruning package", like, kubeProgram, nil},
	}
	r := &report.Cost{Table: report.Table{
		Title:  "Binary growth for pruning one kind",
		Note:   "A program that reads an object as JSON and writes it again, and the same with a Certificate pruner in between. Goal: at most 0.5 MB and 1 module.",
		Header: []string{"program", "size", "growth", "modules", "goal"},
	}}
	var base int64
	for i, p := range programs {
		if p.features != nil {
			if err := p.module.Generate("certificate", []generator.Input{cert.Input}, p.features); err != nil {
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
		verdict := ""
		if p.features != nil {
			met := growth <= maxGrowth && modules <= 1
			verdict = report.Verdict(met)
			r.Headline(met, "A program %s grows by %s and needs %d module (goal at most 0.5 MB and 1)", p.title, report.Bytes(float64(growth)), modules)
		} else if i > 0 {
			r.Headlines = append(r.Headlines,
				fmt.Sprintf("A program %s grows by %s and needs %d modules", p.title, report.Bytes(float64(growth)), modules))
		}
		r.Table.Rows = append(r.Table.Rows, []string{
			p.title, report.Bytes(float64(size)), report.Bytes(float64(growth)), fmt.Sprint(modules), verdict,
		})
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
