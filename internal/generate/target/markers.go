package target

import (
	"fmt"
	"go/scanner"
	"go/token"
	"iter"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Markers are the comments in which controller-gen reads the group and the version of a package:
//
//	// +groupName=apps.example.com
//	// +versionName=v1
type Markers struct {
	Group   string // "" for none
	Version string // "" for none
}

// versionName matches the names that nearly all versions have.
var versionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// IsVersionName reports whether a package with that name is for the version of that name.
func IsVersionName(name string) bool { return versionName.MatchString(name) }

// Markers returns the markers in the files of the package, without those of its tests. Two that contradict each other
// are an error.
func (p *Package) Markers() (Markers, error) {
	var m Markers
	fields := []struct {
		name  string
		value *string
		file  string
	}{{name: "groupName", value: &m.Group}, {name: "versionName", value: &m.Version}}
	for _, file := range p.files {
		text, err := os.ReadFile(p.path(file))
		if err != nil {
			return Markers{}, err
		}
		for name, value := range markers(text) {
			for i := range fields {
				f := &fields[i]
				switch {
				case f.name != name || value == "" || *f.value == value:
				case *f.value != "":
					return Markers{}, fmt.Errorf("%s has +%s=%s, and %s has +%s=%s", p.path(f.file), name, *f.value, p.path(file), name, value)
				default:
					*f.value, f.file = value, file
				}
			}
		}
	}
	return m, nil
}

// markers yields the names and values of the markers in a Go file, which need not parse.
func markers(text []byte) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		file := token.NewFileSet().AddFile("", -1, len(text))
		var s scanner.Scanner
		s.Init(file, text, func(token.Position, string) {}, scanner.ScanComments)
		for {
			_, tok, lit := s.Scan()
			if tok == token.EOF {
				return
			}
			line, ok := strings.CutPrefix(lit, "//")
			if tok != token.COMMENT || !ok {
				continue
			}
			marker, ok := strings.CutPrefix(strings.TrimSpace(line), "+")
			if !ok {
				continue
			}
			name, value, ok := strings.Cut(marker, "=")
			if !ok {
				continue
			}
			if unquoted, err := strconv.Unquote(value); err == nil {
				value = unquoted
			}
			if !yield(name, value) {
				return
			}
		}
	}
}
