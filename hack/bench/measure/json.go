package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/bytedance/sonic"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// onJSON returns a contestant that works on documents. Each time it gets the next one of those that the subject has.
func onJSON(function, by, title string, prepare func(s *Subject) func(doc []byte)) *Contestant {
	return &Contestant{
		Function: function, By: by, Title: title, OnJSON: true,
		Prepare: func(s *Subject) func(map[string]any) {
			op, next := prepare(s), 0
			return func(map[string]any) {
				op(s.Documents[next])
				if next++; next == len(s.Documents) {
					next = 0
				}
			}
		},
	}
}

// room returns a slice with room for what becomes of the largest document, and what a scanner may need behind it.
func (s *Subject) room() []byte {
	most := 0
	for _, doc := range s.Documents {
		most = max(most, len(doc))
	}
	return make([]byte, 0, 2*most+1024)
}

var (
	generatedPruneJSON = onJSON("PruneJSON", "prune-gen", "PruneJSON", func(s *Subject) func([]byte) {
		dst := s.room()
		return func(doc []byte) { s.Generated.PruneJSON(dst, doc) }
	})
	kubePruneJSON = onJSON("PruneJSON", "kubernetes", "decode, pruning.Prune, encode", func(s *Subject) func([]byte) {
		return func(doc []byte) {
			obj := decodeAndPrune(s, doc)
			if _, err := utiljson.Marshal(obj); err != nil {
				panic(err) // agreeOnJSON has seen that it works
			}
		}
	})
	sonicValid = onJSON("PruneJSON", "sonic", "sonic.Valid", func(*Subject) func([]byte) {
		return func(doc []byte) { sonic.Valid(doc) }
	})
	standardValid = onJSON("PruneJSON", "encoding-json", "json.Valid", func(*Subject) func([]byte) {
		return func(doc []byte) { json.Valid(doc) }
	})
	generatedDecodeJSON = onJSON("DecodeJSON", "prune-gen", "DecodeJSON", func(s *Subject) func([]byte) {
		return func(doc []byte) { s.Generated.DecodeJSON(doc) }
	})
	kubeDecodeJSON = onJSON("DecodeJSON", "kubernetes", "decode, pruning.Prune", func(s *Subject) func([]byte) {
		return func(doc []byte) { decodeAndPrune(s, doc) }
	})
	sonicUnmarshal = onJSON("DecodeJSON", "sonic", "sonic.Unmarshal", func(*Subject) func([]byte) {
		return func(doc []byte) {
			var obj map[string]any
			sonic.Unmarshal(doc, &obj)
		}
	})
)

func decodeAndPrune(s *Subject, doc []byte) map[string]any {
	var obj map[string]any
	if err := utiljson.Unmarshal(doc, &obj); err != nil {
		panic(err) // agreeOnJSON has seen that it works
	}
	pruning.Prune(obj, s.Kube.Structural, true)
	return obj
}

// hasFunction reports whether what a contestant measures was generated.
func hasFunction(c *Contestant, r prunert.Resource) bool {
	switch c {
	case generatedPruneJSON:
		return r.PruneJSON != nil
	case generatedDecodeJSON:
		return r.DecodeJSON != nil
	}
	return true
}

// agreeOnJSON makes sure that both sides do the same to every document, and that each is what it is said to be.
func agreeOnJSON(s *Subject, state State) error {
	if sonic.APIKind != sonic.UseSonicJSON {
		return fmt.Errorf("sonic does not support this version of Go or this machine, and would be encoding/json")
	}
	for _, doc := range s.Documents {
		want := decodeAndPrune(s, doc)
		if s.Generated.PruneJSON != nil {
			pruned, err := s.Generated.PruneJSON(nil, doc)
			if err != nil {
				return fmt.Errorf("PruneJSON: %w", err)
			}
			var got map[string]any
			if err := utiljson.Unmarshal(pruned, &got); err != nil || !reflect.DeepEqual(got, want) {
				return fmt.Errorf("generated code and Kubernetes prune it differently as JSON, or %v", err)
			}
			if dirty := !bytes.Equal(pruned, doc); dirty != state.Dirty() {
				return fmt.Errorf("pruning changes the document: %t", dirty)
			}
		}
		if s.Generated.DecodeJSON != nil {
			if got, err := s.Generated.DecodeJSON(doc); err != nil || !reflect.DeepEqual(got, want) {
				return fmt.Errorf("generated code and Kubernetes decode it differently, or %v", err)
			}
		}
		if !sonic.Valid(doc) {
			return fmt.Errorf("sonic calls it invalid")
		}
	}
	return nil
}
