package parity

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// corpusCRDs names the directory of the CRDs whose code is linked.
const corpusCRDs = "PARITY_CRDS"

// CRDs of well-known projects are not part of this repository: their code is generated, built into a program and run here.
func TestServersAnswerAlikeForTheCorpus(t *testing.T) {
	if dir := os.Getenv(corpusCRDs); dir != "" {
		compareCorpus(t, dir)
		return
	}
	program, crds := build(t, sources...)
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestServersAnswerAlikeForTheCorpus$", "-test.v")
	cmd.Env = append(os.Environ(), corpusCRDs+"="+crds)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.20000s", err, out)
	}
	t.Logf("%.2000s", out)
}

// compareCorpus sends a life of each object of the corpus to both servers.
func compareCorpus(t *testing.T, dir string) {
	t.Helper()
	theirs, ours, definitions := servers(t, glob(t, dir+"/*.yaml"))
	requests, kinds := 0, map[string]bool{}
	for _, file := range append(glob(t, testdata+"/corpus/*.yaml"), glob(t, "testdata/corpus/*.yaml")...) {
		data, err := os.ReadFile(file)
		check(t, err)
		var obj map[string]any
		check(t, yaml.Unmarshal(data, &obj))
		s, ok := sampleOf(definitions, obj)
		if !ok {
			continue
		}
		kinds[s.Collection] = true
		title := strings.TrimSuffix(filepath.Base(file), ".yaml")
		script := derive(title, title, s)
		requests += len(script)
		compareAll(t, theirs, ours, script)
	}
	t.Logf("%d requests about %d kinds", requests, len(kinds))
	if len(kinds) != len(definitions) {
		t.Errorf("there are objects of %d kinds, and %d kinds", len(kinds), len(definitions))
	}
}

// glob returns the files of a pattern.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	return files
}
