package speed

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/bytedance/sonic"
	prunert "github.com/prune-gen/prune-gen/runtime"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// trackPaths makes pruning.PruneWithOptions report what it drops.
var trackPaths = structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}

// agreeOnPruning makes sure that both sides drop and report the same: something where dirty is true, nothing otherwise.
func agreeOnPruning(dirty bool) func(*subject) error {
	return func(s *subject) error {
		for _, obj := range s.objects {
			ours, theirs := runtime.DeepCopyJSON(obj), runtime.DeepCopyJSON(obj)
			s.generated.Prune(ours)
			want := pruning.PruneWithOptions(theirs, s.kube.Structural, true, trackPaths)
			if !reflect.DeepEqual(ours, theirs) {
				return errors.New("generated code and Kubernetes prune it differently")
			}
			if changed := !reflect.DeepEqual(ours, obj); changed != dirty {
				return fmt.Errorf("pruning changes it: %t", changed)
			}
			slices.Sort(want)
			if got := s.generated.PruneReport(runtime.DeepCopyJSON(obj)); !slices.Equal(got, want) {
				return fmt.Errorf("generated code reports %d dropped fields, Kubernetes %d, or others", len(got), len(want))
			}
		}
		return nil
	}
}

// agreeOnNormalizing makes sure that both sides normalize the object alike.
func agreeOnNormalizing(s *subject) error {
	for _, obj := range s.objects {
		ours, theirs := runtime.DeepCopyJSON(obj), runtime.DeepCopyJSON(obj)
		unknown, err := s.generated.Normalize(ours, prunert.NormalizeOptions{ReportUnknown: true})
		wantUnknown, wantErr := s.kube.Normalize(theirs, prunert.NormalizeOptions{ReportUnknown: true})
		if err != nil || wantErr != nil || !slices.Equal(unknown, wantUnknown) || !reflect.DeepEqual(ours, theirs) {
			return fmt.Errorf("generated code and Kubernetes normalize it differently: %v, %v", err, wantErr)
		}
	}
	return nil
}

// agreeOnTypes makes sure that the object is as it would be stored, and that neither side finds a wrong type in it.
func agreeOnTypes(s *subject) error {
	obj := runtime.DeepCopyJSON(s.objects[0])
	if _, err := s.generated.Normalize(obj, prunert.NormalizeOptions{}); err != nil || !reflect.DeepEqual(obj, s.objects[0]) {
		return fmt.Errorf("normalizing changes it, or %v", err)
	}
	if errs := s.generated.Check(obj); errs != nil {
		return fmt.Errorf("generated code finds a wrong type: %w", errs[0])
	}
	if texts := s.kube.Check(obj); len(texts) > 0 {
		return fmt.Errorf("the schema validator finds a wrong type: %s", texts[0])
	}
	return nil
}

// agreeOnValues makes sure that both sides find equally many errors: none where valid is true, some otherwise.
func agreeOnValues(valid bool) func(*subject) error {
	return func(s *subject) error {
		ours, theirs := s.generated.Validate(s.objects[0]), s.kube.Validate(s.objects[0])
		if len(ours) != len(theirs) || (len(ours) == 0) != valid {
			return fmt.Errorf("generated code finds %d errors, Kubernetes %d; it should be valid: %t", len(ours), len(theirs), valid)
		}
		return nil
	}
}

// agreeOnJSON makes sure that both sides do the same to every document, and that there is something to drop where dirty is true.
func agreeOnJSON(dirty bool) func(*subject) error {
	return func(s *subject) error {
		if sonic.APIKind != sonic.UseSonicJSON {
			return errors.New("sonic does not support this version of Go or this machine, and would be encoding/json")
		}
		for _, doc := range s.documents {
			want := decodeAndPrune(s, doc)
			pruned, err := s.generated.PruneJSON(nil, doc)
			if err != nil {
				return fmt.Errorf("PruneJSON: %w", err)
			}
			var got map[string]any
			if err := utiljson.Unmarshal(pruned, &got); err != nil || !reflect.DeepEqual(got, want) {
				return fmt.Errorf("generated code and Kubernetes prune it differently as JSON, or %v", err)
			}
			if changed := !bytes.Equal(pruned, doc); changed != dirty {
				return fmt.Errorf("pruning changes the document: %t", changed)
			}
			if got, err := s.generated.DecodeJSON(doc); err != nil || !reflect.DeepEqual(got, want) {
				return fmt.Errorf("generated code and Kubernetes decode it differently, or %v", err)
			}
			if !sonic.Valid(doc) {
				return errors.New("sonic calls it invalid")
			}
		}
		return nil
	}
}

// agreeOnRules makes sure that both sides report the same errors, word for word: none where valid is true, some otherwise.
func agreeOnRules(valid bool) func(*subject) error {
	return func(s *subject) error {
		v, obj := newServer(s), s.objects[0]
		ours := func(errs prunert.ErrorList, _ []string) []string { return texts(errs) }
		for what, both := range map[string][2][]string{
			"rules of a new object": {ours(s.generated.ValidateRules(obj, nil)), texts(v.rules(obj, nil, nil))},
			"rules of an update":    {ours(s.generated.ValidateRules(obj, s.old)), texts(v.rules(obj, s.old, v.correlate(obj, s.old)))},
			"a new object":          {ours(s.generated.ValidateAll(obj, nil)), texts(v.create(obj))},
			"an update":             {ours(s.generated.ValidateAll(obj, s.old)), texts(v.update(obj, s.old))},
		} {
			if !slices.Equal(both[0], both[1]) || (len(both[0]) == 0) != valid {
				return fmt.Errorf("%s: generated code says %q, Kubernetes %q; it should be valid: %t", what, both[0], both[1], valid)
			}
		}
		return nil
	}
}

// texts returns the texts of errors, sorted.
func texts[E error](errs []E) []string {
	var all []string
	for _, e := range errs {
		all = append(all, e.Error())
	}
	slices.Sort(all)
	return all
}
