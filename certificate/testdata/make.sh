#!/bin/sh
# Makes the files that Go's PKCS#12 library cannot make. Needs OpenSSL 3 with its legacy
# provider. All of them hold the same invented key; the password is "secreto" unless the
# name says otherwise.
set -e
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

openssl req -x509 -newkey rsa:2048 -nodes -keyout "$tmp/ca.key" -out "$tmp/ca.pem" -days 36500 \
  -subj "/C=AR/O=Autoridad inventada/CN=Computadores de prueba" 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout "$tmp/leaf.key" -out "$tmp/leaf.csr" \
  -subj "/CN=folio/serialNumber=CUIT 30500010912" 2>/dev/null
openssl x509 -req -in "$tmp/leaf.csr" -CA "$tmp/ca.pem" -CAkey "$tmp/ca.key" -set_serial 0x4f2a -days 36500 -out "$tmp/leaf.pem" 2>/dev/null
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$tmp/ec.key" -out "$tmp/ec.pem" -days 36500 \
  -subj "/CN=folio/serialNumber=CUIT 30500010912" 2>/dev/null

pfx() { # pfx NAME PASSWORD ARGS...
  name=$1 password=$2
  shift 2
  openssl pkcs12 -export -inkey "$tmp/leaf.key" -in "$tmp/leaf.pem" -certfile "$tmp/ca.pem" -passout "pass:$password" -out "$name.pfx" "$@"
}
pfx old-rc2-3des secreto -legacy
pfx old-rc2-128 secreto -legacy -certpbe PBE-SHA1-RC2-128 -keypbe PBE-SHA1-RC2-128
pfx old-3des secreto -legacy -descert
pfx new-aes256-sha256 secreto
pfx new-aes128-sha512 secreto -certpbe AES-128-CBC -keypbe AES-128-CBC -macalg sha512
pfx new-aes192-sha1 secreto -certpbe AES-192-CBC -keypbe AES-192-CBC -macalg sha1
pfx many-iterations-600000 secreto -iter 600000
pfx utf8-password 'contraseña Ñ €'
pfx plain-key secreto -keypbe NONE -certpbe NONE
pfx empty-password ''
pfx no-mac secreto -nomac
pfx no-mac-empty-password '' -nomac -keypbe NONE -certpbe NONE
pfx odd-rc2-in-pbes2 secreto -legacy -certpbe RC2-64-CBC -keypbe RC2-64-CBC
pfx odd-key-camellia secreto -keypbe CAMELLIA-256-CBC
pfx odd-mac-sha384 secreto -macalg sha384
openssl pkcs12 -export -nocerts -inkey "$tmp/leaf.key" -passout pass:secreto -out key-only.pfx
openssl pkcs12 -export -nokeys -in "$tmp/leaf.pem" -passout pass:secreto -out certificate-only.pfx
openssl pkcs12 -export -inkey "$tmp/ec.key" -in "$tmp/ec.pem" -passout pass:secreto -out elliptic.pfx

# .NET writes the empty password as no bytes at all instead of two zero bytes; OpenSSL's
# command line cannot, its library can.
python3 - "$tmp" <<'PY'
import ctypes, sys
c = ctypes.CDLL("libcrypto.so.3")
for f in ("BIO_new_file", "PEM_read_bio_PrivateKey", "PEM_read_bio_X509", "PKCS12_create"):
    getattr(c, f).restype = ctypes.c_void_p
c.OSSL_PROVIDER_load.restype = ctypes.c_void_p
c.OSSL_PROVIDER_load(None, b"default"); c.OSSL_PROVIDER_load(None, b"legacy")
tmp = sys.argv[1]
bio = lambda p, m: ctypes.c_void_p(c.BIO_new_file(p.encode(), m))
key = ctypes.c_void_p(c.PEM_read_bio_PrivateKey(bio(tmp + "/leaf.key", b"r"), None, None, None))
cert = ctypes.c_void_p(c.PEM_read_bio_X509(bio(tmp + "/leaf.pem", b"r"), None, None, None))
for name, nid in (("null-password-3des", 146), ("null-password-aes", 0)):
    p12 = ctypes.c_void_p(c.PKCS12_create(None, None, key, cert, None, nid, nid, 2048, 2048, 0))
    out = bio(name + ".pfx", b"w")
    c.i2d_PKCS12_bio(out, p12)
    c.BIO_free(out)
PY
