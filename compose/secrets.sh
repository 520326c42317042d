#!/bin/sh
# Draws every password and certificate of docker-compose.yml, once, into the volume that the services read them from.
# Each service finds its own in a folder that only its user can read.
set -eu
umask 077
to=${1:-/secrets}
command -v openssl >/dev/null || apk add --no-cache openssl >/dev/null
draw() { openssl rand -hex 24; }

# certify NAME SUBJECT-ALT-NAMES: a key and a certificate of our authority, which last ten years.
certify() {
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr" 2>/dev/null
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$2" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 \
    -extfile "$1.ext" -out "$1.crt" 2>/dev/null
}

# folio_https also serves who drew the rest before Folio had a certificate.
folio_https() {
  [ -e "$to/folio/folio.crt" ] && return
  cd "$to/authority"
  certify folio "DNS:folio,DNS:localhost,IP:127.0.0.1"
  cp folio.crt folio.key "$to/folio/"
  chown -R 65532:65532 "$to/folio"
}
if [ -e "$to/drawn" ]; then folio_https; exit 0; fi

mkdir -p "$to/authority" "$to/eventstore" "$to/mongo" "$to/folio" "$to/admin"
cd "$to/authority"
openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=Folio compose" -keyout ca.key -out ca.crt 2>/dev/null
certify eventstoredb-node "DNS:eventstore,DNS:localhost,IP:127.0.0.1"

cd "$to"
mkdir -p eventstore/ca admin/ca
cp authority/eventstoredb-node.crt eventstore/node.crt
cp authority/eventstoredb-node.key eventstore/node.key
cp authority/ca.crt eventstore/ca/
cp authority/ca.crt admin/ca.crt
cp authority/ca.crt folio/ca.crt
draw >eventstore/admin-password
draw >eventstore/ops-password
cp eventstore/admin-password admin/admin-password
log=$(draw)
printf %s "$log" >admin/folio-password
printf 'esdb://folio:%s@eventstore:2113?tls=true&tlsCaFile=/secrets/folio/ca.crt\n' "$log" >folio/eventstore

openssl rand -base64 756 | tr -d '\n' >mongo/keyfile
draw >mongo/root-password
tables=$(draw)
printf %s "$tables" >mongo/folio-password
printf 'mongodb://folio:%s@mongo:27017/folio?authSource=admin&replicaSet=rs0\n' "$tables" >folio/mongo
draw >folio/first-password

chmod 0711 "$to"
chmod 0400 mongo/keyfile
chown -R 1000:1000 eventstore
chown -R 999:999 mongo
folio_https
cd "$to"
touch drawn
