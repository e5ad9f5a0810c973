// Package cost has the benchmarks of what generated code costs in a repository and in programs. They
// report metrics, one sub-benchmark a row of a table in docs/benchmarks.md.
package cost

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/set"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// kind reads a kind of the benchmark set.
func kind(tb testing.TB, name string) *set.Kind {
	all := append(set.Objects(), set.Rules()...)
	i := slices.IndexFunc(all, func(o set.Origin) bool { return o.Kind == name })
	kinds, err := set.Read(all[i])
	if err != nil {
		tb.Fatal(err)
	}
	return kinds[0]
}

func newOverlay(tb testing.TB) *set.Overlay {
	overlay, err := set.NewOverlay()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(overlay.Remove)
	return overlay
}

// addKind adds the code of a kind to an overlay and returns the import path of its package.
func addKind(tb testing.TB, overlay *set.Overlay, name string, features generator.Features) string {
	pkg := "program/" + strings.ToLower(name)
	if err := overlay.Generate(pkg, []generator.Input{kind(tb, name).Input}, features); err != nil {
		tb.Fatal(err)
	}
	return set.ImportPath + "/" + pkg
}

// build compiles a program and returns where it is.
func build(tb testing.TB, overlay *set.Overlay, source string) string {
	if err := overlay.Write("program/main.go", []byte(source)); err != nil {
		tb.Fatal(err)
	}
	exe := overlay.Path("program.exe")
	if err := overlay.Go("build", "-trimpath", "-ldflags=", "-o", exe, "./program"); err != nil {
		tb.Fatal(err)
	}
	return exe
}

// jsonProgram does something to an object between standard input and standard output.
const jsonProgram = `package main

import (
	"encoding/json"
	"log"
	"os"

%s)

func main() {
	var obj map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&obj); err != nil {
		log.Fatal(err)
	}
%s
	if err := json.NewEncoder(os.Stdout).Encode(obj); err != nil {
		log.Fatal(err)
	}
}
`

// What jsonProgram does, with the name of the package and the kind in the place of %[1]s and %[2]s.
const (
	prune          = "\t%[1]s.Prune%[2]s(obj)\n"
	checkAndReport = "\tif errs := %[1]s.Check%[2]s(obj); errs != nil {\n\t\tlog.Fatal(errs)\n\t}\n\tlog.Print(%[1]s.Prune%[2]sReport(obj))\n"
	validate       = "\tif errs := %[1]s.Validate%[2]s(obj); errs != nil {\n\t\tlog.Fatal(errs)\n\t}\n"
	evaluateRules  = "\tif errs, _ := %[1]s.Validate%[2]sRules(obj, nil); errs != nil {\n\t\tlog.Fatal(errs)\n\t}\n"
)

// What jsonProgram imports and does to prune with Kubernetes' package.
const (
	kubeImports = `	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
`
	kubePrune = `	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal([]byte(%q), &v1); err != nil {
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
`
)

// BenchmarkBinary reports by how much a program grows.
func BenchmarkBinary(b *testing.B) {
	rules := generator.Features{generator.FeatureRules}.Complete()
	schema, err := json.Marshal(kind(b, "Certificate").Version.Schema.Object())
	if err != nil {
		b.Fatal(err)
	}
	base := 0.0
	for _, p := range []struct {
		title, kind, does string
		features          generator.Features
	}{
		{title: "JSON in, JSON out"},
		{"with the generated PruneCertificate", "Certificate", prune, generator.Features{generator.FeaturePrune}},
		{"with its check and its report as well", "Certificate", checkAndReport, generator.AllFeatures()},
		{"with the generated PruneJobSet, which has a pod template in it", "JobSet", prune, generator.Features{generator.FeaturePrune}},
		{"with the check and the report of JobSet as well", "JobSet", checkAndReport, generator.AllFeatures()},
		{"with the generated ValidateCertificate", "Certificate", validate, generator.Features{generator.FeatureValidate}},
		{"with the generated ValidateJobSet", "JobSet", validate, generator.Features{generator.FeatureValidate}},
		{"with the generated ValidateJobSetRules, which evaluates 7 CEL rules", "JobSet", evaluateRules, rules},
		{"with the generated ValidateHTTPRouteRules, which evaluates about 100", "HTTPRoute", evaluateRules, rules},
		{title: "with Kubernetes' pruning package", does: fmt.Sprintf(kubePrune, schema)},
	} {
		b.Run("program="+p.title, func(b *testing.B) {
			for b.Loop() {
				overlay, imports, does := newOverlay(b), "", p.does
				if p.kind != "" {
					pkg := addKind(b, overlay, p.kind, p.features)
					imports, does = fmt.Sprintf("\t%q\n", pkg), fmt.Sprintf(p.does, path.Base(pkg), p.kind)
				} else if p.does != "" {
					imports = kubeImports
				}
				exe := build(b, overlay, fmt.Sprintf(jsonProgram, imports, does))
				stat, err := os.Stat(exe)
				if err != nil {
					b.Fatal(err)
				}
				info, err := buildinfo.ReadFile(exe)
				if err != nil {
					b.Fatal(err)
				}
				size := float64(stat.Size())
				if base == 0 {
					base = size
				}
				report(b, metric{"size-B", size}, metric{"growth-B", size - base}, metric{"modules", float64(len(info.Deps))})
			}
		})
	}
}

