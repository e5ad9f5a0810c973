package prunecel

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Quantity is a number with a suffix, as resources are measured in Kubernetes: 64 bits and a power of ten where that suffices,
// a decimal of any size otherwise.
//
// Comparing changes the form of a quantity but not its number, and isInteger depends on the form: a Quantity must not be shared
// between evaluations.
type Quantity struct {
	value int64 // the number is value × 10^scale if dec is nil
	scale int32

	dec      *big.Int // the number is dec × 10^-decScale
	decScale int32

	// computed is set for results of add and sub. The server has another type for them.
	computed bool
}

const (
	nano = -9 // the power of ten of the smallest unit

	// The maximum number of zeros that arithmetic appends to a number. The server has no limit, and the quantity 1e1000000000 keeps it busy
	// for hours.
	maxShift = 10_000

	quantityPattern = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"
)

var (
	errQuantityFormat = errors.New("quantities must match the regular expression '" + quantityPattern + "'")
	errQuantityNumber = errors.New("unable to parse numeric part of quantity")
	errQuantitySuffix = errors.New("unable to parse quantity's suffix")
	errQuantityInt    = errors.New("cannot convert value to integer")
	errQuantityRange  = errors.New("quantity is out of range")
)

// isQuantity reports whether s is a quantity.
func isQuantity(s string) bool {
	_, err := parseQuantity(s)
	return err == nil
}

// parseQuantity is quantity(string).
func parseQuantity(s string) (*Quantity, error) {
	if s == "" {
		return nil, errQuantityFormat
	}
	text, ok := splitQuantity(s)
	if !ok {
		return nil, errQuantityFormat
	}
	suffix, ok := parseSuffix(text.suffix)
	if !ok {
		return nil, errQuantitySuffix
	}
	if q := smallQuantity(text, suffix); q != nil {
		return q, nil
	}
	return largeQuantity(text, suffix)
}

// quantityText is a quantity as it is written.
type quantityText struct {
	negative        bool
	whole, fraction string // digits; whole has no leading zeros and is not empty
	digits          bool   // one digit at least was written
	suffix          string
}

func splitQuantity(s string) (t quantityText, ok bool) {
	rest := s
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		t.negative = rest[0] == '-'
		rest = rest[1:]
	}
	zeros := rest
	rest = strings.TrimLeft(rest, "0")
	t.digits = len(zeros) > len(rest)
	t.whole, rest = cutDigits(rest)
	t.digits = t.digits || t.whole != ""
	if t.whole == "" {
		t.whole = "0"
	}
	if after, found := strings.CutPrefix(rest, "."); found {
		t.fraction, rest = cutDigits(after)
		t.digits = t.digits || t.fraction != ""
	}
	t.suffix = rest
	rest = strings.TrimLeft(rest, "eEinumkKMGTP")
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	_, rest = cutDigits(rest)
	return t, rest == ""
}

// cutDigits returns the digits that s begins with, and the rest.
func cutDigits(s string) (digits, rest string) {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return s[:n], s[n:]
}

// quantitySuffix is the power of two or ten that a suffix stands for.
type quantitySuffix struct {
	binary   bool
	exponent int32
}

func parseSuffix(s string) (quantitySuffix, bool) {
	if len(s) <= 1 {
		if i := strings.Index("numkMGTPE", s); s != "" && i >= 0 {
			return quantitySuffix{exponent: [...]int32{-9, -6, -3, 3, 6, 9, 12, 15, 18}[i]}, true
		}
		return quantitySuffix{}, s == ""
	}
	if i := strings.IndexByte("KMGTPE", s[0]); i >= 0 && s[1:] == "i" {
		return quantitySuffix{binary: true, exponent: 10 * int32(i+1)}, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return quantitySuffix{}, false
	}
	exponent, err := strconv.ParseInt(s[1:], 10, 64)
	return quantitySuffix{exponent: int32(exponent)}, err == nil // the server cuts off what does not fit, too
}

