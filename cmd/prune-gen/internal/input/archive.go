package input

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/structural/load"
)

// isArchive reports whether a file is an archive, by its name.
func isArchive(name string) bool {
	return slices.ContainsFunc([]string{".tar", ".tar.gz", ".tgz", ".zip"}, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// listArchive returns the manifests in an archive, as if it were a directory. Of several with the same name, the last counts, as for tar
// and unzip. Links are skipped, and nothing is written to disk.
func listArchive(name string, args Args) []file {
	var all []file
	index := map[string]int{}
	err := eachEntry(name, args.Meter, func(entry string, r io.Reader) error {
		shown := name + path.Clean("/"+strings.ReplaceAll(entry, `\`, "/"))
		if !load.IsManifest(shown) || args.excludes(shown) {
			return nil
		}
		data, err := io.ReadAll(args.Meter.Reader(r))
		if err != nil {
			return err
		}
		args.Meter.SpendMemory(len(data))
		f := file{name: shown, listed: true, open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
		if i, known := index[shown]; known {
			all[i] = f
		} else {
			index[shown] = len(all)
			all = append(all, f)
		}
		return args.Meter.Err()
	})
	if err != nil {
		return []file{{name: name, err: err}}
	}
	return all
}

// eachEntry calls use with each regular file of an archive.
func eachEntry(name string, m *meter.Meter, use func(entry string, r io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if strings.HasSuffix(name, ".zip") {
		return eachZipped(f, m, use)
	}
	var r io.Reader = f
	if !strings.HasSuffix(name, ".tar") {
		if r, err = gzip.NewReader(f); err != nil {
			return err
		}
	}
	t := tar.NewReader(unpacking{r, m})
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && h.Typeflag == tar.TypeReg {
			err = use(h.Name, t)
		}
		if err != nil {
			return err
		}
	}
}

func eachZipped(f *os.File, m *meter.Meter, use func(entry string, r io.Reader) error) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return err
	}
	for _, entry := range z.File {
		if !entry.Mode().IsRegular() {
			continue
		}
		r, err := entry.Open()
		if err == nil {
			err = use(entry.Name, unpacking{r, m})
			r.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unpacking counts what is unpacked, read or not.
type unpacking struct {
	r io.Reader
	m *meter.Meter
}

// bytesOfUnit is how many bytes are unpacked for a unit of work.
const bytesOfUnit = 64

func (u unpacking) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if !u.m.Spend(1 + n/bytesOfUnit) {
		return n, u.m.Err()
	}
	return n, err
}