type metric struct {
	unit  string
	value float64
}

// report reports metrics in the place of the time.
func report(b *testing.B, metrics ...metric) {
	b.ReportMetric(0, "ns/op")
	for _, m := range metrics {
		b.ReportMetric(m.value, m.unit)
	}
}

// heapProgram prints the bytes that are in use on the heap once everything is initialised. It uses regexp and net/netip with or without
// generated code, which may need them to validate: their tables are not schemas.
const heapProgram = `package main

import (
	"fmt"
	"net/netip"
	"regexp"
	"runtime"

	prunert "github.com/prune-gen/prune-gen/runtime"
%s)

var resources = []prunert.Resource{%s}

func main() {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	fmt.Println(m.HeapAlloc)
	for _, r := range resources {
		r.Prune(map[string]any{})
	}
	regexp.MatchString("", "")
	netip.ParseAddr("")
}
`

// BenchmarkHeap reports what schemas take at run time.
func BenchmarkHeap(b *testing.B) {
	b.Run("what=Kubernetes' structural schemas of the corpus", func(b *testing.B) {
		c, err := corpus.Load(context.Background(), 1)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			before := heapInUse()
			schemas := kubeSchemas(c)
			report(b, metric{"heap-B", float64(heapInUse()) - float64(before)}, metric{"CRDs", float64(len(c.CRDs))}, metric{"versions", float64(len(schemas))})
			runtime.KeepAlive(schemas)
		}
	})
	var names []string
	for _, o := range set.Objects() {
		names = append(names, o.Kind)
	}
	program := func(title string, kinds []string) {
		b.Run("what="+title, func(b *testing.B) {
			for b.Loop() {
				report(b, metric{"heap-B", programHeap(b, kinds)})
			}
		})
	}
	program("a program without generated code", nil)
	program("the same with "+strings.Join(names, ", "), names)
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// kubeSchemas returns the structural schemas of the versions that Kubernetes takes.
func kubeSchemas(c *corpus.Corpus) []*structuralschema.Structural {
	var all []*structuralschema.Structural
	for _, crd := range c.CRDs {
		decoded, err := kube.DecodeCRD(crd.Raw)
		if err != nil {
			continue
		}
		for _, v := range crd.Versions {
			props, err := decoded.Schema(v.Name)
			if err != nil || props == nil {
				continue
			}
			if s, err := structuralschema.NewStructural(props); err == nil {
				all = append(all, s)
			}
		}
	}
	return all
}

// programHeap returns the heap of a program with the generated code of some kinds, the smallest of several runs: the Go runtime's own
// start is not the same to the byte.
func programHeap(b *testing.B, kinds []string) float64 {
	overlay := newOverlay(b)
	var imports, resources strings.Builder
	for _, name := range kinds {
		pkg := addKind(b, overlay, name, generator.AllFeatures())
		fmt.Fprintf(&imports, "\t%q\n", pkg)
		fmt.Fprintf(&resources, "%s.%s, ", path.Base(pkg), generator.ResourceName(name))
	}
	exe := build(b, overlay, fmt.Sprintf(heapProgram, &imports, &resources))
	least := 0.0
	for range 10 {
		out, err := exec.Command(exe).Output()
		if err != nil {
			b.Fatal(err)
		}
		heap, err := strconv.ParseFloat(string(bytes.TrimSpace(out)), 64)
		if err != nil {
			b.Fatal(err)
		}
		if least == 0 || heap < least {
			least = heap
		}
	}
	return least
}

