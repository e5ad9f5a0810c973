package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"sort"
	"time"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural/load"
)

func TestOS(t *testing.T) {
	dir := os.Getenv("OS")
	by, err := kubeversion.Parse(os.Getenv("KV"))
	if err != nil { t.Fatal(err) }
	g, err := suite.ReadOpenShiftGates(dir + "/payload-manifests/featuregates")
	if err != nil { t.Fatal(err) }
	vs := &suite.Variants{Gates: g}
	files, _ := filepath.Glob(dir + "/*/*/zz_generated.crd-manifests/*.yaml")
	for _, f := range files {
		r, _ := os.Open(f)
		l := load.Load(f, r)
		r.Close()
		for _, c := range l.CRDs { c.Kubernetes = by; vs.All = append(vs.All, suite.NewVariant(c)) }
	}
	fmt.Println(len(vs.All), "variants")
	files, _ = filepath.Glob(dir + "/*/*/tests/*/*.yaml")
	n, bad := 0, 0
	kinds := map[string]int{}
	start := time.Now()
	for _, f := range files {
		data, _ := os.ReadFile(f)
		s, wrong := suite.Read(meter.New(1), f, data)
		for _, w := range wrong { t.Errorf("%s:%d: %s %s", w.File, w.Line, w.Message, w.Hint) }
		if len(wrong) > 0 { continue }
		for _, r := range vs.Runs(s) {
			n++
			r.Do(nil)
			if len(r.Failures) > 0 {
				bad++
				m, _, _ := strings.Cut(r.Failures[0].Message, ":")
				kinds[m]++
				if kinds[m] < 8 || m != "refused" { fmt.Printf("%s:%d %s: %s\n%s\n", strings.TrimPrefix(f, dir), r.Failures[0].Line, r.Case.Name, r.Failures[0].Message, r.Failures[0].Diff) }
			}
		}
	}
	var ks []string
	for k, v := range kinds { ks = append(ks, fmt.Sprint(v, " ", k)) }
	sort.Strings(ks)
	fmt.Println(len(files), n, bad, time.Since(start), strings.Join(ks, "\n"))
}
