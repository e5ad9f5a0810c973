package generation

import (
	"bytes"
	"os"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/generator"
)

// go generate first lists the files of all packages, then reads one after the other. It fails if a listed file is gone, and
// generates no later package. So under go generate, files that are no longer wanted are emptied, not removed. The build
// constraint keeps them out of the next list. No run removes them: what one run leaves and people commit, the next run must not
// change.
const emptiedText = generator.GeneratedBy + `

//go:build ignore

// Nothing is generated into this file any more: delete it. It was emptied because go generate fails if a file goes away while
// it runs.

package `

// emptiedFile returns a file of a package with nothing in it.
func emptiedFile(name, pkg string) generator.File {
	return generator.File{Name: name, Content: []byte(emptiedText + pkg + "\n")}
}

// isEmptied reports whether a file was emptied.
func isEmptied(text []byte) bool {
	return bytes.HasPrefix(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte(emptiedText))
}

// underGoGenerate reports whether go generate runs this program.
func underGoGenerate() bool { return os.Getenv("GOFILE") != "" && os.Getenv("GOLINE") != "" }

// emptied returns the files of a package that are wanted with nothing in them: those that were emptied before, and, because go
// generate is about to read them, those that were generated before and are no longer wanted.
func (s *Session) emptied(pkg string, have map[string]*output.Existing, made []generator.File) []generator.File {
	if s.keepStale {
		return nil
	}
	wanted := map[string]bool{}
	for _, f := range made {
		wanted[f.Name] = true
	}
	var files []generator.File
	for name, h := range have {
		if !h.Generated() || wanted[name] {
			continue
		}
		switch {
		case isEmptied(h.Data):
			files = append(files, generator.File{Name: name, Content: bytes.ReplaceAll(h.Data, []byte("\r\n"), []byte("\n"))})
		case s.purpose == ToWrite && underGoGenerate():
			files = append(files, emptiedFile(name, pkg))
		}
	}
	return files
}
