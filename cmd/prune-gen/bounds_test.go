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

// What reading may take, whatever is read.
const (
	boundMemory = 500 << 20
	boundTime   = 10 * time.Second
)

const (
	crdStart = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\nspec:\n" +
		"  group: example.com\n  scope: Namespaced\n  names: {kind: Thing, plural: things}\n  versions:\n" +
		"  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        "
	jsonStart = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},` +
		`"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1",` +
		`"served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",`
	jsonEnd = "}}}]}}"
)

// numbered returns format, which has a place for a number, n times.
func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// hostile is a run that reads copies of one file.
type hostile struct {
	copies int
	text   func() string
}

// hostileFiles are texts made to take as much memory or time as reading can be made to take. They come close to the limits of structural/text.
func hostileFiles() map[string]hostile {
	const separators, all = 748_000, 2_990_000
	return map[string]hostile{
		"values of a list":                  {6, func() string { return "[" + strings.Repeat("a,", separators) }},
		"keys of a map":                     {6, func() string { return "{" + numbered("k%d,", separators-10) + "}" }},
		"numbers":                           {6, func() string { return "[" + numbered("%d.5,", separators-10) + "]" }},
		"numbers that are not decimal":      {6, func() string { return "[" + numbered("%#x,", separators-10) + "]" }},
		"anchors":                           {6, func() string { return numbered("- &a%d 1\n", separators/2-10) }},
		"comments":                          {6, func() string { return strings.Repeat("- a # b\n# c\n", separators/3-10) }},
		"values of a list in JSON":          {6, func() string { return `{"a":[` + strings.Repeat("1,", all-10) + "1]}" }},
		"JSON that ends in the wrong place": {6, func() string { return `{"a":[` + strings.Repeat("1,", separators) + "x}" }},
		"empty schemas":                     {6, func() string { return crdStart + "anyOf: [" + strings.Repeat("{},", separators/2-20) + "]\n" }},
		"empty schemas in JSON": {6, func() string {
			return jsonStart + `"properties":{` + numbered(`"k%d":{},`, all/4) + `"k":{}}` + jsonEnd
		}},
		"schemas": {6, func() string {
			return strings.Repeat("---\n"+crdStart+"properties: {"+numbered("k%d: {type: string},", separators/12)+"}\n", 4)
		}},
		"an enum":                 {6, func() string { return crdStart + "enum: [" + strings.Repeat("a,", separators-100) + "]\n" }},
		"a default":               {6, func() string { return crdStart + "default: [" + strings.Repeat("[],", separators/2-50) + "]\n" }},
		"versions":                {6, func() string { return manyVersions(10_000, 30_000) }},
		"small CRDs":              {6, func() string { return strings.Repeat(jsonStart+`"a":1`+jsonEnd+"\n", 49_000) }},
		"documents":               {6, func() string { return strings.Repeat("--- a\n", separators/4) }},
		"documents with problems": {6, func() string { return strings.Repeat("--- {\"a\"\n", separators/6) }},
		"long names in findings": {300, func() string {
			return crdStart + "properties:\n          ? " + strings.Repeat("n", 9000) + "\n          : type: object\n            properties: {" + numbered("k%d: {},", 1000) + "}\n"
		}},
		"a long string":           {6, func() string { return `a: "` + strings.Repeat("x", 60<<20) + `"` }},
		"a long string in UTF-16": {6, func() string { return "\xff\xfe" + strings.Repeat("\xac\x20", 30<<20) }},
	}
}

// inTests are the hostile files that each run of the tests reads: the worst of their kind. PRUNE_GEN_HOSTILE=all reads them all.
var inTests = []string{"keys of a map", "empty schemas in JSON", "documents with problems", "long names in findings"}

// hostileRun is set in the process that reads hostile files. What it takes is what the process took.
const hostileRun = "PRUNE_GEN_HOSTILE_RUN"

// Reading takes at most 500 MB and 10 seconds, whatever is read. The time is that of the processor, so that the load of the
// machine makes no difference; garbage is collected on other cores at the same time, and counts.
func TestHostileFilesAreBounded(t *testing.T) {
	if dir := os.Getenv(hostileRun); dir != "" {
		debug.SetMemoryLimit(softMemory)
		execute([]string{"lint", "--output", "json", dir}, strings.NewReader(""), io.Discard, io.Discard)
		os.Stdout.WriteString(peakMemory())
		os.Exit(0)
	}
	if runtime.GOOS != "linux" {
		t.Skip("the peak of memory is read from /proc")
	}
	names := inTests
	if os.Getenv("PRUNE_GEN_HOSTILE") == "all" {
		names = slices.Sorted(maps.Keys(hostileFiles()))
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			files, dir := hostileFiles()[name], t.TempDir()
			text := []byte(files.text())
			for i := range files.copies {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(os.Args[0], "-test.run", "^TestHostileFilesAreBounded$", "-test.timeout", "2m")
			cmd.Env = append(os.Environ(), hostileRun+"="+dir)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			var memory int64
			if _, err := fmt.Fscanf(bytes.NewReader(out), "VmHWM: %d kB", &memory); err != nil {
				t.Fatalf("%v in %q", err, out)
			}
			took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			t.Logf("%d MB, %.1f s", memory>>10, took.Seconds())
			if memory<<10 > boundMemory {
				t.Errorf("takes %d MB", memory>>10)
			}
			if took > 2*boundTime { // on two cores
				t.Errorf("takes %v of the processor", took)
			}
		})
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
