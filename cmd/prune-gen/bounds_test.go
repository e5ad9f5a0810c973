package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// What a command may take, whatever it reads.
const (
	boundMemory = 500 << 20
	boundTime   = 10 * time.Second
	// The API server lets the rules about one object cost 10,000,000 units, and so do we. That takes about as long again.
	boundTimeOfRules = 20 * time.Second
)

// hostileCommands are command lines for a directory with a module that has the directories crds or manifests, with hostile files.
// The others have an object and CRDs for it.
var hostileCommands = map[string][]string{
	"crds": {
		"lint --output json crds",
		"lint crds",
		"skeleton crds",
		"skeleton --format json crds",
		"generate --output-dir out crds",
		"generate --emit all --output-dir out crds",
		"verify --output-dir out crds",
		"verify ./...",
		"explain --recursive crds/0.yaml",
		"explain --output json crds/0.yaml",
		"explain --output html --tree-only crds/0.yaml",
		"diff crds crds",
		"diff crd.yaml crds",
		"diff crds crd.yaml",
		"validate --crd crds object.yaml",
		"prune --crd crds object.yaml",
		"validate --crd crds objects.json",
		"prune --normalize --crd crds objects.json",
		"diff crds crd.yaml objects.json",
	},
	"manifests": {
		"validate --crd crd.yaml manifests",
		"validate --output json --crd crd.yaml manifests",
		"validate --crd crd.yaml --old-dir manifests manifests",
		"prune --crd crd.yaml manifests",
		"prune --diff --crd crd.yaml manifests",
		"prune --normalize --crd crd.yaml manifests",
		"diff crd.yaml new.yaml manifests",
	},
}

// hostileRun is set in the process that reads hostile files: its command line. What it takes is what the process took.
const hostileRun = "PRUNE_GEN_HOSTILE_RUN"

// inTests are the runs that are part of each run of the tests: the worst of their kind. PRUNE_GEN_HOSTILE=all has them all, and
// takes long. PRUNE_GEN_HOSTILE=lint has those of a command; PRUNE_GEN_HOSTILE_FILES chooses files by their names, with commas.
var inTests = map[string][]string{
	"lint --output json crds":                    {"keys of a map", "empty schemas in JSON", "documents with problems", "long names in findings"},
	"skeleton --format json crds":                {"schemas in JSON"},
	"skeleton crds":                              {"nested schemas", "long names in errors of skeletons"},
	"generate --output-dir out crds":             {"long names in warnings"},
	"explain --recursive crds/0.yaml":            {"schemas in JSON"},
	"validate --crd crds object.yaml":            {"long names in findings"},
	"validate --crd crds objects.json":           {"groups"},
	"validate --crd crd.yaml manifests":          {"costly rules in a list", "aliases of a long text", "a line of 100 MB", "dotted fields", "misspelt fields"},
	"prune --normalize --crd crd.yaml manifests": {"aliases of a long text"},
	"diff crd.yaml new.yaml manifests":           {"aliases of a long text"},
}

// A command takes at most 500 MB and 10 seconds, whatever it reads, and 20 seconds if it evaluates costly rules. The time is that of
// the processor, so that the load of the machine makes no difference; garbage is collected on other cores at the same time, and
// counts.
func TestHostileFilesAreBounded(t *testing.T) {
	if line := os.Getenv(hostileRun); line != "" {
		debug.SetMemoryLimit(softMemory)
		execute(strings.Fields(line), strings.NewReader(""), io.Discard, io.Discard)
		os.Stdout.WriteString(peakMemory())
		os.Exit(0)
	}
	if runtime.GOOS != "linux" {
		t.Skip("the peak of memory is read from /proc")
	}
	if testing.Short() {
		t.Skip("reads large files for a minute")
	}
	wanted, files := os.Getenv("PRUNE_GEN_HOSTILE"), os.Getenv("PRUNE_GEN_HOSTILE_FILES")
	for _, kind := range slices.Sorted(maps.Keys(hostileCommands)) {
		all := hostileCRDs()
		if kind == "manifests" {
			all = hostileManifests()
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if files != "" && !slices.Contains(strings.Split(files, ","), name) {
				continue
			}
			var lines []string
			for _, line := range hostileCommands[kind] {
				command, _, _ := strings.Cut(line, " ")
				if wanted == "all" || wanted == command || slices.Contains(inTests[line], name) {
					lines = append(lines, line)
				}
			}
			if len(lines) == 0 {
				continue
			}
			t.Run(name, func(t *testing.T) {
				dir := hostileModule(t, kind)
				all[name].write(t, filepath.Join(dir, kind))
				for _, line := range lines {
					t.Run(line, func(t *testing.T) { checkBounds(t, dir, line) })
				}
			})
		}
	}
}

// hostileModule makes a module with an empty directory in it.
func hostileModule(t *testing.T, empty string) string {
	t.Helper()
	mod, sum := runtimeModule(t)
	dir := write(t, map[string]string{
		"go.mod": mod, "go.sum": sum, "crd.yaml": ruledCRD, "new.yaml": strings.Replace(ruledCRD, "maxLength: 8", "maxLength: 7", 1),
		"object.yaml": objectStart, "objects.json": `{"apiVersion":"v1","kind":"List","items":[` + strings.Repeat(`{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"}},`, 60_000) + "{}]}",
		"api/doc.go": "package api\n\n" + strings.Repeat("//go:generate prune-gen generate --output-dir ../out ../crds\n", 5),
	})
	for _, name := range []string{empty, "out"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// checkBounds runs the program in a directory.
func checkBounds(t *testing.T, dir, line string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestHostileFilesAreBounded$", "-test.timeout", "2m")
	cmd.Env = append(os.Environ(), hostileRun+"="+line)
	cmd.Dir = dir
	out, err := cmd.Output()
	took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if err != nil {
		t.Fatalf("%v after %.1f s of the processor: %.500s", err, took.Seconds(), out)
	}
	var memory int64
	if _, err := fmt.Fscanf(bytes.NewReader(out), "VmHWM: %d kB", &memory); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	t.Logf("%d MB, %.1f s", memory>>10, took.Seconds())
	if memory<<10 > boundMemory {
		t.Errorf("takes %d MB", memory>>10)
	}
	bound := boundTime
	if strings.Contains(t.Name(), "rules") {
		bound = boundTimeOfRules
	}
	if took > bound {
		t.Errorf("takes %v of the processor", took)
	}
}

// peakMemory returns the line of /proc that has the most memory that the process ever had.
func peakMemory() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err.Error()
	}
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ = strings.Cut(line, "\n")
	return "VmHWM: " + strings.TrimSpace(line)
}
