package crddiff

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/origin"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Texts compares the CRDs of two texts, in YAML or JSON, by their names. It returns the changes by the name of the CRD; CRDs that are
// gone or new are changes, too, and CRDs without changes are left out. The error names everything that is wrong with the texts.
func Texts(old, new []byte) (map[string][]Change, error) {
	was, err := read("old", old)
	if err != nil {
		return nil, err
	}
	is, err := read("new", new)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(was)
	maps.Copy(names, is)
	changes := map[string][]Change{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all, err := Compare(was[name], is[name])
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", name, err)
		}
		if len(all) > 0 {
			changes[name] = all
		}
	}
	return changes, nil
}

// read returns the CRDs by their names. Two of a name must be the same.
func read(which string, text []byte) (map[string]*structural.CRD, error) {
	f := load.Load(which, bytes.NewReader(text))
	var errs []string
	for _, finding := range f.Findings {
		if finding.Severity == structural.SeverityError {
			errs = append(errs, fmt.Sprintf("line %d: %s", finding.Line, finding.Message))
		}
	}
	named := map[string]*structural.CRD{}
	for _, c := range f.CRDs {
		if first := named[c.Name]; first == nil {
			named[c.Name] = c
		} else if !reflect.DeepEqual(origin.Node(first).Child("spec").Value(), origin.Node(c).Child("spec").Value()) {
			errs = append(errs, fmt.Sprintf("line %d: %s is defined before, differently", origin.Node(c).Pos.Line, c.Name))
		}
	}
	if len(errs) > 0 {
		return nil, fmt.Errorf("read the %s CRDs: %s", which, strings.Join(errs, "; "))
	}
	return named, nil
}
