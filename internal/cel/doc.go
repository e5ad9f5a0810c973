// Package cel is the room of CEL rules: their compiler, which alone imports cel-go, what can be proven about them, and whether one pattern implies another. It
// imports base. Programs that only evaluate rules, such as the page, do without it. Lint, lowering, crddiff and the coverage of suites call it.
package cel
