package generator

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestThePackageDocumentationListsTheFeatures(t *testing.T) {
	const file, kind = "doc.go", "Job"
	text := read(t, file)
	listed := regexp.MustCompile(`(?m)^//\t[a-z-]+ +\w+`+kind+`\w* .*$`).FindAllString(text, -1)
	nameWidth, functionWidth := 0, 0
	for _, f := range features {
		nameWidth, functionWidth = max(nameWidth, len(f.name)), max(functionWidth, len(f.functionName(kind)))
	}
	var want []string
	for _, f := range features {
		want = append(want, fmt.Sprintf("//\t%-*s  %-*s  %s", nameWidth, f.name, functionWidth, f.functionName(kind), f.summary))
	}
	if have, want := strings.Join(listed, "\n"), strings.Join(want, "\n"); have != want {
		t.Errorf("%s: have\n%s\nwant\n%s", file, have, want)
	}
	if def := "By default a kind gets " + DefaultFeatures().String() + "."; !strings.Contains(strings.ReplaceAll(text, "\n// ", " "), def) {
		t.Errorf("%s does not say %q", file, def)
	}
}

// docs/operator.md shows each function as it is declared, with what it does.
func TestFunctionsAreDocumented(t *testing.T) {
	listed := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^func (\w*CronTab\w*)(\(.*?)\s+// (.*)$`).FindAllStringSubmatch(read(t, "../docs/operator.md"), -1) {
		listed[m[1]] = m[2] + " // " + m[3]
	}
	signatures := resourceSignatures(t)
	for _, f := range features {
		name := f.functionName("CronTab")
		if want := signatures[f.field] + " // " + f.summary; listed[name] != want {
			t.Errorf("%s: have %q, want %q", name, listed[name], want)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("%s is not a function of a feature", name)
	}
}

// resourceSignatures returns the parameters and results of the functions in prunert.Resource, by their fields, as code outside of
// the runtime writes them.
func resourceSignatures(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../runtime/resource.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		if function, ok := field.Type.(*ast.FuncType); ok && len(field.Names) == 1 {
			var b bytes.Buffer
			if err := printer.Fprint(&b, token.NewFileSet(), function); err != nil {
				t.Fatal(err)
			}
			signature := strings.TrimPrefix(b.String(), "func")
			all[field.Names[0].Name] = regexp.MustCompile(`\b(ErrorList|NormalizeOptions|JSONReport)\b`).ReplaceAllString(signature, "prunert.$1")
			return false
		}
		return true
	})
	return all
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
