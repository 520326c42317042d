package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"folio/authority"
	"folio/authority/arca"
	"folio/authority/dgi"
	"folio/authority/sii"
)

// addresses are those of the file of --authority-addresses: for each authority and
// environment the services that are elsewhere than the program thinks, by name. Only what
// is named moves: authorities move host by host.
type addresses map[string]map[authority.Environment]map[string]string

// readAddresses reads the file, "" for none. A name that nothing has is an error that says
// which there are.
func readAddresses(file string) (addresses, error) {
	if file == "" {
		return nil, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--authority-addresses: %w", err)
	}
	var all addresses
	d := json.NewDecoder(bytes.NewReader(content))
	if err := d.Decode(&all); err != nil {
		return nil, fmt.Errorf(`--authority-addresses: %s is not of the form {"arca": {"Production": {"wsaa": "https://…"}}}: %w`, file, err)
	}
	for name, environments := range all {
		for environment, services := range environments {
			if environment != authority.Production && environment != authority.Testing {
				return nil, fmt.Errorf("--authority-addresses: %s.%s: the environments are Production and Testing", name, environment)
			}
			if err := known(name, environment, services); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// known refuses services that an authority does not have, and what is no address.
func known(name string, environment authority.Environment, services map[string]string) error {
	has := map[string]map[string]*string{"arca": arcaServices(&arca.Endpoints{}), "sii": siiServices(&sii.Endpoints{}), "dgi": dgiServices(&dgi.Endpoints{})}
	if has[name] == nil {
		return fmt.Errorf("--authority-addresses: %q is none of arca, sii and dgi", name)
	}
	for service, address := range services {
		path := fmt.Sprintf("--authority-addresses: %s.%s.%s", name, environment, service)
		if has[name][service] == nil {
			return fmt.Errorf("%s: use one of %s", path, strings.Join(slices.Sorted(maps.Keys(has[name])), ", "))
		}
		if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("%s: %q is not an address like https://host.example/service", path, address)
		}
	}
	return nil
}

// move puts the addresses of one authority and environment in the places of its services.
func (a addresses) move(name string, environment authority.Environment, services map[string]*string) {
	for service, address := range a[name][environment] {
		*services[service] = address
	}
}

func arcaServices(e *arca.Endpoints) map[string]*string {
	return map[string]*string{"wsaa": &e.WSAA, "wsfe": &e.WSFE, "wsfex": &e.WSFEX, "wscdc": &e.WSCDC}
}

func siiServices(e *sii.Endpoints) map[string]*string {
	return map[string]*string{"portal": &e.Portal, "receipts": &e.Receipts, "receipt_upload": &e.ReceiptUpload}
}

func dgiServices(e *dgi.Endpoints) map[string]*string {
	return map[string]*string{"reception": &e.Reception, "queries": &e.Queries}
}
