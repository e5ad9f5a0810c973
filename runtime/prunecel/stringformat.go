package prunecel

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// formatText is format: it replaces the clauses of a text by arguments.
func formatText(text string, args []any) (string, error) {
	var b strings.Builder
	next := 0
	for {
		before, clause, found := strings.Cut(text, "%")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		if rest, ok := strings.CutPrefix(clause, "%"); ok {
			b.WriteByte('%')
			text = rest
			continue
		}
		if next >= len(args) {
			return "", fmt.Errorf("index %d out of range", next)
		}
		if clause == "" {
			return "", errors.New("unexpected end of string")
		}
		verb, precision, rest, err := parseClause(clause)
		if err != nil {
			return "", fmt.Errorf("could not parse formatting clause: %w", err)
		}
		s, err := formatClause(verb, precision, args[next])
		if err != nil {
			return "", fmt.Errorf("error during formatting: %w", err)
		}
		if b.Len()+len(s) > maxString {
			return "", errTooLong
		}
		b.WriteString(s)
		text = rest
		next++
	}
}

const defaultPrecision = 6

// parseClause returns the verb and the precision of the clause at the beginning of text, and what follows it.
func parseClause(text string) (verb byte, precision int, rest string, err error) {
	precision = defaultPrecision
	if digits, ok := strings.CutPrefix(text, "."); ok {
		number, rest := cutDigits(digits)
		if rest == "" {
			return 0, 0, "", errors.New("error while parsing precision: could not find end of precision specifier")
		}
		precision, err = strconv.Atoi(number)
		if err != nil {
			return 0, 0, "", fmt.Errorf("error while parsing precision: error while converting precision to integer: %w", err)
		}
		text = rest
	}
	verb = text[0]
	if strings.IndexByte("sdfebxXo", verb) < 0 {
		return 0, 0, "", fmt.Errorf("unrecognized formatting clause \"%c\"", rune(verb))
	}
	return verb, precision, text[1:], nil
}

func formatClause(verb byte, precision int, arg any) (string, error) {
	switch verb {
	case 's':
		return formatString(arg)
	case 'd':
		if s, ok := formatInteger(arg, 10); ok {
			return s, nil
		}
		return "", clauseError("decimal clause can only be used on integers", arg)
	case 'f', 'e':
		d, ok := doubleArgument(arg)
		switch {
		case !ok && verb == 'f':
			return "", clauseError("fixed-point clause can only be used on doubles", arg)
		case !ok:
			return "", clauseError("scientific clause can only be used on doubles", arg)
		case verb == 'f':
			return formatFixed(d, precision), nil
		}
		return formatScientific(d, precision), nil
	case 'b':
		switch arg {
		case true:
			return "1", nil
		case false:
			return "0", nil
		}
		if s, ok := formatInteger(arg, 2); ok {
			return s, nil
		}
		return "", clauseError("only integers and bools can be formatted as binary", arg)
	case 'o':
		if s, ok := formatInteger(arg, 8); ok {
			return s, nil
		}
		return "", clauseError("octal clause can only be used on integers", arg)
	}
	s, err := formatHex(arg)
	if verb == 'X' {
		s = strings.ToUpper(s)
	}
	return s, err
}

func clauseError(text string, arg any) error { return errors.New(text + ", was given " + typeOf(arg)) }

func formatInteger(arg any, base int) (string, bool) {
	switch v := arg.(type) {
	case int64:
		return strconv.FormatInt(v, base), true
	case uint64:
		return strconv.FormatUint(v, base), true
	}
	return "", false
}

func formatHex(arg any) (string, error) {
	switch v := arg.(type) {
	case string:
		return hex.EncodeToString([]byte(v)), nil
	case []byte:
		return hex.EncodeToString(v), nil
	}
	if s, ok := formatInteger(arg, 16); ok {
		return s, nil
	}
	return "", clauseError("only integers, byte buffers, and strings can be formatted as hex", arg)
}

// doubleArgument returns the double for the clauses f and e, which take the names of what is not a number, too.
func doubleArgument(arg any) (float64, bool) {
	switch v := arg.(type) {
	case float64:
		return v, true
	case string:
		switch v {
		case "NaN":
			return math.NaN(), true
		case "Infinity":
			return math.Inf(1), true
		case "-Infinity":
			return math.Inf(-1), true
		}
	}
	return 0, false
}

// notFinite returns the text of what is not a finite number, "" for one that is.
func notFinite(d float64) string {
	switch {
	case math.IsNaN(d):
		return "NaN"
	case math.IsInf(d, 1):
		return "∞"
	case math.IsInf(d, -1):
		return "-∞"
	}
	return ""
}