// smallQuantity returns a quantity in 64 bits, nil for one that may not fit.
func smallQuantity(t quantityText, suffix quantitySuffix) *Quantity {
	scale, factor := suffix.exponent, int64(1)
	fits := len(t.whole)+len(t.fraction) <= 18
	if suffix.binary {
		scale, factor = 0, 1<<suffix.exponent
		fits = t.fraction == "" && len(t.whole)+int(float32(suffix.exponent)*3/10) <= 14
	}
	scale -= int32(len(t.fraction))
	if !fits || scale < nano {
		return nil
	}
	value, err := strconv.ParseInt(t.whole+t.fraction, 10, 64)
	if err != nil {
		return nil
	}
	if value, err = mulInt(value, factor); err != nil {
		return nil
	}
	if t.negative {
		value = -value
	}
	return &Quantity{value: value, scale: scale}
}

// largeQuantity returns a quantity as a decimal: rounded up to nano and, with a suffix of powers of two, at most 64 bits.
func largeQuantity(t quantityText, suffix quantitySuffix) (*Quantity, error) {
	if !t.digits {
		return nil, errQuantityNumber
	}
	dec, ok := new(big.Int).SetString(t.whole+t.fraction, 10)
	if !ok {
		return nil, errQuantityNumber
	}
	scale := int32(len(t.fraction))
	if suffix.binary {
		dec.Lsh(dec, uint(suffix.exponent))
	} else {
		scale += -suffix.exponent
	}
	if dec.Sign() != 0 {
		dec, scale = roundUp(dec, scale)
	}
	if limit := big.NewInt(math.MaxInt64); suffix.binary && compareDecimals(dec, scale, limit, 0) > 0 {
		dec, scale = limit, 0
	}
	if t.negative {
		dec.Neg(dec)
	}
	return &Quantity{dec: dec, decScale: scale}, nil
}

// roundUp returns a positive decimal with the scale of nano, rounded up. A number that would get too many zeros keeps its scale.
func roundUp(dec *big.Int, scale int32) (*big.Int, int32) {
	switch shift := -nano - scale; {
	case shift > maxShift:
		return dec, scale
	case shift >= 0:
		return dec.Mul(dec, powerOfTen(int64(shift))), -nano
	case int64(-shift) >= int64(dec.BitLen()): // 10^-shift is larger than dec
		return big.NewInt(1), -nano
	default:
		rest := new(big.Int)
		dec.QuoRem(dec, powerOfTen(int64(-shift)), rest)
		if rest.Sign() != 0 {
			dec.Add(dec, big.NewInt(1))
		}
		return dec, -nano
	}
}

func powerOfTen(n int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil) }

// compareDecimals compares a × 10^-aScale with b × 10^-bScale.
func compareDecimals(a *big.Int, aScale int32, b *big.Int, bScale int32) int {
	if aScale == bScale || a.Sign() != b.Sign() || a.Sign() == 0 {
		if a.Sign() != b.Sign() {
			return compare(int64(a.Sign()), int64(b.Sign()))
		}
		return a.Cmp(b)
	}
	// The order of magnitude decides, unless both are of the same: then few zeros make the scales equal.
	aSize, bSize := decimalDigits(a)-int64(aScale), decimalDigits(b)-int64(bScale)
	if aSize != bSize {
		return compare(aSize, bSize) * a.Sign()
	}
	if shift := int64(aScale) - int64(bScale); shift > 0 {
		b = new(big.Int).Mul(b, powerOfTen(shift))
	} else {
		a = new(big.Int).Mul(a, powerOfTen(-shift))
	}
	return a.Cmp(b)
}

// decimalDigits returns the number of decimal digits of a number that is not zero.
func decimalDigits(a *big.Int) int64 {
	// A number of n bits has floor((n-1)·log10(2)) + 1 digits, or one more.
	digits := int64(float64(a.BitLen()-1)*math.Log10(2)) + 1
	if a.CmpAbs(powerOfTen(digits)) >= 0 {
		return digits + 1
	}
	if digits > 1 && a.CmpAbs(powerOfTen(digits-1)) < 0 {
		return digits - 1
	}
	return digits
}

