package prunecel

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// This file stands in for the files of values and is deleted where they exist.

// Object is an object or a map in the resource.
type Object struct {
	Raw  map[string]any
	Type *Type
}

// List is a list in the resource, or a list that a rule made from a set or a list map.
type List struct {
	Raw  []any // what the resource has, nil for a list that a rule made
	Elem *Type // of the elements of Raw
	Kind ListKind
	Keys []string
	made []any // the elements of a list that a rule made
}

// Map is a map that a rule makes.
type Map struct {
	entries map[any]any
	keys    []any // in the order in which they were added
}

// Optional is an optional value.
type Optional struct {
	Value   any
	Present bool
}

// TypeValue is a type as a value, such as the result of type(1).
type TypeValue string

// Preserved is a value that the schema says nothing about.
type Preserved struct{ Raw any }

var (
	errNoSuchOverload = errors.New("no such overload")
	errNotNullable    = errors.New("invalid data, got null for schema with nullable=false")
)

// Value returns the value of CEL that stands for raw, which is at a node of the schema; an error where raw is not what the schema
// says.
func (t *Type) Value(raw any) any {
	if raw == nil {
		if t.Nullable {
			return nil
		}
		return errNotNullable
	}
	switch t.Kind {
	case KindIntOrString:
		switch raw.(type) {
		case string, int64:
			return raw
		}
		return errors.New("invalid data, expected XIntOrString value to be either a string or integer")
	case KindObject, KindMap, KindOpaque:
		if m, ok := raw.(map[string]any); ok {
			return &Object{m, t}
		}
		return errors.New("invalid data, expected a map for the provided schema with type=object")
	case KindList:
		l, ok := raw.([]any)
		if !ok {
			return errors.New("invalid data, expected an array for the provided schema with type=array")
		}
		if t.Elem == nil {
			return errors.New("invalid array type, expected Items with a non-empty Schema")
		}
		return &List{Raw: l, Elem: t.Elem, Kind: t.List, Keys: t.Keys}
	case KindDouble:
		switch v := raw.(type) {
		case float64:
			return v
		case int64:
			return float64(v)
		}
		return fmt.Errorf("invalid data, expected float, got %T", raw)
	case KindInt:
		if _, ok := raw.(int64); ok {
			return raw
		}
		return fmt.Errorf("invalid data, expected int, got %T", raw)
	case KindBool:
		if _, ok := raw.(bool); ok {
			return raw
		}
		return fmt.Errorf("invalid data, expected bool, got %T", raw)
	case KindPreserved:
		return Preserved{raw}
	case KindNone:
		return errors.New("invalid type, expected object, array, number, integer, boolean or string, or no type with " +
			"x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got " + t.Name)
	}
	s, ok := raw.(string)
	if !ok {
		return fmt.Errorf("invalid data, expected string, got %T", raw)
	}
	if t.Kind == KindString {
		return raw
	}
	v, err := t.parse(s)
	if err != nil {
		return err
	}
	return v
}

// parse returns the value of a text that has a format.
func (t *Type) parse(s string) (any, error) {
	switch t.Kind {
	case KindDuration:
		d, err := ParseSchemaDuration(s)
		if err != nil {
			return nil, fmt.Errorf("Invalid duration %s: %v", s, err)
		}
		return d, nil
	case KindDate:
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			return nil, fmt.Errorf("Invalid date formatted string %s: %v", s, err)
		}
		return d, nil
	case KindDateTime:
		d, err := ParseSchemaDateTime(s)
		if err != nil {
			return nil, fmt.Errorf("Invalid date-time formatted string %s: %v", s, err)
		}
		return d, nil
	}
	b, err := base64.URLEncoding.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("Invalid byte formatted string %s: %v", s, err)
	}
	return b, nil
}

// field returns the type of a property.
func (t *Type) field(name string) *Type {
	switch t.Kind {
	case KindObject:
		return t.Fields[name]
	case KindMap:
		return t.Elem
	}
	return nil
}

// find returns the value of a field or a key, which may be an error. A property that is null counts as missing.
func (o *Object) find(key any) (any, bool) {
	k, ok := key.(string)
	if !ok {
		return errNoSuchOverload, true
	}
	isObject := o.Type.Kind == KindObject
	if isObject {
		if k, ok = Unescape(k); !ok {
			return nil, false
		}
	}
	raw, ok := o.Raw[k]
	if !ok || isObject && raw == nil {
		return nil, false
	}
	if t := o.Type.field(k); t != nil {
		return t.Value(raw), true
	}
	return nil, false
}

