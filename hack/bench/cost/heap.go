package cost

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/progress"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/scratch"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// heapProgram prints the bytes that are in use on the heap once everything is initialised. It uses regexp and net/netip with or without
// generated code, which may need them to validate: their tables are no schemas.
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

// heap measures what schemas take at run time.
func heap(ctx context.Context, e *Env) (*report.Cost, error) {
	theirs, versions, crds, err := kubeHeap(ctx, e)
	if err != nil {
		return nil, err
	}
	without, err := programHeap(ctx, e, nil)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, k := range e.Kinds {
		names = append(names, k.Name())
	}
	with, err := programHeap(ctx, e, names)
	if err != nil {
		return nil, err
	}
	r := &report.Cost{Summary: true, Table: report.Table{
		Title: "Heap held by schemas",
		Note: "Kubernetes walks a schema that is held in memory, in a form of its own, for as long as the kind is served. Generated code is code: " +
			"the heap of a program right after its start, garbage collected, is the same with and without it; both use regexp and net/netip, which have tables. " +
			"Both sides are the smallest of several runs, and differ by what the Go runtime does at the time.",
		Header: []string{"what", "heap"},
	}}
	r.Table.Rows = append(r.Table.Rows,
		[]string{fmt.Sprintf("Kubernetes' structural schemas of %d versions of the %d CRDs of the corpus", versions, crds), report.Bytes(theirs)},
		[]string{"a program without generated code", report.Bytes(without)},
		[]string{"the same with " + strings.Join(names, ", "), report.Bytes(with)},
	)
	// The Go runtime's own start is not the same to the byte; a schema would be more than a thousand.
	held := with - without
	if held < 1000 {
		held = max(held, 0)
	}
	r.Headline("Schemas take %s of heap in Kubernetes' form for the corpus (%d versions) and %s in generated code",
		report.Bytes(theirs), versions, report.Bytes(held))
	return r, nil
}

// kubeHeap returns the heap that the structural schemas of the corpus take.
func kubeHeap(ctx context.Context, e *Env) (bytes float64, versions, crds int, err error) {
	c, err := e.Corpus(ctx)
	if err != nil {
		return 0, 0, 0, err
	}
	progress.Printf("making Kubernetes' schemas of the corpus")
	var schemas []*structuralschema.Structural
	before := heapInUse()
	for _, crd := range c.CRDs {
		decoded, err := kube.DecodeCRD(crd.Raw)
		if err != nil {
			continue // Kubernetes does not take it
		}
		for _, v := range crd.Versions {
			props, _, err := decoded.Schema(v.Name)
			if err != nil || props == nil {
				continue
			}
			if s, err := structuralschema.NewStructural(props); err == nil {
				schemas = append(schemas, s)
			}
		}
	}
	after := heapInUse()
	runtime.KeepAlive(schemas)
	return float64(after) - float64(before), len(schemas), len(c.CRDs), nil
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// programHeap returns the heap of a program with the generated code of some kinds.
func programHeap(ctx context.Context, e *Env, kinds []string) (float64, error) {
	m, err := scratch.New(ctx)
	if err != nil {
		return 0, err
	}
	defer m.Remove()
	var imports, resources strings.Builder
	for _, name := range kinds {
		k, err := e.kind(name)
		if err != nil {
			return 0, err
		}
		pkg := scratch.Package(name)
		if err := m.Generate(pkg, []generator.Input{k.Input}, generator.AllFeatures()); err != nil {
			return 0, err
		}
		fmt.Fprintf(&imports, "\t\"scratch/%s\"\n", pkg)
		fmt.Fprintf(&resources, "%s.%sResource, ", pkg, name)
	}
	if err := m.Write("main.go", fmt.Appendf(nil, heapProgram, imports.String(), resources.String())); err != nil {
		return 0, err
	}
	if _, err := m.Go(ctx, "build", "-o", "program.exe", "."); err != nil {
		return 0, err
	}
	least := 0.0
	for i := range 10 {
		out, err := exec.CommandContext(ctx, m.Path("program.exe")).Output()
		if err != nil {
			return 0, fmt.Errorf("run the program that prints its heap: %w", err)
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			return 0, err
		}
		if i == 0 || n < least {
			least = n
		}
	}
	return least, nil
}
