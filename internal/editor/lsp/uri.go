package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// Path returns the path of a file, "" for a text that is not in a file.
func (u URI) Path() string {
	parsed, err := url.Parse(string(u))
	if err != nil || parsed.Scheme != "file" || runtime.GOOS != "windows" && parsed.Host != "" && parsed.Host != "localhost" {
		return ""
	}
	path := parsed.Path
	if runtime.GOOS == "windows" {
		if path = strings.TrimPrefix(path, "/"); parsed.Host != "" {
			path = "//" + parsed.Host + "/" + path
		}
	}
	return filepath.FromSlash(path)
}

// FileURI returns the URI of a file.
func FileURI(path string) URI {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // it begins with a drive
		path = "/" + path
	}
	return URI((&url.URL{Scheme: "file", Path: path}).String())
}
