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
	row := kubernetes
	return []Function{
		row("string(net.CIDR) string", "cidr_to_string", "", call1(netip.Prefix.String)),
		row("cidr(string) net.CIDR", "string_to_cidr", "ParseCIDR", call1e(ParseCIDR), costTraversal).estimated(EstimateRead),
		row("net.CIDR.containsIP(string) bool", "cidr_contains_ip_string", "CIDRContainsIPText", call2e(CIDRContainsIPText), costContainsIPText, costContainsIP),
		row("net.CIDR.containsIP(net.IP) bool", "cidr_contains_ip_ip", "CIDRContainsIP", call2(CIDRContainsIP), costContainsIP),
		row("net.CIDR.containsCIDR(string) bool", "cidr_contains_cidr_string", "CIDRContainsCIDRText", call2e(CIDRContainsCIDRText), costContainsCIDRText, costContainsCIDR),
		row("net.CIDR.containsCIDR(net.CIDR) bool", "cidr_contains_cidr", "CIDRContainsCIDR", call2(CIDRContainsCIDR), costContainsCIDR),
		row("net.CIDR.ip() net.IP", "cidr_ip", "CIDRIP", call1(CIDRIP), nil, costTraversal),
		row("net.CIDR.prefixLength() int", "cidr_prefix_length", "CIDRPrefixLength", call1(CIDRPrefixLength)),
		row("net.CIDR.masked() net.CIDR", "cidr_masked", "CIDRMasked", call1(CIDRMasked)),
		row("isCIDR(string) bool", "is_cidr", "IsCIDR", call1(IsCIDR), costTraversal).estimated(EstimateRead),
	}
}