// decimal returns q as a decimal.
func (q *Quantity) decimal() (*big.Int, int32) {
	if q.dec != nil {
		return q.dec, q.decScale
	}
	return big.NewInt(q.value), -q.scale
}

// toDecimal changes the form of q.
func (q *Quantity) toDecimal() {
	q.dec, q.decScale = q.decimal()
	q.value, q.scale = 0, 0
}

// compare returns -1, 0 or 1.
func (q *Quantity) compare(other *Quantity) int {
	if q.dec == nil && other.dec == nil {
		if q.scale == other.scale {
			return compare(q.value, other.value)
		}
		// Powers of ten that fit in 64 bits, which is nearly always, need no decimals.
		shift := int64(q.scale) - int64(other.scale)
		if larger, ok := scaleInt(q.value, shift); ok && shift > 0 {
			return compare(larger, other.value)
		}
		if larger, ok := scaleInt(other.value, -shift); ok && shift < 0 {
			return compare(q.value, larger)
		}
	}
	a, aScale := q.decimal()
	b, bScale := other.decimal()
	return compareDecimals(a, aScale, b, bScale)
}

// compareQuantities is compareTo: -1, 0 or 1.
func compareQuantities(a, b *Quantity) int64 {
	if a.dec == nil && b.dec != nil {
		a.toDecimal() // the server does it, and isInteger is false ever after
	}
	return int64(a.compare(b))
}

// quantityIsGreaterThan is isGreaterThan.
func quantityIsGreaterThan(a, b *Quantity) bool { return compareQuantities(a, b) > 0 }

// quantityIsLessThan is isLessThan.
func quantityIsLessThan(a, b *Quantity) bool { return compareQuantities(a, b) < 0 }

// quantitySign is sign: -1, 0 or 1.
func quantitySign(q *Quantity) int64 {
	if q.dec != nil {
		return int64(q.dec.Sign())
	}
	return int64(compare(q.value, 0))
}

// quantityIsInteger is isInteger.
func quantityIsInteger(q *Quantity) bool {
	_, err := quantityAsInteger(q)
	return err == nil
}

// quantityAsInteger is asInteger.
func quantityAsInteger(q *Quantity) (int64, error) {
	if q.dec == nil && q.scale >= 0 {
		if i, ok := scaleInt(q.value, int64(q.scale)); ok {
			return i, nil
		}
	}
	return 0, errQuantityInt
}

// scaleInt returns i × 10^scale; ok is false if it is not an integer of 64 bits.
func scaleInt(i, scale int64) (scaled int64, ok bool) {
	switch {
	case scale < 0:
		return 0, false
	case i == 0:
		return 0, true
	case scale > 18:
		return 0, false
	}
	for range scale {
		var err error
		if i, err = mulInt(i, 10); err != nil {
			return 0, false
		}
	}
	return i, true
}

// quantityAsApproximateFloat is asApproximateFloat.
func quantityAsApproximateFloat(q *Quantity) float64 {
	base, exponent := float64(q.value), int(q.scale)
	if q.dec != nil {
		base, _ = new(big.Float).SetInt(q.dec).Float64()
		exponent = int(-q.decScale)
	}
	if exponent == 0 {
		return base
	}
	return base * math.Pow10(exponent)
}

// addQuantities is add of a quantity.
func addQuantities(a, b *Quantity) (*Quantity, error) {
	if sum, ok := addSmall(a, b.value, b.scale); ok && b.dec == nil {
		return sum, nil
	}
	y, yScale := b.decimal()
	return addDecimal(a, y, yScale)
}

// subQuantities is sub of a quantity.
func subQuantities(a, b *Quantity) (*Quantity, error) {
	// The smallest integer is its own negative: the server adds it.
	if diff, ok := addSmall(a, -b.value, b.scale); ok && b.dec == nil {
		return diff, nil
	}
	y, yScale := b.decimal()
	return addDecimal(a, new(big.Int).Neg(y), yScale)
}

