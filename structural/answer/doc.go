// Package answer answers for the objects in manifests as the API server would, with the place in the text of everything that it
// drops, warns of or refuses.
package answer
