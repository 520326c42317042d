#!/bin/sh
# Makes Folio's user on the log, once. It is an administrator of this server of its own; on one that others use too, give
# it the right that docs/operating.md names.
set -eu
admin=$(cat /secrets/admin/admin-password)
password=$(cat /secrets/admin/folio-password)
at=https://eventstore:2113/users
# The credentials are given on standard input: the list of processes shows none.
call() { printf 'user = "admin:%s"\n' "$admin" | curl --config - --silent --cacert /secrets/admin/ca.crt "$@"; }
if call --fail "$at/folio" >/dev/null; then exit 0; fi
printf '{"loginName":"folio","fullName":"Folio","groups":["$admins"],"password":"%s"}' "$password" >/tmp/user.json
call --fail --show-error --header "Content-Type: application/json" --data @/tmp/user.json "$at/"
rm /tmp/user.json
