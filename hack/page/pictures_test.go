package page

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"slices"
	"strings"
	"testing"
)

// maxPicture is how many bytes a picture of the documentation may have.
const maxPicture = 150_000

// The pictures of README are those of the real pages: make pictures writes them.
func TestPictures(t *testing.T) {
	chromium(t)
	page := open(t, write(t, crontabs))
	page.paste(read(t, sample))
	page.run(`document.activeElement.blur()`) // and with it the hint about keys
	for _, theme := range []string{"light", "dark"} {
		picture := fewColours(t, page.screenshot(theme, 1200, 760))
		if len(picture) > maxPicture {
			t.Errorf("%s: %d bytes", theme, len(picture))
		}
		page.save(*pictures, "page-"+theme, picture)
	}
	page.finish()
}

// fewColours returns a picture with its 256 most frequent colours, in less than half of the bytes. It looks the same: most are shades at the
// edges of letters.
func fewColours(t *testing.T, data []byte) []byte {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	count := map[color.Color]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			count[img.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int {
		return cmp.Or(count[b]-count[a], strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	few := image.NewPaletted(img.Bounds(), colours[:min(256, len(colours))])
	draw.Draw(few, few.Bounds(), img, image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, few); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
