#!/bin/bash
# Runs beside every member. Creates the replica set, and keeps its users equal to the Secret.
# Works after a change of the Secret or a restart of the pod; sleeps otherwise.
set -u
trap 'exit 0' TERM
seen=''
while true; do
  now=$(cat /run/secrets/mongodb-users/* | sha256sum)
  if [ "$now" != "$seen" ] && mongosh --quiet --norc --host 127.0.0.1 --file /setup/setup.js; then seen=$now; fi
  if [ -z "$seen" ]; then pause=1; else pause=10; fi
  # In the background, so that a signal ends the wait at once.
  sleep "$pause" &
  wait $!
done
