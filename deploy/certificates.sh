#!/bin/sh
# sh deploy/certificates.sh FOLDER [NAMESPACE]: for clusters without cert-manager, the Secrets with certificates of the services and of the
# members of components/mongodb and components/nats, as files for `kubectl apply -f FOLDER`. With the authority of an earlier run
# (FOLDER/authority), whose key it keeps there; without one, it makes one. Needs OpenSSL 3 and kubectl, and no cluster.
set -eu
umask 077
folder=${1:?sh deploy/certificates.sh FOLDER [NAMESPACE]} namespace=${2:-casewatch}
mkdir -p "$folder/authority"
cd "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ec='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'

# openssl, which says something only if it fails.
quietly() { "$@" 2> "$work/said" || { cat "$work/said" >&2; exit 1; }; }

test -e authority/ca.key || quietly openssl req -x509 $ec -days 3650 -subj "/CN=casewatch services $(date +%F)" \
  -keyout authority/ca.key -out authority/ca.crt

# NAME DAYS USAGE DNS-NAME…: a certificate and its key.
certificate() {
  name=$1 days=$2 usage=$3
  shift 3
  quietly openssl req -x509 -CA authority/ca.crt -CAkey authority/ca.key $ec -days "$days" -subj "/CN=$name" \
    -addext basicConstraints=critical,CA:FALSE -addext "extendedKeyUsage=$usage" \
    -addext "subjectAltName=$(printf 'DNS:%s,' "$@" | sed 's/,$//')" -keyout "$work/tls.key" -out "$work/tls.crt"
}

# NAME FILE…: a Secret with the files.
secret() {
  name=$1
  shift
  kubectl --namespace "$namespace" create secret generic "$name" --dry-run=client --output yaml \
    $(printf -- '--from-file=%s ' "$@") > "$name.yaml"
}

secret services-ca authority/ca.crt
for name in identity cases webhooks notifier; do
  certificate "$name" 90 serverAuth "$name"
  secret "$name-tls" "$work/tls.crt" "$work/tls.key"
done
for member in nats.nats-members mongodb.mongodb; do
  name=${member%.*} domain=${member#*.}
  certificate "$name" 365 serverAuth,clientAuth "$name-0.$domain" "$name-1.$domain" "$name-2.$domain"
  secret "$name-tls" authority/ca.crt "$work/tls.crt" "$work/tls.key"
done
