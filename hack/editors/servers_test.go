package editors

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/hack/seeded"
	"github.com/prune-gen/prune-gen/internal/testing/lspclient"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// known are the folders of modules with CRDs that projects ship. The first has HTTPRoute.
var known = []string{
	"sigs.k8s.io/gateway-api@v1.4.0/config/crd/experimental",
	"github.com/argoproj/argo-cd/v3@v3.5.6/manifests/crds",
	"github.com/argoproj/argo-workflows/v3@v3.7.0/manifests/base/crds/full",
	"github.com/cert-manager/cert-manager@v1.21.2/deploy/crds",
	"github.com/crossplane/crossplane/v2@v2.0.2/cluster/crds",
	"github.com/external-secrets/external-secrets@v1.3.2/config/crds/bases",
	"github.com/kedacore/keda/v2@v2.21.0/config/crd/bases",
	"github.com/prometheus-operator/prometheus-operator@v0.85.0/example/prometheus-operator-crd",
	"github.com/vmware-tanzu/velero@v1.18.3/config/crd/v1/bases",
	"github.com/vmware-tanzu/velero@v1.18.3/config/crd/v2alpha1/bases",
	"knative.dev/serving@v0.42.2/config/core/300-resources",
	"sigs.k8s.io/cluster-api@v1.14.2/bootstrap/kubeadm/config/crd/bases",
	"sigs.k8s.io/cluster-api@v1.14.2/controlplane/kubeadm/config/crd/bases",
	"sigs.k8s.io/cluster-api@v1.14.2/core/config/crd/bases",
	"sigs.k8s.io/jobset@v0.8.0/config/components/crd/bases",
	"sigs.k8s.io/karpenter@v1.8.0/pkg/apis/crds",
}

// server is one that is compared.
type server struct {
	name  string
	start func(t *testing.T, dir string, crds []string) lspclient.Server // for the manifests m*.yaml in dir
}

// servers returns ours, and theirs if it is installed.
func servers(t *testing.T) []server {
	all := []server{{"`prune-gen lsp`", func(t *testing.T, dir string, crds []string) lspclient.Server {
		command := []string{pruneGen(t), "lsp", "--config=none", "--pause=0"}
		for _, crd := range crds {
			command = append(command, "--crd="+crd)
		}
		return lspclient.Server{Command: command, Dir: dir}
	}}}
	peers, err := filepath.Abs("peers/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(peers, "yaml-language-server")
	if _, err := os.Stat(theirs); err != nil {
		if *update {
			t.Fatal("yaml-language-server is not installed: npm ci --prefix hack/editors/peers")
		}
		t.Log("without yaml-language-server: npm ci --prefix hack/editors/peers installs it")
		return all
	}
	// It waits 200 ms before it validates, and has no setting for that.
	const atOnce = `data:text/javascript,const wait = setTimeout; globalThis.setTimeout = (f, ms, ...rest) => wait(f, ms === 200 ? 0 : ms, ...rest)`
	return append(all, server{"yaml-language-server", func(t *testing.T, dir string, crds []string) lspclient.Server {
		schemas, made := map[string]string{}, filepath.Join(dir, "schemas")
		args := append([]string{"schema", "--config=none", "--quiet", "--limit=10", "--output-dir", made}, crds...)
		if out, err := exec.Command(pruneGen(t), args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		files, err := filepath.Glob(made + "/*/*.json")
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			switch name, _ := filepath.Rel(made, file); filepath.ToSlash(name) {
			case "gateway.networking.k8s.io/httproute_v1.json", "ops.example.com/backup_v1.json":
				schemas["file://"+file] = "m*.yaml"
			default:
				schemas["file://"+file] = name + "/*.yaml"
			}
		}
		return lspclient.Server{
			Command:  []string{filepath.Join(peers, ".bin/node"), "--import", atOnce, filepath.Join(theirs, "bin/yaml-language-server"), "--stdio"},
			Dir:      dir,
			Settings: map[string]any{"yaml": map[string]any{"schemas": schemas, "validate": true, "schemaStore": map[string]any{"enable": false}, "kubernetesCRDStore": map[string]any{"enable": false}}},
		}
	}})
}

// open starts a server and opens a manifest.
func (s server) open(t *testing.T, crds []string, text string) (*lspclient.Client, *lspclient.Document, string) {
	t.Helper()
	dir := t.TempDir()
	file := write(t, dir, "m.yaml", text)
	c, err := lspclient.Start(s.start(t, dir, crds))
	if err != nil {
		t.Fatal(s.name, err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(s.name, err)
		}
	})
	d, err := c.Open(file, text)
	if err != nil {
		t.Fatal(s.name, err)
	}
	return c, d, file
}

func none(found []lspclient.Diagnostic) bool { return len(found) == 0 }
func some(found []lspclient.Diagnostic) bool { return len(found) > 0 }

