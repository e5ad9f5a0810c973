// Package origin holds the text that a CRD was read from, and the limits of the run that reads it. Programs see a structural.Source.
package origin

import (
	"strings"
	"sync"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// text is the structural.Source of the CRDs that this module reads.
type text struct {
	node  *yamltext.Node // nil if a program has made the CRD
	meter *meter.Meter

	mu     sync.Mutex
	places *yamltext.Finder // in node
}

func (t *text) Locate(p prunert.Path) (line, column int) {
	if t.node == nil {
		return 0, 0
	}
	_, at, _ := t.find(p)
	return at.Line, at.Column
}

func (t *text) Value() any {
	if t.node == nil {
		return nil
	}
	return t.node.Value()
}

func (t *text) find(p prunert.Path) (found *yamltext.Node, at yamltext.Pos, whole bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.places == nil {
		t.places = yamltext.NewFinder(t.node)
	}
	return t.places.Find(p)
}

// of returns what c has, nil if a program has made it.
func of(c *structural.CRD) *text {
	t, _ := c.Source.(*text)
	return t
}

// SetNode says that c was read from n.
func SetNode(c *structural.CRD, n *yamltext.Node) { c.Source = &text{node: n} }

// SetMeter makes m bound what is done with c and with objects of its kind. With nil, every call has limits of its own.
func SetMeter(c *structural.CRD, m *meter.Meter) {
	if of(c) == nil {
		if c.Source != nil || m == nil {
			return // the source of another program
		}
		c.Source = &text{}
	}
	of(c).meter = m
}

// Meter returns what bounds the work on c, nil if every call has limits of its own.
func Meter(c *structural.CRD) *meter.Meter {
	if t := of(c); t != nil {
		return t.meter
	}
	return nil
}

// Limits returns the meter of c, or a new one.
func Limits(c *structural.CRD) *meter.Meter {
	if m := Meter(c); m != nil {
		return m
	}
	return meter.New(1)
}

// Find returns the node at p with its place, or the nearest one above it that exists: whole is false then. c was read from a text.
func Find(c *structural.CRD, p prunert.Path) (found *yamltext.Node, at yamltext.Pos, whole bool) {
	return of(c).find(p)
}

// Name returns what findings call the CRD n: metadata.name, or its group and kind.
func Name(n *yamltext.Node) string {
	if name := n.Child("metadata").Child("name").Str(); name != "" {
		return name
	}
	spec := n.Child("spec")
	return strings.Trim(spec.Child("group").Str()+"/"+spec.Child("names").Child("kind").Str(), "/")
}