// formatFixed formats a double with commas between thousands.
func formatFixed(d float64, precision int) string {
	if precision > maxPrecision {
		return noVerb
	}
	if s := notFinite(d); s != "" {
		return s
	}
	// The server's printer keeps the most digits in 16 bits, negative for any number of them, and the fewest in 8.
	most, fewest := max(int(int16(precision)), -1), int(uint8(precision))
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(d), 'f', most, 64), ".")
	for len(fraction) > fewest && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	if more := fewest - len(fraction); more > 0 {
		fraction += strings.Repeat("0", more)
	}
	b := make([]byte, 0, len(whole)+len(whole)/3+len(fraction)+2)
	if d < 0 {
		b = append(b, '-')
	}
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b = append(b, ',')
		}
		b = append(b, whole[i])
	}
	if fraction != "" {
		b = append(append(b, '.'), fraction...)
	}
	return string(b)
}

// The server's printer does not read larger numbers than maxPrecision; noVerb is what it prints for them.
const (
	maxPrecision = 10_000_009
	noVerb       = "%!(NOVERB)"
)

// formatScientific formats a double with six digits after the point and a power of ten. The server takes the precision for a width, and
// keeps that in 16 bits.
func formatScientific(d float64, width int) string {
	if width > maxPrecision {
		return noVerb
	}
	s := notFinite(d)
	if s == "" {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(d, 'e', defaultPrecision, 64), "e")
		if d == 0 {
			mantissa = strings.TrimPrefix(mantissa, "-")
		}
		var b strings.Builder
		b.WriteString(mantissa)
		b.WriteString("×10")
		for _, c := range exponent {
			switch c {
			case '-':
				b.WriteRune('⁻')
			case '+':
			default:
				b.WriteRune([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[c-'0'])
			}
		}
		s = b.String()
	}
	if pad := int(uint16(width)) - utf8.RuneCountInString(s); pad > 0 {
		s = strings.Repeat(" ", pad) + s
	}
	return s
}

// formatString is the clause s.
func formatString(arg any) (string, error) {
	switch v := arg.(type) {
	case nil:
		return "null", nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return intString(v), nil
	case uint64:
		return uintString(v), nil
	case float64:
		return doubleString(v), nil
	case string:
		return v, nil
	case []byte:
		s, err := bytesToString(v)
		if err != nil {
			return "", fmt.Errorf("could not convert argument %q to string", err.Error())
		}
		return s, nil
	case time.Duration:
		return durationString(v), nil
	case time.Time:
		return timestampString(v), nil
	case TypeValue:
		return string(v), nil
	}
	switch typeOf(arg) {
	case "list":
		return formatList(arg)
	case "map":
		return formatMap(arg)
	}
	return "", clauseError("string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps", arg)
}

func formatList(list any) (string, error) {
	items, err := itemsOf(list)
	if err != nil {
		return "", err
	}
	texts := make([]string, len(items))
	for i, item := range items {
		if texts[i], err = formatNested(item); err != nil {
			return "", err
		}
	}
	return "[" + strings.Join(texts, ", ") + "]", nil
}

func formatMap(m any) (string, error) {
	type entry struct{ key, text string }
	var entries []entry
	for key, value := range pairs(m) {
		switch key.(type) {
		case string, bool, int64, uint64:
		default:
			return "", fmt.Errorf("no formatting function for map key of type %s", typeOf(key))
		}
		k, err := formatNested(key)
		if err != nil {
			return "", err
		}
		v, err := formatNested(value)
		if err != nil {
			return "", err
		}
		entries = append(entries, entry{k, k + ":" + v})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = e.text
	}
	return "{" + strings.Join(texts, ", ") + "}", nil
}

// formatNested formats a value in a list or a map, as a literal of CEL.
func formatNested(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v), nil
	case []byte:
		s, err := formatString(v)
		return "b" + strconv.Quote(s), err
	case float64:
		s := fmt.Sprintf("%.6f", v)
		if notFinite(v) != "" {
			s = strconv.Quote(s)
		}
		return s, nil
	case time.Time:
		return fmt.Sprintf("timestamp(%q)", timestampString(v)), nil
	case time.Duration:
		return fmt.Sprintf("duration(%q)", durationString(v)), nil
	case nil, bool, int64, uint64, TypeValue:
		return formatString(v)
	}
	switch typeOf(v) {
	case "list", "map":
		return formatString(v)
	}
	return "", fmt.Errorf("no formatting function for %s", typeOf(v))
}