// The table of docs/editors.md about time and memory. Without yaml-language-server it has one row for each document.
func TestServersFromEditToDiagnostics(t *testing.T) {
	testsize.Large(t, "measures")
	crds := modules(t)
	one := strings.TrimSuffix(crds[0], "/") + "/gateway.networking.k8s.io_httproutes.yaml"
	route := read(t, "hack/editors/testdata/httproute.yaml")
	long := twenty(route)
	var table strings.Builder
	table.WriteString("| document | CRDs | server | median | 95 % below | processor time | memory | at most |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, doc := range []struct {
		name, text string
		crds       []string
		edits      int
	}{
		{"HTTPRoute", route, []string{one}, 200},
		{"20 HTTPRoutes", long, []string{one}, 100},
		{"HTTPRoute", route, crds, 200},
		{"20 HTTPRoutes", long, crds, 100},
	} {
		for _, s := range servers(t) {
			c, d, _ := s.open(t, doc.crds, doc.text)
			if _, err := d.Wait(none); err != nil {
				t.Fatal(s.name, err)
			}
			idle, err := c.Busy()
			if err != nil {
				t.Fatal(err)
			}
			var took []time.Duration
			for range doc.edits / 2 {
				for _, edit := range []struct {
					from, to string
					then     func([]lspclient.Diagnostic) bool
				}{{"port: 8081\n", "port: 808100\n", some}, {"port: 808100\n", "port: 8081\n", none}} {
					sent, err := d.Replace(edit.from, edit.to)
					if err != nil {
						t.Fatal(err)
					}
					p, err := d.Wait(edit.then)
					if err != nil {
						t.Fatal(s.name, err)
					}
					took = append(took, p.At.Sub(sent))
				}
			}
			slices.Sort(took)
			busy, err := c.Busy()
			if err != nil {
				t.Fatal(err)
			}
			now, most, err := c.Memory()
			if err != nil {
				t.Fatal(err)
			}
			ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
			row := fmt.Sprintf("| %s, %d lines | %d | %s | %s | %s | %s | %d MB | %d MB |\n", doc.name, strings.Count(doc.text, "\n"), count(t, doc.crds), s.name, ms(took[len(took)/2]), ms(took[len(took)*95/100]), ms((busy-idle)/time.Duration(len(took))), now/1e6, most/1e6)
			t.Log(row)
			table.WriteString(row)
		}
	}
	report(t, "speed", table.String())
}

// twenty returns a stream of HTTPRoutes with 2,000 lines.
func twenty(route string) string {
	const rule = "  - name: rule-%d\n    matches:\n    - path: {type: PathPrefix, value: /%[1]d}\n    backendRefs:\n    - name: pages\n      port: 80\n    - name: canary\n      port: 80\n      weight: 0\n"
	for n := range 4 {
		route += fmt.Sprintf(rule, n)
	}
	first, rest, _ := strings.Cut(route, "8081")
	var all []string
	for range 19 {
		all = append(all, first+"8082"+rest)
	}
	return strings.Join(append(all, route), "---\n")
}

// modules returns the folders of known.
func modules(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, name := range known {
		at := strings.IndexByte(name, '@')
		version, below, _ := strings.Cut(name[at:], "/")
		out, err := exec.Command("go", "mod", "download", "-json", name[:at]+version).Output()
		var module struct{ Dir string }
		if err == nil {
			err = json.Unmarshal(out, &module)
		}
		if err != nil {
			t.Fatalf("download %s: %v", name, err)
		}
		dirs = append(dirs, filepath.Join(module.Dir, below))
	}
	return dirs
}

// count counts the CRDs in files and directories.
func count(t *testing.T, paths []string) (n int) {
	t.Helper()
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(file)
			n += len(regexp.MustCompile(`(?m)^kind: CustomResourceDefinition$`).FindAll(text, -1))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// All fifty mistakes are found on their lines. Those that yaml-language-server finds count as placed if they touch the line, or begin on the next
// one, where the value of a field is.
func TestServersFindMistakes(t *testing.T) {
	testsize.NotShort(t)
	crd := write(t, t.TempDir(), "crd.yaml", seeded.CRD)
	table := "| | found | at its place | missed | false alarms |\n| --- | --- | --- | --- | --- |\n"
	for i, s := range servers(t) {
		c, d, file := s.open(t, []string{crd}, seeded.Good)
		published := func(d *lspclient.Document) []lspclient.Diagnostic {
			p, err := d.Wait(func([]lspclient.Diagnostic) bool { return true })
			if err != nil {
				t.Fatal(s.name, err)
			}
			return p.Diagnostics
		}
		alarms := len(published(d))
		found, placed := 0, 0
		for _, f := range seeded.Faults() {
			d, err := c.Open(strings.TrimSuffix(file, ".yaml")+"-"+f.Name+".yaml", f.Text())
			if err != nil {
				t.Fatal(s.name, err)
			}
			diagnostics := published(d)
			there := slices.ContainsFunc(diagnostics, func(d lspclient.Diagnostic) bool {
				at := d.Range
				return at.Start.Line == f.Line-1 || i > 0 && at.Start.Line <= f.Line && at.End.Line >= f.Line-1
			})
			if some(diagnostics) {
				found++
			}
			if there {
				placed++
			} else {
				t.Logf("%s: %s, line %d: %+v", s.name, f.Name, f.Line, diagnostics)
			}
		}
		if n := len(seeded.Faults()); i == 0 && (placed != n || alarms > 0) {
			t.Errorf("%s finds %d of %d on their lines, with %d false alarms", s.name, placed, n, alarms)
		}
		table += fmt.Sprintf("| %s | %d | %d | %d | %d |\n", s.name, found, placed, len(seeded.Faults())-found, alarms)
	}
	report(t, "mistakes", table)
}

// report prints a table, and writes it into docs/editors.md if that is wanted.
func report(t *testing.T, name, table string) {
	t.Helper()
	t.Logf("\n%s", table)
	if !*update {
		return
	}
	begin, end := "<!-- "+name+": go test ./hack/editors -run Servers -update -->\n\n", "\n<!-- end -->"
	page := read(t, "docs/editors.md")
	before, rest, ok := strings.Cut(page, begin)
	old, after, ended := strings.Cut(rest, end)
	if !ok || !ended || strings.Contains(old, "<!--") {
		t.Fatalf("docs/editors.md has no place for the table %s", name)
	}
	write(t, root, "docs/editors.md", before+begin+table+end+after)
}
