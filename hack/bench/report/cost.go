package report

import "fmt"

// Cost is what a cost comes to.
type Cost struct {
	Table Table
	// Headlines are lines to quote.
	Headlines []string
	// Bars are the figure of this cost, if it has one. File is its file, and Axis the name of its axis.
	Bars       []Bar
	File, Axis string
	// Summary puts the table on the page itself, not into its appendix.
	Summary bool
}

// Headline adds a line to quote.
func (c *Cost) Headline(format string, args ...any) {
	c.Headlines = append(c.Headlines, fmt.Sprintf(format, args...))
}
