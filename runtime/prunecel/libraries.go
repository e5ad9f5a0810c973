package prunecel

import "net/netip"

// The names of types that functions and errors mention.
const (
	typeDuration  = "google.protobuf.Duration"
	typeTimestamp = "google.protobuf.Timestamp"
	typeURL       = "kubernetes.URL"
	typeIP        = "net.IP"
	typeCIDR      = "net.CIDR"
	typeQuantity  = "kubernetes.Quantity"
	typeSemver    = "kubernetes.Semver"
	typeFormat    = "kubernetes.NamedFormat"
)

// typeOfLibrary returns the name of the type of a value that a function of Kubernetes' libraries made.
func typeOfLibrary(v any) string {
	switch v.(type) {
	case URL:
		return typeURL
	case netip.Addr:
		return typeIP
	case netip.Prefix:
		return typeCIDR
	case *Quantity:
		return typeQuantity
	case Semver:
		return typeSemver
	case *Format:
		return typeFormat
	}
	return "unknown"
}

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
		// A quantity that add or sub made equals none: the server compares other types of Go then.
		if b, ok := b.(*Quantity); ok && !b.computed {
			return a.Equal(b)
		}
	case Semver:
		if b, ok := b.(Semver); ok {
			return a.Compare(b) == 0
		}
	case *Format:
		if b, ok := b.(*Format); ok {
			return a.Name == b.Name
		}
	}
	return errNoSuchOverload
}

// keysOf returns the keys of a map or an object.
func keysOf(m any) []any {
	switch m := m.(type) {
	case *Map:
		return m.keys
	case *Object:
		return m.keys()
	}
	return nil
}

// findIn returns the value of a key of a map or an object, which may be an error.
func findIn(m, key any) (any, bool) {
	switch m := m.(type) {
	case *Map:
		return m.find(key)
	case *Object:
		return m.find(key)
	}
	return nil, false
}
