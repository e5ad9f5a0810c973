package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
)

// Kubernetes' integration test of ratcheting changes schemas and applies objects. Here, ours is the server: what it must accept
// and refuse is in the tables of that test.
func TestKubernetesIntegrationTestOfRatchetingPassesWithOurs(t *testing.T) {
	answers := scratch.Foreign{
		Package: "k8s.io/apiextensions-apiserver/test/integration",
		Files:   []string{"ratcheting_test.go"},
		Alone:   true,
		Change: func(source []byte) []byte {
			return withoutDeclarations(t, source, []string{"ratchetingTestContext", "runTests", "applyPatchOperation.Do", "updateMyCRDV1Beta1Schema.Do",
				"patchMyCRDV1Beta1Schema.Do", "newValidator", "loadObjects", "BenchmarkRatcheting", "TestRatchetingDropFields"})
		},
		Added: map[string]string{"zz_server_test.go": ratchetingServer},
		Run:   "^TestRatchetingFunctionality$",
	}.Answers(t)
	accepted, refused := 0, 0
	for _, line := range answers {
		var isAccepted bool
		if err := json.Unmarshal(line, &isAccepted); err != nil {
			t.Fatal(err)
		}
		if isAccepted {
			accepted++
		} else {
			refused++
		}
	}
	t.Logf("%d requests are accepted, %d refused", accepted, refused)
	if accepted < 100 || refused < 50 {
		t.Errorf("%d requests are accepted, %d refused", accepted, refused)
	}
}

const ratchetingServer = `package integration_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

type ratchetingTestContext struct {
	*testing.T
	StatusSubresource bool
	schema            map[string]any
	resource          prunert.Resource
	objects           map[string]map[string]any
}

func runTests(t *testing.T, cases []ratchetingTestCase) {
	for _, c := range cases {
		for _, status := range []bool{false, true} {
			if c.Disabled || status && c.SkipStatus {
				continue
			}
			t.Run(fmt.Sprintf("%s, status %t", c.Name, status), func(t *testing.T) {
				ctx := &ratchetingTestContext{T: t, StatusSubresource: status, objects: map[string]map[string]any{}}
				for i, op := range c.Operations {
					if err := op.Do(ctx); err != nil {
						t.Fatalf("operation %d (%s): %v", i, op.Description(), err)
					}
				}
			})
		}
	}
}

// jsonOf returns v as decoded JSON.
func jsonOf(v any) map[string]any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return out
}

func (u updateMyCRDV1Beta1Schema) Do(ctx *ratchetingTestContext) error {
	s := jsonOf(u.newSchema)
	if ctx.StatusSubresource {
		s = map[string]any{"type": "object", "properties": map[string]any{"status": s}}
	}
	return ctx.use(s)
}

// use makes a schema that of the CRD.
func (ctx *ratchetingTestContext) use(schema map[string]any) error {
	crd, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "mycrds.mygroup.example.com"},
		"spec": map[string]any{
			"group": "mygroup.example.com", "scope": "Namespaced",
			"names": map[string]any{"plural": "mycrds", "singular": "mycoolcrd", "kind": "MyCoolCRD", "listKind": "MyCoolCRDList"},
			"versions": []any{map[string]any{
				"name": "v1beta1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": schema}, "subresources": map[string]any{"status": map[string]any{}},
			}},
		},
	})
	if err != nil {
		return err
	}
	file := crdread.Load("crd.json", strings.NewReader(string(crd)))
	if len(file.CRDs) != 1 {
		return fmt.Errorf("the CRD is not read: %v", file.Findings)
	}
	resources, err := dynamic.Compile(file.CRDs[0])
	if err != nil {
		return err
	}
	ctx.schema, ctx.resource = schema, resources[0]
	return nil
}

func (p patchMyCRDV1Beta1Schema) Do(ctx *ratchetingTestContext) error {
	patch := jsonOf(p.patch)
	if ctx.StatusSubresource {
		patch = map[string]any{"properties": map[string]any{"status": patch}}
	}
	s, _ := merged(ctx.schema, patch).(map[string]any)
	return ctx.use(s)
}

// merged returns v with a merge patch.
func merged(v, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	out := map[string]any{}
	if m, ok := v.(map[string]any); ok {
		maps.Copy(out, m)
	}
	for k, e := range p {
		if e == nil {
			delete(out, k)
		} else {
			out[k] = merged(out[k], e)
		}
	}
	return out
}

// Do applies an object. There is one manager of fields, so that what it does not apply again is removed.
func (a applyPatchOperation) Do(ctx *ratchetingTestContext) error {
	var obj map[string]any
	switch patch := a.patch.(type) {
	case map[string]any:
		obj = jsonOf(patch)
	case string:
		data, err := utilyaml.ToJSON([]byte(FixTabsOrDie(patch)))
		if err != nil {
			return err
		}
		if err := utiljson.Unmarshal(data, &obj); err != nil {
			return err
		}
	}
	if obj == nil {
		obj = map[string]any{}
	}
	if ctx.StatusSubresource {
		obj = map[string]any{"status": obj}
	}
	obj["apiVersion"], obj["kind"], obj["metadata"] = "mygroup.example.com/v1beta1", "MyCoolCRD", map[string]any{"name": a.name, "namespace": "default"}
	old := ctx.objects[a.name]
	if old == nil {
		got := ctx.resource.Create(jsonOf(obj), prunert.Request{})
		answer(got.Err() == nil)
		if err := got.Err(); err != nil {
			return err
		}
		ctx.objects[a.name] = got.Object
		if !ctx.StatusSubresource {
			return nil
		}
		old = got.Object
	}
	req := prunert.Request{}
	if ctx.StatusSubresource {
		req.Subresource = "status"
	}
	got := ctx.resource.Update(obj, old, req)
	answer(got.Err() == nil)
	if err := got.Err(); err != nil {
		return err
	}
	ctx.objects[a.name] = got.Object
	return nil
}

` + scratch.Answer

