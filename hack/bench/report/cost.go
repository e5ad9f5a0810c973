package report

import "fmt"

// Cost is what a cost comes to.
type Cost struct {
	Table Table
	// Headlines are lines to quote.
	Headlines []string
	// Points are what a plot of this cost shows, if there is one.
	Points []Point
}

// Point is one version of the corpus in a plot of source against schema.
type Point struct {
	Fields float64 // in different nodes
	Bytes  float64
}

// Headline adds a line about a goal.
func (c *Cost) Headline(met bool, format string, args ...any) {
	c.Headlines = append(c.Headlines, fmt.Sprintf(format, args...)+": "+Verdict(met))
}
