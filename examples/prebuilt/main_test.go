package main

import (
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

func TestCoreKindsHaveNoGroup(t *testing.T) {
	if _, err := lookup(map[string]any{"apiVersion": "v1", "kind": "Pod"}); err == nil || err.Error() != `nothing is known of "v1" "Pod"` {
		t.Error(err)
	}
}