// The CRDs and the objects that come with Kubernetes' integration test, each object created, and updated from itself
// and from four others.
func TestFilesOfKubernetesIntegrationTestSayTheSame(t *testing.T) {
	prunelimits.Set(prunelimits.Limits{})
	dir := scratch.Go(t, scratch.ModuleRoot(t), "list", "-m", "-f", "{{.Dir}}", "k8s.io/apiextensions-apiserver")
	files := os.DirFS(filepath.Join(strings.TrimSpace(string(dir)), "test/integration/ratcheting_test_cases"))
	c := &corpus.Corpus{}
	if err := c.AddFS("files", files); err != nil {
		t.Fatal(err)
	}
	objects := objectsIn(t, files)
	all := NewTallies()
	seen, warnings := 0, 0
	for _, crd := range c.CRDs {
		versions, err := compare.Subjects(crd)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions {
			s, err := Of(v)
			if err != nil {
				t.Fatal(err)
			}
			those := objects[crd.Group+"/"+v.Version.Name+" "+crd.Names.Kind]
			if s == nil || len(those) == 0 {
				continue
			}
			for i, obj := range those {
				defaulting.Default(obj, s.kube)
				seen++
				Case{s, obj, nil}.Compare().note(all[Create])
				for next := range 5 {
					out := Case{s, obj, those[(i+next)%len(those)]}.Compare()
					out.note(all[Update])
					warnings += len(out.Theirs.Warnings)
				}
			}
		}
	}
	for _, tally := range all[:kinds] {
		t.Logf("%s: %d objects, %d errors, %d differences, %d named", tally.Name, tally.Compared, tally.Errors, tally.Disagreements, tally.Named())
		for _, f := range tally.Failures {
			t.Error(f)
		}
	}
	if seen < 70 || all[Create].Errors == 0 || warnings == 0 {
		t.Errorf("%d objects, %d errors, %d warnings only", seen, all[Create].Errors, warnings)
	}
}

// objectsIn returns the objects in YAML files, by apiVersion and kind.
func objectsIn(t *testing.T, files fs.FS) map[string][]map[string]any {
	t.Helper()
	all := map[string][]map[string]any{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".yaml" {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		for _, document := range bytes.Split(data, []byte("\n---\n")) {
			text, err := utilyaml.ToJSON(document)
			if err != nil {
				return err
			}
			var obj map[string]any
			if err := utiljson.Unmarshal(text, &obj); err != nil {
				return err
			}
			key := fmt.Sprintf("%v %v", obj["apiVersion"], obj["kind"])
			all[key] = append(all[key], obj)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// withoutDeclarations returns a source without some functions, methods and types. A method is named as in Type.Method.
func withoutDeclarations(t *testing.T, source []byte, names []string) []byte {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	dropped := 0
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		found := slices.Contains(names, declared(d))
		if found {
			dropped++
		}
		return found
	})
	if dropped != len(names) {
		t.Fatalf("%d of %q are declared", dropped, names)
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool {
				i := s.(*ast.ImportSpec)
				name := path.Base(strings.Trim(i.Path.Value, `"`))
				if i.Name != nil {
					name = i.Name.Name
				}
				return !used[name]
			})
		}
	}
	var out bytes.Buffer
	if err := format.Node(&out, files, file); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// declared returns the name of a function, a method or a type.
func declared(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			if receiver, ok := d.Recv.List[0].Type.(*ast.Ident); ok {
				return receiver.Name + "." + d.Name.Name
			}
		}
		return d.Name.Name
	case *ast.GenDecl:
		if len(d.Specs) == 1 {
			if s, ok := d.Specs[0].(*ast.TypeSpec); ok {
				return s.Name.Name
			}
		}
	}
	return ""
}
