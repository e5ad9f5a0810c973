package input

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crdread"
	"github.com/prune-gen/prune-gen/internal/meter"
)

// isArchive reports whether a file is an archive, by its name.
func isArchive(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{".tar", ".tar.gz", ".tgz", ".zip"}, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// listArchive returns the manifests in an archive, as if it were a directory. Of several with the same name, the last counts, as for tar
// and unzip. Links are skipped, and nothing is written to disk.
func listArchive(archive file, args Args) []file {
	var all []file
	index := map[string]int{}
	o, closeFile := open(archive, nil)
	defer closeFile()
	if o.wrong != nil {
		return []file{archive}
	}
	err := eachEntry(archive.name, o.Reader, args.Meter, func(entry string, r io.Reader) error {
		shown := archive.name + path.Clean("/"+strings.ReplaceAll(entry, `\`, "/"))
		if !crdread.IsManifest(shown) || args.Excludes(shown) {
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
	if err != nil && args.Meter.Err() == nil {
		err = fmt.Errorf("the file is damaged, or not an archive as its name says: %w", err)
	}
	if err != nil {
		return []file{{name: archive.name, err: err}}
	}
	return all
}

// eachEntry calls use with each regular file of an archive.
func eachEntry(name string, r io.Reader, m *meter.Meter, use func(entry string, r io.Reader) error) (err error) {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, ".zip") {
		return eachZipped(r, m, use)
	}
	if !strings.HasSuffix(name, ".tar") {
		if r, err = gzip.NewReader(r); err != nil {
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

func eachZipped(r io.Reader, m *meter.Meter, use func(entry string, r io.Reader) error) error {
	f, isFile := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !isFile {
		data, err := m.ReadAll(r)
		if err != nil {
			return err
		}
		f = bytes.NewReader(data)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	z, err := zip.NewReader(f, size)
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

func (u unpacking) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if !u.m.Spend(1 + n/meter.ScannedBytes) {
		return n, u.m.Err()
	}
	return n, err
}
