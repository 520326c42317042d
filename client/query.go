package client

import (
	"net/url"
	"reflect"
	"strings"
)

// address is a path with a value in the place of each {}.
func address(path string, values ...string) string {
	for _, v := range values {
		path = strings.Replace(path, "{}", url.PathEscape(v), 1)
	}
	return path
}

// encoded is a struct of query parameters as they stand behind a path; empty ones are left out.
func encoded(query any) string {
	values, v := url.Values{}, reflect.ValueOf(query)
	for i := range v.NumField() {
		if text := v.Field(i).String(); text != "" {
			values.Set(v.Type().Field(i).Tag.Get("query"), text)
		}
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}
