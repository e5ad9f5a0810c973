package prunecel

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
)

// URL is a URL, or an absolute path.
type URL struct{ *url.URL }

// ParseURL is url(string).
func ParseURL(s string) (URL, error) {
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

// IsURL reports whether s is a URL or an absolute path.
func IsURL(s string) bool {
	_, err := url.ParseRequestURI(s)
	return err == nil
}

// URLScheme is getScheme.
func URLScheme(u URL) string { return u.Scheme }

// URLHost is getHost: the host with its port, an IPv6 address in brackets.
func URLHost(u URL) string { return u.Host }

// URLHostname is getHostname: the host without port and brackets.
func URLHostname(u URL) string { return u.Hostname() }

// URLPort is getPort.
func URLPort(u URL) string { return u.Port() }

// URLEscapedPath is getEscapedPath.
func URLEscapedPath(u URL) string { return u.EscapedPath() }

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
	row := kubernetes
	return []Function{
		row("url(string) kubernetes.URL", "string_to_url", "ParseURL", call1e(ParseURL), costTraversal).estimated(EstimateCopy),
		row("kubernetes.URL.getScheme() string", "url_get_scheme", "URLScheme", call1(URLScheme)),
		row("kubernetes.URL.getHost() string", "url_get_host", "URLHost", call1(URLHost)),
		row("kubernetes.URL.getHostname() string", "url_get_hostname", "URLHostname", call1(URLHostname)),
		row("kubernetes.URL.getPort() string", "url_get_port", "URLPort", call1(URLPort)),
		row("kubernetes.URL.getEscapedPath() string", "url_get_escaped_path", "URLEscapedPath", call1(URLEscapedPath)),
		row("kubernetes.URL.getQuery() map(string, list(string))", "url_get_query", "", call1(urlQuery)),
		row("isURL(string) bool", "is_url_string", "IsURL", call1(IsURL)),
	}
}
