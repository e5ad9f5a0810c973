package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"
)

const extension = root + "/editors/vscode"

// writeVSIX bundles the extension for Visual Studio Code and adds it to the release that is in a directory, with its checksum. A snapshot does
// without it if there is no npm.
func writeVSIX(dir string) error {
	var r struct{ Version, Tag, Commit string }
	if err := readJSON(filepath.Join(dir, "metadata.json"), &r); err != nil {
		return err
	}
	if _, err := exec.LookPath("npm"); err != nil {
		if r.Version != strings.TrimPrefix(r.Tag, "v") {
			fmt.Fprintln(os.Stderr, "release: there is no npm, and so no extension for Visual Studio Code in this snapshot")
			return nil
		}
		return err
	}
	for _, args := range [][]string{{"ci", "--ignore-scripts", "--no-audit", "--no-fund"}, {"run", "check"}, {"run", "bundle"}} {
		if _, err := command(extension, "npm", args...); err != nil {
			return err
		}
	}
	seconds, err := command(root, "git", "show", "--no-patch", "--format=%cI", r.Commit)
	if err != nil {
		return err
	}
	date, err := time.Parse(time.RFC3339, strings.TrimSpace(seconds.String()))
	if err != nil {
		return err
	}
	data, err := vsix(r.Version, date.UTC())
	if err != nil {
		return err
	}
	name := fmt.Sprintf("prune-gen-vscode_%s.vsix", r.Version)
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
		return err
	}
	return addSum(filepath.Join(dir, fmt.Sprintf("prune-gen_%s_checksums.txt", r.Version)), name, data)
}

// vsix returns the archive, with files in it that have a date.
func vsix(version string, date time.Time) ([]byte, error) {
	var source json.RawMessage
	if err := readJSON(extension+"/package.json", &source); err != nil {
		return nil, err
	}
	source = bytes.Replace(source, []byte(`"version": "0.0.0"`), fmt.Appendf(nil, `"version": %q`, version), 1)
	var about struct {
		Name, DisplayName, Description, Publisher, Version, Homepage string
		Keywords, Categories                                         []string
		Engines                                                      struct{ VSCode string }
		Repository, Bugs                                             struct{ URL string }
	}
	if err := json.Unmarshal(source, &about); err != nil {
		return nil, err
	}
	if about.Version != version {
		return nil, errors.New("package.json has no version 0.0.0 to replace")
	}
	licences, err := packageLicenses()
	if err != nil {
		return nil, err
	}
	var manifest bytes.Buffer
	if err := manifestTemplate.Execute(&manifest, about); err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"extension.vsixmanifest":         manifest.Bytes(),
		"[Content_Types].xml":            []byte(contentTypes),
		"extension/package.json":         source,
		"extension/THIRD_PARTY_LICENSES": licences,
	}
	for name, from := range map[string]string{"dist/extension.js": extension + "/dist/extension.js", "readme.md": extension + "/README.md", "LICENSE.txt": root + "/LICENSE"} {
		if files["extension/"+name], err = os.ReadFile(from); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range sortedKeys(files) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: date})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), z.Close()
}
