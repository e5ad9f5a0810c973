package measure

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
)

// agree makes sure that there is something to compare: that both sides do the same to the object, and that it is what
// it is said to be.
func agree(s *Subject, state State) error {
	if state.forRules() {
		return agreeOnRules(s, state)
	}
	if state == Valid || state == Invalid {
		return agreeOnValues(s, state)
	}
	ours, theirs := runtime.DeepCopyJSON(s.Object), runtime.DeepCopyJSON(s.Object)
	s.Generated.Prune(ours)
	want := pruning.PruneWithOptions(theirs, s.Kube.Structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	if !reflect.DeepEqual(ours, theirs) {
		return fmt.Errorf("generated code and Kubernetes prune it differently")
	}
	if dirty := !reflect.DeepEqual(ours, s.Object); dirty != (state == Dirty) {
		return fmt.Errorf("pruning changes it: %t", dirty)
	}
	slices.Sort(want)
	if got := s.Generated.PruneReport(runtime.DeepCopyJSON(s.Object)); !slices.Equal(got, want) {
		return fmt.Errorf("generated code reports %d dropped fields, Kubernetes %d, or others", len(got), len(want))
	}
	if state == Real {
		return nil // what people write is neither complete nor without faults, and only pruned here
	}
	ours, theirs = runtime.DeepCopyJSON(s.Object), runtime.DeepCopyJSON(s.Object)
	unknown, err := s.Generated.Normalize(ours, prunert.NormalizeOptions{ReportUnknown: true})
	wantUnknown, wantErr := s.Kube.Normalize(theirs, kube.FromRequest, true)
	if err != nil || wantErr != nil || !slices.Equal(unknown, wantUnknown) || !reflect.DeepEqual(ours, theirs) {
		return fmt.Errorf("generated code and Kubernetes normalize it differently: %v, %v", err, wantErr)
	}
	if state == Dirty {
		return nil
	}
	if !reflect.DeepEqual(ours, s.Object) {
		return fmt.Errorf("normalizing changes it")
	}
	if errs := s.Generated.Check(s.Object); errs != nil {
		return fmt.Errorf("generated code finds a wrong type: %w", errs[0])
	}
	if texts := s.Kube.Check(s.Object); len(texts) > 0 {
		return fmt.Errorf("the schema validator finds a wrong type: %s", texts[0])
	}
	return nil
}

// agreeOnValues makes sure that both sides find the same wrong with the values of the object: nothing if it is valid, and
// something otherwise.
func agreeOnValues(s *Subject, state State) error {
	ours, theirs := s.Generated.Validate(s.Object), s.Kube.Validate(s.Object)
	if len(ours) != len(theirs) {
		return fmt.Errorf("generated code finds %d errors, Kubernetes %d", len(ours), len(theirs))
	}
	if valid := len(ours) == 0; valid != (state == Valid) {
		return fmt.Errorf("it is valid: %t", valid)
	}
	return nil
}