// BenchmarkSource reports how much generated code there is to read.
func BenchmarkSource(b *testing.B) {
	row := func(title string, inputs []generator.Input, sharing generator.Sharing, features generator.Features) {
		b.Run("package="+title, func(b *testing.B) {
			opts := generator.Options{Package: "generated", Features: features, Sharing: sharing}
			for b.Loop() {
				plan, err := generator.Lower(inputs, opts)
				if err != nil {
					b.Fatal(err)
				}
				files, err := plan.Emit(opts)
				if err != nil {
					b.Fatal(err)
				}
				size := 0
				for _, f := range files {
					size += len(f.Content)
				}
				report(b, metric{"functions", float64(len(plan.Functions()))}, metric{"source-B", float64(size)})
			}
		})
	}
	workflow, route := []generator.Input{kind(b, "Workflow").Input}, []generator.Input{kind(b, "HTTPRoute").Input}
	for _, f := range []generator.Feature{
		generator.FeaturePrune, generator.FeatureCheck, generator.FeatureNormalize, generator.FeatureValidate, generator.FeatureUpdate,
	} {
		row("Workflow, "+string(f)+" only", workflow, generator.ShareWithinKinds, generator.Features{f})
	}
	row("Workflow, all functions", workflow, generator.ShareWithinKinds, generator.AllFeatures())
	for _, f := range []generator.Feature{generator.FeatureUpdate, generator.FeatureRules} {
		row("HTTPRoute, "+string(f)+" and what it needs", route, generator.ShareWithinKinds, generator.Features{f}.Complete())
	}
	argo := argoKinds(b)
	row("all 8 Argo kinds in one package", argo, generator.ShareWithinKinds, generator.AllFeatures())
	row("the same with --share-across-kinds", argo, generator.ShareAcrossKinds, generator.AllFeatures())
}

// argoKinds returns the kinds of argo-workflows, which share most of their schemas.
func argoKinds(b *testing.B) []generator.Input {
	dir, err := set.Dir("github.com/argoproj/argo-workflows/v3")
	if err != nil {
		b.Fatal(err)
	}
	fsys := os.DirFS(dir)
	files, err := fs.Glob(fsys, "manifests/base/crds/full/argoproj.io_*.yaml")
	if err != nil {
		b.Fatal(err)
	}
	var c corpus.Corpus
	for _, file := range files {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			b.Fatal(err)
		}
		c.AddFile(file, data)
	}
	var all []generator.Input
	for _, crd := range c.CRDs {
		for _, v := range crd.Versions {
			all = append(all, generator.Input{CRD: crd.CRD, Version: v})
		}
	}
	if len(all) != 8 {
		b.Fatalf("%d kinds, want 8", len(all))
	}
	return all
}

// BenchmarkGenerate makes the default functions of the largest CRD, after reading it.
func BenchmarkGenerate(b *testing.B) {
	inputs := []generator.Input{kind(b, "Workflow").Input}
	for _, check := range []bool{false, true} {
		title := "Workflow"
		if check {
			title += ", with the type check"
		}
		b.Run("what="+title, func(b *testing.B) {
			for b.Loop() {
				files, err := generator.Generate(inputs, generator.Options{Package: "generated"})
				if err == nil && check {
					_, err = typecheck.Check(files)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompile reports how long the Go compiler takes for a package, whose imports are compiled already.
func BenchmarkCompile(b *testing.B) {
	for _, p := range []struct {
		title    string
		features generator.Features // none for a package of Kubernetes
	}{
		{"Workflow, all functions", generator.AllFeatures()},
		{"Workflow, validate only", generator.Features{generator.FeatureValidate}},
		{"core v1, the largest API package of Kubernetes", nil},
	} {
		b.Run("package="+p.title, func(b *testing.B) {
			overlay, pkg := newOverlay(b), "k8s.io/api/core/v1"
			if p.features != nil {
				pkg = addKind(b, overlay, "Workflow", p.features)
			}
			if err := overlay.Go("build", pkg); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				real, processor := compile(b, overlay, pkg)
				report(b, metric{"processor_time-sec", processor.Seconds()}, metric{"time-sec", real.Seconds()})
			}
		})
	}
}

// compile compiles one package, whether or not that was done before.
func compile(b *testing.B, overlay *set.Overlay, pkg string) (real, processor time.Duration) {
	graph := overlay.Path("graph.json")
	// A flag that means nothing, being for relative imports, but is new makes the go command compile the package again.
	flag := fmt.Sprintf("-gcflags=%s=-D=/%d", pkg, time.Now().UnixNano())
	if err := overlay.Go("build", "-debug-actiongraph="+graph, flag, pkg); err != nil {
		b.Fatal(err)
	}
	data, err := os.ReadFile(graph)
	if err != nil {
		b.Fatal(err)
	}
	var actions []struct {
		Mode, Package            string
		CmdReal, CmdUser, CmdSys time.Duration
	}
	if err := json.Unmarshal(data, &actions); err != nil {
		b.Fatal(err)
	}
	for _, a := range actions {
		if a.Mode == "build" && a.Package == pkg && a.CmdReal > 0 {
			return a.CmdReal, a.CmdUser + a.CmdSys
		}
	}
	b.Fatalf("the go command does not report how long it took to compile %s", pkg)
	return 0, 0
}
