package structural

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Aspects is a set of things that functions can read in a Behavior. Other parts of a schema have no effect on these functions.
type Aspects uint8

const (
	AspectPruning  Aspects = 1 << iota // which fields stay
	AspectTypes                        // which types values have
	AspectDefaults                     // nulls and defaults
	AspectValues                       // which values are valid, and whether there are CEL rules
	AspectRules                        // what the CEL rules say, in addition to AspectValues
	AspectScope                        // whether objects have a namespace

	AllAspects = AspectPruning | AspectTypes | AspectDefaults | AspectValues | AspectRules | AspectScope
)

// aspectNames are the names of the aspects, in the order of their bits.
var aspectNames = []string{"pruning", "types", "defaults", "values", "rules", "scope"}

// String returns the names of the aspects with + between them.
func (a Aspects) String() string {
	var names []string
	for i, name := range aspectNames {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "+")
}

// parseAspects is the inverse of String.
func parseAspects(text string) (a Aspects, ok bool) {
	for name := range strings.SplitSeq(text, "+") {
		i := slices.Index(aspectNames, name)
		if i < 0 {
			return 0, false
		}
		a |= 1 << i
	}
	return a, true
}

// hasAny reports whether a has one of the aspects in other.
func (a Aspects) hasAny(other Aspects) bool { return a&other != 0 }

// Hash identifies a Behavior in the given aspects: functions that were made for one Behavior fit every other with the same hash for their
// aspects. Behaviors that differ only in descriptions, titles, examples and links have the same hash.
//
// The hash says what it covers: sha256:<digest>/<aspects>, and after another slash the semantics, where they matter and
// are not those of the API server.
func (b Behavior) Hash(aspects Aspects) string {
	sum := sha256.New()
	h := hasher{bufio.NewWriter(sum), aspects, b.Semantics}
	if aspects.hasAny(AspectPruning | AspectDefaults) { // defaults are pruned, too
		h.flag("pruned", b.Pruned)
	}
	if aspects.hasAny(AspectTypes|AspectValues|AspectRules) && !kubeversion.Alike(b.Kubernetes, kubeversion.Newest, kubeversion.Answer, kubeversion.Text, kubeversion.Format) {
		h.text("kubernetes", b.Kubernetes.String())
	}
	if aspects.hasAny(AspectScope) {
		h.flag("namespaced", b.Namespaced)
	}
	switch {
	case b.Schema != nil:
		if aspects.hasAny(AspectDefaults | AspectValues | AspectScope) {
			// Its metadata is read and validated twice, and it must have an apiVersion and a kind.
			h.flag("embedded root", b.Schema.XEmbeddedResource)
		}
		h.schema(b.Schema.Resource())
	case b.Written != nil && aspects.hasAny(AspectTypes|AspectValues):
		// The schema cannot be structural, but objects are validated by it all the same.
		h.value("written", markFloats(b.Written.withoutWords().Object()))
	default:
		h.text("schema", "none")
	}
	h.Flush()
	text := "sha256:" + hex.EncodeToString(sum.Sum(nil)) + "/" + aspects.String()
	if b.Semantics != APIServer && aspects.hasAny(AspectPruning|AspectDefaults) {
		text += "/" + b.Semantics.String()
	}
	return text
}

// ParseHash returns the aspects and semantics that a hash covers. It is not ok for a text of another form.
func ParseHash(hash string) (aspects Aspects, semantics Semantics, ok bool) {
	parts := strings.Split(hash, "/")
	if len(parts) < 2 || len(parts) > 3 || !strings.HasPrefix(hash, "sha256:") {
		return 0, 0, false
	}
	if len(parts) == 3 {
		var err error
		if semantics, err = ParseSemantics(parts[2]); err != nil {
			return 0, 0, false
		}
	}
	aspects, ok = parseAspects(parts[1])
	return aspects, semantics, ok
}

// hasher writes the parts of a schema that belong to the aspects as a sequence of keywords and values. They could be read back from it,
// so different schemas give different sequences. Keywords that are not set are not written, as in a CRD.
type hasher struct {
	*bufio.Writer
	aspects   Aspects
	semantics Semantics
}

// text writes a keyword and its value. The length of the value says where it ends.
func (h hasher) text(keyword, value string) {
	if value == "" {
		return
	}
	h.WriteString(keyword)
	h.WriteByte(' ')
	h.WriteString(strconv.Itoa(len(value)))
	h.WriteByte(' ')
	h.WriteString(value)
}

func (h hasher) flag(keyword string, set bool) {
	if set {
		h.text(keyword, "true")
	}
}

// value writes any value as JSON, in which maps are sorted.
func (h hasher) value(keyword string, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		b = fmt.Appendf(nil, "%#v", value) // infinities and the like, which JSON does not have
	}
	h.text(keyword, string(b))
}

// markFloats returns a copy of a JSON value in which floats cannot be taken for integers.
func markFloats(v any) any {
	return jsonvalue.Map(v, func(v any) any {
		switch v := v.(type) {
		case float64:
			return "float " + strconv.FormatFloat(v, 'g', -1, 64)
		case string:
			return "string " + v
		}
		return v
	})
}

