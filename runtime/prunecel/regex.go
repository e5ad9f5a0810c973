package prunecel

import (
	"errors"
	"regexp"
)

// Matches reports whether re matches a part of s.
func Matches(re *regexp.Regexp, s string) bool { return re.MatchString(s) }

// MatchesText reports whether a regular expression matches a part of s.
func MatchesText(s, pattern string) (bool, error) { return regexp.MatchString(pattern, s) }

// Find returns the first match of re in s, "" if there is none.
func Find(re *regexp.Regexp, s string) string { return re.FindString(s) }

// FindText is Find with the text of a regular expression.
func FindText(s, pattern string) (string, error) {
	re, err := compileRegex(pattern)
	if err != nil {
		return "", err
	}
	return re.FindString(s), nil
}

// FindAll returns the first n matches of re in s, all if n is negative.
func FindAll(re *regexp.Regexp, s string, n int64) []any {
	matches := re.FindAllString(s, int(n))
	list := make([]any, len(matches))
	for i, match := range matches {
		list[i] = match
	}
	return list
}

// FindAllText is FindAll with the text of a regular expression.
func FindAllText(s, pattern string, n int64) ([]any, error) {
	re, err := compileRegex(pattern)
	if err != nil {
		return nil, err
	}
	return FindAll(re, s, n), nil
}

func compileRegex(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, errors.New("Illegal regex: " + err.Error())
	}
	return re, nil
}

// matchesCall is the boxed form of matches, which is an operator of strings.
func matchesCall(args []any) (any, error) {
	s, ok := args[0].(string)
	if !ok {
		return nil, noOperator(args[0], "matches")
	}
	pattern, ok := args[1].(string)
	if !ok {
		return nil, errNoSuchOverload
	}
	return boxed(MatchesText(s, pattern))
}

// regexFunctions are the functions of regular expressions. Go names those that take the text of one; for constant expressions
// compiled code calls Matches, Find and FindAll.
func regexFunctions() []Function {
	rows := []Function{
		operator("matches", "matches", "string string", "MatchesText", matchesCall),
		operator("matches", "matches_string", "string string", "MatchesText", matchesCall),
		{Name: "find", Overload: "string_find_string", Signature: "string.find(string) string", Since: "1.0", Go: "FindText",
			Call: call2e(FindText), Cost: costRegex, DynCost: costRegex},
		{Name: "findAll", Overload: "string_find_all_string", Signature: "string.findAll(string) list(string)", Since: "1.0",
			Call: call2e(func(s, pattern string) ([]any, error) { return FindAllText(s, pattern, -1) }), Cost: costRegex, DynCost: costRegex},
		{Name: "findAll", Overload: "string_find_all_string_int", Signature: "string.findAll(string, int) list(string)", Since: "1.0",
			Go: "FindAllText", Call: call3e(FindAllText), Cost: costRegex, DynCost: costRegex},
	}
	rows[0].Cost, rows[1].Cost = core(costRegex), core(costRegex)
	return rows
}
