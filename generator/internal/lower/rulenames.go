package lower

import (
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// ruleNames gives the variables in the code of a rule names of their own.
type ruleNames struct {
	last  map[string]int // the number of the last variable that wanted a name
	taken map[string]bool
}

func newRuleNames() *ruleNames { return &ruleNames{last: map[string]int{}, taken: map[string]bool{}} }

// name returns the name that is wanted, or one that begins with it.
func (n *ruleNames) name(wanted string) string {
	number, name := n.last[wanted], ""
	for name == "" || n.taken[name] {
		number++
		if name = wanted; number > 1 {
			name += strconv.Itoa(number)
		}
	}
	n.last[wanted], n.taken[name] = number, true
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

// words returns the words of a name as one of Go: dash-ed is dashEd.
func words(name string) string {
	var b strings.Builder
	const long = 40
	for i := 0; i < len(name) && b.Len() < long; i++ {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9' && b.Len() > 0:
			if after := i > 0 && !isWordByte(name[i-1]); after && b.Len() > 0 {
				b.WriteString(strings.ToUpper(name[i : i+1]))
			} else {
				b.WriteByte(c)
			}
		}
	}
	if b.Len() == 0 {
		return "v"
	}
	return lowerFirst(b.String())
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// lowerFirst returns s with its first word in lower case: URLPath is urlPath.
func lowerFirst(s string) string {
	n := 0
	for n < len(s) && 'A' <= s[n] && s[n] <= 'Z' {
		n++
	}
	if n > 1 && n < len(s) {
		n-- // the last one begins a word
	}
	return strings.ToLower(s[:n]) + s[n:]
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
