package prunecel

import (
	"errors"
	"regexp"
)

// findText returns the first match of a pattern in s, "" if there is none.
func findText(s, pattern string) (string, error) {
	re, err := compileRegex(pattern)
	if err != nil {
		return "", err
	}
	return re.FindString(s), nil
}

// findAll returns the first n matches of re in s, all if n is negative.
func findAll(re *regexp.Regexp, s string, n int64) []any {
	return boxedTexts(re.FindAllString(s, int(n)))
}

// findAllText is findAll with the text of a regular expression.
func findAllText(s, pattern string, n int64) ([]any, error) {
	re, err := compileRegex(pattern)
	if err != nil {
		return nil, err
	}
	return findAll(re, s, n), nil
}

// boxedTexts returns texts as a list.
func boxedTexts(texts []string) []any {
	list := newList(len(texts))
	for _, text := range texts {
		list = append(list, text)
	}
	return list
}

func compileRegex(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, errors.New("Illegal regex: " + err.Error())
	}
	return re, nil
}

// matchesCall is matches, which is an operator of strings.
func matchesCall(args []any) (any, error) {
	s, ok := args[0].(string)
	if !ok {
		return nil, noOperator(args[0], "matches")
	}
	pattern, ok := args[1].(string)
	if !ok {
		return nil, errNoSuchOverload
	}
	return boxed(regexp.MatchString(pattern, s))
}

// regexFunctions are the functions of regular expressions whose patterns are not constant.
func regexFunctions() []Function {
	return []Function{
		operator("matches", "matches", matchesCall, core(costRegex), nil),
		operator("matches", "matches_string", matchesCall, core(costRegex), nil),
		kubernetes("string.find(string) string", "string_find_string", call2e(findText), costRegex),
		kubernetes("string.findAll(string) list(string)", "string_find_all_string",
			call2e(func(s, pattern string) ([]any, error) { return findAllText(s, pattern, -1) }), costRegex),
		kubernetes("string.findAll(string, int) list(string)", "string_find_all_string_int", call3e(findAllText), costRegex),
	}
}
