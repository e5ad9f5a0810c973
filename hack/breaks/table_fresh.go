package main

// freshBreaks are mistakes that somebody invented who had not read the tests of what they break. The comment of each names an input
// that shows it.
var freshBreaks = []Break{
	// The runtime.

	// An update without a namespace in the request, of an object in a that says namespace b.
	{Name: "the namespace of an update wins over the stored one", File: "runtime/request_prepare.go",
		Old: `{textOf(old, "namespace"), have, "default"}`, New: `{have, textOf(old, "namespace"), "default"}`},
	// An update that leaves out deletionGracePeriodSeconds of an object that is being deleted.
	{Name: "an update has to repeat the grace period", File: "runtime/request_prepare.go",
		Old: `if _, ok := metadata[grace]; !ok {`, New: `if _, ok := metadata[grace]; ok {`},
	// A refusal with two causes that have the same text.
	{Name: "one text for two causes is listed as several", File: "runtime/refusal.go",
		Old: `if len(texts) == 1 {`, New: `if len(r.Causes) == 1 {`},
	// A document of 30 bytes without a kind.
	{Name: "a document that is shown whole ends with dots", File: "runtime/request_decode.go",
		Old: `if len(data) > most {`, New: `if len(data) >= most {`},
	// A Set with a kind in group a, asked about the same kind in group b.
	{Name: "an unknown kind is told the versions of other groups", File: "runtime/set.go",
		Old: `if r.Group == key.group && r.Kind == key.kind {`, New: `if r.Kind == key.kind {`},
	// A scale with 2147483647 replicas.
	{Name: "the largest number of replicas is too large", File: "runtime/scale.go",
		Old: `case replicas > math.MaxInt32:`, New: `case replicas >= math.MaxInt32:`},
	// The float 1000000.0 above a maximum, which is written as 1e+06.
	{Name: "floats in errors are written as in JSON", File: "runtime/errors.go",
		Old: `case int64, int32, float64, float32, bool:`, New: `case int64, int32, bool:`},
	// An unknown field with U+0085 in its name.
	{Name: "warnings have control characters beyond ASCII", File: "runtime/answer.go",
		Old: `0x7f <= r && r <= 0x9f`, New: `r == 0x7f`},
	// An owner with blockOwnerDeletion: null.
	{Name: "an owner keeps a null", File: "runtime/pruneimpl/normalize_metadata.go",
		Old: `[...]string{"blockOwnerDeletion", "controller"}`, New: `[...]string{"controller"}`},
	// An owner with apiVersion: /v1 and kind: Event.
	{Name: "an event with a slash is an owner", File: "runtime/pruneimpl/validate_metadata.go",
		Old: `if (version == "v1" || version == "/v1") && `, New: `if version == "v1" && `},
	// generateName: A-
	{Name: "the letter before the dash of generateName counts", File: "runtime/pruneimpl/validate_names.go",
		Old: `checked = name[:len(name)-2] + "a"`, New: `checked = name[:len(name)-1] + "a"`},
	// maxItems: 0 and a list with an element.
	{Name: "at most none is said without a number", File: "runtime/pruneimpl/validate_faults.go",
		Old: `case limit < 0:`, New: `case limit <= 0:`},
	// A set with 0.0 and -0.0.
	{Name: "zero and minus zero are different elements", File: "runtime/pruneimpl/validate_hash.go",
		Old: "\t\t\tv = 0 // which is not -0\n", New: ""},
	// The format cidr and 010.0.0.1/32.
	{Name: "a loose network of one address is none", File: "runtime/pruneimpl/pruneformat/addresses.go",
		Old: `return err == nil && n <= most`, New: `return err == nil && n < most`},

	// JSON.

	// {"a":trux}
	{Name: "a wrong literal is wrong from its first letter on", File: "runtime/prunejson/errors.go",
		Old: `s.fail(p+i, "invalid character %s in literal "+word)`, New: `s.fail(p, "invalid character %s in literal "+word)`},
	// A list in a preserved field, nested one level deeper than MaxDepth.
	{Name: "what is kept nests one level deeper", File: "runtime/prunejson/values.go",
		Old: `if open == most {`, New: `if open > most {`},
	// Lists in a leaf, with an empty object one level deeper than MaxDepth.
	{Name: "an empty object in a leaf nests one level deeper", File: "runtime/prunejson/values.go",
		Old: `s.at(at) == '}' && s.depth < prunert.MaxDepth {`, New: `s.at(at) == '}' {`},
	// A report of an unknown key with the byte 0xff in it.
	{Name: "reports have bytes that are not UTF-8", File: "runtime/prunejson/paths.go",
		Old: `if raw[i] == '\\' || raw[i] >= utf8.RuneSelf {`, New: `if raw[i] == '\\' && raw[i] < utf8.RuneSelf {`},
	// Decode of a list with items.
	{Name: "what a list was as an object stays on the stack", File: "runtime/prunejson/decode.go",
		Old: "\td.truncate(0)\n", New: ""},
	// A list larger than MaxStreamObject whose items have no comma between them.
	{Name: "a missing comma in a large list is one in an object", File: "runtime/prunejson/stream_list.go",
		Old: `return l.fail(closes(true))`, New: `return l.fail(closes(false))`},
	// A stream of a small document and one that is too large.
	{Name: "a large document begins where the buffer does", File: "runtime/prunejson/input.go",
		Old: `&prunert.ObjectSizeError{Offset: in.offset(), `, New: `&prunert.ObjectSizeError{Offset: in.base, `},
	// A map of strings whose value is a list with an object in it.
	{Name: "a list in the place of a map of leaves is decoded whole", File: "runtime/prunejson/decode_values.go",
		Old: `return d.Leaf(key, p)`, New: `return d.Keep(key, p)`},

	// CEL.

	// timestamp('2024-01-01T00:15:00Z').getMinutes('-00:30')
	{Name: "a zone less than an hour west is east", File: "runtime/prunecel/times.go",
		Old: `if zone[0] == '-' {`, New: `if h < 0 {`},
	// semver('1.0.0-a').isLessThan(semver('1.0.0-a.b'))
	{Name: "a longer prerelease comes first", File: "runtime/prunecel/semver.go",
		Old: `return compare(int64(len(v.pre)), int64(len(o.pre)))`, New: `return compare(int64(len(o.pre)), int64(len(v.pre)))`},
	// [1, 1].isSorted()
	{Name: "equal elements are not sorted", File: "runtime/prunecel/lists.go",
		Old: `Compare(list[i-1], v); err == nil && c > 0 {`, New: `Compare(list[i-1], v); err == nil && c >= 0 {`},
	// cidr('10.0.0.0/8').containsCIDR('10.0.0.0/8')
	{Name: "a network does not contain itself", File: "runtime/prunecel/cidr.go",
		Old: `return cidr.Bits() <= other.Bits() && `, New: `return cidr.Bits() < other.Bits() && `},
	// '%f'.format(['-Infinity'])
	{Name: "minus infinity is formatted without its sign", File: "runtime/prunecel/stringformat.go",
		Old: `return math.Inf(-1), true`, New: `return math.Inf(1), true`},
	// 'abc'.lastIndexOf('c', 3)
	{Name: "the last index is looked for from the end of the text", File: "runtime/prunecel/strings.go",
		Old: `case !ok || offset == len(s):`, New: `case !ok:`},
	// quantity('-1e30').isLessThan(quantity('-5'))
	{Name: "of two large negative quantities the smaller is larger", File: "runtime/prunecel/quantity.go",
		Old: `return compare(aSize, bSize) * a.Sign()`, New: `return compare(aSize, bSize)`},
	// A messageExpression with a value of 5120 bytes.
	{Name: "the longest message is too long", File: "runtime/prunecel/rules.go",
		Old: `len(made) <= maxMessage`, New: `len(made) < maxMessage`},
	// An update of one field of an object with rules in allOf, and a rule that another field breaks as it did before.
	{Name: "rules below a node with allOf are in allOf", File: "runtime/prunecel/rules.go",
		Old: "\t\tw.allOf = around\n", New: ""},
	// A false rule with reason: FieldValueDuplicate.
	{Name: "an error about a duplicate has a message", File: "runtime/prunecel/rules.go",
		Old: `} else if e.Type != prunert.ErrorTypeDuplicate {`, New: `} else {`},

	// CRDs and manifests.

	// A deprecated v1, and a v2 that is not served.
	{Name: "a deprecation recommends a version that is not served", File: "structural/deprecation.go",
		Old: `if other.Served && !other.Deprecated && `, New: `if !other.Deprecated && `},
	// A default below anyOf[0].properties[a].
	{Name: "a hint keeps the index of an alternative", File: "structural/hints.go",
		Old: "\t\t\ti++ // and its index\n", New: ""},
	// A v1beta1 CRD with preserveUnknownFields: null.
	{Name: "a null for preserveUnknownFields is false", File: "structural/load/crd.go",
		Old: "if !e.Value.IsNull() {\n\t\t\t\ts.PreserveUnknownFields", New: "if e.Value != nil {\n\t\t\t\ts.PreserveUnknownFields"},
	// A version with served: "false", in quotes.
	{Name: "nobody is told to remove the quotes of false", File: "structural/load/decoder.go",
		Old: `s == "true" || s == "false" {`, New: `s == "true" {`},
	// A conversion webhook with port: 0.
	{Name: "a webhook listens on port 0", File: "structural/lint/conversion.go",
		Old: `(port < 1 || port > 65535)`, New: `(port < 0 || port > 65535)`},
	// A key of a list map that is not required and has a default.
	{Name: "the key of a list map has to be required", File: "structural/lint/schema.go",
		Old: `if !required[k] && key.Default == nil {`, New: `if !required[k] {`},
	// anyOf with additionalProperties: false, and an object with an unknown field, in the reference.
	{Name: "closed alternatives take all fields in the reference", File: "structural/interpret/values_keywords.go",
		Old: `if deep == nested && w.reading == readDefault {`, New: `if deep == nested {`},
	// Limits{Entries: 1}, and an embedded resource without apiVersion and kind, in the reference.
	{Name: "embedded resources have one error more than the limit in the reference", File: "structural/interpret/validate.go",
		Old: `len(c.list) < c.limits.Entries)`, New: `len(c.list) <= c.limits.Entries)`},
	// A document with the byte 0xff after a value, which the error has as '\xff'.
	{Name: "a byte that is not ASCII is shown as a character", File: "structural/interpretjson/text.go",
		Old: `if c := t.src[t.pos]; c < 0x80 {`, New: `if c := t.src[t.pos]; c > 0 {`},
	// Code that was generated before specReplicasPath of the CRD has changed.
	{Name: "code for other paths of a scale fits", File: "structural/dynamic/fit.go",
		Old: `reflect.DeepEqual(r.Scale, other.Scale)`, New: `reflect.DeepEqual(r.Scale == nil, other.Scale == nil)`},
	// minimum: 1 that gets exclusiveMinimum: true.
	{Name: "a minimum that becomes exclusive breaks nothing", File: "structural/differ/keywords.go",
		Old: `return new.value < old.value || new.value == old.value && !new.exclusive`, New: `return new.value <= old.value`},
	// A new object with resourceVersion: "0".
	{Name: "resourceVersion 0 is warned of", File: "structural/answer/object.go",
		Old: `version.Str() == "" || version.Str() == "0" {`, New: `version.Str() == "" {`},
	// A field with the string "off".
	{Name: "the word off is printed without quotes", File: "structural/marks/stored.go",
		Old: `|on|off|true|`, New: `|on|true|`},
	// maximum: 5 with exclusiveMaximum: true and without exclusiveMinimum.
	{Name: "a maximum is exclusive like the minimum", File: "structural/outline/outline.go",
		Old: `{"max", v.Maximum, v.ExclusiveMaximum}`, New: `{"max", v.Maximum, v.ExclusiveMinimum}`},
	// {a: b#c, unknown: 1, d: 2}
	{Name: "a hash in a word begins a comment", File: "structural/text/reduce_flow.go",
		Old: `if c == '#' && (i == 0 || isSpace(text[i-1])) {`, New: `if c == '#' {`},
	// A list without maxItems of objects whose required field has a default, and a rule that just exceeds the costs.
	{Name: "required fields with a default take room", File: "structural/rules/types.go",
		Old: `if required[name] && p.Default == nil {`, New: `if required[name] {`},

	// The generator.

	// An integer of the format int32 with maximum: 3000000000.
	{Name: "bounds of int32 have a bit more", File: "generator/internal/lower/validate.go",
		Old: `isInteger(*limit, 32)`, New: `isInteger(*limit, 33)`},
	// type: object with properties and minItems: 1, and an empty list.
	{Name: "keywords for lists are left out of objects", File: "generator/internal/lower/validate.go",
		Old: `only == plan.TypeObject && do.Format == "" && !lists && `, New: `only == plan.TypeObject && do.Format == "" && `},
	// self.list.exists(x, x.optional == 1) where no element has the field.
	{Name: "an element that fails decides nothing where none does", File: "generator/internal/lower/rulefolds.go",
		Old: `Y: opposite(decided(is))}, expected)`, New: `Y: decided(is)}, expected)`},
	// The plan of a list of strings with items.default.
	{Name: "plans do not say what becomes of null elements", File: "generator/internal/plan/describe.go",
		Old: `if n.Elem != nil && (!n.Elem.Do.Leaf() || n.ElemSlot != nil) {`, New: `if n.Elem != nil && !n.Elem.Do.Leaf() {`},
	// An integer with maximum: 1.5.
	{Name: "a maximum of the wrong type is called a minimum", File: "generator/internal/emit/validate.go",
		Old: `emitBound(g, rules.Maximum, "Maximum boundary", `, New: `emitBound(g, rules.Maximum, "Minimum boundary", `},
	// not: {required: [a]}, and an object without a that has another fault.
	{Name: "what is wrong by a schema in not is reported", File: "generator/internal/emit/validate_junctors.go",
		Old: `g.If(validateCall(not, jen.Id("v"), jen.Nil())`, New: `g.If(validateCall(not, jen.Id("v"), jen.Id("rec"))`},
	// type: array with x-kubernetes-preserve-unknown-fields and items, and an object in the place of the list, as JSON.
	{Name: "an object in the place of a list that preserves is emptied in JSON", File: "generator/internal/emit/json_walk.go",
		Old: `w.open("List", "p", "more", "ok"), jen.Line(), orReturn(n.Rest == plan.RestKeep))`,
		New: `w.open("List", "p", "more", "ok"), jen.Line(), orReturn(false))`},
	// --build-tag with twelve tags.
	{Name: "as many tags as there may be are too many", File: "generator/target/tags.go",
		Old: `if len(free)+len(fixed) > maxTags {`, New: `if len(free)+len(fixed) >= maxTags {`},
	// A struct of another module with ten fields that the schema does not have.
	{Name: "ten names are followed by none more", File: "generator/gotypes/report.go",
		Old: `if len(names) <= most {`, New: `if len(names) < most {`},
	// The help of generate about --emit.
	{Name: "functions on JSON are described as the default", File: "generator/features.go",
		Old: `f.field, f.summary, f.group == byDefault})`, New: `f.field, f.summary, f.group != byName})`},

	// The command.

	// prune -w of a file with a byte order mark and an unknown field.
	{Name: "a byte order mark is lost", File: "cmd/prune-gen/internal/prunecmd/prune.go",
		Old: `bytes.HasPrefix(t.Data, bom) {`, New: `bytes.HasPrefix(data, bom) {`},
	// validate of objects of 13 unknown kinds.
	{Name: "one kind more is listed, and counted as not listed", File: "cmd/prune-gen/internal/findings/tally.go",
		Old: `if i < most {`, New: `if i <= most {`},
	// --output junit with an error.
	{Name: "failures are not counted for all suites", File: "cmd/prune-gen/internal/findings/junit.go",
		Old: "s.Failures++\n\t\tj.out.Failures++\n", New: "s.Failures++\n"},
	// lint --out json
	{Name: "three letters of a flag are too few", File: "cmd/prune-gen/internal/cli/flags.go",
		Old: `s != "" || len(word) < 3 {`, New: `s != "" || len(word) <= 3 {`},

	// Programs on Kubernetes' libraries.

	// One warning of 4096 characters.
	{Name: "warnings that just fit are cut off", File: "kube/handler.go",
		Old: `total > maxWarnings {`, New: `total >= maxWarnings {`},
	// A mutating webhook that drops the label a~b/c.
	{Name: "a slash in a pointer is escaped twice", File: "kube/patch.go",
		Old: `strings.ReplaceAll(strings.ReplaceAll(k, "~", "~0"), "/", "~1")`, New: `strings.ReplaceAll(strings.ReplaceAll(k, "/", "~1"), "~", "~0")`},
	// Get of a cluster-scoped object with a namespace in the key.
	{Name: "an object of the cluster is looked for in a namespace", File: "kube/prunetest/client.go",
		Old: `if !t.Namespaced {`, New: `if !t.Namespaced && t.name == "" {`},
}
