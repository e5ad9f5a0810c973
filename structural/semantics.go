package structural

import "fmt"

// Semantics says how pruning continues below x-kubernetes-preserve-unknown-fields, about which the documents disagree.
type Semantics uint8

const (
	// APIServer is what Kubernetes does: pruning starts again at every field that the schema specifies, by properties
	// or by additionalProperties.
	APIServer Semantics = iota
	// KEP2332 is what that document's examples say: everything below stays preserved, until a schema has properties of
	// its own.
	KEP2332
)

// String returns the name that ParseSemantics reads.
func (s Semantics) String() string {
	switch s {
	case APIServer:
		return "apiserver"
	case KEP2332:
		return "kep-2332"
	default:
		return fmt.Sprintf("Semantics(%d)", uint8(s))
	}
}

// ParseSemantics returns the Semantics of that name.
func ParseSemantics(name string) (Semantics, error) {
	for _, s := range []Semantics{APIServer, KEP2332} {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown semantics %q: want %s or %s", name, APIServer, KEP2332)
}
