// Package projection tests projections of Go types: functions for random lists are compiled, and compared with what following the paths of the lists
// through the JSON of random objects gives.
package projection

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/generate/keeplist"
	"github.com/prune-gen/prune-gen/internal/generate/projection"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/restrict"
)

const module = "github.com/prune-gen/prune-gen/projected"

var types = []struct {
	path, name string
	lists      int
}{
	{"k8s.io/api/core/v1", "Pod", 60},
	{"k8s.io/api/apps/v1", "Deployment", 30},
	{"k8s.io/api/core/v1", "Node", 30},
	{"k8s.io/api/batch/v1", "Job", 30},
	{"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "CustomResourceDefinition", 30},
	{module + "/odd", "Odd", 80},
}

func TestProjectionsAreRestrictions(t *testing.T) {
	dir := program(t)
	rnd := rand.New(rand.NewPCG(58, 2))
	var table strings.Builder
	for _, typ := range types {
		ty, _, err := target.Type(context.Background(), dir, nil, typ.path, typ.name)
		if err != nil {
			t.Fatal(err)
		}
		_, isLeaf, err := keeplist.Objects(context.Background(), ty)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		isMap := map[string]bool{}
		for p := range isLeaf {
			paths = append(paths, p)
			if m, ok := strings.CutSuffix(p, "[*]"); ok {
				isMap[m] = true
			}
		}
		slices.Sort(paths)
		for n := range typ.lists {
			list := restrict.List{IsMap: isMap}
			text := ""
			for range 1 + rnd.IntN(10) {
				p := paths[1+rnd.IntN(len(paths)-1)]
				if rnd.IntN(40) == 0 {
					p = ""
				} else if rnd.IntN(3) == 0 { // what is below something that is kept
					p = p[:strings.LastIndexAny(p+".", ".[")]
				}
				if strings.HasPrefix("metadata.ownerReferences", p) && p != "metadata" && p != "" || strings.HasPrefix(p, "metadata.ownerReferences") {
					continue
				}
				list.Keep = append(list.Keep, p)
			}
			for range rnd.IntN(5) {
				p := paths[1+rnd.IntN(len(paths)-1)]
				if len(list.Keep) > 0 && rnd.IntN(2) == 0 {
					below := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !strings.HasPrefix(p, list.Keep[0]) })
					p = below[rnd.IntN(len(below))]
				}
				if p == "" || !strings.HasPrefix(p, "metadata") && p != "kind" && p != "apiVersion" || p == "metadata.labels" || p == "metadata.managedFields" || p == "metadata.annotations" {
					list.Away = append(list.Away, p)
				}
			}
			list.Away = slices.DeleteFunc(list.Away, func(p string) bool { return p == "" || strings.HasSuffix(p, "]") })
			if slices.Contains(list.Keep, "") && len(list.Away) == 0 {
				list.Away = append(list.Away, "metadata.managedFields")
			}
			for _, p := range list.Keep {
				if p == "" {
					p = "*"
				}
				text += p + "\n"
			}
			for _, p := range list.Away {
				text += "-" + p + "\n"
			}
			name := fmt.Sprintf("Project%s%03d", typ.name, n)
			file, err := projection.Function(context.Background(), ty, keeplist.Parse("list.keep", []byte(text)), name, "main", "")
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			again, _ := projection.Function(context.Background(), ty, keeplist.Parse("list.keep", []byte(text)), name, "main", "")
			if string(again.Content) != string(file.Content) {
				t.Errorf("%s differs the second time", name)
			}
			write(t, filepath.Join(dir, file.Name), string(file.Content))
			js, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&table, "\tcheck(%q, %s, `%s`)\n", name, name, js)
		}
	}
	write(t, filepath.Join(dir, "table.go"), "package main\n\nfunc all() {\n"+table.String()+"}\n")
	for _, args := range [][]string{{"vet", "-copylocks", "./..."}, {"run", "."}} {
		cmd := gocmd.Command(t, dir, nil, args...)
		cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out[:min(len(out), 8000)])
		}
		t.Logf("go %s: %s", args[0], out)
	}
}

// program makes the module of the program that is run.
func program(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module github.com/prune-gen/prune-gen/hack/apiserver", "module "+module, 1)
	write(t, filepath.Join(dir, "go.mod"), strings.ReplaceAll(text, "=> ../..", "=> "+root))
	for _, name := range []string{"../go.sum", "testdata/main.go", "testdata/odd/odd.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, strings.TrimPrefix(strings.TrimPrefix(name, "../"), "testdata/")), string(data))
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
