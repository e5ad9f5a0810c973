package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
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
	var r struct{ Version, Tag string }
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
	for _, args := range [][]string{{"ci", "--silent", "--ignore-scripts"}, {"run", "--silent", "check"}, {"run", "--silent", "bundle"}} {
		if _, err := output(extension, "npm", args...); err != nil {
			return err
		}
	}
	committed, err := output(root, "git", "show", "--no-patch", "--format=%cI", "HEAD")
	if err != nil {
		return err
	}
	date, err := time.Parse(time.RFC3339, string(bytes.TrimSpace(committed)))
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
	licences, err := bundledLicenses()
	if err != nil {
		return nil, err
	}
	var manifest bytes.Buffer
	if err := manifestTemplate.Execute(&manifest, about); err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"extension.vsixmanifest":             manifest.Bytes(),
		"[Content_Types].xml":                []byte(contentTypes),
		"extension/package.json":             source,
		"extension/THIRD_PARTY_LICENSES.txt": licences,
	}
	for name, from := range map[string]string{"dist/extension.js": extension + "/dist/extension.js", "readme.md": extension + "/README.md", "LICENSE.txt": root + "/LICENSE"} {
		if files["extension/"+name], err = os.ReadFile(from); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: date})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return out.Bytes(), err
}

// bundledLicenses returns the licences of the packages that are bundled, those that are not needed for development only.
func bundledLicenses() ([]byte, error) {
	var lock struct {
		Packages map[string]struct{ Dev bool }
	}
	if err := readJSON(extension+"/package-lock.json", &lock); err != nil {
		return nil, err
	}
	var all bytes.Buffer
	for _, dir := range slices.Sorted(maps.Keys(lock.Packages)) {
		if dir == "" || lock.Packages[dir].Dev {
			continue
		}
		texts, err := legalTexts(filepath.Join(extension, dir))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		fmt.Fprintf(&all, "%s\n\n%s\n\n", strings.TrimPrefix(dir, "node_modules/"), strings.Join(texts, "\n"))
	}
	return all.Bytes(), nil
}

// addSum adds the checksum of a file to those of a release.
func addSum(file, name string, data []byte) error {
	sums, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(sums), "\n"), func(line string) bool { return line == "" || strings.HasSuffix(line, "  "+name+"\n") })
	lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name))
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[2*sha256.Size:], b[2*sha256.Size:]) })
	return os.WriteFile(file, []byte(strings.Join(lines, "")), 0o666)
}

func readJSON(file string, v any) error {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// output returns what a program prints, in a directory.
func output(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return out, nil
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".json" ContentType="application/json"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".txt" ContentType="text/plain"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
`

// manifestTemplate makes what vsce makes of package.json.
var manifestTemplate = template.Must(template.New("manifest").Funcs(template.FuncMap{
	"list": func(all []string) string { return strings.Join(all, ",") },
	"xml": func(text string) (string, error) {
		var b strings.Builder
		err := xml.EscapeText(&b, []byte(text))
		return b.String(), err
	},
}).Parse(`<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="{{xml .Name}}" Version="{{xml .Version}}" Publisher="{{xml .Publisher}}"/>
    <DisplayName>{{xml .DisplayName}}</DisplayName>
    <Description xml:space="preserve">{{xml .Description}}</Description>
    <Tags>{{xml (list .Keywords)}}</Tags>
    <Categories>{{xml (list .Categories)}}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{{xml .Engines.VSCode}}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
      <Property Id="Microsoft.VisualStudio.Code.ExecutesCode" Value="true"/>
      <Property Id="Microsoft.VisualStudio.Services.Links.Source" Value="{{xml .Repository.URL}}"/>
      <Property Id="Microsoft.VisualStudio.Services.Links.Support" Value="{{xml .Bugs.URL}}"/>
      <Property Id="Microsoft.VisualStudio.Services.Links.Learn" Value="{{xml .Homepage}}"/>
      <Property Id="Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown" Value="true"/>
      <Property Id="Microsoft.VisualStudio.Services.Content.Pricing" Value="Free"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/readme.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`))
