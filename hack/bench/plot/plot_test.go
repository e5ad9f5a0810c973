package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
)

func example() *Plot {
	tick := func(v float64) string { return fmt.Sprintf("%g", v) }
	return &Plot{
		Title: `<b>"&`, XLabel: "x", YLabel: "y", XTick: tick, YTick: tick,
		Series: []Series{
			{Name: "one", Lines: [][]XY{{{10, 100}, {1000, 20000}}}, Mean: []XY{{10, 100}, {1000, 20000}}},
			{Name: "two", Points: []XY{{30, 30}, {50, 3}}},
		},
	}
}

func TestSVGIsWellFormedAndNamesEverything(t *testing.T) {
	svg := example().SVG()
	var text strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if data, ok := token.(xml.CharData); ok {
			text.Write(data)
		}
	}
	for _, want := range []string{`<b>"&`, "one", "two", "100", "1000", "prefers-color-scheme: dark"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in the text of the picture", want)
		}
	}
}

func TestSVGIsTheSameEachTime(t *testing.T) {
	if !bytes.Equal(example().SVG(), example().SVG()) {
		t.Error("two pictures of the same plot differ")
	}
}

func TestPointsAreInsideTheFrame(t *testing.T) {
	x, y := example().axes()
	for _, c := range []struct{ at, low, high float64 }{
		{x.at(10), left, left + plotWidth}, {x.at(1000), left, left + plotWidth},
		{y.at(3), top, top + plotHeight}, {y.at(20000), top, top + plotHeight},
	} {
		if c.at <= c.low || c.at >= c.high {
			t.Errorf("%v is not between %v and %v", c.at, c.low, c.high)
		}
	}
	if y.at(3) < y.at(20000) {
		t.Error("larger values are not higher up")
	}
}

func TestPlotOfNothingDoesNotFail(t *testing.T) {
	p := example()
	p.Series = nil
	if svg := string(p.SVG()); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("no number:\n%s", svg)
	}
}

func TestEqualStepsOnTheAxisAreEqualFactors(t *testing.T) {
	x, _ := example().axes()
	if a, b := x.at(100)-x.at(10), x.at(1000)-x.at(100); math.Abs(a-b) > 1e-9 {
		t.Errorf("a factor of ten is %v wide, then %v", a, b)
	}
}
