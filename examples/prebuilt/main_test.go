package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestKindsAreLinked(t *testing.T) {
	var stdout, stderr strings.Builder
	code := run(nil, &stdout, &stderr)
	want := "storage.example.com/v1 Backup\nstorage.example.com/v1 BackupSchedule\nstorage.example.com/v1beta1 Backup\n"
	if code != 0 || stdout.String() != want || stderr.String() != "" {
		t.Errorf("exit status %d\n%s%s\nwant\n%s", code, stdout.String(), stderr.String(), want)
	}
}

// The version that an object names decides what is known of it.
func TestManifestsArePrunedByTheirVersion(t *testing.T) {
	var stdout, stderr strings.Builder
	code := run([]string{"testdata/backup.yaml", "testdata/backup-v1beta1.yaml"}, &stdout, &stderr)
	wantOut := `---
apiVersion: storage.example.com/v1
kind: Backup
metadata:
  name: a
spec:
  destination:
    bucket: b
    credentials:
      secretName: s
  source: /data
status:
  anything:
    goes: 1
---
apiVersion: storage.example.com/v1beta1
kind: Backup
metadata:
  name: a
spec:
  bucket: b
  source: /data
`
	wantErr := `testdata/backup.yaml: unknown field "metadata.owner"
testdata/backup.yaml: unknown field "spec.bucket"
testdata/backup.yaml: unknown field "spec.destination.credentials.key"
testdata/backup-v1beta1.yaml: unknown field "spec.destination"
`
	if code != 0 || stdout.String() != wantOut || stderr.String() != wantErr {
		t.Errorf("exit status %d\n%s\n%s\nwant\n%s\n%s", code, stdout.String(), stderr.String(), wantOut, wantErr)
	}
}

func TestUnknownManifestsAreRefused(t *testing.T) {
	var stdout, stderr strings.Builder
	code := run([]string{"gone.yaml", "main.go", "crds/backups.yaml"}, &stdout, &stderr)
	if code != 1 || stdout.String() != "" || strings.Count(stderr.String(), "prebuilt: ") != 3 {
		t.Errorf("exit status %d\n%s\n%s", code, stdout.String(), stderr.String())
	}
}

func TestCodeThatDoesNotFitTheInstalledCRDIsReplaced(t *testing.T) {
	text, err := os.ReadFile("crds/backups.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents := strings.Split(string(text), "\n---\n")
	dir := t.TempDir()
	write := func(name, crd string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(crd), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	call := func() (code int, stdout, stderr string) {
		var out, errs strings.Builder
		code = run([]string{"--crds", dir, "testdata/backup.yaml"}, &out, &errs)
		return code, out.String(), errs.String()
	}
	for i, crd := range documents {
		write(fmt.Sprintf("%d.yaml", i), crd)
	}
	code, same, stderr := call()
	if code != 0 || strings.Contains(stderr, "fit") {
		t.Fatalf("exit status %d\n%s", code, stderr)
	}
	// A field is gone from the CRD and another one is new.
	i := slices.IndexFunc(documents, func(crd string) bool { return strings.Contains(crd, "{kind: Backup,") })
	changed := strings.Replace(documents[i], "source:", "origin:", 1)
	if i < 0 || changed == documents[i] {
		t.Fatal("there is no such field")
	}
	write(fmt.Sprintf("%d.yaml", i), changed)
	code, other, stderr := call()
	if code != 0 || other == same || !strings.Contains(stderr, "storage.example.com/v1 Backup: the linked code does not fit the CRD; interpreting its schema\n") ||
		!strings.Contains(stderr, "  the code would drop spec.origin\n  the API server drops spec.source\n") {
		t.Errorf("exit status %d\n%s\n%s", code, other, stderr)
	}
	// And one is a kind that nobody has linked.
	write("new.yaml", strings.NewReplacer("Backup", "Restore", "backup", "restore").Replace(documents[i]))
	if _, _, stderr := call(); !strings.Contains(stderr, "storage.example.com/v1 Restore: no code is linked for it; interpreting its schema\n") {
		t.Errorf("%s", stderr)
	}
	write("broken.yaml", "spec: 5")
	if code, _, stderr := call(); code != 1 || !strings.Contains(stderr, "broken.yaml: ") {
		t.Errorf("exit status %d\n%s", code, stderr)
	}
}
