package prunecel

import (
	"fmt"
	"math"
	"net/netip"
)

// parseCIDR is cidr(string): a network that is not IPv4 in IPv6.
func parseCIDR(s string) (netip.Prefix, error) {
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

// isCIDR reports whether s is a network that parseCIDR takes.
func isCIDR(s string) bool {
	cidr, err := netip.ParsePrefix(s)
	return err == nil && !cidr.Addr().Is4In6()
}

// containsIPText is containsIP of a string.
func containsIPText(cidr netip.Prefix, s string) (bool, error) {
	ip, err := parseIP(s)
	if err != nil {
		return false, errNoSuchOverload // the server loses the error
	}
	return cidr.Contains(ip), nil
}

// containsCIDR is containsCIDR of a network.
func containsCIDR(cidr, other netip.Prefix) bool {
	return cidr.Bits() <= other.Bits() && cidr.Overlaps(other)
}

// containsCIDRText is containsCIDR of a string.
func containsCIDRText(cidr netip.Prefix, s string) (bool, error) {
	other, err := parseCIDR(s)
	if err != nil {
		return false, err
	}
	return containsCIDR(cidr, other), nil
}

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
		kubernetes("string(net.CIDR) string", "cidr_to_string", call1(netip.Prefix.String)),
		kubernetes("cidr(string) net.CIDR", "string_to_cidr", call1e(parseCIDR), costTraversal).compiled("CIDR").estimated(EstimateRead),
		kubernetes("net.CIDR.containsIP(string) bool", "cidr_contains_ip_string", call2e(containsIPText), costContainsIPText, costContainsIP),
		kubernetes("net.CIDR.containsIP(net.IP) bool", "cidr_contains_ip_ip", call2(netip.Prefix.Contains), costContainsIP),
		kubernetes("net.CIDR.containsCIDR(string) bool", "cidr_contains_cidr_string", call2e(containsCIDRText), costContainsCIDRText, costContainsCIDR),
		kubernetes("net.CIDR.containsCIDR(net.CIDR) bool", "cidr_contains_cidr", call2(containsCIDR), costContainsCIDR),
		kubernetes("net.CIDR.ip() net.IP", "cidr_ip", call1(netip.Prefix.Addr), nil, costTraversal).compiled(".Addr()"),
		kubernetes("net.CIDR.prefixLength() int", "cidr_prefix_length", call1(func(cidr netip.Prefix) int64 { return int64(cidr.Bits()) })),
		kubernetes("net.CIDR.masked() net.CIDR", "cidr_masked", call1(netip.Prefix.Masked)),
		kubernetes("isCIDR(string) bool", "is_cidr", call1(isCIDR), costTraversal).compiled("IsCIDR").estimated(EstimateRead),
	}
}
