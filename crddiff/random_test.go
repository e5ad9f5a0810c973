package crddiff_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/testing/crdjudge"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

type object = map[string]any

// versionsOf returns the versions that are changed at random: of golden CRDs, of the cases in testdata, and random ones.
func versionsOf(t *testing.T) []object {
	t.Helper()
	var all []object
	files, err := filepath.Glob("../golden/*/crd.yaml")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, "../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml", "../examples/upgrade/old.yaml") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		spec, _ := structuraltest.ParseObject(t, string(data))["spec"].(object)
		versions, _ := spec["versions"].([]any)
		for _, v := range versions {
			v, _ := v.(object)
			if schema, _ := v["schema"].(object); schema["openAPIV3Schema"] != nil && len(data) < 20_000 {
				all = append(all, object{"schema": schema["openAPIV3Schema"], "subresources": v["subresources"]})
			}
		}
	}
	data, err := os.ReadFile("testdata/levels.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Split("\n"+string(data), "\n# ")[1:] {
		name, fields, _ := strings.Cut(text, "\n")
		if name == "2 a rule that costs too much" {
			continue // it does so for each object: half of the time went into it
		}
		c := structuraltest.ParseObject(t, fields)
		for _, which := range []string{"old", "new"} {
			v := c[which].(object)
			if v["schema"] == nil {
				v = object{"schema": object{"type": "object", "properties": object{"spec": v}}}
			}
			all = append(all, v)
		}
	}
	for seed := range uint64(100) {
		all = append(all, crdjudge.RandomVersion(seed))
	}
	return crdjudge.Versions(t, all)
}

func TestLevelsAreNeverTooLow(t *testing.T) {
	testsize.NotShort(t)
	from, pairs := 0, 150
	switch {
	case testsize.Soaking(): // other ones each day
		pairs = 40_000
		from = time.Now().YearDay() * 4 * pairs
	case testsize.All():
		pairs = 3000
	}
	crdjudge.NeverTooLow(t, versionsOf(t), from, pairs)
}
