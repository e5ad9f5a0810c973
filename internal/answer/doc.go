// Package answer reports what the API server would drop, warn of and refuse in the objects of manifests, with the place of each in the
// text.
package answer
