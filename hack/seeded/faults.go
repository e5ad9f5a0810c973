// Package seeded has fifty manifests with one fault each, which prune-gen must find. It also counts which of them other programs find.
package seeded

import (
	_ "embed"
	"fmt"
	"strings"
)

var (
	// CRD is that of the kind.
	//go:embed testdata/crd.yaml
	CRD string
	// Good is a manifest with nothing wrong.
	//go:embed testdata/good.yaml
	Good string
)

// Fault is a manifest with one fault, which is made by a replacement in the good one.
type Fault struct {
	Name     string
	old, new string
	// Line is where the fault is, and Path the field, as the API server names it. A version is not a field, and has no path.
	Line int
	Path string
}

// Faults returns the manifests. The API server refuses each with a fault, at least if it is asked to be strict about fields.
func Faults() []Fault {
	return []Fault{
		// Fields that would be dropped.
		{"unknown-misspelt", "  suspend: false", "  suspended: false", 13, "spec.suspended"},
		{"unknown-root", "spec:\n  sch", "sepc: {}\nspec:\n  sch", 9, "sepc"},
		{"unknown-case", "  minCopies: 1", "  mincopies: 1", 14, "spec.mincopies"},
		{"unknown-element", "    value: s3", "    valeu: s3", 25, "spec.env[0].valeu"},
		{"unknown-second-element", "    value: \"3\"", "    value: \"3\"\n    optional: true", 28, "spec.env[1].optional"},
		{"unknown-deep", "      region: eu", "      reigon: eu", 33, "spec.target.s3.reigon"},
		{"unknown-metadata", "  labels:", "  label:", 7, "metadata.label"},
		{"unknown-embedded-metadata", "      name: backup", "      name: backup\n      color: red", 39, "spec.template.metadata.color"},
		{"unknown-status", "spec:\n  sch", "status: {raedy: true}\nspec:\n  sch", 9, "status.raedy"},
		{"unknown-indented-too-little", "    s3:\n      bucket: nightly\n      region: eu", "    s3:\n      bucket: nightly\n    region: eu", 33, "spec.target.region"},
		{"duplicate-key", "  suspend: false", "  suspend: false\n  suspend: true", 14, "spec.suspend"},
		// Types.
		{"type-string-for-integer", "  minCopies: 1", "  minCopies: \"1\"", 14, "spec.minCopies"},
		{"type-integer-for-string", "    value: \"3\"", "    value: 3", 27, "spec.env[1].value"},
		{"type-boolean-for-string", "    disk: fast", "    disk: yes", 29, "spec.selector.disk"},
		{"type-string-for-boolean", "  suspend: false", "  suspend: \"false\"", 13, "spec.suspend"},
		{"type-float-for-integer", "  maxCopies: 5", "  maxCopies: 5.5", 15, "spec.maxCopies"},
		{"type-map-for-list", "  hosts:\n  - a.example.com\n  - b.example.com", "  hosts:\n    a: a.example.com", 20, "spec.hosts"},
		{"type-list-for-map", "    disk: fast", "  - disk", 28, "spec.selector"},
		{"type-string-for-map", "    s3:\n      bucket: nightly\n      region: eu", "    s3: nightly", 31, "spec.target.s3"},
		{"type-map-for-string", "  image: registry.example.com/backup:1.4", "  image: {name: registry.example.com/backup}", 11, "spec.image"},
		{"type-bool-for-int-or-string", "  port: 8080", "  port: true", 17, "spec.port"},
		{"type-null-element", "  - b.example.com", "  - null", 22, "spec.hosts[1]"},
		{"type-number-for-object", "  extra:\n    anything: {goes: here}", "  extra: 5", 40, "spec.extra"},
		// Values.
		{"required-missing", "  schedule: \"0 3 * * *\"\n", "", 9, "spec.schedule"},
		{"required-null", "  image: registry.example.com/backup:1.4", "  image: null", 11, "spec.image"},
		{"required-in-element", "  - name: TARGET\n    value: s3", "  - value: s3", 24, "spec.env[0].name"},
		{"required-deep", "      bucket: nightly\n", "", 31, "spec.target.s3.bucket"},
		{"required-spec", "spec:\n", "sepc:\n", 2, "spec"},
		{"enum", "  policy: Always", "  policy: always", 12, "spec.policy"},
		{"enum-empty", "  policy: Always", "  policy: \"\"", 12, "spec.policy"},
		{"pattern", "\"0 3 * * *\"", "\"0 3 * *\"", 10, "spec.schedule"},
		{"minimum", "  minCopies: 1", "  minCopies: -1", 14, "spec.minCopies"},
		{"maximum", "  maxCopies: 5", "  maxCopies: 11", 15, "spec.maxCopies"},
		{"multiple-of", "  quota: 1.5", "  quota: 1.7", 16, "spec.quota"},
		{"min-length", "  image: registry.example.com/backup:1.4", "  image: \"\"", 11, "spec.image"},
		{"max-length", "registry.example.com/backup:1.4", strings.Repeat("registry.", 8) + "example.com", 11, "spec.image"},
		{"max-items", "  - b.example.com", "  - b.example.com\n  - c.example.com\n  - d.example.com", 20, "spec.hosts"},
		{"max-properties", "    disk: fast", "    disk: fast\n    a: a\n    b: b\n    c: c", 28, "spec.selector"},
		{"format", "2024-01-01T00:00:00Z", "yesterday", 18, "spec.since"},
		{"one-of-both", "      region: eu", "      region: eu\n    disk: {path: /x}", 30, "spec.target"},
		{"one-of-none", "    s3:\n      bucket: nightly\n      region: eu", "    {}", 30, "spec.target"},
		{"set-duplicate", "  - b.example.com", "  - a.example.com", 22, "spec.hosts[1]"},
		{"map-duplicate", "  - name: RETRIES", "  - name: TARGET", 26, "spec.env[1]"},
		{"rule", "  minCopies: 1", "  minCopies: 6", 9, "spec"},
		{"embedded-without-kind", "    kind: Pod\n", "", 34, "spec.template.kind"},
		// Metadata and what the object is.
		{"name", "  name: nightly", "  name: Nightly_Backup", 5, "metadata.name"},
		{"label-value", "    team: storage", "    team: storage and more", 8, "metadata.labels.team"},
		{"label-type", "    team: storage", "    team: 5", 8, "metadata.labels.team"},
		{"version-not-served", "ops.example.com/v1", "ops.example.com/v1alpha1", 2, ""},
		{"version-unknown", "ops.example.com/v1", "ops.example.com/v2", 2, ""},
	}
}

// Text returns the manifest.
func (f Fault) Text() string {
	if strings.Count(Good, f.old) != 1 {
		panic(fmt.Sprintf("%s: %q is there %d times", f.Name, f.old, strings.Count(Good, f.old)))
	}
	return strings.Replace(Good, f.old, f.new, 1)
}

// Names reports whether an output names the field: as a path, as a JSON pointer, by its parent and its name, or as decoders do.
func (f Fault) Names(output string) bool {
	if f.Path == "" {
		return true
	}
	pointer := "/" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(f.Path)
	if strings.Contains(output, f.Path) || strings.Contains(output, pointer) {
		return true
	}
	i := strings.LastIndexAny(pointer, "/")
	parent, name := pointer[:i], pointer[i+1:]
	if strings.Contains(output, "key \""+name+"\"") || strings.Contains(output, "ObjectMeta."+name) {
		return true
	}
	return (strings.Contains(output, "'"+parent+"'") || strings.Contains(output, " "+parent+":") || strings.Contains(output, strings.ReplaceAll(strings.TrimPrefix(parent, "/"), "/", "."))) && strings.Contains(output, name)
}
