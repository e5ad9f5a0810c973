package input

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/internal/meter"
)

// What is unpacked counts, also of files that are not read.
func TestArchivesAreBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.tar")
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, entry := range []string{"a.bin", "b.yaml"} {
		if err := w.WriteHeader(&tar.Header{Name: entry, Typeflag: tar.TypeReg, Size: 1 << 20, Mode: 0o666}); err != nil {
			t.Fatal(err)
		}
		w.Write(make([]byte, 1<<20))
	}
	w.Close()
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for left, want := range map[int]bool{1 << 20: true, 1000: false} {
		m := meter.New(1)
		m.Spend(meter.Work - left)
		files := listArchive(file{name: name}, Args{Meter: m})
		if len(files) != 1 || (files[0].err == nil) != want || want == m.Spent() {
			t.Errorf("%d units are left: %+v", left, files)
		}
	}
}

func TestTheLastFileOfANameInAnArchiveCounts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.tar")
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, entry := range []string{"a.yaml", "b.yaml", "./a.yaml"} {
		if err := w.WriteHeader(&tar.Header{Name: entry, Typeflag: tar.TypeReg, Size: int64(len(entry)), Mode: 0o666}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(entry))
	}
	w.Close()
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	files := listArchive(file{name: name}, Args{Meter: meter.New(1)})
	if len(files) != 2 {
		t.Fatalf("%d files, want 2", len(files))
	}
	r, err := files[0].open()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); err != nil || string(text) != "./a.yaml" {
		t.Errorf("%s: %s %v", files[0].name, text, err)
	}
}
