package target

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/prune-gen/prune-gen/internal/base/gosource"
)

// Type returns the type that a package declares, as packages in dir see it, and the import path of the package if it is the one in dir. Nothing is
// downloaded. The package in dir need not compile: what it lacks may be what is to be generated.
func Type(ctx context.Context, dir string, tags []string, path, name string) (t types.Type, own string, err error) {
	config := loading(ctx, dir, tags)
	config.Mode |= packages.NeedFiles
	loaded, err := packages.Load(config, path)
	if err != nil {
		return nil, "", firstLine(err.Error())
	}
	if len(loaded) != 1 {
		return nil, "", fmt.Errorf("%s is not one package", path)
	}
	p := loaded[0]
	if same(p.Dir, dir) {
		own = p.PkgPath
		config.Mode |= packages.NeedSyntax | packages.NeedTypesInfo // from source
		if loaded, err = packages.Load(config, path); err != nil {
			return nil, "", firstLine(err.Error())
		}
		p = loaded[0]
	}
	if p.Types != nil {
		if obj, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok {
			return types.Unalias(obj.Type()), own, nil
		}
	}
	if len(p.Errors) > 0 {
		return nil, "", firstLine(p.Errors[0].Msg)
	}
	return nil, "", fmt.Errorf("package %s has no type %s", p.PkgPath, name)
}

// Sources returns the packages of the module in dir that patterns match, with their sources and types. They must compile. Nothing is downloaded.
func Sources(ctx context.Context, dir string, tags, patterns []string) (own []*packages.Package, err error) {
	config := loading(ctx, dir, tags)
	config.Mode |= packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, firstLine(err.Error())
	}
	for _, p := range loaded {
		if i := slices.IndexFunc(p.Errors, func(e packages.Error) bool { return strings.Contains(e.Pos, ":") }); i >= 0 {
			return nil, fmt.Errorf("%s: %w", p.Errors[i].Pos, firstLine(p.Errors[i].Msg))
		} else if len(p.Errors) > 0 {
			return nil, firstLine(p.Errors[0].Msg)
		}
		if p.Module != nil && p.Module.Main {
			own = append(own, p)
		}
	}
	return own, nil
}

// Fits compiles the package in dir with a file that will be in it. It returns the first error in the file.
func Fits(ctx context.Context, dir string, tags []string, file gosource.File) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, file.Name)
	config := loading(ctx, dir, tags)
	config.Mode |= packages.NeedSyntax | packages.NeedTypesInfo
	config.Overlay = map[string][]byte{path: file.Content}
	loaded, err := packages.Load(config, dir)
	if err != nil {
		return firstLine(err.Error())
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			if strings.HasPrefix(e.Pos, path+":") || e.Pos == "" && !strings.HasPrefix(e.Msg, "# ") { // the compiler's output, in its own words
				return fmt.Errorf("the generated code does not compile in the package: %w", firstLine(e.Msg))
			}
		}
	}
	return nil
}

// loading returns the configuration that loads types, from export data.
func loading(ctx context.Context, dir string, tags []string) *packages.Config {
	config := &packages.Config{
		Context: ctx, Dir: nearest(dir, isDir), Env: offline(os.Environ()), Fset: token.NewFileSet(),
		Mode: packages.NeedName | packages.NeedImports | packages.NeedTypes,
	}
	if len(tags) > 0 {
		config.BuildFlags = []string{"-tags=" + strings.Join(tags, ",")}
	}
	return config
}

func same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}
