package prunecel

import (
	"fmt"
	"math"
	"net/netip"
)

// ParseCIDR is cidr(string): a network that is not IPv4 in IPv6.
func ParseCIDR(s string) (netip.Prefix, error) {
	const text = "network address parse error during conversion from string: "
	cidr, err := netip.ParsePrefix(s)
	switch {
	case err != nil:
		return netip.Prefix{}, fmt.Errorf(text+text+"%w", err) // the server says it twice
	case cidr.Addr().Is4In6():
		return netip.Prefix{}, fmt.Errorf(text+"IPv4-mapped IPv6 address %q is not allowed", s)
	}
	return cidr, nil
}

// IsCIDR reports whether s is a network that ParseCIDR takes.
func IsCIDR(s string) bool {
	cidr, err := netip.ParsePrefix(s)
	return err == nil && !cidr.Addr().Is4In6()
}

// CIDRContainsIP is containsIP of an address.
func CIDRContainsIP(cidr netip.Prefix, ip netip.Addr) bool { return cidr.Contains(ip) }

// CIDRContainsIPText is containsIP of a string.
func CIDRContainsIPText(cidr netip.Prefix, s string) (bool, error) {
	ip, err := ParseIP(s)
	if err != nil {
		return false, errNoSuchOverload // the server loses the error
	}
	return cidr.Contains(ip), nil
}

// CIDRContainsCIDR is containsCIDR of a network.
func CIDRContainsCIDR(cidr, other netip.Prefix) bool {
	return cidr.Bits() <= other.Bits() && cidr.Overlaps(other)
}

// CIDRContainsCIDRText is containsCIDR of a string.
func CIDRContainsCIDRText(cidr netip.Prefix, s string) (bool, error) {
	other, err := ParseCIDR(s)
	if err != nil {
		return false, err
	}
	return CIDRContainsCIDR(cidr, other), nil
}

// CIDRIP is ip of a network: its address as it was written.
func CIDRIP(cidr netip.Prefix) netip.Addr { return cidr.Addr() }

// CIDRPrefixLength is prefixLength.
func CIDRPrefixLength(cidr netip.Prefix) int64 { return int64(cidr.Bits()) }

// CIDRMasked is masked: the network without the bits after its prefix.
func CIDRMasked(cidr netip.Prefix) netip.Prefix { return cidr.Masked() }

// networkCost is the cost of comparing addresses as far as a network fixes them.
func networkCost(args []any) uint64 {
	return uint64(math.Ceil(float64(costSize(args[0])*2) * traversalFactor))
}

func costContainsIP(args []any, _ any) uint64 { return networkCost(args) }

func costContainsIPText(args []any, _ any) uint64 {
	return networkCost(args) + traversal(costSize(args[1]))
}

func costContainsCIDR(args []any, _ any) uint64 {
	return networkCost(args) + traversal(costSize(args[0])) + 1
}

func costContainsCIDRText(args []any, result any) uint64 {
	return costContainsCIDR(args, result) + traversal(costSize(args[1]))
}

func cidrFunctions() []Function {
	return []Function{
		{Name: "cidr", Overload: "string_to_cidr", Signature: "cidr(string) net.CIDR", Since: "1.30", Go: "ParseCIDR",
			Call: call1e(ParseCIDR), Cost: costTraversal, DynCost: costTraversal},
		{Name: "containsIP", Overload: "cidr_contains_ip_string", Signature: "net.CIDR.containsIP(string) bool", Since: "1.30",
			Go: "CIDRContainsIPText", Call: call2e(CIDRContainsIPText), Cost: costContainsIPText, DynCost: costContainsIP},
		{Name: "containsIP", Overload: "cidr_contains_ip_ip", Signature: "net.CIDR.containsIP(net.IP) bool", Since: "1.30",
			Go: "CIDRContainsIP", Call: call2(CIDRContainsIP), Cost: costContainsIP, DynCost: costContainsIP},
		{Name: "containsCIDR", Overload: "cidr_contains_cidr_string", Signature: "net.CIDR.containsCIDR(string) bool", Since: "1.30",
			Go: "CIDRContainsCIDRText", Call: call2e(CIDRContainsCIDRText), Cost: costContainsCIDRText, DynCost: costContainsCIDR},
		{Name: "containsCIDR", Overload: "cidr_contains_cidr", Signature: "net.CIDR.containsCIDR(net.CIDR) bool", Since: "1.30",
			Go: "CIDRContainsCIDR", Call: call2(CIDRContainsCIDR), Cost: costContainsCIDR, DynCost: costContainsCIDR},
		{Name: "ip", Overload: "cidr_ip", Signature: "net.CIDR.ip() net.IP", Since: "1.30", Go: "CIDRIP", Call: call1(CIDRIP),
			DynCost: costTraversal},
		{Name: "prefixLength", Overload: "cidr_prefix_length", Signature: "net.CIDR.prefixLength() int", Since: "1.30",
			Go: "CIDRPrefixLength", Call: call1(CIDRPrefixLength)},
		{Name: "masked", Overload: "cidr_masked", Signature: "net.CIDR.masked() net.CIDR", Since: "1.30", Go: "CIDRMasked",
			Call: call1(CIDRMasked)},
		{Name: "isCIDR", Overload: "is_cidr", Signature: "isCIDR(string) bool", Since: "1.30", Go: "IsCIDR",
			Call: call1(IsCIDR), Cost: costTraversal, DynCost: costTraversal},
	}
}
