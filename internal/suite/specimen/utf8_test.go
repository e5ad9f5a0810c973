package specimen_test

import (
	"testing"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// Decoders replace what is not UTF-8, so no two of them could agree about it.
func TestTextsAreUTF8(t *testing.T) {
	s := structuraltest.NewSchema(t, `{type: object, properties: {
  pattern: {type: string, pattern: "é|%s'", maxLength: 2},
  length: {type: string, minLength: 1, maxLength: 3, pattern: '^é*$'},
  free: {type: string, maxLength: 3},
  enum: {type: string, enum: [é, 日本]},
  map: {type: object, additionalProperties: {type: string, pattern: '.{3}'}},
  é: {type: string}}}`)
	violations := specimen.NewViolations(s)
	for seed := range uint64(2000) {
		aim := &specimen.Aim{Fields: map[string]bool{"pattern": true, "free": true}, Texts: []string{"é"}, Patterns: []string{"é+"}, Integers: []int64{3, 7}, Long: seed%2 == 0}
		for name, v := range map[string]any{
			"made":     specimentest.Make(s, seed, specimentest.Mixed(seed)),
			"violated": violations.Make(int(seed)%violations.Keywords(), seed),
			"aimed at": specimen.Value(s, seed, aim),
			"changed":  specimentest.Change{Seed: seed, OneIn: 2, Types: true, Aim: aim}.Of(specimen.Make(s, seed, specimen.Options{})),
		} {
			if text, ok := notUTF8(v); ok {
				t.Fatalf("seed %d, %s: %q in %q", seed, name, text, v)
			}
		}
	}
}

// notUTF8 returns a text in v that is not UTF-8.
func notUTF8(v any) (string, bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if text, ok := notUTF8(k); ok {
				return text, true
			}
			if text, ok := notUTF8(e); ok {
				return text, true
			}
		}
	case []any:
		for _, e := range v {
			if text, ok := notUTF8(e); ok {
				return text, true
			}
		}
	case string:
		return v, !utf8.ValidString(v)
	}
	return "", false
}
