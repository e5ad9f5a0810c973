// Package origin holds what a CRD has besides its content: the text that it was read from, and the limits of the run that reads it. Other
// modules cannot see them: structural.CRD embeds an Origin, and only the packages of this module can call the functions here.
package origin

import (
	"strings"
	"sync"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Origin is where a CRD comes from.
type Origin struct {
	node  *yamltext.Node
	meter *meter.Meter

	mu     sync.Mutex
	places *Finder // in node
}

// origin is promoted to what embeds an Origin, and has no name outside of this package.
func (o *Origin) origin() *Origin { return o }

// Carrier is what embeds an Origin: a *structural.CRD.
type Carrier interface{ origin() *Origin }

// SetNode says that c was read from n.
func SetNode(c Carrier, n *yamltext.Node) { c.origin().node = n }

// Node returns the CRD as written, nil if it was not read from a text.
func Node(c Carrier) *yamltext.Node { return c.origin().node }

// SetMeter makes m bound what is done with c and with objects of its kind. With nil, every call has limits of its own.
func SetMeter(c Carrier, m *meter.Meter) { c.origin().meter = m }

// Meter returns what bounds the work on c, nil if every call has limits of its own.
func Meter(c Carrier) *meter.Meter { return c.origin().meter }

// Limits returns the meter of c, or a new one.
func Limits(c Carrier) *meter.Meter {
	if m := Meter(c); m != nil {
		return m
	}
	return meter.New(1)
}

// Find returns the node at p with its place, or the nearest one above it that exists: whole is false then. c was read from a text.
func Find(c Carrier, p prunert.Path) (found *yamltext.Node, at yamltext.Pos, whole bool) {
	o := c.origin()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.places == nil {
		o.places = NewFinder(o.node)
	}
	return o.places.Find(p)
}

// Name returns what findings call the CRD n: metadata.name, or its group and kind.
func Name(n *yamltext.Node) string {
	if name := n.Child("metadata").Child("name").Str(); name != "" {
		return name
	}
	spec := n.Child("spec")
	return strings.Trim(spec.Child("group").Str()+"/"+spec.Child("names").Child("kind").Str(), "/")
}
