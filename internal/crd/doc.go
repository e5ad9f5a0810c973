// Package crd is the room of one CRD: from a text to the model, the text that a model came from, names, skeletons, and which fields a CRD keeps. It decides whether
// a text is a CRD; whether the API server takes it is decided in lint. It imports base and text. The doors in structural call it, lint and the commands.
package crd
