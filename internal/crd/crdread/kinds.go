package crdread

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// Kind is a group and a kind that a CRD defines.
type Kind struct{ Group, Kind string }

// Kinds returns the distinct kinds that the CRDs in data define, without parsing them. yamltext.Decode has returned data. It is false if
// that takes a parser: for anything except CRDs in the block style of YAML, as tools write them.
func Kinds(data []byte) (kinds []Kind, ok bool) {
	seen := map[Kind]bool{}
	for _, part := range yamltext.Parts(data) {
		if !bytes.Contains(part, []byte(crdKind)) {
			continue
		}
		kind, ok := kindOf(part)
		if !ok || bytes.Contains(part, []byte("\n...")) { // which can end a document
			return nil, false
		}
		if kind != (Kind{}) && !seen[kind] {
			seen[kind] = true
			kinds = append(kinds, kind)
		}
	}
	return kinds, true
}

// field matches a line with a field of a map in block style, and word a value that means itself, in quotes or not.
var (
	field = regexp.MustCompile(`^( *)([A-Za-z0-9]+):(?: +(.*))?$`)
	word  = regexp.MustCompile(`^(?:"([A-Za-z0-9.-]+)"|'([A-Za-z0-9.-]+)'|([A-Za-z0-9.-]+))$`)
)

// kindOf returns what a document defines, nothing if it is not a CRD. It is false for a document that has to be parsed. It reads the
// fields apiVersion, kind, spec.group and spec.names.kind, and ends when it has all of them, which is before the schemas.
func kindOf(part []byte) (kind Kind, ok bool) {
	var path []string // the fields around a line
	var indents []int // theirs
	isCRD, isAPI := false, false
	for line := range bytes.Lines(part) {
		text := bytes.TrimRight(line, " \r\n")
		content := bytes.TrimLeft(text, " ")
		if len(content) == 0 || content[0] == '#' || bytes.Equal(text, []byte("---")) {
			continue
		}
		if bytes.ContainsAny(content, `"'`) && !bytes.ContainsAny(content[len(content)-1:], `"'`) {
			return Kind{}, false // a text can go on in the next line
		}
		indent := len(text) - len(content)
		for len(indents) > 0 && indent <= indents[len(indents)-1] {
			path, indents = path[:len(path)-1], indents[:len(indents)-1]
		}
		at := strings.Join(path, ".")
		decides := at == "" || at == "spec" || at == "spec.names"
		match := field.FindSubmatch(text)
		if match == nil {
			if decides && content[0] != '-' {
				return Kind{}, false
			}
			continue
		}
		key := string(match[2])
		switch at + "." + key {
		case ".apiVersion":
			isAPI = bytes.HasPrefix(match[3], []byte(crdGroup+"/"))
		case ".kind":
			value := wordIn(match[3])
			if value != crdKind {
				return Kind{}, value != "" && value != "List" && value != crdListKind
			}
			isCRD = true
		case "spec.group":
			kind.Group = wordIn(match[3])
		case "spec.names.kind":
			kind.Kind = wordIn(match[3])
		}
		if isCRD && isAPI && kind.Group != "" && kind.Kind != "" {
			return kind, true
		}
		path, indents = append(path, key), append(indents, indent)
	}
	return Kind{}, false
}

// wordIn returns a value that is a single word, "" for any other value.
func wordIn(value []byte) string {
	match := word.FindSubmatch(value)
	if match == nil {
		return ""
	}
	return string(match[1]) + string(match[2]) + string(match[3])
}
