package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// What a command may take, whatever it reads.
const (
	boundMemory = 500 << 20
	// Machines differ, so time is counted in units: what calibrate takes on the same machine. It was 1 second of the processor on the one
	// on which 10 seconds were chosen as the bound.
	boundTime = 10
	// The API server lets the rules about one object cost 10,000,000 units, and so do we. That takes about as long again.
	boundTimeOfRules = 20
	// A stream of JSON objects has no limit on its length. The bound for it grows with each million bytes.
	boundTimeOfMillion = 0.5
)

// calibrate is a fixed piece of work of the kind that commands do: it decodes, allocates, and encodes. It uses none of our code, which
// would make the bound larger by becoming slower.
func calibrate() {
	doc := []byte("[" + strings.Repeat(`{"name":"a","list":[1,2.5,true,null],"map":{"k":"v"}},`, 20_000) + "{}]")
	for range 9 {
		var v any
		if err := json.Unmarshal(doc, &v); err != nil {
			panic(err)
		}
		if _, err := json.Marshal(v); err != nil {
			panic(err)
		}
	}
}

// hostileCommands are command lines for a directory with a module that has the directories crds or manifests, with hostile files.
// The others have an object and CRDs for it.
var hostileCommands = map[string][]string{
	"crds": {
		"lint --output json crds",
		"lint crds",
		"skeleton crds",
		"schema --output-dir out crds",
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
		"test --init suites crds",
		"test --coverage --crd crds suite.yaml",
		"project --crd crds --keep keep --output-dir out",
	},
	"manifests": {
		"validate --crd crd.yaml manifests",
		"validate --output json --crd crd.yaml manifests",
		"validate --crd crd.yaml --old manifests manifests",
		"prune --crd crd.yaml manifests",
		"prune --diff --crd crd.yaml manifests",
		"prune --normalize --crd crd.yaml manifests",
		"diff crd.yaml new.yaml manifests",
	},
}

// readCRDs are the command lines for files without a CRD. All commands read CRDs by the same code: lint lists what is wrong with them, validate
// reads those that objects need, and diff holds two of them.
var readCRDs = []string{"lint --output json crds", "validate --crd crds object.yaml", "diff crds crds"}

// hostileRun is set in the process that reads hostile files: its command line, or calibration. What it takes is what the process took.
const (
	hostileRun  = "PRUNE_GEN_HOSTILE_RUN"
	calibration = "calibrate"
)

// inTests are the runs that make test-all includes: the worst of their kind. make soak has them all. PRUNE_GEN_HOSTILE=lint has those of a command; PRUNE_GEN_HOSTILE_FILES chooses files by their names, with commas.
var inTests = map[string][]string{
	"lint --output json crds":                    {"keys of a map", "empty schemas in JSON", "documents with problems", "long names in findings"},
	"skeleton crds":                              {"schemas in JSON", "nested schemas", "long names in errors of skeletons"},
	"schema --output-dir out crds":               {"schemas in JSON"},
	"generate --output-dir out crds":             {"long names in warnings"},
	"explain --recursive crds/0.yaml":            {"schemas in JSON"},
	"validate --crd crds object.yaml":            {"long names in findings"},
	"validate --crd crds objects.json":           {"groups"},
	"validate --crd crd.yaml manifests":          {"costly rules in a list", "aliases of a long text", "a line of 100 MB", "dotted fields", "misspelt fields"},
	"prune --normalize --crd crd.yaml manifests": {"aliases of a long text"},
	"diff crd.yaml new.yaml manifests":           {"aliases of a long text"},
}

// A command takes at most 500 MB and 10 units of time, whatever it reads, 20 if it evaluates costly rules, and half a unit more for each
// million bytes of a stream of JSON objects, one in diff. The time is that of the
// processor, so that the load of the machine makes little difference; garbage is collected on other cores at the same time, and counts.
func TestHostileFilesAreBounded(t *testing.T) {
	if line := os.Getenv(hostileRun); line != "" {
		limitMemory()
		if line == calibration {
			calibrate()
		} else {
			execute(strings.Fields(line), strings.NewReader(""), io.Discard, io.Discard)
		}
		os.Stdout.WriteString(peakMemory())
		os.Exit(0)
	}
	if runtime.GOOS != "linux" {
		t.Skip("the peak of memory is read from /proc")
	}
	wanted, files := os.Getenv("PRUNE_GEN_HOSTILE"), os.Getenv("PRUNE_GEN_HOSTILE_FILES")
	switch {
	case testsize.Soaking():
		wanted = "all"
	case wanted == "":
		testsize.Large(t, "reads large files for a minute")
	}
	_, unit := hostileProcess(t, t.TempDir(), calibration)
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
				switch {
				case all[name].noCRD && !slices.Contains(readCRDs, line):
				case wanted == "all" || wanted == command || wanted == "" && slices.Contains(inTests[line], name):
					lines = append(lines, line)
				}
			}
			if len(lines) == 0 {
				continue
			}
			t.Run(name, func(t *testing.T) {
				dir := hostileModule(t, kind)
				streams := all[name].write(t, filepath.Join(dir, kind))
				for _, line := range lines {
					t.Run(line, func(t *testing.T) { checkBounds(t, dir, line, unit, streams) })
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
		"object.yaml": objectStart, "keep": "spec\n", "suite.yaml": "crdName: things.example.com\ntests: {onCreate: [{name: a, initial: '{apiVersion: example.com/v1, kind: Thing}', expected: '{}'}]}\n",
		"objects.json": `{"apiVersion":"v1","kind":"List","items":[` + strings.Repeat(`{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"}},`, 60_000) + "{}]}",
		"api/doc.go":   "package api\n\n" + strings.Repeat("//go:generate prune-gen generate --output-dir ../out ../crds\n", 5),
	})
	for _, name := range []string{empty, "out"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// checkBounds runs the program in a directory with streams of some million bytes. The unit is what calibrate takes. Other work can make a process take half as long again:
// a run that takes too long is tried twice more, each time after calibrating again.
func checkBounds(t *testing.T, dir, line string, unit time.Duration, streams float64) {
	t.Helper()
	bound := boundTime + streams*boundTimeOfMillion
	if strings.HasPrefix(line, "diff ") { // two CRDs answer for each object, and one for an update of it
		bound += streams * boundTimeOfMillion
	}
	if strings.Contains(t.Name(), "rules") {
		bound = boundTimeOfRules
	}
	for range 3 {
		memory, took := hostileProcess(t, dir, line)
		units := took.Seconds() / unit.Seconds()
		t.Logf("%d MB, %.1f s, %.1f units", memory>>20, took.Seconds(), units)
		if memory > boundMemory {
			t.Fatalf("takes %d MB", memory>>20)
		}
		if units <= bound {
			return
		}
		_, unit = hostileProcess(t, t.TempDir(), calibration)
	}
	t.Errorf("takes more than %.0f units of the processor", bound)
}

// hostileProcess does what line says in a process of its own. It returns the most memory that the process had, and the time of the
// processor.
func hostileProcess(t *testing.T, dir, line string) (memory int64, took time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestHostileFilesAreBounded$", "-test.timeout", "10m")
	cmd.Env = append(os.Environ(), hostileRun+"="+line)
	cmd.Dir = dir
	out, err := cmd.Output()
	took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if err != nil {
		t.Fatalf("%v after %.1f s of the processor: %.500s", err, took.Seconds(), out)
	}
	if _, err := fmt.Fscanf(bytes.NewReader(out), "VmHWM: %d kB", &memory); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	return memory << 10, took
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
