package httpapi

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// A client that sends all of a body before it reads finds the answer, and after a body of
// a known length its connection goes on.
func TestARefusedBodyIsReadToItsEnd(t *testing.T) {
	server := httptest.NewServer(Handler(func(w http.ResponseWriter, r *http.Request) error {
		if r.Header.Get("Content-Type") == "application/json" {
			_, err := ReadJSON(w, r)
			return err
		}
		_, err := ReadForm(w, r, MaxJSON)
		return err
	}))
	defer server.Close()
	const size = 4 << 20
	for name, head := range map[string]string{
		"JSON of a length":    "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(size),
		"a form of a length":  "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: " + strconv.Itoa(size),
		"JSON without length": "Content-Type: application/json\r\nTransfer-Encoding: chunked",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		body, chunked := strings.Repeat("x", size), strings.HasSuffix(head, "chunked")
		if chunked {
			body = strconv.FormatInt(size, 16) + "\r\n" + body + "\r\n0\r\n\r\n"
		}
		if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\n"+head+"\r\n\r\n"+body); err != nil {
			t.Errorf("%s: the body is not taken: %v", name, err)
		}
		in := bufio.NewReader(conn)
		for again := range 2 {
			res, err := http.ReadResponse(in, nil)
			if err != nil || res.StatusCode != http.StatusRequestEntityTooLarge {
				t.Fatalf("%s, answer %d: %v %v", name, again, res, err)
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			if chunked {
				break // net/http closes the connection: where a body without length ends is not known
			}
			if again == 0 {
				_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\n"+head+"\r\n\r\n"+body)
			}
		}
		_ = conn.Close()
	}
}
