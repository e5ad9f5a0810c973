package structural

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// File is what a file holds.
type File struct {
	Name string
	// CRDs are those that could be read without an error, in the order of the file.
	CRDs []*CRD
	// Passed is the number of documents that are not CRDs.
	Passed int
	// Findings is all there is to say about the text, in the order of the file.
	Findings []Finding
}

// Load reads every CRD in r: YAML with any number of documents, JSON, and the kinds List and
// CustomResourceDefinitionList. The name is used in messages only.
func Load(name string, r io.Reader) *File {
	data, err := io.ReadAll(io.LimitReader(r, maxFileSize+1))
	if err != nil {
		return unreadable(name, err)
	}
	return load(name, decodeUTF16(data))
}

func load(name string, data []byte) *File {
	f := &File{Name: name}
	r := &report{file: name}
	parseDocuments(data, func(doc *document) { f.document(doc, doc.root, "", r) }, r.problem)
	f.Findings = r.sorted()
	return f
}

func unreadable(name string, err error) *File {
	// The file system names the file once more.
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	r := &report{file: name}
	r.problem(problemf(pos{line: 1, column: 1}, "cannot read the file: %v", err))
	return &File{Name: name, Findings: r.findings}
}

// LoadFS reads every *.yaml, *.yml and *.json file below dir, in sorted order, and calls visit for each of them before it
// reads the next. A file that does not parse is passed over where it does not so much as mention a
// CustomResourceDefinition: directories have templates and other things in them. The error is visit's.
func LoadFS(fsys fs.FS, dir string, visit func(*File) error) error {
	return fs.WalkDir(fsys, dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return visit(unreadable(name, err))
		case entry.IsDir() || !isManifest(name) || !isRegular(fsys, name):
			return nil
		}
		return visit(loadFile(fsys, name))
	})
}

func isManifest(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// isRegular tells whether name is a file or leads to one: reading from a pipe could take for ever.
func isRegular(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.Mode().IsRegular()
}

func loadFile(fsys fs.FS, name string) *File {
	file, err := fsys.Open(name)
	if err != nil {
		return unreadable(name, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFileSize+1))
	if err != nil {
		return unreadable(name, err)
	}
	data = decodeUTF16(data)
	f := load(name, data)
	if len(f.Findings) > 0 && !bytes.Contains(data, []byte("CustomResourceDefinition")) {
		return &File{Name: name, Passed: f.Passed}
	}
	return f
}

const (
	crdGroup    = "apiextensions.k8s.io"
	crdKind     = "CustomResourceDefinition"
	crdListKind = "CustomResourceDefinitionList"
	apiV1       = crdGroup + "/v1"
	apiV1beta1  = crdGroup + "/v1beta1"
)

// document reads one document, or one item of a list, whose own apiVersion and kind may be left out where listVersion is
// that of a CustomResourceDefinitionList.
func (f *File) document(doc *document, n *node, listVersion string, r *report) {
	apiVersion, kind := n.child("apiVersion").str(), n.child("kind").str()
	if listVersion != "" && apiVersion == "" && kind == "" {
		apiVersion, kind = listVersion, crdKind
	}
	group, _, _ := strings.Cut(apiVersion, "/")
	switch {
	case kind == "List" && apiVersion == "v1", kind == crdListKind && group == crdGroup:
		items := n.child("items")
		if items == nil || items.kind != kindList {
			f.Passed++
			return
		}
		for _, item := range items.list {
			f.document(doc, item, apiVersion, r)
		}
	case kind == crdKind && (group == crdGroup || apiVersion == ""):
		if (apiVersion == apiV1 || apiVersion == apiV1beta1) && isPatch(n) {
			f.Passed++
			r.add(Finding{
				Line: n.pos.line, Column: n.pos.column, CRD: crdName(n), Severity: SeverityWarning,
				Message: "passed over: this " + crdKind + " has no spec.group, no spec.names and no spec.versions",
				Hint:    "it looks like a patch: render it first, for example with kustomize build",
			})
			return
		}
		if c := decodeCRD(doc, n, apiVersion, r); c != nil {
			f.CRDs = append(f.CRDs, c)
		}
	default:
		f.Passed++
	}
}

// isPatch tells whether n is no CRD but what is to be changed about one: projects keep them side by side.
func isPatch(n *node) bool {
	spec := n.child("spec")
	if !spec.isNull() && spec.kind != kindMap {
		return false
	}
	for _, field := range []string{"group", "names", "versions", "version"} {
		if !spec.child(field).isNull() {
			return false
		}
	}
	return true
}

// crdName returns what findings call the CRD n: metadata.name, or its group and kind.
func crdName(n *node) string {
	if name := n.child("metadata").child("name").str(); name != "" {
		return name
	}
	spec := n.child("spec")
	return strings.Trim(spec.child("group").str()+"/"+spec.child("names").child("kind").str(), "/")
}

// unknownVersion is what kubectl says about an apiVersion it does not know.
func unknownVersion(apiVersion string) string {
	if apiVersion == "" {
		return "apiVersion: Required value"
	}
	return fmt.Sprintf("no matches for kind %q in version %q", crdKind, apiVersion)
}