// keys returns the keys of o as rules see them. The API server has them in any order, this package sorted.
func (o *Object) keys() []any {
	var all []any
	for _, k := range sortedKeys(o.Raw) {
		if o.Type.field(k) == nil {
			continue
		}
		if o.Type.Kind == KindObject {
			if escaped, ok := Escape(k); ok {
				k = escaped
			}
		}
		all = append(all, k)
	}
	return all
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// size returns the number of elements.
func (l *List) size() int {
	if l.Elem == nil {
		return len(l.made)
	}
	return len(l.Raw)
}

// at returns an element, which may be an error.
func (l *List) at(i int) any {
	if l.Elem == nil {
		return l.made[i]
	}
	return l.Elem.Value(l.Raw[i])
}

// NewMap returns an empty map.
func NewMap() *Map { return &Map{entries: map[any]any{}} }

// set sets the value of a key, which must be a scalar.
func (m *Map) set(k, v any) {
	if _, ok := m.entries[k]; !ok {
		m.keys = append(m.keys, k)
	}
	m.entries[k] = v
}

// remove removes a key.
func (m *Map) remove(k any) {
	if _, ok := m.entries[k]; ok {
		delete(m.entries, k)
		m.keys = slices.DeleteFunc(m.keys, func(other any) bool { return other == k })
	}
}

// find returns the value of a key. Numbers of other types find the same key.
func (m *Map) find(k any) (any, bool) {
	if !isScalar(k) {
		return nil, false
	}
	if v, ok := m.entries[k]; ok {
		return v, true
	}
	for _, other := range sameNumbers(k) {
		if v, ok := m.entries[other]; ok {
			return v, true
		}
	}
	return nil, false
}

// isScalar reports whether v can be the key of a map of Go.
func isScalar(v any) bool {
	switch v.(type) {
	case bool, int64, uint64, float64, string:
		return true
	}
	return false
}

// Items returns the elements of a list; some may be errors.
func Items(list any) ([]any, error) {
	switch l := list.(type) {
	case []any:
		return l, nil
	case *List:
		all := make([]any, l.size())
		for i := range all {
			all[i] = l.at(i)
		}
		return all, nil
	case error:
		return nil, l
	}
	return nil, errNoSuchOverload
}

// Size returns what size() returns.
func Size(v any) (int64, error) {
	if n, ok := sizeOf(v); ok {
		return int64(n), nil
	}
	return 0, errNoSuchOverload
}

// sizeOf returns the size of a value that has one.
func sizeOf(v any) (int, bool) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v), true
	case []byte:
		return len(v), true
	case []any:
		return len(v), true
	case *List:
		return v.size(), true
	case *Map:
		return len(v.entries), true
	case *Object:
		return len(v.Raw), true
	}
	return sizeOfLibrary(v)
}

// TypeOf returns the name of the type of a value.
func TypeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null_type"
	case bool:
		return "bool"
	case int64:
		return "int"
	case uint64:
		return "uint"
	case float64:
		return "double"
	case string:
		return "string"
	case []byte:
		return "bytes"
	case time.Duration:
		return "google.protobuf.Duration"
	case time.Time:
		return "google.protobuf.Timestamp"
	case []any, *List:
		return "list"
	case *Map, *Object:
		return "map"
	case Optional:
		return "optional_type"
	case TypeValue:
		return "type"
	case Preserved:
		return "unknown"
	case error:
		return "error"
	}
	return typeOfLibrary(v)
}

// Equal reports whether two values are equal, as == does. Which rules apply depends on the left one.
func Equal(a, b any) (bool, error) {
	switch v := equal(a, b).(type) {
	case bool:
		return v, nil
	case error:
		return false, v
	}
	return false, errNoSuchOverload
}

// equal returns a bool or an error.
func equal(a, b any) any {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return equalValues(a, b)
}

// equalValues is equal for values that are not null, or are elements of lists.
func equalValues(a, b any) any {
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool, string:
		return a == b
	case int64, uint64, float64:
		return isNumber(b) && CompareNumbers(a, b) == 0
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b)
	case time.Duration:
		return a == b
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b)
	case TypeValue:
		return a == b
	case Optional:
		b, ok := b.(Optional)
		if !ok || !a.Present || !b.Present {
			return ok && !a.Present && !b.Present
		}
		return equalValues(a.Value, b.Value)
	case []any:
		return equalLists(a, b)
	case *Map:
		return a.equal(b)
	case *Object:
		return a.equal(b)
	case *List:
		switch a.Kind {
		case SetList:
			return a.equalAsSet(b)
		case MapList:
			return a.equalAsMap(b)
		}
		return a.equal(b)
	case Preserved:
		return reflect.DeepEqual(a.Raw, rawOf(b))
	case error:
		return a
	}
	return equalLibrary(a, b)
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, uint64, float64:
		return true
	}
	return false
}

