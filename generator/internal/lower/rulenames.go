package lower

import (
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// goNames are the names of Go that the code of a rule has, with the number of the last one that was wanted.
type goNames map[string]int

// name returns a new name: the one that is wanted, or one that begins with it.
func (n goNames) name(wanted string) string {
	name, number := wanted, n[wanted]
	for n[name] > 0 {
		number++
		name = wanted + strconv.Itoa(number)
	}
	n[name] = 1
	n[wanted] = max(number, 1)
	return name
}

// variable returns a name of Go for what a schema or a rule calls name: dash-ed is dashEd, type is typeValue, and r is rValue beside the
// reader r.
func variable(name string) string {
	v := words(name)
	if token.IsKeyword(v) || types.Universe.Lookup(v) != nil || v == "r" || v == "prunecel" || strings.HasPrefix(v, "rule") {
		return v + "Value" // Go and the code of rules use it themselves
	}
	return v
}

// words returns the words of a name as one of Go, the first one in lower case: dash-ed is dashEd, URLPath is urlPath.
func words(name string) string {
	const long = 40
	name = plan.FirstBytes(strings.TrimLeftFunc(identifier(name), unicode.IsDigit), long)
	if name == "" {
		return "v"
	}
	n := 0
	for n < len(name) && 'A' <= name[n] && name[n] <= 'Z' {
		n++
	}
	if n > 1 && n < len(name) {
		n-- // the last one begins a word
	}
	return strings.ToLower(name[:n]) + name[n:]
}

// upperFirst returns s with its first letter in upper case.
func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// ruleName names the function of a rule after its place and what it is about, so that other rules change nothing, unless they come before it
// and are about the same: then it ends with a hash of its text. Nothing else has such a name.
func ruleName(n *plan.Node, r *prunecel.Rule, taken map[string]bool) string {
	base := "rule" + n.Name + "_" + ruleTopic(r.Rule)
	name := base
	for text := r.Rule; taken[name]; text += " again" { // a short hash can be the same
		name = base + "_" + shortHash(text)
	}
	taken[name] = true
	return name
}

// namesInRule matches the texts in a rule, its fields and the functions that it calls.
var namesInRule = regexp.MustCompile(`'[^']*'|"[^"]*"|[.] *[A-Za-z_]\w*|[A-Za-z_]\w* *[(]`)

// ruleTopic returns the first fields and functions that a rule mentions as one name of Go.
func ruleTopic(rule string) string {
	var topic []string
	for _, name := range namesInRule.FindAllString(rule, -1) {
		name, _ = prunecel.Unescape(strings.Trim(name, ". ("))
		if word := upperFirst(words(name)); len(topic) < 3 && name != "has" && !strings.ContainsAny(name[:1], `'"`) && !slices.Contains(topic, word) {
			topic = append(topic, word)
		}
	}
	switch {
	case len(topic) > 0:
		return strings.Join(topic, "")
	case strings.Contains(rule, celrules.OldSelf):
		return "OldSelf"
	}
	return "Self"
}
