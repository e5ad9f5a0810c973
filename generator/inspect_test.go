package generator

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
)

var plainFileName = regexp.MustCompile(`^zz_generated\.prune((_[a-z]+)*\.[a-z]([-a-z0-9]*[a-z0-9])?|_register)\.go$`)

// inspect fails unless the files contain exactly what the plan and the options ask for: the declarations, the
// comments, the imports, the literals and the names of the files.
func inspect(t testing.TB, files []File, p *Plan, opts Options) {
	t.Helper()
	fset := token.NewFileSet()
	var declared, literals []string
	for _, file := range files {
		if !plainFileName.MatchString(file.Name) || filepath.Base(file.Name) != file.Name {
			t.Errorf("%q is no plain file name", file.Name)
		}
		inspectText(t, file)
		f, err := parser.ParseFile(fset, file.Name, file.Content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%v\n%s", err, file.Content)
			return
		}
		if f.Name.Name != opts.Package {
			t.Errorf("%s: package %s, want %s", file.Name, f.Name.Name, opts.Package)
		}
		inspectComments(t, file.Name, f, opts)
		for _, d := range f.Decls {
			declared = append(declared, declares(t, d)...)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					literals = append(literals, unquote(t, n))
				}
			case *ast.BinaryExpr:
				if key, at := keyInPieces(t, n); at > 0 {
					literals = append(literals, key)
					return false
				}
			}
			return true
		})
	}
	slices.Sort(declared)
	if want := wantedDeclarations(p, opts); !slices.Equal(declared, want) {
		t.Errorf("declared\n%s\nwant\n%s", strings.Join(declared, "\n"), strings.Join(want, "\n"))
	}
	known := knownLiterals(p)
	for _, s := range literals {
		if !known[s] {
			t.Errorf("no name in the CRD is %q", s)
		}
	}
	if _, err := typecheck.Check(files); err != nil {
		t.Errorf("the files do not compile: %v", err)
	}
}

func unquote(t testing.TB, lit *ast.BasicLit) string {
	t.Helper()
	value, err := strconv.Unquote(lit.Value)
	if err != nil {
		t.Errorf("%s: %v", lit.Value, err)
	}
	return value
}

// keyInPieces returns the key of JSON that an expression compares, piece by piece, and where the last piece ends. It is 0
// for an expression that is something else:
//
//	string(k[:16]) == `"imagePullSecret` && string(k[16:19]) == `s":`
func keyInPieces(t testing.TB, e ast.Expr) (key string, end int) {
	t.Helper()
	both, ok := e.(*ast.BinaryExpr)
	if !ok {
		return "", 0
	}
	var before string
	begin := 0
	if both.Op == token.LAND {
		if before, begin = keyInPieces(t, both.X); begin == 0 {
			return "", 0
		}
		if both, ok = both.Y.(*ast.BinaryExpr); !ok {
			return "", 0
		}
	}
	call, isCall := both.X.(*ast.CallExpr)
	lit, isLiteral := both.Y.(*ast.BasicLit)
	if both.Op != token.EQL || !isCall || !isLiteral || len(call.Args) != 1 {
		return "", 0
	}
	slice, ok := call.Args[0].(*ast.SliceExpr)
	if !ok || number(slice.Low) != begin {
		return "", 0
	}
	piece := unquote(t, lit)
	if number(slice.High) != begin+len(piece) {
		t.Errorf("%s is compared with %d bytes", lit.Value, number(slice.High)-begin)
	}
	return before + piece, begin + len(piece)
}

// number returns the number that an expression is; 0 for none.
func number(e ast.Expr) int {
	if lit, ok := e.(*ast.BasicLit); ok {
		n, _ := strconv.Atoi(lit.Value)
		return n
	}
	return 0
}

// inspectText looks at the bytes of a file: formatted, printable, and nothing that is read from right to left.
func inspectText(t testing.TB, file File) {
	t.Helper()
	formatted, err := format.Source(file.Content)
	if err != nil || string(formatted) != string(file.Content) {
		t.Errorf("%s is not formatted: %v", file.Name, err)
	}
	if !utf8.Valid(file.Content) {
		t.Errorf("%s is not UTF-8", file.Name)
	}
	for _, r := range string(file.Content) {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			t.Errorf("%s contains %q", file.Name, r)
		}
	}
}

