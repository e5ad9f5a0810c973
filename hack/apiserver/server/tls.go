package server

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"

	certutil "k8s.io/client-go/util/cert"
)

// serveTLS serves HTTPS with a certificate made on the spot.
func serveTLS(s *http.Server, listener net.Listener) error {
	cert, key, err := certutil.GenerateSelfSignedCertKey("127.0.0.1", nil, nil)
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	s.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	go s.ServeTLS(listener, "", "")
	return nil
}

// newClient returns a client that takes such a certificate. It speaks HTTP/2 over TLS, as clients of Kubernetes do.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
}
