package main

import (
	"fmt"
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
	if err := readJSON(content, &all); err != nil {
		return nil, fmt.Errorf(`--authority-addresses: %s is not of the form {"arca": {"Production": {"wsaa": "https://…"}}}: %w`, file, err)
	}
	var wrong []string
	for name, environments := range all {
		for environment, services := range environments {
			wrong = append(wrong, unknown(name, environment, services)...)
		}
	}
	if slices.Sort(wrong); len(wrong) > 0 {
		return nil, fmt.Errorf("--authority-addresses: %s is refused:\n%s", file, strings.Join(wrong, "\n"))
	}
	return all, nil
}

// unknown says which services an authority does not have, and what is no address.
func unknown(name string, environment authority.Environment, moved map[string]string) []string {
	services, ok := countries.Services(name)
	if !ok {
		return []string{fmt.Sprintf("%q is none of %s", name, strings.Join(countries.Authorities(), ", "))}
	}
	if environment != authority.Production && environment != authority.Testing {
		return []string{fmt.Sprintf("%s.%s: the environments are Production and Testing", name, environment)}
	}
	var wrong []string
	for service, address := range moved {
		path := fmt.Sprintf("%s.%s.%s", name, environment, service)
		if !slices.Contains(services, service) {
			wrong = append(wrong, fmt.Sprintf("%s: use one of %s", path, strings.Join(services, ", ")))
		} else if err := isAddress(path, address); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	return wrong
}
