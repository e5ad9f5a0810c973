// Package lib stands for a package of another module.
package lib

// Probe has a field that schemas in the tests do not have.
type Probe struct {
	Path string `json:"path"`
	New  string `json:"new"`
}

// Many has many fields.
type Many struct {
	A, B, C, D, E, F, G, H, I, J, K, L string
	Few                                Few
}

type Few struct{ X, Y, Z string }

// Outer has a struct in a struct, and a struct without a name.
type Outer struct {
	Few    Few `json:"few"`
	Number int `json:"number"`
}

// Ten has as many fields as are listed.
type Ten struct{ A, B, C, D, E, F, G, H, I, J string }

// Mode has fields that only this module can change.
type Mode struct {
	Mode     string `json:"mode"`
	Optional string `json:"optional"`
}

type Octet struct {
	Octet uint8 `json:"octet"`
}
