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

// ruleTexts are rules about a value $v, by its type or format. $n is a number, $t a text, $op a comparison and $k a field.
var ruleTexts = map[string][]string{
	"string": {"$v $op $t", "size($v) $op $n", "$v != 'x'", "$v.startsWith('a')", "$v.matches('^a')", "duration($v) > duration('1s')", "int($v) $op $n", "url($v).getScheme() == 'https'", "$v.split('/')[1] != ''", "$v.substring(1) != 'x'",
		"$v.split('/').size() $op $n", "$v in ['a', 'b', '']", "$v.contains('a')", "quantity($v).isGreaterThan(quantity('1'))", "isURL($v)", "$v == $v",
		"$v == oldSelf", "$v != oldSelf", "oldSelf $op $t", "!oldSelf.hasValue() || $v == oldSelf.value()"},
	"date":      {"$v > timestamp('2020-01-01T00:00:00Z')", "$v == $v", "$v == oldSelf"},
	"date-time": {"$v > timestamp('2020-01-01T00:00:00Z')", "$v == $v", "$v == oldSelf"},
	"duration":  {"$v > duration('1s')", "$v == $v", "$v == oldSelf"},
	"byte":      {"size($v) $op $n", "$v == oldSelf"},
	"integer":   {"$v $op $n", "$v + 1 $op $n", "$v / $n > 0", "$v % 2 == 0", "$v >= 0 && $v < 10", "-$v $op $n", "$v * 2 > $n", "$v >= oldSelf", "$v == oldSelf", "oldSelf $op $n", "$v > oldSelf"},
	"number":    {"$v $op $n.5", "$v > 0.0", "double($v) < 2.0"},
	"boolean":   {"$v", "!$v", "$v == true"},
	"array":     {"size($v) $op $n", "$v.size() < 3", "$v == oldSelf", "oldSelf.all(x, x in $v)", "$v[0] == oldSelf[0]", "size($v) >= size(oldSelf)"},
	"elements":  {"$v[0] == $v[0]", "$v.all(x, x == x)", "$v.exists(x, x == $v[0])", "$v.exists_one(x, x == x)"},
	"integers":  {"$v.max() $op $n", "$v.sum() $op $n"},
	"map":       {"size($v) $op $n", "'a' in $v", "$v.all(k, size(k) < 3)", "$v == oldSelf", "oldSelf.all(k, k in $v)"},
	"field":     {"has($v.$k)", "!has($v.$k)", "$v == oldSelf", "$v.$k == oldSelf.$k", "!has(oldSelf.$k) || has($v.$k) && $v.$k == oldSelf.$k", "has(oldSelf.$k) == has($v.$k)"},
	"any":       {"$v == 1", "$v > 0", "type($v) == int ? $v > 0 : $v == '50%'", "type($v) == string || $v > $n", "$v == oldSelf"},
}

// rule returns a rule about a value, "" if there is none.
func (m *mutator) rule(s object, v string, depth int) string {
	kind, field := fmt.Sprint(s["type"]), ""
	if format := fmt.Sprint(s["format"]); kind == "string" && ruleTexts[format] != nil {
		kind = format
	}
	var rules []string
	add := func(below object, at string, forms ...string) { // rules about what is below
		if text := m.rule(below, at, depth-1); depth > 0 && text != "" {
			for _, form := range forms {
				rules = append(rules, strings.ReplaceAll(form, "$below", text))
			}
		}
	}
	items, _ := s["items"].(object)
	values, isMap := s["additionalProperties"].(object)
	switch {
	case kind == "array":
		if t := items["type"]; t == "string" || t == "integer" {
			rules = append(rules, ruleTexts["elements"]...)
			rules = append(rules, ruleTexts[fmt.Sprint(t, "s")]...)
		}
		add(items, "x", "$v.all(x, $below)", "$v.exists(x, $below)", "$v.filter(x, $below).size() < 2", "$v.all(x, $below)")
	case kind == "object" && isMap:
		kind = "map"
		add(values, v+"['a']", "$below", "!('a' in $v) || $below")
	case kind == "object":
		kind = "field"
		properties, _ := s["properties"].(object)
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(properties)), func(k string) bool {
			return strings.Trim(k, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" || k == "" || k == "0" || k == "func" || k == "metadata"
		})
		if len(names) == 0 {
			return ""
		}
		field = choose(m, names...)
		child, _ := properties[field].(object)
		add(child, v+"."+field, "$below", "!has($v.$k) || $below", "has($v.$k) && $below", "!has($v.$k) || $below", "has($v.$k) ? $below : true")
		if other := choose(m, names...); other != field {
			rules = append(rules, "has($v.$k) || has($v."+other+")", "!(has($v.$k) && has($v."+other+"))")
		}
	case s["x-kubernetes-int-or-string"] == true:
		kind = "any"
	}
	rules = slices.DeleteFunc(slices.Concat(rules, ruleTexts[kind]), func(rule string) bool { return v != "self" && strings.Contains(rule, "oldSelf") })
	if len(rules) == 0 {
		return ""
	}
	return strings.NewReplacer("$v", v, "$k", field, "$n", fmt.Sprint(m.IntN(3)), "$t", choose(m, "'a'", "'ab'", "''", "'x'"), "$op", choose(m, ">", "<", ">=", "<=", "==", "!=")).
		Replace(choose(m, rules...))
}
