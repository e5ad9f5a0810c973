package reads

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/prune-gen/prune-gen/internal/reads/boundary"
)

// Config says what to analyse.
type Config struct {
	Dir      string
	Patterns []string // of packages, as the go command reads them
	Tags     []string
	Types    []string // PATH.NAME or NAME of Go types to report; none for those that the program gets
	Progress func(format string, args ...any)
}

// program is what was loaded: the types of all packages, and SSA of those that are followed.
type program struct {
	ssa      *ssa.Program
	main     []*ssa.Package             // the packages that the patterns name
	followed map[*types.Package]bool    // their functions have bodies
	objects  map[*types.Package]bool    // packages that know Kubernetes objects: they import the API machinery
	own      map[*types.Package]bool    // packages of the modules that the patterns name
	all      map[string]*types.Package  // by path
	root     string                     // the directory of the main module
	where    map[*types.Package]version // the modules of the packages
	links    map[string]bool            // names of functions in directives for the linker
	finds    map[*types.Package]bool    // packages with code, their own or imported, that may call methods by reflection
}

type version struct{ dir, name string }

// load reads the packages. The bodies of most functions are not: what packages without knowledge of Kubernetes and those of the table do is
// decided at their boundary. Bodies of generic functions of the former are kept, because types and functions of the program become part of them.
func load(ctx context.Context, c Config) (*program, error) {
	config := &packages.Config{
		Context: ctx,
		Mode:    packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedCompiledGoFiles | packages.NeedModule,
		Dir:     c.Dir,
	}
	if len(c.Tags) > 0 {
		config.BuildFlags = []string{"-tags=" + strings.Join(c.Tags, ",")}
	}
	c.Progress("listing packages")
	listed, err := packages.Load(config, c.Patterns...)
	if err != nil {
		text := err.Error()
		if _, stderr, ok := strings.Cut(text, "stderr: "); ok {
			text = strings.TrimSpace(strings.ReplaceAll(stderr, `\n`, "\n"))
		}
		return nil, fmt.Errorf("list packages: %s", text)
	}
	if err := firstErrors(listed, func(*packages.Package) bool { return true }); err != nil {
		return nil, err
	}
	if len(listed) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(c.Patterns, " "))
	}
	objects, total := map[string]bool{}, 0
	packages.Visit(listed, nil, func(p *packages.Package) {
		total += len(p.CompiledGoFiles)
		objects[p.PkgPath] = boundary.KnowsObjects(p.PkgPath)
		for _, imported := range p.Imports {
			objects[p.PkgPath] = objects[p.PkgPath] || objects[imported.PkgPath]
		}
	})
	followed := func(path string) bool { return objects[path] && !boundary.Closed(path) }
	whole, generic, converts, checked := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{} // files
	packages.Visit(listed, nil, func(p *packages.Package) {
		for _, name := range p.CompiledGoFiles {
			converts[name] = p.PkgPath == boundary.MetaPath && (strings.Contains(name, "conversion") || strings.HasSuffix(name, "watch.go"))
			checked[name] = p.Module != nil && p.Module.Main
			whole[name], generic[name] = followed(p.PkgPath), !boundary.Closed(p.PkgPath)
		}
	})
	links, finding := map[string]bool{}, map[string]bool{}
	var done atomic.Int64
	var progress sync.Mutex
	config.Mode |= packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes
	config.Fset = token.NewFileSet()
	config.ParseFile = func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		if n := done.Add(1); n%64 == 0 {
			progress.Lock()
			c.Progress("reading: %d of %d files", n, total)
			progress.Unlock()
		}
		file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution|parser.ParseComments)
		if file != nil {
			progress.Lock()
			finding[name] = findsMethods(file)
			progress.Unlock()
		}
		switch {
		case file == nil:
		case !whole[name] && !checked[name] || converts[name]:
			dropBodies(file, generic[name], func(*ast.FuncDecl) bool { return true })
		case leftOut(name) && ast.IsGenerated(file):
			dropBodies(file, true, generatedMethod)
		case strings.HasPrefix(filepath.Base(name), "zz_generated.project.") && ast.IsGenerated(file):
			emptyBodies(file)
		}
		if file != nil {
			if whole[name] {
				progress.Lock()
				noteLinks(file, links)
				progress.Unlock()
			}
			file.Comments, file.Doc = nil, nil
		}
		return file, err
	}
	loaded, err := packages.Load(config, c.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("load packages: %w", err)
	}
	if err := firstErrors(loaded, func(p *packages.Package) bool { return followed(p.PkgPath) || p.Module != nil && p.Module.Main }); err != nil {
		return nil, err
	}

	p := &program{
		ssa: ssa.NewProgram(config.Fset, ssa.InstantiateGenerics), followed: map[*types.Package]bool{}, objects: map[*types.Package]bool{},
		own: map[*types.Package]bool{}, all: map[string]*types.Package{}, where: map[*types.Package]version{}, links: links,
		finds: map[*types.Package]bool{},
	}
	modules := map[string]bool{}
	for _, l := range loaded {
		if l.Module != nil {
			modules[l.Module.Path] = true
			p.root = l.Module.Dir
		}
	}
	var build []*ssa.Package
	packages.Visit(loaded, nil, func(l *packages.Package) {
		if l.Types == nil || l.PkgPath == "unsafe" && l.Types != types.Unsafe {
			return
		}
		made := p.ssa.CreatePackage(l.Types, l.Syntax, l.TypesInfo, true)
		p.all[l.PkgPath] = l.Types
		if !boundary.Closed(l.PkgPath) || boundary.ExecutesTemplates(l.PkgPath) {
			own := l.Imports["reflect"] != nil && slices.ContainsFunc(l.CompiledGoFiles, func(name string) bool { return finding[name] })
			p.finds[l.Types] = own
			for path, imported := range l.Imports {
				p.finds[l.Types] = p.finds[l.Types] || path != "reflect" && p.finds[imported.Types]
			}
			if own && followed(l.PkgPath) {
				p.finds[l.Imports["reflect"].Types] = true
			}
		}
		p.objects[l.Types] = objects[l.PkgPath]
		p.own[l.Types] = l.Module != nil && modules[l.Module.Path]
		if l.Module != nil {
			p.where[l.Types] = version{l.Module.Dir, strings.TrimSuffix(l.Module.Path+"@"+l.Module.Version, "@")}
		}
		if followed(l.PkgPath) {
			p.followed[l.Types] = true
			build = append(build, made)
		}
		if slices.Contains(loaded, l) {
			p.main = append(p.main, made)
		}
	})
	for i, made := range build {
		c.Progress("building packages: %d of %d", i, len(build))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		made.Build()
	}
	return p, nil
}

