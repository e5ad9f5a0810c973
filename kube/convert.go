package kube

// Converter turns an object of one version of a kind into one of another, apiVersion, as a new map or in place.
type Converter func(obj map[string]any, apiVersion string) (map[string]any, error)
