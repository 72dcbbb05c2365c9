#!/bin/bash
# Beside every member: makes the replica set and its users, and keeps the users as the Secret says, whoever is primary.
# Only a change of the Secret or a restart of the pod makes it work; in between it sleeps.
set -u
trap 'exit 0' TERM
seen=''
while true; do
  now=$(cat /run/secrets/mongodb-users/* | sha256sum)
  if [ "$now" != "$seen" ] && mongosh --quiet --norc --host 127.0.0.1 --file /setup/setup.js; then seen=$now; fi
  if [ -z "$seen" ]; then pause=1; else pause=10; fi
  # In the background, so that a signal ends it at once.
  sleep "$pause" &
  wait $!
done