// firstErrors returns the errors of the packages that count, the first ten.
func firstErrors(loaded []*packages.Package, counts func(*packages.Package) bool) error {
	var all []error
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if !counts(p) {
			return
		}
		for _, e := range p.Errors {
			if e.Kind != packages.TypeError {
				all = append(all, e)
			}
		}
		for _, e := range p.TypeErrors {
			if !e.Soft { // without bodies, imports are not used
				all = append(all, e)
			}
		}
	})
	return errors.Join(all[:min(len(all), 10)]...)
}

// leftOut reports whether a generated file of this name holds what deepcopy-gen or the protobuf compiler write.
func leftOut(name string) bool {
	base := filepath.Base(name)
	return strings.HasPrefix(base, "zz_generated.deepcopy") || base == "generated.pb.go"
}

// generatedMethod reports whether a function is a method that deepcopy-gen or the protobuf compiler write.
func generatedMethod(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return false
	}
	switch f.Name.Name {
	case "DeepCopy", "DeepCopyInto", "DeepCopyObject", "Descriptor", "Marshal", "MarshalTo", "MarshalToSizedBuffer", "ProtoMessage", "Reset", "Size", "String", "Unmarshal":
		return true
	}
	return strings.HasPrefix(f.Name.Name, "XXX_")
}

// findsMethods reports whether a file calls what may be functions of package reflect that find methods.
func findsMethods(file *ast.File) (finds bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok {
				switch f.Sel.Name {
				case "Method", "MethodByName":
					finds = finds || len(call.Args) == 1
				case "Methods":
					finds = finds || len(call.Args) == 0
				}
			}
		}
		return !finds
	})
	return finds
}

// noteLinks adds the names in directives for the linker: functions may be called by other names.
func noteLinks(file *ast.File, links map[string]bool) {
	for _, group := range file.Comments {
		for _, c := range group.List {
			fields := strings.Fields(c.Text)
			if fields[0] == "//go:linkname" || fields[0] == "//export" {
				for _, name := range fields[1:] {
					links[name[strings.LastIndex(name, ".")+1:]] = true
				}
			}
		}
	}
}

// dropBodies removes the bodies of functions that drop selects, except for generic ones if generic is set.
func dropBodies(file *ast.File, generic bool, drop func(*ast.FuncDecl) bool) {
	kept := file.Decls[:0]
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && drop(f) && !(generic && (f.Type.TypeParams != nil || hasGenericReceiver(f))) {
			if f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "_") {
				continue // needs a body
			}
			f.Body = nil
		}
		kept = append(kept, d)
	}
	file.Decls = kept
}

// emptyBodies makes the functions of a projection do nothing: the fields that they copy are not read.
func emptyBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Type.Results == nil && f.Body != nil {
			f.Body.List = nil
		}
	}
}

func hasGenericReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return false
	}
	t := ast.Unparen(f.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	switch t.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}