// inspectComments wants comments to be lines of plain text, none of them a directive but ours, and only ours above the
// package clause.
func inspectComments(t testing.TB, name string, f *ast.File, opts Options) {
	t.Helper()
	want := GeneratedBy + opts.Header
	above := ""
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && !isAbout(c, group) {
				above += c.Text
				continue
			}
			text := strings.TrimPrefix(c.Text, "//")
			if code, ok := strings.CutPrefix(text, "\t"); ok {
				text = " " + code // a line of code, such as a CEL rule
			}
			if text == c.Text || text != "" && text[0] != ' ' || strings.HasPrefix(strings.TrimSpace(text), "+build") {
				t.Errorf("%s: %q is not a plain comment", name, c.Text)
			}
			for _, r := range text {
				if (r < ' ' || r > '~') && !unicode.IsLetter(r) && !unicode.IsDigit(r) { // identifiers may have all letters
					t.Errorf("%s: %q in the comment %q", name, r, c.Text)
				}
			}
		}
	}
	if withoutSpace(above) != withoutSpace(want) {
		t.Errorf("%s: above the package clause stands %q, want %q", name, above, want)
	}
	if f.Doc != nil {
		t.Errorf("%s: %q is taken for documentation of the package", name, f.Doc.Text())
	}
}

// isAbout reports whether c belongs to the comment in which a file says what it is. Such comments are like those below
// the package clause.
func isAbout(c *ast.Comment, group *ast.CommentGroup) bool {
	return strings.HasPrefix(group.List[0].Text, "// This file ") && c.Text != GeneratedBy
}

// withoutSpace removes what gofmt may change in comments.
func withoutSpace(s string) string {
	return strings.Join(strings.Fields(s), "")
}

// declares returns what a declaration declares, and fails where it is of a kind that is never generated.
func declares(t testing.TB, d ast.Decl) []string {
	t.Helper()
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil || d.Body == nil || d.Type.TypeParams != nil {
			t.Errorf("%s is not a plain function", d.Name.Name)
		}
		return []string{"func " + d.Name.Name}
	case *ast.GenDecl:
		var names []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ImportSpec:
				if path, err := strconv.Unquote(s.Path.Value); err != nil || !slices.Contains(typecheck.ImportPaths(), path) {
					t.Errorf("%s is imported", s.Path.Value)
				}
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names = append(names, d.Tok.String()+" "+id.Name)
				}
			default:
				t.Errorf("a declaration of a %s", d.Tok)
			}
		}
		return names
	}
	t.Errorf("a declaration that is a %T", d)
	return nil
}

// wantedDeclarations returns what the files of a plan declare, sorted.
func wantedDeclarations(p *Plan, opts Options) []string {
	var want []string
	for _, k := range p.plan.Kinds {
		want = append(want, "const _", "var "+k.Ident+"Resource")
		for _, f := range p.features {
			if f.kinds(k.Resource) {
				want = append(want, "func "+fmt.Sprintf(f.function, k.Ident))
			}
		}
	}
	if slices.ContainsFunc(p.features, func(f feature) bool { return f.walks.In == emit.JSONUnit }) {
		for _, k := range p.plan.Kinds {
			want = append(want, "var json"+k.Ident)
		}
	}
	verbs := map[string]bool{}
	for _, f := range p.features {
		if verbs[f.walks.Verb] {
			continue
		}
		verbs[f.walks.Verb] = true
		for _, n := range p.plan.Tree(f.pass.Name).Funcs {
			if f.walks.Declares(n) {
				want = append(want, declaredFor(f, n)...)
			}
		}
	}
	if opts.Register {
		want = append(want, "func init")
	}
	slices.Sort(want)
	return want
}

// declaredFor returns what is declared for a node.
func declaredFor(f feature, n *plan.Node) []string {
	switch f.walks.Verb {
	case emit.Shape.Verb, emit.Metadata.Verb, emit.Fields.Verb: // tables
		return []string{"var " + f.walks.Verb + n.Name}
	}
	if do, ok := n.Do.(plan.Evaluate); ok {
		return declaredForRules(do, n)
	}
	want := []string{"func " + f.walks.Verb + n.Name}
	do, ok := n.Do.(plan.Validate)
	if !ok {
		return want
	}
	for _, j := range []plan.Junctor{plan.AnyOf, plan.OneOf} {
		if len(n.Of(j)) > 0 {
			want = append(want, "func "+j.String()+n.Name)
		}
	}
	if e := do.Rules.Enum; e != nil && hasCompound(e.JSON.([]any)) {
		want = append(want, "var enum"+n.Name)
	}
	if p := do.Rules.Pattern; p.Text != "" && p.Func == "" && p.Error == "" {
		want = append(want, "var pattern"+n.Name)
	}
	return want
}