func (h hasher) schema(s *Schema) {
	h.WriteByte('{')
	defer h.WriteByte('}')
	h.generic(s.Generic)
	h.extensions(s.Extensions)
	if h.aspects.hasAny(AspectValues) {
		h.rules(s.XValidations)
		if s.ValueValidation != nil {
			h.valueValidation(s.ValueValidation)
		}
	}
	for _, name := range sorted.Keys(s.Properties) {
		if !h.isMeta(s, name) {
			h.value("property", name)
			h.schema(s.Properties[name])
		}
	}
	if s.Items != nil && !h.isLeaf(s.Items) {
		h.text("items", "schema")
		h.schema(s.Items)
	}
	h.additionalProperties(s.AdditionalProperties)
}

// isMeta reports whether the schema of a resource says nothing about a field that it names, because it is part of every
// resource.
func (h hasher) isMeta(s *Schema, name string) bool {
	// In the other semantics it is a difference whether there are any properties.
	return s.XEmbeddedResource && IsMetaField(name) && h.semantics == APIServer && !h.aspects.hasAny(AspectDefaults|AspectValues)
}

// isLeaf reports whether a schema is empty. Elements of lists without a schema are treated alike.
func (h hasher) isLeaf(s *Schema) bool {
	var b strings.Builder
	one := hasher{bufio.NewWriterSize(&b, 16), h.aspects, h.semantics}
	if len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil {
		return false
	}
	one.schema(s)
	one.Flush()
	return b.String() == "{}"
}

// additionalProperties writes what happens to the keys that a schema does not name: whether they are kept concerns pruning,
// their schema all aspects, and false values.
func (h hasher) additionalProperties(ap *SchemaOrBool) {
	if ap == nil || ap.Schema == nil && !h.aspects.hasAny(AspectPruning|AspectDefaults|AspectValues) {
		return
	}
	allowed := "yes"
	if h.aspects.hasAny(AspectValues) {
		allowed = strconv.FormatBool(ap.Bool)
	}
	h.text("additionalProperties", allowed)
	if ap.Schema != nil {
		h.schema(ap.Schema)
	} else {
		h.schema(&Schema{})
	}
}

func (h hasher) generic(g Generic) {
	if h.aspects.hasAny(AspectTypes | AspectValues) {
		h.text("type", g.Type)
	}
	if h.aspects.hasAny(AspectTypes | AspectDefaults | AspectValues) {
		h.flag("nullable", g.Nullable)
	}
	if h.aspects.hasAny(AspectDefaults) && g.Default != nil {
		h.value("default", markFloats(g.Default))
	}
}

func (h hasher) extensions(x Extensions) {
	if h.aspects.hasAny(AspectPruning | AspectDefaults) {
		h.flag("preserve", x.XPreserveUnknownFields)
	}
	h.flag("embedded", x.XEmbeddedResource)
	if h.aspects.hasAny(AspectTypes | AspectValues) {
		h.flag("intOrString", x.XIntOrString)
	}
	if !h.aspects.hasAny(AspectValues) {
		return
	}
	if len(x.XListMapKeys) > 0 || x.XListType != nil || x.XMapType != nil {
		h.value("topology", []any{x.XListMapKeys, x.XListType, x.XMapType})
	}
}

// rules writes the CEL rules, or that there are some, as HasRules reports.
func (h hasher) rules(rules []ValidationRule) {
	switch {
	case len(rules) == 0:
	case h.aspects.hasAny(AspectRules):
		h.value("rules", rules)
	default:
		h.flag("rules", true)
	}
}

// valueValidation writes the keywords that are set. Their order is that of the fields of ValueValidation.
func (h hasher) valueValidation(v *ValueValidation) {
	for k, v := range keywordsOf(v) {
		if !isSet(v) {
			continue
		}
		switch v := v.Interface().(type) {
		case string:
			h.text(k.Name, v)
		case bool:
			h.flag(k.Name, v)
		case *int64:
			h.text(k.Name, strconv.FormatInt(*v, 10))
		case *float64:
			h.text(k.Name, strconv.FormatFloat(*v, 'g', -1, 64))
		case []any:
			h.value(k.Name, markFloats(v)) // 65.7 is 65, but not 65.0
		case []string:
			h.value(k.Name, v)
		case []*NestedValueValidation:
			h.junctor(k.Name, v)
		case *NestedValueValidation:
			h.junctor(k.Name, []*NestedValueValidation{v})
		default:
			panic(fmt.Sprintf("keyword %s is of type %T", k.Name, v))
		}
	}
}

func (h hasher) junctor(keyword string, list []*NestedValueValidation) {
	h.text(keyword, strconv.Itoa(len(list)))
	for _, n := range list {
		h.nested(n)
	}
}

func (h hasher) nested(n *NestedValueValidation) {
	h.WriteByte('{')
	defer h.WriteByte('}')
	if n == nil {
		return
	}
	h.generic(n.ForbiddenGenerics)
	h.extensions(n.ForbiddenExtensions)
	h.rules(n.XValidations)
	h.valueValidation(&n.ValueValidation)
	for _, name := range sorted.Keys(n.Properties) {
		h.value("property", name)
		h.nested(n.Properties[name])
	}
	if n.Items != nil {
		h.text("items", "schema")
		h.nested(n.Items)
	}
	if n.AdditionalProperties != nil {
		h.text("additionalProperties", "schema")
		h.nested(n.AdditionalProperties)
	}
	h.flag("closed", n.Closed)
}