// addQuantityInt is add of an int.
func addQuantityInt(q *Quantity, i int64) (*Quantity, error) {
	return addQuantities(q, &Quantity{value: i})
}

// subQuantityInt is sub of an int.
func subQuantityInt(q *Quantity, i int64) (*Quantity, error) {
	return subQuantities(q, &Quantity{value: i})
}

// addSmall adds in 64 bits; ok is false if the sum does not fit.
func addSmall(q *Quantity, value int64, scale int32) (sum *Quantity, ok bool) {
	switch {
	case q.dec != nil:
		return nil, false
	case value == 0:
		return &Quantity{value: q.value, scale: q.scale, computed: true}, true
	case q.value == 0:
		return &Quantity{value: value, scale: scale, computed: true}, true
	}
	a, b := q.value, value
	if q.scale > scale {
		a, ok = scaleInt(a, int64(q.scale)-int64(scale))
	} else {
		b, ok = scaleInt(b, int64(scale)-int64(q.scale))
	}
	if !ok {
		return nil, false
	}
	c, err := addInt(a, b)
	return &Quantity{value: c, scale: min(q.scale, scale), computed: true}, err == nil
}

// addDecimal returns q + y × 10^-yScale as a decimal.
func addDecimal(q *Quantity, y *big.Int, yScale int32) (*Quantity, error) {
	x, xScale := q.decimal()
	if xScale > yScale {
		x, xScale, y, yScale = y, yScale, x, xScale
	}
	shift := int64(yScale) - int64(xScale)
	switch {
	case x.Sign() == 0 || shift == 0:
	case shift > maxShift:
		return nil, errQuantityRange
	default:
		x = new(big.Int).Mul(x, powerOfTen(shift))
	}
	return &Quantity{dec: new(big.Int).Add(x, y), decScale: yScale, computed: true}, nil
}

func quantityFunctions() []Function {
	return []Function{
		kubernetes("quantity(string) kubernetes.Quantity", "string_to_quantity", call1e(parseQuantity), costTraversal).estimated(EstimateRead),
		kubernetes("isQuantity(string) bool", "is_quantity_string", call1(isQuantity), costTraversal).estimated(EstimateRead),
		kubernetes("sign(kubernetes.Quantity) int", "quantity_sign", call1(quantitySign)),
		kubernetes("kubernetes.Quantity.isGreaterThan(kubernetes.Quantity) bool", "quantity_is_greater_than", call2(quantityIsGreaterThan)),
		kubernetes("kubernetes.Quantity.isLessThan(kubernetes.Quantity) bool", "quantity_is_less_than", call2(quantityIsLessThan)),
		kubernetes("kubernetes.Quantity.compareTo(kubernetes.Quantity) int", "quantity_compare_to", call2(compareQuantities)),
		kubernetes("kubernetes.Quantity.asApproximateFloat() double", "quantity_get_float", call1(quantityAsApproximateFloat)),
		kubernetes("kubernetes.Quantity.asInteger() int", "quantity_get_int", call1e(quantityAsInteger)),
		kubernetes("kubernetes.Quantity.isInteger() bool", "quantity_is_integer", call1(quantityIsInteger)),
		kubernetes("kubernetes.Quantity.add(kubernetes.Quantity) kubernetes.Quantity", "quantity_add", call2e(addQuantities)),
		kubernetes("kubernetes.Quantity.add(int) kubernetes.Quantity", "quantity_add_int", call2e(addQuantityInt)),
		kubernetes("kubernetes.Quantity.sub(kubernetes.Quantity) kubernetes.Quantity", "quantity_sub", call2e(subQuantities)),
		kubernetes("kubernetes.Quantity.sub(int) kubernetes.Quantity", "quantity_sub_int", call2e(subQuantityInt)),
	}
}
