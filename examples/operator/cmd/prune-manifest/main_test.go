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
			compare(t, "testdata/crontab.stdout", stdout.String())
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

// What the program prints has nothing left to drop.
func TestCleanManifest(t *testing.T) {
	const clean = "apiVersion: stable.example.com/v1\nkind: CronTab\nspec:\n  cronSpec: 0 3 * * *\n  image: a\n  replicas: 2\n"
	var stdout, stderr strings.Builder
	if code := run(nil, strings.NewReader(clean), &stdout, &stderr); code != 0 || stdout.String() != clean || stderr.String() != "" {
		t.Errorf("exit status %d\n%s\n%s", code, stdout.String(), stderr.String())
	}
}

func TestWhatIsNoCronTabIsRefused(t *testing.T) {
	for _, test := range []struct {
		args        []string
		stdin, want string
	}{
		{nil, "apiVersion: v1\nkind: Pod\n", "want stable.example.com/v1 CronTab, have v1 Pod"},
		{nil, "[]", "read the manifest: it is not an object"},
		{[]string{"gone.yaml"}, "", "no such file"},
		{[]string{"a", "b"}, "", "want one file, have 2"},
	} {
		var stdout, stderr strings.Builder
		code := run(test.args, strings.NewReader(test.stdin), &stdout, &stderr)
		if code != 2 || stdout.String() != "" || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%q: exit status %d\n%s\nwant %s", test.args, code, stderr.String(), test.want)
		}
	}
}
