package target

import (
	"strings"
	"testing"
)

func TestConstraintsMayHaveTwelveTags(t *testing.T) {
	all := strings.Split("a b c d e f g h i j k l m", " ")
	for n, ok := range map[int]bool{1: true, maxTags: true, maxTags + 1: false} {
		c, err := ParseConstraint(strings.Join(all[:n], " && "))
		if (err == nil) != ok || ok && len(c.Tags) != n {
			t.Errorf("%d tags: %q, %v", n, c.Tags, err)
		}
	}
}
