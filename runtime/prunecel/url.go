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

// URLQuery is getQuery: the values of each parameter.
func URLQuery(u URL) *Map {
	query := u.Query()
	m := NewMap()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		values := make([]any, len(query[name]))
		for i, value := range query[name] {
			values[i] = value
		}
		m.set(name, values)
	}
	return m
}

func urlFunctions() []Function {
	return []Function{
		{Name: "url", Overload: "string_to_url", Signature: "url(string) kubernetes.URL", Since: "1.0", Go: "ParseURL",
			Call: call1e(ParseURL), Cost: costTraversal, DynCost: costTraversal},
		{Name: "getScheme", Overload: "url_get_scheme", Signature: "kubernetes.URL.getScheme() string", Since: "1.0", Go: "URLScheme",
			Call: call1(URLScheme)},
		{Name: "getHost", Overload: "url_get_host", Signature: "kubernetes.URL.getHost() string", Since: "1.0", Go: "URLHost",
			Call: call1(URLHost)},
		{Name: "getHostname", Overload: "url_get_hostname", Signature: "kubernetes.URL.getHostname() string", Since: "1.0", Go: "URLHostname",
			Call: call1(URLHostname)},
		{Name: "getPort", Overload: "url_get_port", Signature: "kubernetes.URL.getPort() string", Since: "1.0", Go: "URLPort",
			Call: call1(URLPort)},
		{Name: "getEscapedPath", Overload: "url_get_escaped_path", Signature: "kubernetes.URL.getEscapedPath() string", Since: "1.0",
			Go: "URLEscapedPath", Call: call1(URLEscapedPath)},
		{Name: "getQuery", Overload: "url_get_query", Signature: "kubernetes.URL.getQuery() map(string, list(string))", Since: "1.0",
			Go: "URLQuery", Call: call1(URLQuery)},
		{Name: "isURL", Overload: "is_url_string", Signature: "isURL(string) bool", Since: "1.0", Go: "IsURL", Call: call1(IsURL)},
	}
}
