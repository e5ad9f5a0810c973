package generator

import (
	"errors"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/gosource"
)

func TestCodeThatDoesNotParseIsListed(t *testing.T) {
	f := newFile(Options{Package: "v1"}, "")
	f.Func().Id("not an identifier").Params().Block()
	_, err := new(renderer).render(f, "x.go")
	var e *gosource.Error
	if !errors.As(err, &e) || e.File != "x.go" || e.Line == 0 || !strings.Contains(e.Listing(), "not an identifier") {
		t.Errorf("%v", err)
	}
}

func TestHeaderStandsAboveThePackage(t *testing.T) {
	for _, test := range []struct {
		opts Options
		want string
	}{
		{Options{}, ""},
		{Options{Header: "// Mine.\n"}, "\n// Mine.\n"},
		{Options{Header: "\n/*\nMine.\n*/\n"}, "\n/*\nMine.\n*/\n"},
		{Options{Header: "// Mine.\n//\n// All mine."}, "\n// Mine.\n//\n// All mine.\n"},
	} {
		test.opts.Package = "v1"
		file, err := new(renderer).render(newFile(test.opts, ""), "x.go")
		if err != nil {
			t.Fatal(err)
		}
		if want := GeneratedBy + "\n" + test.want + "\npackage v1\n"; string(file.Content) != want {
			t.Errorf("%+v\n%s\nwant\n%s", test.opts, file.Content, want)
		}
	}
}
