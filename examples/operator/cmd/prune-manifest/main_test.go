package main

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the expected outputs in testdata instead of comparing with them")

const sample = "../../config/samples/crontab.yaml"

func TestSample(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update is for people who look at what it changes, not for CI")
	}
	text, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"a file": {sample}, "standard input": nil} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			if code := run(args, strings.NewReader(string(text)), &stdout, &stderr); code != 1 {
				t.Errorf("exit status %d, want 1", code)
			}
			if stdout.String() != "" {
				t.Errorf("a refused object is printed:\n%s", stdout.String())
			}
			compare(t, "testdata/crontab.stderr", stderr.String())
		})
	}
}

func compare(t *testing.T, file, have string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(have), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if have != string(want) {
		t.Errorf("%s differs\n--- want\n%s\n--- have\n%s\nto accept it: go test ./examples/operator/cmd/prune-manifest -update", file, want, have)
	}
}

// An object is printed as it would be stored: pruned, with its defaults, and without the status.
func TestManifestIsPrintedAsItWouldBeStored(t *testing.T) {
	const given = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata:\n  name: nightly\n" +
		"spec:\n  cronSpec: 0 3 * * *\n  image: a\n  replica: 2\nstatus:\n  conditions: [{}]\n"
	const stored = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata:\n  generation: 1\n  name: nightly\n  namespace: default\n" +
		"spec:\n  cronSpec: 0 3 * * *\n  image: a\n  replicas: 1\n"
	var stdout, stderr strings.Builder
	code := run(nil, strings.NewReader(given), &stdout, &stderr)
	if code != 0 || stdout.String() != stored || stderr.String() != "Warning: unknown field \"spec.replica\"\n" {
		t.Errorf("exit status %d\n%s\n%s", code, stdout.String(), stderr.String())
	}
}

// What the program prints has nothing left to drop.
func TestCleanManifest(t *testing.T) {
	const clean = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata:\n  generation: 1\n  name: nightly\n  namespace: jobs\n" +
		"spec:\n  cronSpec: 0 3 * * *\n  image: a\n  replicas: 2\n"
	var stdout, stderr strings.Builder
	if code := run(nil, strings.NewReader(clean), &stdout, &stderr); code != 0 || stdout.String() != clean || stderr.String() != "" {
		t.Errorf("exit status %d\n%s\n%s", code, stdout.String(), stderr.String())
	}
}

func TestWhatIsNotACronTabIsRefused(t *testing.T) {
	for _, test := range []struct {
		args        []string
		stdin, want string
		code        int
	}{
		{nil, "apiVersion: v1\nkind: Pod\n", "the API version in the data (v1) does not match the expected API version (stable.example.com/v1)", 1},
		{nil, "apiVersion: stable.example.com/v1\nkind: WebApp\nmetadata: {name: a}\n", `kind: Invalid value: "WebApp": must be CronTab`, 1},
		{nil, "[]", "read the manifest: it is not an object", 2},
		{[]string{"gone.yaml"}, "", "no such file", 2},
		{[]string{"a", "b"}, "", "want one file, have 2", 2},
	} {
		var stdout, stderr strings.Builder
		code := run(test.args, strings.NewReader(test.stdin), &stdout, &stderr)
		if code != test.code || stdout.String() != "" || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%q: exit status %d\n%s\nwant %d, %s", test.args, code, stderr.String(), test.code, test.want)
		}
	}
}
