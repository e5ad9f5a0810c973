package generator

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/internal/lower"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// The ids of findings about inputs.
const (
	IDKindName structural.ID = "generate/kind-name"
	IDClash    structural.ID = "generate/clash"
	IDTooLarge structural.ID = "generate/too-large"
	IDNoCEL    structural.ID = "generate/rules-not-evaluated"
)

// Rules returns the rules and their summaries.
func IDs() []structural.IDInfo {
	return []structural.IDInfo{
		{ID: IDClash, Summary: "Two kinds would get the same file or the same name in one package."},
		{ID: IDKindName, Summary: "The kind cannot be part of a file name or of an identifier."},
		{ID: IDTooLarge, Summary: "The generated code would be too large."},
		{ID: IDNoCEL, Summary: "Generated validation does not evaluate the CEL rules of the schema."},
	}
}

// unusableKinds returns the findings for kinds that the API server would refuse: kinds become parts of identifiers and of file
// names.
func unusableKinds(inputs []Input) []structural.Finding {
	var findings []structural.Finding
	for _, in := range inputs {
		if kind := in.CRD.Names.Kind; len(kind) > 63 || !legalKind.MatchString(kind) {
			findings = append(findings, kindFinding(IDKindName, in, fmt.Sprintf("%.70q is not a kind", kind), "use letters, digits and dashes"))
		}
	}
	return findings
}

var legalKind = regexp.MustCompile(`^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`)

// clashes returns the findings for inputs that cannot share a package because they would declare the same name or have the
// same file.
func clashes(inputs []Input) []structural.Finding {
	var findings []structural.Finding
	sorted := slices.Clone(inputs)
	slices.SortStableFunc(sorted, func(a, b Input) int { return strings.Compare(inputKey(a), inputKey(b)) })
	takenBy := map[string]Input{}
	claim := func(in Input, what, name string) bool {
		other, taken := takenBy[name]
		if !taken {
			takenBy[name] = in
			return true
		}
		resource := prunert.Resource{Group: other.CRD.Group, Version: other.Version.Name}.APIVersion() + " " + other.CRD.Names.Kind
		message := fmt.Sprintf("%s %s would also be generated for %s", what, name, resource)
		hint := "generate the two into packages of their own, with an --output-dir for each"
		if inputKey(in) == inputKey(other) {
			message = resource + " is given twice"
			hint = fmt.Sprintf("leave one of them out: the other one is in %s", other.CRD.File)
		}
		findings = append(findings, kindFinding(IDClash, in, message, hint))
		return false
	}
	for _, in := range sorted {
		if !claim(in, "the file", fileName(in.CRD.Names.Kind, emit.ResourceUnit)) {
			continue
		}
		id := lower.Exported(in.CRD.Names.Kind)
		var names []string
		for _, f := range features {
			if f.kinds(prunert.Resource{Status: in.Version.HasStatus, HasRules: structural.HasRules(in.Version.Schema)}) {
				names = append(names, f.functionName(id))
			}
		}
		for _, name := range append(names, emit.ResourceName(id)) {
			if !claim(in, "the name", name) {
				break
			}
		}
	}
	return findings
}

// kindFinding returns a finding about the kind of an input.
func kindFinding(id structural.ID, in Input, message, hint string) structural.Finding {
	return inputFinding(id, in, structural.NewPath("spec", "names", "kind"), message, hint)
}

// inputFinding returns a finding about a place in the CRD of an input. Its message begins with the path.
func inputFinding(id structural.ID, in Input, at *structural.Path, message, hint string) structural.Finding {
	steps := at.Steps()
	pos := in.CRD.Locate(steps)
	return structural.Finding{
		ID: id, File: pos.File, Line: pos.Line, Column: pos.Column, CRD: in.CRD.Name, Version: in.Version.Name,
		Severity: structural.SeverityError, Hint: hint,
	}.WithPath(at.String(), steps).Saying(at.String(), message)
}

func inputKey(in Input) string {
	return in.CRD.Names.Kind + "\x00" + in.CRD.Group + "\x00" + in.Version.Name
}
