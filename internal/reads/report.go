package reads

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// report collects what is known about a kind.
func (a *analysis) report(ctx context.Context, k *kind) (Type, error) {
	r := Type{Name: typeName(k.typ)}
	places, err := k.root.places(ctx)
	if err != nil {
		return r, err
	}
	r.Reads = a.collect(k.root, []Read{})
	r.Writes = a.writes(places)
	read, kept := slices.Clone(Always), []string{}
	for _, x := range r.Reads {
		read = append(read, x.Path)
	}
	for _, x := range r.Writes {
		kept = append(kept, x.Path)
	}
	for _, f := range places {
		if f.leaf {
			r.Fields++
			covered := func(path string) bool { return covers(path, f.path) }
			if slices.ContainsFunc(read, covered) {
				r.Read++
				r.Kept++
			} else if slices.ContainsFunc(kept, covered) {
				r.Kept++
			}
		}
	}
	return r, nil
}

// writes returns where objects, or parts of them, are sent to the server.
func (a *analysis) writes(places []*field) []Read {
	all := []seen{}
	for _, f := range places {
		if e := a.found[f]; e != nil {
			for _, w := range e.writes {
				s := a.witness(w)
				s.read.Path = f.path
				s.read.Hint, s.read.Patch = hintFor(w.use.callee)
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(x, y seen) int { return cmp.Or(cmp.Compare(x.read.Path, y.read.Path), compareReads(x, y)) })
	reads := []Read{}
	for _, s := range all {
		if !slices.Contains(reads, s.read) {
			reads = append(reads, s.read)
		}
	}
	return reads
}

// hintFor says whether a patch would do in place of a function that sends whole objects, or is what it sends.
func hintFor(f *types.Func) (hint string, patch bool) {
	if f == nil {
		return "", false
	}
	switch f.Name() {
	case "Update", "UpdateStatus":
		return "a patch of what was changed would do", false
	case "Patch", "MergeFrom", "MergeFromWithOptions", "MergeFromWithOptimisticLock", "StrategicMergeFrom":
		return "a merge patch sends lists whole: keep those that it changes", true
	}
	return "", false
}

// covers reports whether a path is another one, or the beginning of it.
func covers(path, of string) bool {
	rest, ok := strings.CutPrefix(of, path)
	return ok && (rest == "" || path == "" || rest[0] == '.' || rest[0] == '[')
}

// collect appends the fields at f and below it that are read. A list of which nothing but the length is read is kept whole.
func (a *analysis) collect(f *field, all []Read) []Read {
	e := a.found[f]
	if e == nil {
		e = &evidence{}
	}
	if len(e.reads) > 0 {
		return a.whole(f, e.reads, all)
	}
	before := len(all)
	for _, b := range f.children() {
		all = a.collect(b, all)
	}
	if len(all) == before && len(e.lengths) > 0 && f.parent != nil {
		return a.whole(f, e.lengths, all)
	}
	return all
}

// whole appends f. If f stands in the place of its fields, it appends these.
func (a *analysis) whole(f *field, ws []witness, all []Read) []Read {
	if f.parent != nil && f.parent.path == f.path && !f.leaf && !f.isList() {
		for _, b := range f.children() {
			all = a.whole(b, ws, all)
		}
		return all
	}
	first := a.witness(ws[0])
	for _, w := range ws[1:] {
		if r := a.witness(w); compareReads(r, first) < 0 {
			first = r
		}
	}
	first.read.Path = f.path
	return append(all, first.read)
}

// seen is a read with what orders it.
type seen struct {
	read Read
	own  bool
	pos  token.Position
}

// compareReads orders reads: those in the program's own modules come first.
func compareReads(x, y seen) int {
	if x.own != y.own {
		if x.own {
			return -1
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(x.pos.Filename, y.pos.Filename), cmp.Compare(x.pos.Line, y.pos.Line), cmp.Compare(x.pos.Column, y.pos.Column),
		cmp.Compare(x.read.Why, y.read.Why))
}

// witness describes a use, and the way of the object from the program to it.
func (a *analysis) witness(w witness) seen {
	s := seen{read: Read{Why: w.use.what}}
	at := w.use.at
	if at == nil && w.from != nil {
		at = w.from.where
	}
	var place string
	place, s.pos, s.own = a.place(at)
	s.read.Place = place
	if !s.own {
		for f := w.from; f != nil; f = f.from {
			if via, pos, own := a.place(f.where); own {
				s.read.Via, s.pos, s.own = via, pos, true
				break
			}
		}
	}
	return s
}

// place returns the file and line of an instruction, and whether it is one of the program's own modules.
func (a *analysis) place(i ssa.Instruction) (string, token.Position, bool) {
	if i == nil {
		return "", token.Position{}, false
	}
	pos := i.Pos()
	for _, op := range i.Operands(nil) {
		if pos == token.NoPos && *op != nil {
			pos = (*op).Pos()
		}
	}
	f := i.Parent()
	if pos == token.NoPos {
		pos = f.Pos()
	}
	for f.Parent() != nil {
		f = f.Parent()
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	at := a.ssa.Fset.Position(pos)
	var pkg *types.Package
	if f.Pkg != nil {
		pkg = f.Pkg.Pkg
	}
	name := at.Filename
	own := pkg != nil && a.own[pkg]
	if module, ok := a.where[pkg]; ok {
		dir, prefix := module.dir, module.name
		if own {
			dir, prefix = a.root, ""
		}
		if rel, err := filepath.Rel(dir, name); err == nil && module.dir != "" {
			name = filepath.ToSlash(filepath.Join(prefix, rel))
		}
	} else if pkg != nil {
		name = pkg.Path() + "/" + filepath.Base(name)
	}
	return fmt.Sprintf("%s:%d", name, at.Line), at, own
}

// typeName returns a type with the paths of packages.
func typeName(t types.Type) string { return types.TypeString(t, nil) }

// shortName returns the name of a function with the names of packages.
func shortName(f *types.Func) string {
	name := strings.NewReplacer("(", "", ")", "", "*", "").Replace(f.FullName())
	return name[strings.LastIndex(name, "/")+1:]
}

func funcName(f *ssa.Function) string {
	if obj, ok := f.Object().(*types.Func); ok {
		return shortName(obj)
	}
	return f.Name()
}
