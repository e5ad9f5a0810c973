package main

// strangerBreaks are mistakes that somebody invented who had read neither the tests nor the tables. The comment of each names an input
// that shows it.
var strangerBreaks = []Break{
	// The runtime.

	// timestamp("9999-12-31T23:59:59.5Z") + duration("500ms") in a rule: a timestamp in the year 10000 instead of "timestamp overflow".
	{Name: "half seconds add up to the year 10000", File: "runtime/prunecel/times.go",
		Old: `case nano >= int64(time.Second):`, New: `case nano > int64(time.Second):`},
	// 4611686018427387904 * 2 in a rule: -9223372036854775808 instead of "integer overflow".
	{Name: "a product of 2^63 has the wrong sign", File: "runtime/prunecel/arithmetic.go",
		Old: `lo == 1<<63 && !negative:`, New: `lo == 1<<63 && negative:`},
	// isSemver("1.0.0-rc-1"): false instead of true.
	{Name: "a prerelease has no dashes", File: "runtime/prunecel/semver.go",
		Old: `'0' <= c && c <= '9' || c == '-') {`, New: `'0' <= c && c <= '9') {`},
	// "%s".format([{1: "a", 12: "b"}]): {12:"b", 1:"a"} instead of {1:"a", 12:"b"}.
	{Name: "formatted maps are sorted by key and value", File: "runtime/prunecel/stringformat.go",
		Old: `return strings.Compare(a.key, b.key) })`, New: `return strings.Compare(a.text, b.text) })`},
	// The rule self.__loop__ > 1 on an object with the property loop: "no such key" instead of what the rule says.
	{Name: "loop is not a reserved word", File: "runtime/prunecel/escape.go",
		Old: `"if", "import", "let", "loop",`, New: `"if", "import", "let",`},
	// isIP("::ffff:1.2.3.4"): true instead of false.
	{Name: "isIP takes IPv4 in IPv6", File: "runtime/prunecel/ip.go",
		Old: `return err == nil && ip.Zone() == "" && !ip.Is4In6()`, New: `return err == nil && ip.Zone() == ""`},
	// format.dns1123LabelPrefix().validate("a-"): a list of what is wrong instead of optional.none().
	{Name: "a prefix of two characters does not end in a dash", File: "runtime/prunecel/formats.go",
		Old: `if len(s) > 1 && strings.HasSuffix(s, "-") {`, New: `if len(s) > 2 && strings.HasSuffix(s, "-") {`},
	// quantity("1").add(quantity("100000000000000000000")): 1 instead of 100000000000000000001.
	{Name: "a large quantity adds nothing to a small one", File: "runtime/prunecel/quantity.go",
		Old: `if sum, ok := addSmall(a, b.value, b.scale); ok && b.dec == nil {`, New: `if sum, ok := addSmall(a, b.value, b.scale); ok {`},
	// "1E5" in a field with the pattern of quantities: refused instead of accepted.
	{Name: "the exponent of a quantity is a small letter", File: "runtime/pruneimpl/validate_patterns.go",
		Old: `case s[0] == 'e' || s[0] == 'E':`, New: `case s[0] == 'e':`},
	// [null] in a list of x-kubernetes-list-type map with nullable items: "must be an object" instead of no error.
	{Name: "the only element of a list map is not null", File: "runtime/pruneimpl/validate_lists.go",
		Old: `if _, ok := e.(map[string]any); !ok && e != nil {`, New: `if _, ok := e.(map[string]any); !ok {`},
	// An update that leaves {port: 1, nodePort: 11, name: BAD} and {port: 11, nodePort: 1, name: WORSE} alone in a list map by port and
	// nodePort, and changes something else in the list: the second name is reported instead of forgiven, as it is compared with the first.
	{Name: "the keys 1 and 11 are the keys 11 and 1", File: "runtime/pruneimpl/elements.go",
		Old: `fmt.Fprintf(&text, "%#v\x00", v)`, New: `fmt.Fprintf(&text, "%#v", v)`},
	// "0F8FAD5B-D9CB-469F-A165-70867728950E" in a field of format uuid4: refused instead of accepted.
	{Name: "a uuid4 is in small letters", File: "runtime/pruneimpl/validate_formats.go",
		Old: `return isUUID(s, "4", "89abAB")`, New: `return isUUID(s, "4", "89ab")`},
	// Create with Subresource scale, of a kind that has one: 404 instead of 405.
	{Name: "a scale that cannot be created is not found", File: "runtime/request.go",
		Old: `case sub == "status" && r.Status, sub == "scale" && r.Scale != nil:`, New: `case sub == "status" && r.Status:`},
	// Set.PruneJSON of {"a" 1}: a SyntaxError with offset 6 instead of 5.
	{Name: "a syntax error in a set is one byte further on", File: "runtime/set_json.go",
		Old: `max(syntax.Offset-1, 0)`, New: `max(syntax.Offset, 0)`},
	// A stream of two documents with a zero byte between them: the second one is lost without an error instead of a SyntaxError.
	{Name: "a zero byte ends a stream", File: "runtime/prunejson/stream.go",
		Old: `case len(s.in.rest()) == 0:`, New: `case c == 0:`},
	// A new object with the finalizer kubernetes: a warning instead of none.
	{Name: "kubernetes is a finalizer to warn of", File: "runtime/request_warnings.go",
		Old: `return name == "orphan" || name == "foregroundDeletion" || name == "kubernetes"`, New: `return name == "orphan" || name == "foregroundDeletion"`},

	// The generator.

	// A package that imports "C", whose Go types are compared with a CRD: an error that it does not compile instead of none.
	{Name: "types of a package with cgo do not load", File: "generator/target/types.go",
		Old: `IgnoreFuncBodies: true, FakeImportC: true, Error: fail}`, New: `IgnoreFuncBodies: true, Error: fail}`},
	// The package v1alpha10, for which there is no CRD: all versions are generated into it instead of an error.
	{Name: "there are nine alphas of a version", File: "generator/target/markers.go",
		Old: "`^v[0-9]+((alpha|beta)[0-9]+)?$`", New: "`^v[0-9]+((alpha|beta)[0-9])?$`"},
	// --build-tag '!unix' on Linux: the package is compiled with the new files instead of a warning that the tag does not hold here.
	{Name: "unix is a tag like any other", File: "generator/target/tags.go",
		Old: `case "unix", "cgo", "gc", "gccgo":`, New: `case "cgo", "gc", "gccgo":`},
	// A generated file that git checked out with CRLF: it is not known as generated, and not replaced, instead of replaced.
	{Name: "a file with CRLF is not generated", File: "generator/convention.go",
		Old: `return string(bytes.TrimSuffix(line, []byte("\r"))) == GeneratedBy`, New: `return string(line) == GeneratedBy`},
	// A kind of 63 letters: generate/kind-name instead of code.
	{Name: "a kind has at most 62 letters", File: "generator/clashes.go",
		Old: `len(kind) > 63 ||`, New: `len(kind) >= 63 ||`},
	// A CRD of v1beta1 with one schema for v1alpha1, which is deprecated, and v1, generated into two packages in one call: v1alpha1 has
	// no DeprecationWarning instead of one.
	{Name: "versions with one schema are deprecated together", File: "generator/lowering.go",
		Old: `return fmt.Sprintf("%t %t %q %q", r.Version.HasStatus, r.Version.Scale != nil, scale, structural.DeprecationWarning(r.CRD, r.Version))`,
		New: `return fmt.Sprintf("%t %t %q", r.Version.HasStatus, r.Version.Scale != nil, scale)`},
	// The rule (has(self.a) ? self.a : 0) + 1 > 0 with a: 9223372036854775807: "failed rule" instead of "integer overflow".
	{Name: "a choice is small if one of two values is", File: "generator/internal/lower/rulearithmetic.go",
		Old: `return isSmall(e.Args[1]) && isSmall(e.Args[2])`, New: `return isSmall(e.Args[1]) || isSmall(e.Args[2])`},
	// The rule has(self.a) || self.a < 1 on an object without a: accepted instead of "no such key: a".
	{Name: "a field is there after has() || was false", File: "generator/internal/lower/rulejunctions.go",
		Old: `c.facts(term, !decides)`, New: `c.facts(term, decides)`},
	// The rule !(self.name in []): the generator panics instead of leaving the rule to its program.
	{Name: "in with an empty list is compiled", File: "generator/internal/lower/rulecomparisons.go",
		Old: `kind != prunecel.KindInt || len(list.Args) == 0 || list.Optional != nil {`, New: `kind != prunecel.KindInt || list.Optional != nil {`},
	// spec.templates, a list of x-kubernetes-embedded-resource, with the label "-bad" in the metadata of one: ValidateMetadata has no error
	// instead of one.
	{Name: "metadata of resources in lists is not validated", File: "generator/internal/lower/metadata.go",
		Old: `len(n.Fields) == 0 && n.Rest == plan.RestKeep && n.Elem == nil {`, New: `len(n.Fields) == 0 && n.Rest == plan.RestKeep {`},
	// A CRD with a scale subresource, and an object with status.replicas -1: accepted instead of refused.
	{Name: "the replicas of the status are those of the spec", File: "generator/internal/emit/resource.go",
		Old: `.Lit(s.StatusReplicas)`, New: `.Lit(s.SpecReplicas)`},
	// Two properties with one schema and one rule, with fieldPath .a in one and .b in the other: the errors of both are at the
	// same of the two fields instead of each at its own.
	{Name: "rules that differ in fieldPath are one", File: "generator/internal/plan/rules.go",
		Old: `fmt.Fprintf(&b, "\n%q %q %q %q %q %t %t %q %q %q", r.Rule, r.Message, r.MessageExpression, r.Reason, r.FieldPath, r.UsesOld,`,
		New: `fmt.Fprintf(&b, "\n%q %q %q %q %t %t %q %q %q", r.Rule, r.Message, r.MessageExpression, r.Reason, r.UsesOld,`},
	// The kind Thing with a property of 60 times é, an object with properties, in spec: the name of its function is not UTF-8, and the
	// generated code does not parse, instead of code.
	{Name: "the first bytes end in the middle of a rune", File: "generator/internal/plan/key.go",
		Old: `for n > 0 && !utf8.RuneStart(s[n]) {`, New: `for n > 0 && !utf8.RuneStart(s[n-1]) {`},

	// Kubernetes' libraries.

	// Warnings of more than 4096 characters, of which one has 300 times ä: its header has 128 of them instead of 256.
	{Name: "long warnings are cut by bytes", File: "kube/handler.go",
		Old: `text = string(runes[:maxWarning])`, New: `text = text[:maxWarning]`},
	// A WidgetList whose items have no kind: they are of the kind Widge instead of Widget.
	{Name: "letters of List are cut off the kind of items", File: "kube/decoder.go",
		Old: `of.Kind = strings.TrimSuffix(of.Kind, "List")`, New: `of.Kind = strings.TrimRight(of.Kind, "List")`},
	// A manifest of 65 MiB: what comes after 64 MiB is lost without an error instead of an error that it is too large.
	{Name: "a manifest that is too large is cut off", File: "kube/manifest/manifest.go",
		Old: `io.LimitReader(r, text.MaxSize+1)`, New: `io.LimitReader(r, text.MaxSize)`},
	// Patch(ctx, obj, client.Apply, client.ForceOwnership, client.FieldOwner("b")) of a field of owner a: a conflict instead of the new value.
	{Name: "an apply patch does not force", File: "kube/prunetest/patch.go",
		Old: `DryRun: options.DryRun, Force: options.Force, FieldManager: options.FieldManager}`, New: `DryRun: options.DryRun, FieldManager: options.FieldManager}`},
	// Get into a typed object that held another one, with annotations: it has the annotations of both instead of those of the stored one.
	{Name: "a typed object keeps what it held before", File: "kube/prunetest/objects.go",
		Old: "\treflect.ValueOf(obj).Elem().SetZero()\n", New: ""},
	// validate with a directory that has a Chart.yaml (apiVersion: v2, no kind, no metadata) whose description mentions a group of the
	// CRDs: result becomes the error "kind not set" instead of a document that is passed over.
	{Name: "a chart in a directory must be an object", File: "structural/answer/file.go",
		Old: `if listed && (o.APIVersion == "" || o.Node.Get("metadata") == nil) {`, New: `if listed && o.APIVersion == "" && o.Node.Get("metadata") == nil {`},
	// An object that writes replica where replicas is required: the hint becomes "add replicas: an integer" instead of "did you mean it by
	// replica?".
	{Name: "a missing field is looked for among known fields", File: "structural/answer/hints.go",
		Old: `if e := &p.node.Entries[i]; field(p.schema, e.Key) == nil {`, New: `if e := &p.node.Entries[i]; field(p.schema, e.Key) != nil {`},
	// A schema whose only rule, without a message, is replaced by another without a message: the change becomes one "rule a has become b"
	// instead of "b is new" and "a is gone".
	{Name: "rules without a message replace one another", File: "structural/differ/rules.go",
		Old: `if rule.Message == "" || !found {`, New: `if !found {`},
	// A required field that is gone from the new schema: the changes have "the field is no longer required" instead of only that it is gone.
	{Name: "a field that is gone is no longer required", File: "structural/differ/schema.go",
		Old: `if !isRequired[name] && schemaFor(new, name) != nil {`, New: `if !isRequired[name] {`},
	// A version with subresources: {status: null}: it becomes one with the status subresource instead of one without.
	{Name: "a status subresource that is null is one", File: "structural/load/crd.go",
		Old: `status: !e.Value.Child("status").IsNull()`, New: `status: e.Value.Get("status") != nil`},
	// A CRD with spec.versions: []: it becomes a CRD that is used, without versions, instead of one that is refused.
	{Name: "an empty list of versions is not missing", File: "structural/load/names.go",
		Old: `empty := n.IsNull() || n.Kind == text.String && n.Str() == "" || n.Kind == text.List && len(n.List) == 0`,
		New: `empty := n.IsNull() || n.Kind == text.String && n.Str() == ""`},
	// conversion.webhook.clientConfig.service.path: /convert/: it becomes an error, "segment[1] may not be empty", instead of none.
	{Name: "the path of a webhook must not end in a slash", File: "structural/lint/conversion.go",
		Old: `strings.Split(strings.TrimSuffix(path[1:], "/"), "/")`, New: `strings.Split(path[1:], "/")`},
	// scale.specReplicasPath: .specs.replicas: there becomes no error instead of "should be a json path under .spec".
	{Name: "a scale path need only begin like spec", File: "structural/lint/definition.go",
		Old: `!strings.HasPrefix(path, "."+part+".")`, New: `!strings.HasPrefix(path, "."+part)`},
	// A v1beta1 CRD with preserveUnknownFields: false and a version that is neither served nor has a schema: it becomes an error instead of
	// none.
	{Name: "a version that is not served needs a schema", File: "structural/lint/lint.go",
		Old: `case v.Pruned && v.Served:`, New: `case v.Pruned:`},
	// Two documents, of which the first ends with an unknown field: EndLine of its mark becomes the first line of the second document
	// instead of the line of the field.
	{Name: "a document ends with the first line of the next", File: "structural/marks/marks.go",
		Old: `end = max(d.Root.Pos.Line, m.docs[i+1].Root.Pos.Line-1)`, New: `end = max(d.Root.Pos.Line, m.docs[i+1].Root.Pos.Line)`},
	// explain crd.yaml spec.log.level for a schema with the properties log, a string, and log.level: the result becomes "spec.log has no
	// field level" instead of the field.
	{Name: "the first field that a path begins with is found", File: "structural/outline/find.go",
		Old: `if ok && len(f.Name) > length && (rest == "" || rest[0] == '.' || rest[0] == '[') {`,
		New: `if ok && length == 0 && (rest == "" || rest[0] == '.' || rest[0] == '[') {`},
	// x-kubernetes-no-prune: true at the root and again at properties.a.properties.b: the result becomes a skeleton without an error
	// instead of the error that it must not be nested.
	{Name: "two levels below no-prune is included again", File: "structural/skeleton/skeleton.go",
		Old: `here := above`, New: `here := included`},
	// {kind: CronTabList, items: null}: it becomes an object of an unknown kind instead of a list without items.
	{Name: "a list whose items are null is an object", File: "structural/manifest/manifest.go",
		Old: `items == nil || items.Kind != text.List && !items.IsNull() {`, New: `items == nil || items.Kind != text.List {`},
	// A YAML file with U+2029 in a comment and an error below it: the line that is shown becomes the one after that of the error instead of
	// the line of the error.
	{Name: "U+2029 ends no line", File: "structural/text/lines.go",
		Old: `text[1] == 0x80 && (text[2] == 0xa8 || text[2] == 0xa9) {`, New: `text[1] == 0x80 && text[2] == 0xa8 {`},
	// A YAML file with the byte 0x7f in its third line: the place of the error becomes the first line instead of that of the byte.
	{Name: "DEL is not seen as the byte that is invalid", File: "structural/text/yamlerror.go",
		Old: `0x7f <= r && r < 0xa0`, New: `0x7f < r && r < 0xa0`},
	// A rule on spec with fieldPath: .labels.app, where labels is a map: the field of its error becomes spec.labels.app instead of
	// spec.labels[app].
	{Name: "a fieldPath writes the key of a map as a field", File: "structural/rules/table.go",
		Old: `at, s = at.Key(name), s.AdditionalProperties.Schema`, New: `at, s = at.Child(name), s.AdditionalProperties.Schema`},
	// 2016-12-31T23:59:60Z where the format is date-time: it becomes valid instead of refused.
	{Name: "a leap second is a date-time", File: "structural/interpret/formats.go",
		Old: `clock[6:8] <= "59"`, New: `clock[6:8] <= "60"`},
	// A stream with a list of kind List and version example.com/v1 that is too large to be held: it becomes written, pruned, before the
	// error, instead of nothing.
	{Name: "a large List of any version can be a list", File: "structural/interpretjson/stream.go",
		Old: `return l.hasKind && (l.is.kind != "List" || l.hasVersion)`, New: `return l.hasKind && l.is.kind != "List"`},
	// Code that was generated before the version was deprecated: Fit.Same becomes true instead of false.
	{Name: "code without the deprecation warning fits", File: "structural/dynamic/fit.go",
		Old: `r.Status == other.Status && r.DeprecationWarning == other.DeprecationWarning &&`, New: `r.Status == other.Status &&`},
	// A CRD with the versions foo, deprecated without a warning of its own, and bar, both served: the warning becomes one without "; use
	// .../bar" instead of one with it.
	{Name: "versions of another form are in the wrong order", File: "structural/deprecation.go",
		Old: `return strings.Compare(b, a)`, New: `return strings.Compare(a, b)`},

	// lint of a v1beta1 CRD with "# prune-gen:ignore crd/removed-api-version" in line 1 and apiVersion in line 2: the warning
	// becomes printed instead of ignored.
	{Name: "a comment in the first line ignores nothing", File: "cmd/prune-gen/internal/findings/ignore.go",
		Old: `for n--; n > 0; n-- {`, New: `for n--; n > 1; n-- {`},
	// diff --output sarif with a change that does not break: its level becomes error instead of note.
	{Name: "a note is an error in SARIF", File: "cmd/prune-gen/internal/findings/sarif.go",
		Old: `if s.Severity == structural.SeverityWarning || s.Severity == structural.SeverityNote {`, New: `if s.Severity == structural.SeverityWarning {`},
	// lint of a file that does not exist and has the byte 0xff in its name: the byte becomes printed as it is instead of as \xff.
	{Name: "bytes that are not UTF-8 are printed", File: "cmd/prune-gen/internal/terminal/escape.go",
		Old: `if !strconv.IsPrint(r) || r == utf8.RuneError || r == '#'`, New: `if !strconv.IsPrint(r) || r == '#'`},
	// generate over a generated file with the mode 0600 that has to change: its mode becomes 0644 instead of 0600.
	{Name: "a file that is updated loses its mode", File: "cmd/prune-gen/internal/output/compare.go",
		Old: `f.old, f.perm = h.Data, h.perm`, New: `f.old = h.Data`},
	// generate --layout versions in a directory that has files of --layout flat: they become unreported instead of a warning for each.
	{Name: "files that the flat layout left are not reported", File: "cmd/prune-gen/internal/output/leftovers.go",
		Old: `names := []string{"."}`, New: `names := []string{}`},
	// generate --header-file with two comments of // and an empty line between them: each line of the header becomes "// // ..." instead of
	// "// ...".
	{Name: "a header with an empty line is not a comment", File: "cmd/prune-gen/internal/generation/header.go",
		Old: `line != "" && !strings.HasPrefix(line, "//") {`, New: `!strings.HasPrefix(line, "//") {`},
	// verify ./... with a directive that names its CRDs by an absolute path: the result becomes that the file does not exist instead of a
	// comparison.
	{Name: "absolute paths of directives are relative", File: "cmd/prune-gen/internal/generation/flags.go",
		Old: `if name == "" || filepath.IsAbs(name) {`, New: `if name == "" {`},
	// verify ./... in a package with "//go:generate -command gen prune-gen" and "//go:generate gen generate ../crds": the result becomes
	// "no go:generate directive calls prune-gen generate" instead of a comparison.
	{Name: "a command of one word is not a command", File: "cmd/prune-gen/internal/directive/directive.go",
		Old: `if len(words) > 2 && words[0] == "-command" {`, New: `if len(words) > 3 && words[0] == "-command" {`},
	// lint --exclude charts/ . with a CRD below charts: the CRD becomes read instead of left out.
	{Name: "a slash at the end of a pattern matches nothing", File: "cmd/prune-gen/internal/input/exclude.go",
		Old: `path.Clean(filepath.ToSlash(pattern))`, New: `filepath.ToSlash(pattern)`},
	// diff with a manifest of one object that only the old CRDs know: "skipped 1 object: no CRD has their kind" becomes printed instead
	// of nothing.
	{Name: "objects are passed over that the old CRDs know", File: "cmd/prune-gen/internal/diffcmd/manifests.go",
		Old: `for _, o := range before.Objects {`, New: `for _, o := range after.Objects {`},
	// explain --kind crontab of a directory with several CRDs: the result becomes "no CRD has kind crontab" instead of the tree.
	{Name: "explain takes a kind in its own case only", File: "cmd/prune-gen/internal/explaincmd/explain.go",
		Old: `strings.EqualFold(c.Names.Kind, *o.kind)`, New: `c.Names.Kind == *o.kind`},
	// prune of the file {"kind": "CronTab" "x"}}, which is neither JSON nor YAML: the column of the error becomes one less.
	{Name: "the column of a JSON error counts from 0", File: "cmd/prune-gen/internal/prunecmd/json.go",
		Old: `Column: int(syntax.Offset) - start + 1,`, New: `Column: int(syntax.Offset) - start,`},
	// skeleton --format json of a v1beta1 CRD whose first version has no schema: "skeleton" becomes nothing, which is not JSON, instead of
	// null.
	{Name: "the first skeleton in JSON is not written if it is null", File: "cmd/prune-gen/internal/skeletoncmd/skeleton.go",
		Old: `if j.n == 0 || j.last.schema != s.schema {`, New: `if j.last.schema != s.schema {`},
	// validate --crd - -: the result becomes an error about what is read the second time instead of a usage error with status 2.
	{Name: "CRDs and manifests can both be standard input", File: "cmd/prune-gen/internal/manifests/manifests.go",
		Old: `range append(others, f.crds, &args) {`, New: `range append(others, &args) {`},
}
