package target

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMarkers(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  Markers
		err   string
	}{
		{name: "no package"},
		{name: "none", files: map[string]string{"doc.go": "// Package v1 has no group.\npackage v1\n"}},
		{name: "kubebuilder's", want: Markers{Group: "apps.example.com"}, files: map[string]string{
			"groupversion_info.go": "// Package v1 is an API.\n// +kubebuilder:object:generate=true\n// +groupName=apps.example.com\npackage v1\n",
			"thing_types.go":       "package v1\n\n// +kubebuilder:object:root=true\ntype Thing struct{}\n"}},
		{name: "the old way to write it", files: map[string]string{"doc.go": "//+groupName=a.b\npackage v1\n"}, want: Markers{Group: "a.b"}},
		{name: "quoted", files: map[string]string{"doc.go": "// +groupName=\"a.b\"\npackage v1\n"}, want: Markers{Group: "a.b"}},
		{name: "after the package clause", files: map[string]string{"doc.go": "package v1\n\n// +groupName=a.b\n\nvar x int\n"}, want: Markers{Group: "a.b"}},
		{name: "in a file that does not parse", files: map[string]string{"doc.go": "// +groupName=a.b\npackage v1\n\nfunc {'\n"}, want: Markers{Group: "a.b"}},
		{name: "with a version", files: map[string]string{"doc.go": "// +groupName=a.b\n// +versionName=v1\npackage api\n"}, want: Markers{Group: "a.b", Version: "v1"}},
		{name: "the same twice", files: map[string]string{"a.go": "// +groupName=a.b\npackage v1\n", "b.go": "// +groupName=a.b\npackage v1\n"}, want: Markers{Group: "a.b"}},
		{name: "two", files: map[string]string{"a.go": "// +groupName=a.b\npackage v1\n", "b.go": "// +groupName=c.d\npackage v1\n"},
			err: "DIR/a.go has +groupName=a.b, and DIR/b.go has +groupName=c.d"},
		{name: "two versions, in the second and the third file", files: map[string]string{
			"a.go": "// +groupName=a.b\npackage v1\n", "b.go": "// +versionName=v1\npackage v1\n", "c.go": "// +groupName=a.b\n// +versionName=v2\npackage v1\n"},
			err: "DIR/b.go has +versionName=v1, and DIR/c.go has +versionName=v2"},
		{name: "two in one file", files: map[string]string{"a.go": "// +groupName=a.b\n// +groupName=c.d\npackage v1\n"},
			err: "DIR/a.go has +groupName=a.b, and DIR/a.go has +groupName=c.d"},
		{name: "empty after another", files: map[string]string{"a.go": "// +groupName=a.b\n// +groupName=\npackage v1\n"}, want: Markers{Group: "a.b"}},
		{name: "a group in one file, a version in another", files: map[string]string{"a.go": "// +versionName=v2\npackage v1\n", "b.go": "// +groupName=a.b\npackage v1\n"},
			want: Markers{Group: "a.b", Version: "v2"}},
		{name: "with an equals sign", files: map[string]string{"doc.go": "//   +groupName=a=b  \npackage v1\n"}, want: Markers{Group: "a=b"}},
		{name: "with a quote", files: map[string]string{"doc.go": "// +groupName=\"a.b\npackage v1\n"}, want: Markers{Group: "\"a.b"}},
		{name: "in back quotes", files: map[string]string{"doc.go": "// +groupName=`a.b`\npackage v1\n"}, want: Markers{Group: "a.b"}},
		{name: "without a value", files: map[string]string{"doc.go": "// +groupName\npackage v1\n"}},
		{name: "in a longer name", files: map[string]string{"doc.go": "// +groupNames=a.b\n// +kubebuilder:groupName=a.b\npackage v1\n"}},
		{name: "in a comment of the other form", files: map[string]string{"doc.go": "/* +groupName=a.b */\npackage v1\n"}},
		{name: "empty", files: map[string]string{"doc.go": "// +groupName=\npackage v1\n"}},
		{name: "in a sentence", files: map[string]string{"doc.go": "// Write +groupName=a.b here.\npackage v1\n"}},
		{name: "in a string", files: map[string]string{"doc.go": "package v1\n\nconst x = `\n// +groupName=a.b\n`\n"}},
		{name: "in a test", files: map[string]string{"doc.go": "package v1\n", "a_test.go": "// +groupName=a.b\npackage v1\n"}},
		{name: "in a file that is not built", files: map[string]string{"doc.go": "package v1\n", "a.go": "//go:build never\n\n// +groupName=a.b\npackage v1\n"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range test.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			p, err := Find(dir, nil, func(string) bool { return false })
			if err != nil {
				t.Fatal(err)
			}
			have, err := p.Markers()
			if test.err == "" && (err != nil || have != test.want) {
				t.Errorf("%+v, %v, want %+v", have, err, test.want)
			}
			if test.err != "" && (err == nil || filepath.ToSlash(strings.ReplaceAll(err.Error(), dir, "DIR")) != test.err) {
				t.Errorf("%v, want %s", err, test.err)
			}
		})
	}
}

func TestPackagesAreNamedAfterVersions(t *testing.T) {
	for name, want := range map[string]bool{
		"v1": true, "v10": true, "v1alpha1": true, "v1alpha10": true, "v20beta30": true,
		"v": false, "1": false, "v1alpha": false, "v1gamma1": false, "v1beta1x": false, "xv1": false, "v1alpha1beta1": false, "": false,
	} {
		if have := IsVersionName(name); have != want {
			t.Errorf("%q: %t", name, have)
		}
	}
}

func TestMarkersOfAFileThatIsGone(t *testing.T) {
	dir := write(t, map[string]string{"a.go": "// +groupName=a.b\npackage v1\n", "b.go": "package v1\n"})
	p, err := Find(dir, nil, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "b.go")); err != nil {
		t.Fatal(err)
	}
	if have, err := p.Markers(); !errors.Is(err, fs.ErrNotExist) || have != (Markers{}) {
		t.Errorf("%+v, %v", have, err)
	}
}
