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
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

// maxPicture is how many bytes a picture of the documentation may have.
const maxPicture = 150_000

// The pictures of README are those of the real pages: make pictures writes them.
func TestPictures(t *testing.T) {
	chromium(t)
	page := open(t, write(t, crontabs))
	page.paste(read(t, sample))
	page.run(`document.activeElement.blur()`) // and with it the hint about keys
	covered := open(t, coverage(t))
	covered.run(`document.querySelectorAll("details").forEach((d) => d.open = d.querySelector("details") !== null)`) // the fields, not what each case did
	for name, p := range map[string]*tab{"page": page, "coverage": covered} {
		for _, theme := range []string{"light", "dark"} {
			picture := fewColours(t, p.screenshot(theme, 1200, 760))
			if len(picture) > maxPicture {
				t.Errorf("%s, %s: %d bytes", name, theme, len(picture))
			}
			p.save(*pictures, name+"-"+theme, picture)
		}
		p.finish()
	}
}

// coverage returns the address of what a first suite covers of a CRD.
func coverage(t *testing.T) string {
	t.Helper()
	bin, dir := gocmd.Build(t, ".", "./cmd/prune-gen"), t.TempDir()
	const crd = "crontabs.yaml"
	if err := os.WriteFile(filepath.Join(dir, crd), []byte(read(t, crontabs)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"test", "--init", ".", crd}, {"test", "--crd", crd, "--coverage-html", "coverage.html", "--run", "required|pattern|enum", "."}} {
		cmd := exec.Command(bin, args...)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	return address(filepath.Join(dir, "coverage.html"))
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
