package valuetest

import "github.com/prune-gen/prune-gen/internal/aimed"

// aims returns values at the edges of the keywords of a schema: at each bound, one beyond it, and of another type.
func (r Random) aims(s map[string]any) []any {
	all := aimed.At(s)
	if s["format"] != nil {
		all = append(all, pick(r, texts...), pick(r, numbers...))
	}
	if not, ok := s["not"].(map[string]any); ok {
		all = append(all, r.Near(not, 0))
	}
	return all
}
