package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM writes what the go command says in a program about its modules. Nothing in it depends on the time or the machine.
func writeSBOM(program, file string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	main := module(info.Main.Path, info.Main.Version)
	main.Type = cyclonedx.ComponentTypeApplication
	goLibrary := module("std", strings.TrimPrefix(info.GoVersion, "go"))
	components, refs := []cyclonedx.Component{goLibrary}, []string{goLibrary.BOMRef}
	for _, d := range info.Deps {
		if d.Replace != nil {
			if d.Replace.Path != d.Path {
				return fmt.Errorf("%s is replaced by %s", d.Path, d.Replace.Path)
			}
			d = d.Replace // which has another version
		}
		c := module(d.Path, d.Version)
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(d.Sum, "h1:"))
		if err != nil || len(sum) == 0 {
			return fmt.Errorf("%s has the checksum %q", d.Path, d.Sum)
		}
		c.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
		components, refs = append(components, c), append(refs, c.BOMRef)
	}
	var settings []cyclonedx.Property
	for _, s := range info.Settings {
		settings = append(settings, cyclonedx.Property{Name: "cdx:gomod:build:setting:" + s.Key, Value: s.Value})
	}
	main.Properties = &settings
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := cyclonedx.NewBOMEncoder(f, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return err
	}
	return f.Close()
}

// module returns a module as a part of a program.
func module(path, version string) cyclonedx.Component {
	url := "pkg:golang/" + path + "@" + version
	return cyclonedx.Component{BOMRef: url, Type: cyclonedx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: url}
}
