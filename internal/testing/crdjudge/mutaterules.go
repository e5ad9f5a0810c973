package crdjudge

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// rules changes a rule, or adds or removes one.
func (m *mutator) rules(n *schemaNode) bool {
	all, _ := n.schema["x-kubernetes-validations"].([]any)
	all = slices.Clone(all)
	if len(all) > 0 {
		i := m.IntN(len(all))
		rule := maps.Clone(all[i].(object))
		switch m.IntN(4) {
		case 0:
			if all = slices.Delete(all, i, i+1); len(all) == 0 {
				delete(n.schema, "x-kubernetes-validations")
				return true
			}
			n.schema["x-kubernetes-validations"] = all
			return true
		case 1, 2:
			text := fmt.Sprint(rule["rule"])
			if changed := m.ruleText(text); changed != text {
				rule["rule"] = changed
			} else if strings.Contains(text, "oldSelf") {
				if rule["optionalOldSelf"] == nil {
					rule["optionalOldSelf"] = true
				} else {
					delete(rule, "optionalOldSelf")
				}
			}
			all[i] = rule
			n.schema["x-kubernetes-validations"] = all
			return true
		}
	}
	text := m.rule(n.schema, "self", 2)
	if text == "" {
		return false
	}
	rule := object{"rule": text}
	if strings.Contains(text, "hasValue") || strings.Contains(text, "oldSelf") && m.oneIn(8) {
		rule["optionalOldSelf"] = true
	}
	n.schema["x-kubernetes-validations"] = append(all, rule)
	return true
}

// ruleText changes a rule a little.
func (m *mutator) ruleText(text string) string {
	from := choose(m, [][2]string{{"&&", "||"}, {"||", "&&"}, {" > ", " >= "}, {" >= ", " > "}, {" < ", " <= "}, {" <= ", " < "}, {" == ", " != "}, {"!has", "has"}, {"1", "2"}, {"2", "1"}, {"0", "1"}, {"oldSelf", "self"}, {"self", "oldSelf"}, {"all(", "exists("}}...)
	if i := strings.Index(text, from[0]); i >= 0 && m.oneIn(2) {
		return strings.Replace(text, from[0], from[1], 1)
	}
	return choose(m, "("+text+") || true", text+" && true", "!("+text+")", text)
}

// rule returns a rule about a value, "" if there is none.
func (m *mutator) rule(s object, v string, depth int) string {
	r := strings.NewReplacer("V", v, "N", fmt.Sprint(m.IntN(3)), "T", choose(m, "'a'", "'ab'", "''", "'x'"), "OP", choose(m, ">", "<", ">=", "<=", "==", "!="))
	old := v == "self"
	switch s["type"] {
	case "string":
		rules := []string{"V OP T", "size(V) OP N", "V != 'x'", "V.startsWith('a')", "V.matches('^a')", "duration(V) > duration('1s')", "int(V) OP N", "url(V).getScheme() == 'https'", "V.split('/')[1] != ''", "V.substring(1) != 'x'",
			"V.split('/').size() OP N", "V in ['a', 'b', '']", "V.Contains('a')", "quantity(V).isGreaterThan(quantity('1'))", "isURL(V)", "V == V"}
		if f := s["format"]; f == "date" || f == "date-time" {
			rules = []string{"V > timestamp('2020-01-01T00:00:00Z')", "V == V"}
		} else if f == "duration" {
			rules = []string{"V > duration('1s')", "V == V"}
		} else if f == "byte" {
			rules = []string{"size(V) OP N"}
		}
		if old {
			rules = append(rules, "V == oldSelf", "V != oldSelf", "oldSelf OP T", "!oldSelf.hasValue() || V == oldSelf.value()")
		}
		return r.Replace(choose(m, rules...))
	case "integer":
		rules := []string{"V OP N", "V + 1 OP N", "V / N > 0", "V % 2 == 0", "V >= 0 && V < 10", "-V OP N", "V * 2 > N"}
		if old {
			rules = append(rules, "V >= oldSelf", "V == oldSelf", "oldSelf OP N", "V > oldSelf")
		}
		return r.Replace(choose(m, rules...))
	case "number":
		return r.Replace(choose(m, "V OP N.5", "V > 0.0", "double(V) < 2.0"))
	case "boolean":
		return r.Replace(choose(m, "V", "!V", "V == true"))
	case "array":
		items, _ := s["items"].(object)
		rules := []string{"size(V) OP N", "V.size() < 3"}
		if t := items["type"]; t == "string" || t == "integer" {
			rules = append(rules, "V[0] == V[0]", "V.all(x, x == x)", "V.exists(x, x == V[0])", "V.exists_one(x, x == x)")
			if t == "integer" {
				rules = append(rules, "V.max() OP N", "V.sum() OP N")
			}
		}
		if depth > 0 {
			if below := m.rule(items, "x", depth-1); below != "" {
				rules = append(rules, "V.all(x, "+below+")", "V.exists(x, "+below+")", "V.filter(x, "+below+").size() < 2", "V.all(x, "+below+")")
			}
		}
		if old {
			rules = append(rules, "V == oldSelf", "oldSelf.all(x, x in V)", "V[0] == oldSelf[0]", "size(V) >= size(oldSelf)")
		}
		return r.Replace(choose(m, rules...))
	case "object":
		if values, ok := s["additionalProperties"].(object); ok {
			rules := []string{"size(V) OP N", "'a' in V", "V.all(k, size(k) < 3)"}
			if below := m.rule(values, v+"['a']", depth-1); depth > 0 && below != "" {
				rules = append(rules, below, "!('a' in V) || "+below)
			}
			if old {
				rules = append(rules, "V == oldSelf", "oldSelf.all(k, k in V)")
			}
			return r.Replace(choose(m, rules...))
		}
		properties, _ := s["properties"].(object)
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(properties)), func(k string) bool {
			return strings.Trim(k, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" || k == "" || k == "0" || k == "func" || k == "metadata"
		})
		if len(names) == 0 {
			return ""
		}
		k := choose(m, names...)
		child, _ := properties[k].(object)
		at := v + "." + k
		below := ""
		if depth > 0 {
			below = m.rule(child, at, depth-1)
		}
		rules := []string{"has(" + at + ")", "!has(" + at + ")"}
		if below != "" {
			rules = append(rules, below, "!has("+at+") || "+below, "has("+at+") && "+below, "!has("+at+") || "+below, "has("+at+") ? "+below+" : true")
		}
		if other := choose(m, names...); other != k {
			rules = append(rules, "has("+at+") || has("+v+"."+other+")", "!(has("+at+") && has("+v+"."+other+"))")
		}
		if old {
			rules = append(rules, "V == oldSelf", at+" == oldSelf."+k, "!has(oldSelf."+k+") || has("+at+") && "+at+" == oldSelf."+k, "has(oldSelf."+k+") == has("+at+")")
		}
		return r.Replace(choose(m, rules...))
	}
	if s["x-kubernetes-int-or-string"] == true {
		rules := []string{"V == 1", "V > 0", "type(V) == int ? V > 0 : V == '50%'", "type(V) == string || V > N"}
		if old {
			rules = append(rules, "V == oldSelf")
		}
		return r.Replace(choose(m, rules...))
	}
	return ""
}
