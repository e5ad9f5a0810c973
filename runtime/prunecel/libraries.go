package prunecel

import (
	"iter"
	"net/netip"
)

// The names of types that errors of conversions mention.
const (
	typeDuration  = "google.protobuf.Duration"
	typeTimestamp = "google.protobuf.Timestamp"
)

// sizeOfLibrary returns the size in bytes of an address, or of the part of an address that a network fixes.
func sizeOfLibrary(v any) (int, bool) {
	switch v := v.(type) {
	case netip.Addr:
		return v.BitLen() / 8, true
	case netip.Prefix:
		return (v.Bits() + 7) / 8, true
	}
	return 0, false
}

// equalLibrary compares a value of Kubernetes' libraries with another: a bool, or an error if the other has another type.
func equalLibrary(a, b any) any {
	if err, ok := b.(error); ok {
		return err
	}
	switch a := a.(type) {
	case URL:
		if b, ok := b.(URL); ok {
			return a.URL.String() == b.URL.String()
		}
	case netip.Addr:
		if b, ok := b.(netip.Addr); ok {
			return a == b
		}
	case netip.Prefix:
		if b, ok := b.(netip.Prefix); ok {
			return a == b
		}
	case *Quantity:
		// A result of add or sub equals no quantity: the server then compares values of different Go types.
		if b, ok := b.(*Quantity); ok && !b.computed {
			return a.compare(b) == 0
		}
	case Semver:
		if b, ok := b.(Semver); ok {
			return a.compare(b) == 0
		}
	case *Format:
		if b, ok := b.(*Format); ok {
			return a.Name == b.Name
		}
	}
	return errNoSuchOverload
}

// pairs goes through the keys of a map or an object and their values, which may be errors.
func pairs(m any) iter.Seq2[any, any] {
	return func(yield func(k, v any) bool) {
		keys, find := []any(nil), (func(any) (any, bool))(nil)
		switch m := m.(type) {
		case *Map:
			keys, find = m.keys, m.find
		case *objectValue:
			keys, find = m.keys(), m.find
		}
		for _, k := range keys {
			if v, _ := find(k); !yield(k, v) {
				return
			}
		}
	}
}
