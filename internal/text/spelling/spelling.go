// Package spelling finds the word that a misspelt one was meant to be.
package spelling

import "strings"

// Nearest returns the one of known that word most likely misspells, "" if none is near. It ignores case. It allows two typing mistakes,
// or one in a short word; with more, a guess annoys more often than it helps.
func Nearest(word string, known []string) string {
	const longest = 64 // nobody types a longer word
	if word == "" || len(word) > longest {
		return ""
	}
	best, least := "", 3
	if len(word) <= 4 {
		least = 2
	}
	word = strings.ToLower(word)
	for _, k := range known {
		if len(k) > 4*longest {
			continue // too long to be near, also in lower case, and to change it takes time
		}
		lower := strings.ToLower(k)
		if n := len(lower) - len(word); n >= least || n <= -least {
			continue // at least that many bytes differ, and comparing long names takes time
		}
		if d := distance(word, lower, least); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance returns how many bytes have to be inserted, removed, replaced or swapped with the next one to turn a into b, if these are
// fewer than most, and otherwise most or more. The lengths must differ by less than most.
func distance(a, b string, most int) int {
	// Three rows of the table of distances between the beginnings of a and b.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		from, to := max(0, i-most), min(len(b), i+most+1)
		row[from] = i + 1
		for j := from; j < to; j++ {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		if to < len(b) {
			row[to+1] = to + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
