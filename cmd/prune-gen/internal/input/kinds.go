package input

import (
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Kind is a kind that CRDs in a file define.
type Kind struct {
	load.Kind
	// Read reads these CRDs.
	Read func() *Source
}

// later returns a file whose CRDs are not read, nil if it has to be read to know what is in it.
func (f file) later(m *meter.Meter) *Source {
	if f.name == stdinArg {
		return nil
	}
	r, info, err := f.open()
	if err != nil {
		return nil
	}
	defer r.Close()
	if !info.Mode().IsRegular() {
		return nil
	}
	data, err := yamltext.Read(m, r)
	if err != nil {
		return nil
	}
	found, ok := load.Kinds(data)
	if !ok || len(found) == 0 {
		return nil
	}
	src := &Source{File: &load.File{Name: f.name}}
	for _, kind := range found {
		src.Later = append(src.Later, Kind{kind, func() *Source {
			one := &Source{listed: f.listed, text: func() []byte { return data }}
			one.take(load.Text(m, f.name, data, kind), m)
			return one
		}})
	}
	return src
}