// NotComparable is what CompareNumbers returns for a number that is NaN.
const NotComparable = 2

// CompareNumbers compares two numbers, of any types: -1, 0, 1, or NotComparable.
func CompareNumbers(a, b any) int {
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return compare(a, b)
		case uint64:
			if a < 0 || b > math.MaxInt64 {
				return -1
			}
			return compare(uint64(a), b)
		case float64:
			return compareIntFloat(a, b)
		}
	case uint64:
		switch b := b.(type) {
		case uint64:
			return compare(a, b)
		case int64:
			return -CompareNumbers(b, a)
		case float64:
			return compareUintFloat(a, b)
		}
	case float64:
		switch b := b.(type) {
		case float64:
			if math.IsNaN(a) || math.IsNaN(b) {
				return NotComparable
			}
			return compare(a, b)
		case int64:
			return reversed(compareIntFloat(b, a))
		case uint64:
			return reversed(compareUintFloat(b, a))
		}
	}
	return NotComparable
}

func reversed(order int) int {
	if order == NotComparable {
		return order
	}
	return -order
}

func compare[T int64 | uint64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func compareIntFloat(a int64, b float64) int {
	switch {
	case math.IsNaN(b):
		return NotComparable
	case b < math.MinInt64:
		return 1
	case b > math.MaxInt64:
		return -1
	}
	return compare(float64(a), b)
}

func compareUintFloat(a uint64, b float64) int {
	switch {
	case math.IsNaN(b):
		return NotComparable
	case b < 0:
		return 1
	case b > math.MaxUint64:
		return -1
	}
	return compare(float64(a), b)
}

// sameNumbers returns the numbers of other types that equal a number without loss.
func sameNumbers(v any) []any {
	switch v := v.(type) {
	case float64:
		var all []any
		if i := int64(v); v >= math.MinInt64 && v < math.MaxInt64 && float64(i) == v {
			all = append(all, i)
		}
		if v >= 0 && v < math.MaxUint64 && float64(uint64(v)) == v {
			all = append(all, uint64(v))
		}
		return all
	case int64:
		if v >= 0 {
			return []any{uint64(v)}
		}
	case uint64:
		if v <= math.MaxInt64 {
			return []any{int64(v)}
		}
	}
	return nil
}

// equalLists compares a list that a rule made with another. An element that cannot be compared counts as equal.
func equalLists(a []any, b any) any {
	n, at, ok := elements(b)
	if !ok || len(a) != n {
		return false
	}
	for i := range a {
		if equal(a[i], at(i)) == false {
			return false
		}
	}
	return true
}

// elements returns the size and the elements of a list.
func elements(v any) (n int, at func(int) any, ok bool) {
	switch l := v.(type) {
	case []any:
		return len(l), func(i int) any { return l[i] }, true
	case *List:
		return l.size(), l.at, true
	}
	return 0, nil, false
}

// equal compares a list of the resource with another, element by element.
func (l *List) equal(other any) any {
	n, at, ok := elements(other)
	if !ok {
		return errNoSuchOverload
	}
	if n != l.size() {
		return false
	}
	for i := range n {
		if eq := equalValues(l.at(i), at(i)); eq != true {
			return eq
		}
	}
	return true
}

// equalAsSet compares a set with another list in any order.
func (l *List) equalAsSet(other any) any {
	n, at, ok := elements(other)
	if !ok {
		return errNoSuchOverload
	}
	if n != l.size() {
		return false
	}
	set := map[any]bool{}
	for i := range l.size() {
		k, err := setKey(l.at(i))
		if err != nil {
			return err
		}
		set[k] = true
	}
	seen := map[any]bool{}
	for i := range n {
		k, err := setKey(at(i))
		if err != nil {
			return err
		}
		if !set[k] {
			return false
		}
		seen[k] = true
	}
	return len(seen) == len(set)
}

// setKey returns a key of Go for an element of a set.
func setKey(v any) (any, error) {
	switch v.(type) {
	case []any, *List, *Map, *Object:
		return nil, errors.New("listSet operations are only supported on lists of scalar values")
	}
	return hashable(rawOf(v)), nil
}

// hashable returns v, or a text for it if v cannot be the key of a map of Go.
func hashable(v any) any {
	if v != nil && !reflect.TypeOf(v).Comparable() {
		return fmt.Sprintf("%#v", v)
	}
	return v
}

// equalAsMap compares a list map with another list in any order: elements with the same key must be equal.
func (l *List) equalAsMap(other any) any {
	n, at, ok := elements(other)
	if !ok {
		return errNoSuchOverload
	}
	if n != l.size() {
		return false
	}
	byKey := map[any]int{}
	for i := range l.size() {
		byKey[l.key(l.rawAt(i), l.at(i))] = i
	}
	seen := map[any]bool{}
	for i := range n {
		v := at(i)
		k := l.key(rawOf(v), v)
		mine, ok := byKey[k]
		if !ok {
			return false
		}
		if eq := equalValues(l.at(mine), v); eq != true {
			return eq
		}
		seen[k] = true
	}
	return len(seen) == len(byKey)
}

// rawAt returns an element as the resource has it.
func (l *List) rawAt(i int) any {
	if l.Elem == nil {
		return rawOf(l.made[i])
	}
	return l.Raw[i]
}

// key returns what identifies an element of a list map. In a list of the resource the values of keys are read from the decoded
// JSON, in a list that a rule made from the values of CEL.
func (l *List) key(raw, v any) any {
	read := func(name string) any {
		if l.Elem == nil {
			if o, ok := v.(*Object); ok {
				if v, ok := o.find(name); ok {
					if _, failed := v.(error); !failed {
						return hashable(rawOf(v))
					}
				}
			}
			return nil
		}
		m, _ := raw.(map[string]any)
		return hashable(m[name])
	}
	if len(l.Keys) == 1 {
		return read(l.Keys[0])
	}
	var text string
	for _, name := range l.Keys {
		text += fmt.Sprintf("%#v\x00", read(name))
	}
	return text
}

// rawOf returns a value as plain Go: what the resource has where it comes from there.
func rawOf(v any) any {
	switch v := v.(type) {
	case *Object:
		return v.Raw
	case *List:
		if v.Elem != nil {
			return v.Raw
		}
		return v.made
	case Preserved:
		return v.Raw
	}
	return v
}

// entries returns the size of a map or an object, and a function that finds a key.
func entries(v any) (n int, find func(any) (any, bool), ok bool) {
	switch m := v.(type) {
	case *Map:
		return len(m.entries), m.find, true
	case *Object:
		return len(m.Raw), m.find, true
	}
	return 0, nil, false
}

// equal compares a map that a rule made with another. A value that cannot be compared counts as equal.
func (m *Map) equal(other any) any {
	n, find, ok := entries(other)
	if !ok || n != len(m.entries) {
		return false
	}
	for k, v := range m.entries {
		o, ok := find(k)
		if !ok || equal(v, o) == false {
			return false
		}
	}
	return true
}

// equal compares an object or a map of the resource with another. Null properties count for its size, and what the schema does not
// specify is compared only where both have it.
func (o *Object) equal(other any) any {
	n, find, ok := entries(other)
	if !ok {
		return errNoSuchOverload
	}
	if n != len(o.Raw) {
		return false
	}
	for _, k := range sortedKeys(o.Raw) {
		if o.Type.field(k) == nil {
			b, ok := other.(*Object)
			if !ok {
				return errNoSuchOverload
			}
			if v, ok := b.Raw[k]; ok && !reflect.DeepEqual(o.Raw[k], v) {
				return false
			}
			continue
		}
		mine, has := o.find(k)
		theirs, have := find(k)
		if has != have {
			return false
		}
		if !has {
			continue
		}
		if eq := equalValues(mine, theirs); eq != true {
			return eq
		}
	}
	return true
}

// Kind is the kind of the values at a node of a schema.
type Kind uint8

const (
	KindNone        Kind = iota // rules cannot read the values
	KindBool                    // type: boolean
	KindInt                     // type: integer
	KindDouble                  // type: number
	KindString                  // type: string
	KindBytes                   // type: string, format: byte
	KindDuration                // type: string, format: duration
	KindDate                    // type: string, format: date
	KindDateTime                // type: string, format: date-time
	KindIntOrString             // x-kubernetes-int-or-string
	KindObject                  // type: object with properties, or an embedded resource
	KindMap                     // type: object with additionalProperties
	KindOpaque                  // type: object with neither
	KindList                    // type: array
	KindPreserved               // no type, x-kubernetes-preserve-unknown-fields
)

// ListKind is what x-kubernetes-list-type says about a list.
type ListKind uint8

const (
	AtomicList ListKind = iota
	SetList
	MapList
)

// Type is what a schema says about values, as far as rules can tell.
type Type struct {
	Kind     Kind
	Nullable bool
	// Name is the type of the schema, such as object. It stands for the value in some errors.
	Name string
	// Fields are the types of the properties of an object.
	Fields map[string]*Type
	// Elem is the type of the elements of a list and of the values of a map.
	Elem *Type
	// List is the type of a list; Keys are the fields that identify an element of a list map, escaped.
	List ListKind
	Keys []string
}

// reserved has the words that cannot be names in CEL.
func reserved(word string) bool {
	switch word {
	case "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
		"package", "namespace", "return", "var", "void", "while":
		return true
	}
	return false
}

// Escape returns the name by which rules call a property. It reports false for a property that rules cannot name.
func Escape(name string) (string, bool) {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return "", false
	}
	if reserved(name) {
		return "__" + name + "__", true
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '_' && i+1 < len(name) && name[i+1] == '_':
			b.WriteString("__underscores__")
			i++
		case c == '.':
			b.WriteString("__dot__")
		case c == '-':
			b.WriteString("__dash__")
		case c == '/':
			b.WriteString("__slash__")
		case c == '_', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			b.WriteByte(c)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// Unescape returns the property that a name stands for. It reports false for a name with an unknown escape.
func Unescape(name string) (string, bool) {
	if !strings.Contains(name, "__") {
		return name, true
	}
	var b strings.Builder
	for rest := name; ; {
		start := strings.Index(rest, "__")
		if start < 0 {
			b.WriteString(rest)
			return b.String(), true
		}
		// An escape is two underscores, other characters, and two underscores. Of three and more underscores the last two begin it.
		open := start + 2
		for open < len(rest) && rest[open] == '_' {
			open++
		}
		end := strings.IndexByte(rest[open:], '_')
		if end < 0 || !strings.HasPrefix(rest[open+end:], "__") {
			if end < 0 {
				b.WriteString(rest)
				return b.String(), true
			}
			b.WriteString(rest[:open+end])
			rest = rest[open+end:]
			continue
		}
		b.WriteString(rest[:open-2])
		switch word := rest[open : open+end]; {
		case word == "underscores":
			b.WriteString("__")
		case word == "dot":
			b.WriteByte('.')
		case word == "dash":
			b.WriteByte('-')
		case word == "slash":
			b.WriteByte('/')
		case reserved(word) && len(word)+4 == len(name):
			b.WriteString(word)
		default:
			return "", false
		}
		rest = rest[open+end+2:]
	}
}

// ParseSchemaDuration parses a text of format duration: what Go takes, or numbers with units anywhere in the text. It takes more than
// the function duration() of rules.
func ParseSchemaDuration(s string) (time.Duration, error) {
	if d, err := time.ParseDuration(s); err == nil {
		return d, nil
	}
	var sum time.Duration
	found := false
	for _, match := range numbersWithUnits().FindAllStringSubmatch(s, -1) {
		n, err := strconv.Atoi(match[1])
		if err != nil {
			return 0, err
		}
		unit := strings.ToLower(match[2])
		for _, u := range schemaUnits {
			for i, name := range u.names {
				if strings.EqualFold(name, unit) || i == len(u.names)-1 && strings.HasPrefix(unit, name) {
					found = true
					sum += time.Duration(n) * u.length
				}
			}
		}
	}
	if !found {
		return 0, fmt.Errorf("unable to parse %s as duration", s)
	}
	return sum, nil
}

var numbersWithUnits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\d+)\s*([A-Za-zµ]+)`) })

// schemaUnits are the units of format duration. The last name of each may be the beginning of a longer one.
var schemaUnits = [...]struct {
	length time.Duration
	names  []string
}{
	{time.Nanosecond, []string{"ns", "nano"}},
	{time.Microsecond, []string{"us", "µs", "micro"}},
	{time.Millisecond, []string{"ms", "milli"}},
	{time.Second, []string{"s", "sec"}},
	{time.Minute, []string{"m", "min"}},
	{time.Hour, []string{"h", "hr", "hour"}},
	{24 * time.Hour, []string{"d", "day"}},
	{7 * 24 * time.Hour, []string{"w", "wk", "week"}},
}

// ParseSchemaDateTime parses a text of format date-time. The empty text is the beginning of Unix time.
func ParseSchemaDateTime(s string) (time.Time, error) {
	if s == "" {
		return time.Unix(0, 0).UTC(), nil
	}
	var last error
	for _, layout := range [...]string{"2006-01-02T15:04:05.000000Z07:00", "2006-01-02T15:04:05.000Z07:00", time.RFC3339, time.RFC3339Nano, "2006-01-02T15:04:05"} {
		t, err := time.Parse(layout, s)
		if err == nil {
			return t, nil
		}
		last = err
	}
	return time.Time{}, last
}
