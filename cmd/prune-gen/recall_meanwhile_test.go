package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// meanwhile runs verify with the flags and calls what somebody else does at the same time: reading after the question is
// asked and before anything is read, read when all is read, compared when the files have been looked at for the last time.
// It returns how many outcomes are kept.
func meanwhile(t *testing.T, stdin string, args []string, reading, read, compared func()) int {
	t.Helper()
	folder := ownCache(t)
	fl := newFlags("verify", "", "")
	flags, how := fl.generation(), fl.findings()
	env := &environment{stdin: strings.NewReader(stdin), stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
	crds, err := fl.parseCRDs(env, args)
	if err != nil {
		t.Fatal(err)
	}
	g, err := flags.generation()
	if err != nil {
		t.Fatal(err)
	}
	past := g.recall(env, "verify", args, crds)
	if past == nil {
		t.Fatal("there is nothing to ask")
	}
	reading()
	s, err := g.open(env, how.report(io.Discard, false), crds, toCompare)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	s.findLeftovers()
	read()
	past.keep(s, func() string {
		compared()
		return ""
	})
	return len(keys(t, folder))
}

func nothing() {}

// What somebody changes while a run works is not what the run has worked on.
func TestAnOutcomeIsNotKeptForWhatHasChangedMeanwhile(t *testing.T) {
	const ours = "api/v1/zz_generated.prune.thing.go"
	for name, test := range map[string]struct {
		change func()
		kept   int
	}{
		"nothing":          {nothing, 1},
		"a CRD":            {func() { put(t, "crds/thing.yaml", crd("things", goodField)) }, 0},
		"a Go file":        {func() { put(t, "api/v1/types.go", "package v1 // changed\n") }, 0},
		"a generated file": {func() { put(t, ours, emptiedText+"v1\n") }, 0},
	} {
		for _, late := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, late %v", name, late), func(t *testing.T) {
				t.Chdir(write(t, recallFiles()))
				wantRun(t, exitOK, "", "", append([]string{"generate"}, recallArgs...)...)
				read, compared := test.change, nothing
				if late {
					read, compared = nothing, test.change
				}
				if n := meanwhile(t, "", recallArgs, nothing, read, compared); n != test.kept {
					t.Errorf("%d outcomes are kept, want %d", n, test.kept)
				}
			})
		}
	}
}

// What somebody changes and changes back while a run works is the same before and after, but not what the run has read.
func TestAnOutcomeIsNotKeptForWhatWasDifferentMeanwhile(t *testing.T) {
	const (
		field  = "{type: object, properties: {a: {type: string}}}"
		ours   = "api/v1/zz_generated.prune.thing.go"
		other  = "api/v2/zz_generated.prune.thing.go"
		marker = "// +groupName=example.com\npackage v1\n"
	)
	files := recallFiles()
	// Two groups, of which the marker of the package chooses one.
	files["crds/second.yaml"] = strings.ReplaceAll(strings.ReplaceAll(crd("things", field), "example.com", "example.org"), "Thing", "Second")
	files["api/v1/types.go"] = marker
	remove := func(file string) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		file string
		text string // while the run reads; "" for no file
	}{
		"a CRD":               {"crds/thing.yaml", crd("things", field)},
		"one more CRD":        {"crds/more.yaml", strings.ReplaceAll(crd("mores", field), "Thing", "More")},
		"no CRD":              {"crds/second.yaml", ""},
		"a file without CRDs": {"crds/none.yaml", "a: 1\n"},
		"a foreign file":      {"crds/none.json", "{"},
		"a marker":            {"api/v1/types.go", strings.ReplaceAll(marker, "example.com", "example.org")},
		"a leftover":          {other, emptiedText + "v2\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(write(t, files))
			// The files in the directory are those of what the run reads.
			undo := func() {}
			make := func() {
				undo = change(t, test.file, func() {
					if test.text == "" {
						remove(test.file)
					} else {
						put(t, test.file, test.text)
					}
				})
			}
			make()
			wantRun(t, exitOK, "", "", append([]string{"generate"}, recallArgs...)...)
			if n := meanwhile(t, "", recallArgs, nothing, nothing, nothing); n != 1 {
				t.Fatalf("%d outcomes are kept where nothing changes", n)
			}
			undo()
			if n := meanwhile(t, "", recallArgs, make, func() { undo() }, nothing); n != 0 {
				t.Errorf("%d outcomes are kept", n)
			}
		})
	}
	t.Run("a generated file, looked at last", func(t *testing.T) {
		t.Chdir(write(t, files))
		wantRun(t, exitOK, "", "", append([]string{"generate"}, recallArgs...)...)
		long := time.Now().AddDate(0, 0, -1)
		for _, file := range []string{ours, "api/v1/types.go", "api/v1", "api"} {
			n := meanwhile(t, "", recallArgs, nothing, nothing, func() {
				if err := os.Chtimes(file, long, long); err != nil { // as if it had been away
					t.Fatal(err)
				}
			})
			if n != 0 {
				t.Errorf("%s: %d outcomes are kept", file, n)
			}
		}
	})
}
