// Package v1 has the Go type of the kind Backup as it is in old.yaml. It differs from new.yaml, and prune-gen lint --types says how.
// +groupName=example.com
package v1

// Backup copies data every so often. In an operator, the first three fields are those of metav1.TypeMeta and metav1.ObjectMeta.
type Backup struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   map[string]any `json:"metadata"`

	Spec BackupSpec `json:"spec"`
}

// BackupSpec says when and where.
type BackupSpec struct {
	Schedule    string `json:"schedule"`
	Keep        int64  `json:"keep,omitempty"`
	Compression string `json:"compression,omitempty"`
	Target      Target `json:"target"`
}

// Target is a place for copies.
type Target struct {
	Bucket      string       `json:"bucket,omitempty"`
	Credentials *Credentials `json:"credentials,omitempty"`
}

// Credentials give access to a Target.
type Credentials struct {
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
}
