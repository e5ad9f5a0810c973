package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// crdsPath is the collection of CustomResourceDefinitions.
const crdsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// firstCreateDelay is how long the server keeps the first creates waiting after a CRD became established, which lets other
// servers of a cluster catch up.
const firstCreateDelay = 2 * time.Second

// PostCRD sends one CRD, as YAML or JSON, and returns the answer.
func (s *Server) PostCRD(ctx context.Context, crd []byte) (*Response, error) {
	return s.Do(ctx, http.MethodPost, crdsPath, YAML, crd)
}

// InstallCRDs creates all CRDs, given as YAML or JSON, and returns when objects of all of them can be created without a
// delay. The wait is the same for one CRD and for a hundred.
func (s *Server) InstallCRDs(ctx context.Context, crds ...[]byte) error {
	var names []string
	for i, data := range crds {
		r, err := s.PostCRD(ctx, data)
		if err != nil {
			return fmt.Errorf("install CRD %d: %w", i, err)
		}
		if r.Code != http.StatusCreated {
			return fmt.Errorf("install CRD %d: the server answered %d: %s", i, r.Code, r.Body)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := json.Unmarshal(r.Body, &crd); err != nil {
			return fmt.Errorf("install CRD %d: %w", i, err)
		}
		names = append(names, crd.Name)
	}
	return s.WaitForCRDs(ctx, names...)
}

// WaitForCRDs returns when the named CRDs are established and served, and objects of them can be created without a delay.
func (s *Server) WaitForCRDs(ctx context.Context, names ...string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute) // for all of them, on a machine with other work
	defer cancel()
	var latest time.Time
	var collections []string
	for _, name := range names {
		err := poll(ctx, "CRD "+name, func() (bool, error) {
			crd, err := s.GetCRD(ctx, name)
			if err != nil {
				return false, err
			}
			since, ok := established(crd)
			if !ok {
				return false, nil
			}
			if since.After(latest) {
				latest = since
			}
			for _, v := range crd.Spec.Versions {
				if v.Served {
					collections = append(collections, Path(crd.Spec.Group, v.Name, "", crd.Spec.Names.Plural))
				}
			}
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	// The handler of custom resources learns of a CRD from a watch, a moment after the CRD says that it is established.
	for _, path := range collections {
		err := poll(ctx, path, func() (bool, error) {
			r, err := s.Do(ctx, http.MethodGet, path, "", nil)
			if err != nil {
				return false, err
			}
			return r.Code == http.StatusOK, nil
		})
		if err != nil {
			return err
		}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Until(latest.Add(firstCreateDelay))):
		return nil
	}
}

// GetCRD returns an installed CRD.
func (s *Server) GetCRD(ctx context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, error) {
	r, err := s.Do(ctx, http.MethodGet, crdsPath+"/"+name, "", nil)
	if err != nil {
		return nil, err
	}
	if r.Code != http.StatusOK {
		return nil, fmt.Errorf("get CRD %s: the server answered %d: %s", name, r.Code, r.Body)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := json.Unmarshal(r.Body, crd); err != nil {
		return nil, fmt.Errorf("get CRD %s: %w", name, err)
	}
	return crd, nil
}

// established returns since when the CRD is established.
func established(crd *apiextensionsv1.CustomResourceDefinition) (since time.Time, ok bool) {
	for _, c := range crd.Status.Conditions {
		if c.Type == apiextensionsv1.Established && c.Status == apiextensionsv1.ConditionTrue {
			return c.LastTransitionTime.Time, true
		}
	}
	return time.Time{}, false
}
