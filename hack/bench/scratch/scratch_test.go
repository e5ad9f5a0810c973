package scratch

import (
	"os"
	"strings"
	"testing"
)

func TestModulesCompileOutsideOfTheRepository(t *testing.T) {
	for name, create := range map[string]func() (*Module, error){
		"like a user's":    func() (*Module, error) { return New(t.Context()) },
		"like this module": func() (*Module, error) { return NewLikeBench(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			m, err := create()
			if err != nil {
				t.Fatal(err)
			}
			defer m.Remove()
			program := "package main\n\nimport prunert \"github.com/prune-gen/prune-gen/runtime\"\n\nfunc main() { print(len(prunert.Registered())) }\n"
			if err := m.Write("main.go", []byte(program)); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Go(t.Context(), "vet", "."); err != nil {
				t.Error(err)
			}
			m.Remove()
			if _, err := os.Stat(m.Dir); !os.IsNotExist(err) {
				t.Errorf("%s is still there", m.Dir)
			}
		})
	}
}

func TestAFailingCommandSaysWhatItPrinted(t *testing.T) {
	m, err := New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Remove()
	if err := m.Write("main.go", []byte("package main\n\nfunc main() { undefined() }\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Go(t.Context(), "vet", "."); err == nil || !strings.Contains(err.Error(), "undefined: undefined") {
		t.Errorf("got %v", err)
	}
}