// declaredForRules returns what is declared for the rules of a node.
func declaredForRules(do plan.Evaluate, n *plan.Node) []string {
	want := []string{"var " + emit.Rules.Verb + n.Name}
	if do.Table == nil {
		return want
	}
	for i, r := range do.Table.Rules {
		name := do.Funcs.Names[i]
		if !do.Funcs.Own[i] {
			continue // it has no code, or another rule has the same
		}
		want = append(want, "func "+name)
		for k := range r.Code.Patterns {
			want = append(want, fmt.Sprintf("var %s_Pattern%d", name, k+1))
		}
		for k := range r.Code.Types {
			want = append(want, fmt.Sprintf("var %s_Type%d", name, k+1))
		}
	}
	return want
}

// inTable adds the strings of the rules of a node.
func inTable(t *plan.RuleTable, known map[string]bool) {
	known[t.Type], known[t.Self] = true, true
	for _, k := range t.Keys {
		known[k] = true
	}
	for _, r := range t.Rules {
		of := r.Of
		for _, s := range []string{of.Rule, of.Message, of.MessageExpression, string(of.Reason), of.FieldPath, of.Program, of.MessageProgram, of.Problem} {
			known[s] = true
		}
		if r.Code != nil {
			inCode(reflect.ValueOf(*r.Code), known)
		}
	}
}

// inCode adds all strings of a value and what it is made of: those of the code of a rule.
func inCode(v reflect.Value, known map[string]bool) {
	switch v.Kind() {
	case reflect.String:
		known[v.String()] = true
	case reflect.Slice:
		for i := range v.Len() {
			inCode(v.Index(i), known)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			inCode(v.Field(i), known)
		}
	case reflect.Interface:
		inCode(v.Elem(), known)
	}
}

func hasCompound(values []any) bool {
	return slices.ContainsFunc(values, func(e any) bool {
		_, isObject := e.(map[string]any)
		_, isList := e.([]any)
		return isObject || isList
	})
}

// inRules adds the strings of what values are validated by.
func inRules(do plan.Validate, known map[string]bool) {
	for _, s := range []string{do.Format, do.Rules.Pattern.Text, do.Rules.Pattern.Error, "MultipleOf", "Minimum boundary", "Maximum boundary", "integer", "number"} {
		known[s] = true
	}
	for _, v := range []*plan.Value{do.Rules.Enum, do.Rules.Required, do.Rules.ListMapKeys} {
		if v != nil {
			inValue(v.JSON, known)
		}
	}
}

// knownLiterals are the strings that the files of a plan may contain.
func knownLiterals(p *Plan) map[string]bool {
	known := map[string]bool{"List": true}
	for _, path := range typecheck.ImportPaths() {
		known[path] = true
	}
	for _, k := range p.plan.Kinds {
		for _, s := range []string{k.Group, k.Version, k.Kind, k.Plural, k.ListKind, k.SchemaHash, k.APIVersion(), k.Kind + "List", k.DeprecationWarning} {
			known[s] = true
		}
		if k.Scale != nil {
			for _, s := range []string{k.Scale.SpecReplicasPath, k.Scale.StatusReplicasPath, k.Scale.LabelSelectorPath} {
				known[s] = true
			}
		}
	}
	for _, t := range p.plan.Trees {
		for _, n := range t.Funcs {
			for _, f := range n.Fields {
				known[f.Name] = true
				known[`"`+f.Name+`":`] = true // as it is in JSON
				inDefault(f.Slot, known)
			}
			inDefault(n.RestSlot, known)
			inDefault(n.ElemSlot, known)
			if do, ok := n.Do.(plan.Evaluate); ok && do.Table != nil {
				inTable(do.Table, known)
			}
			if do, ok := n.Do.(plan.Validate); ok {
				inRules(do, known)
				for _, f := range n.Fields {
					inRules(f.Node.Do.(plan.Validate), known)
				}
				for _, below := range []*plan.Node{n.RestNode, n.Elem} {
					if below != nil {
						inRules(below.Do.(plan.Validate), known)
					}
				}
			}
			if do, ok := n.Do.(plan.Shape); ok && do.Keys != nil {
				inValue(do.Keys.JSON, known)
			}
		}
	}
	return known
}

// inDefault adds the strings of a default.
func inDefault(s plan.Slot, known map[string]bool) {
	if rule, ok := s.(plan.NullRule); ok && rule.Default != nil {
		inValue(rule.Default.JSON, known)
	}
}

// inValue adds the strings of a value.
func inValue(v any, known map[string]bool) {
	switch v := v.(type) {
	case string:
		known[v] = true
	case []any:
		for _, e := range v {
			inValue(e, known)
		}
	case map[string]any:
		for k, e := range v {
			known[k] = true
			inValue(e, known)
		}
	}
}
