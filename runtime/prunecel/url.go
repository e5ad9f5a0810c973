package prunecel

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
)

// URL is a URL, or an absolute path.
type URL struct{ *url.URL }

// parseURL is url(string).
func parseURL(s string) (URL, error) {
	// The first call refuses relative references, the second one knows about fragments.
	_, err := url.ParseRequestURI(s)
	if err != nil {
		return URL{}, fmt.Errorf("URL parse error during conversion from string: %w", err)
	}
	u, err := url.Parse(s)
	if err != nil {
		return URL{}, fmt.Errorf("URL parse error during conversion from string: %w", err)
	}
	return URL{u}, nil
}

// isURL reports whether s is a URL or an absolute path.
func isURL(s string) bool {
	_, err := url.ParseRequestURI(s)
	return err == nil
}

// urlQuery is getQuery: the values of each parameter.
func urlQuery(u URL) *Map {
	query := u.Query()
	m := newMap()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		m.set(name, boxedTexts(query[name]))
	}
	return m
}

func urlFunctions() []Function {
	return []Function{
		kubernetes("url(string) kubernetes.URL", "string_to_url", call1e(parseURL), costTraversal).compiled("URL").estimated(EstimateCopy),
		kubernetes("kubernetes.URL.getScheme() string", "url_get_scheme", call1(func(u URL) string { return u.Scheme })).compiled(".Scheme"),
		kubernetes("kubernetes.URL.getHost() string", "url_get_host", call1(func(u URL) string { return u.Host })).compiled(".Host"),
		kubernetes("kubernetes.URL.getHostname() string", "url_get_hostname", call1(URL.Hostname)).compiled(".Hostname()"),
		kubernetes("kubernetes.URL.getPort() string", "url_get_port", call1(URL.Port)).compiled(".Port()"),
		kubernetes("kubernetes.URL.getEscapedPath() string", "url_get_escaped_path", call1(URL.EscapedPath)).compiled(".EscapedPath()"),
		kubernetes("kubernetes.URL.getQuery() map(string, list(string))", "url_get_query", call1(urlQuery)),
		kubernetes("isURL(string) bool", "is_url_string", call1(isURL)).compiled("IsURL"),
	}
}
