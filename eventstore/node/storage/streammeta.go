package storage

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// longestMaxAge, in seconds, is the longest time that the server can hold; more spoils the metadata.
const longestMaxAge = 922_337_203_685

// parseMeta reads a $metadata event as the server does (StreamMetadata.FromJsonReader of 23.10.8): what has one
// field of the wrong kind, a field twice, or is no JSON object, bounds nothing at all. A number out of range
// bounds nothing either, but spoils no other. Metadata must never make a stream unreadable.
func parseMeta(data []byte) StreamMeta {
	m := StreamMeta{exists: true, raw: data}
	fields, err := metaFields(data)
	if err != nil {
		return m
	}
	var numbers [4]int64
	for i, name := range []string{"$maxAge", "$maxCount", "$tb", "$cacheControl"} {
		if numbers[i], err = wholeNumber(fields[name]); err != nil {
			return m
		}
	}
	if numbers[0] > longestMaxAge || !isBool(fields["$tmp"]) || !isACL(fields["$acl"]) {
		return m
	}
	const longest = int64(1<<63-1) / int64(time.Second)
	m.maxAge = time.Duration(min(max(numbers[0], 0), longest)) * time.Second
	m.maxCount, m.tb = max(numbers[1], 0), max(numbers[2], 0)
	return m
}

var errMeta = errors.New("not the metadata of a stream")

// metaFields are the fields of a JSON object that has none twice.
func metaFields(data []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errMeta
	}
	fields := map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		key, ok := name.(string)
		if _, twice := fields[key]; err != nil || !ok || twice {
			return nil, errMeta
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, errMeta
		}
		fields[key] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, errMeta
	}
	return fields, nil
}

// wholeNumber answers 0 for a field that is not there. null, 1.0 and 1e3 are no whole numbers to the server.
func wholeNumber(raw json.RawMessage) (n int64, err error) {
	if raw == nil {
		return 0, nil
	}
	if string(raw) == "null" {
		return 0, errMeta
	}
	err = json.Unmarshal(raw, &n)
	return n, err
}

func isBool(raw json.RawMessage) bool {
	return raw == nil || string(raw) == "true" || string(raw) == "false"
}

// isACL wants an object of the server's five rights, each one role or a list of roles.
func isACL(raw json.RawMessage) bool {
	if raw == nil {
		return true
	}
	rights, err := metaFields(raw)
	if err != nil {
		return false
	}
	for right, roles := range rights {
		var one *string
		var many []*string
		switch {
		case !slices.Contains([]string{"$r", "$w", "$d", "$mr", "$mw"}, right):
			return false
		case json.Unmarshal(roles, &one) == nil && one != nil:
		case json.Unmarshal(roles, &many) != nil || many == nil || slices.Contains(many, nil):
			return false
		}
	}
	return true
}

// withTruncateBefore is the metadata with $tb replaced and every other key kept. What is no JSON object has
// no key to replace: the server then leaves it as it is.
func (m *StreamMeta) withTruncateBefore(tb int64) ([]byte, bool) {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(m.raw, &fields) != nil || fields == nil {
		return nil, false
	}
	fields["$tb"], _ = json.Marshal(tb)
	out, _ := json.Marshal(fields)
	return out, true
}
