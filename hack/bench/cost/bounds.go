package cost

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/hack/bench/progress"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/hack/bench/scratch"
)

// bounds measures what the commands take for input that was made to be large, and for the largest files of the corpus.
func bounds(ctx context.Context, e *Env) (*report.Cost, error) {
	m, err := scratch.New(ctx)
	if err != nil {
		return nil, err
	}
	defer m.Remove()
	if _, err := m.Go(ctx, "build", "-o", "prune-gen.exe", "github.com/prune-gen/prune-gen/cmd/prune-gen"); err != nil {
		return nil, err
	}
	r := &report.Cost{Table: report.Table{
		Title: "Bounds",
		Note: "Time and peak memory of the commands, as a user runs them, on input that was made to be large, and on the largest files of the corpus. " +
			"What is larger than generated code may be is refused.",
		Header: []string{"input", "size", "command", "outcome", "processor time", "time", "peak memory"},
	}}
	most := 0.0
	measure := func(what, file string, args ...string) error {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		progress.Printf("prune-gen %s of %s", args[0], what)
		took, peak, refused, err := runWatched(ctx, m.Path("prune-gen.exe"), append(args, file)...)
		if err != nil {
			return err
		}
		outcome := "done"
		if refused {
			outcome = "refused"
		}
		most = max(most, peak)
		r.Table.Rows = append(r.Table.Rows, []string{what, report.Bytes(float64(info.Size())), strings.Join(args[:1], " "), outcome,
			report.Duration(took.cpu), report.Duration(took.wall), report.Bytes(peak)})
		return nil
	}
	for i, h := range hostileInputs() {
		file := fmt.Sprintf("hostile/%d.yaml", i)
		if err := m.Write(file, []byte(h.text())); err != nil {
			return nil, err
		}
		for _, command := range h.commands {
			args := []string{command}
			switch command {
			case "skeleton":
				args = append(args, "--format=json")
			default:
				args = append(args, "--output-dir", m.Path(fmt.Sprintf("out/%d", i)))
			}
			if err := measure(h.what, m.Path(file), args...); err != nil {
				return nil, err
			}
		}
	}
	largest, err := largestFiles(ctx, e, 3)
	if err != nil {
		return nil, err
	}
	for i, file := range largest {
		for _, command := range []string{"generate", "verify"} {
			if err := measure(filepath.Base(file), file, command, "--output-dir", m.Path(fmt.Sprintf("out/corpus%d", i))); err != nil {
				return nil, err
			}
		}
	}
	r.Headline("Input that was made to be large takes %s of memory at most", report.Bytes(most))
	return r, nil
}

// largestFiles returns the n largest files of the corpus.
func largestFiles(ctx context.Context, e *Env, n int) ([]string, error) {
	files, err := e.Files(ctx)
	if err != nil {
		return nil, err
	}
	return largestOf(files, n)
}

// largestOf returns the n largest of some files.
func largestOf(files []string, n int) ([]string, error) {
	size := map[string]int64{}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		size[file] = info.Size()
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b)) })
	return files[:min(n, len(files))], nil
}

// hostileInput is input that was made to be large.
type hostileInput struct {
	what     string
	commands []string
	text     func() string
}

func hostileInputs() []hostileInput {
	both := []string{"generate", "verify"}
	return []hostileInput{
		{"one schema for 200 versions", both, func() string { return versionsCRD(200, 1550) }},
		{"one schema for 30 versions", both, func() string { return versionsCRD(30, 1550) }},
		{"one schema for 2,000 versions", []string{"skeleton"}, func() string { return versionsCRD(2000, 1000) }},
		{"30,000 kinds", both, func() string {
			var b strings.Builder
			for i := range 30_000 {
				b.WriteString(kindCRD(i, "a: {type: string}"))
			}
			return b.String()
		}},
		{"300 names of 200 kB", both, func() string {
			var fields []string
			for i := range 300 {
				fields = append(fields, fmt.Sprintf(`"%d%s": {"type": "string"}`, i, strings.Repeat("x", 200_000)))
			}
			return strings.TrimPrefix(kindCRD(0, strings.Join(fields, ", ")), "---\n") // YAML has no such keys, JSON does
		}},
		{"19,800 functions", both, func() string { return objectsCRD(9900, 2) }},
		{"200,000 fields", both, func() string { return objectsCRD(5000, 40) }},
	}
}

// versionsCRD returns a CRD that has one schema for all versions.
func versionsCRD(versions, objects int) string {
	var b strings.Builder
	b.WriteString("apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\nspec:\n" +
		"  group: example.com\n  scope: Namespaced\n  names: {kind: Thing, plural: things}\n  preserveUnknownFields: false\n" +
		"  validation:\n    openAPIV3Schema:\n      type: object\n      properties:\n")
	for i := range objects {
		fmt.Fprintf(&b, "        field%[1]d: {type: object, properties: {a%[1]d: {type: string}, b%[1]d: {type: integer}}}\n", i)
	}
	b.WriteString("  versions:\n")
	for i := range versions {
		fmt.Fprintf(&b, "  - {name: v%d, served: true, storage: %t}\n", i+1, i == 0)
	}
	return b.String()
}

// kindCRD returns a CRD with these fields.
func kindCRD(i int, fields string) string {
	return fmt.Sprintf("---\n"+`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "things%[1]d.example.com"},
 "spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": "Thing%[1]d", "plural": "things%[1]d"},
  "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {%[2]s}}}}]}}`+"\n", i, fields)
}

// objectsCRD returns a CRD with so many different objects, each with so many fields.
func objectsCRD(objects, fields int) string {
	var all []string
	for i := range objects {
		var below []string
		for j := range fields {
			below = append(below, fmt.Sprintf("f%d_%d: {type: string}", i, j))
		}
		all = append(all, fmt.Sprintf("o%d: {type: object, properties: {%s}}", i, strings.Join(below, ", ")))
	}
	return kindCRD(0, strings.Join(all, ",\n"))
}
