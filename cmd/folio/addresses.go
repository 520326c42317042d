package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"folio/authority"
	"folio/countries"
)

// readAddresses reads the file of --authority-addresses, "" for none. A name that nothing has is an error that says
// which there are.
func readAddresses(file string) (countries.Addresses, error) {
	if file == "" {
		return nil, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--authority-addresses: %w", err)
	}
	var all countries.Addresses
	d := json.NewDecoder(bytes.NewReader(content))
	if err := d.Decode(&all); err != nil {
		return nil, fmt.Errorf(`--authority-addresses: %s is not of the form {"arca": {"Production": {"wsaa": "https://…"}}}: %w`, file, inJSON(err))
	}
	for name, environments := range all {
		for environment, services := range environments {
			if environment != authority.Production && environment != authority.Testing {
				return nil, fmt.Errorf("--authority-addresses: %s.%s: the environments are Production and Testing", name,
					environment)
			}
			if err := known(name, environment, services); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// known refuses services that an authority does not have, and what is no address.
func known(name string, environment authority.Environment, moved map[string]string) error {
	services, ok := countries.Services(name)
	if !ok {
		return fmt.Errorf("--authority-addresses: %q is none of %s", name, strings.Join(countries.Authorities(), ", "))
	}
	for service, address := range moved {
		path := fmt.Sprintf("--authority-addresses: %s.%s.%s", name, environment, service)
		if !slices.Contains(services, service) {
			return fmt.Errorf("%s: use one of %s", path, strings.Join(services, ", "))
		}
		if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("%s: %q is not an address like https://host.example/service", path, address)
		}
	}
	return nil
}
