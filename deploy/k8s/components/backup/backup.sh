#!/bin/bash
# One backup of all databases, and the list of erased people, in a folder of its own. A backup that did not end has no folder.
set -euo pipefail
umask 077
backups="${BACKUPS:-/backups}"
folder="$backups/$(date --utc +%Y-%m-%dT%H-%M-%SZ)"
unfinished="$backups/.unfinished"
rm -rf "$unfinished"
mkdir "$unfinished"
# The password is in files, in no environment and in no list of processes. Those of npm run secrets need no encoding.
address="${MONGODB_URL/root@/root:$(cat "$ROOT_PASSWORD_FILE")@}"
printf '%s' "$address" > "$HOME/address"
printf 'uri: %s\n' "$address" > "$HOME/backup.yaml"
# --oplog adds what was written meanwhile: all databases are at the moment when the dump ended.
mongodump --config="$HOME/backup.yaml" --oplog --gzip --archive="$unfinished/mongodb.archive.gz"
# `void`, because mongosh prints the value of --eval: the list would begin with the line `test`.
mongosh --nodb --quiet --norc --eval 'void (db = connect(require("fs").readFileSync(process.env.HOME + "/address", "utf8")))' \
  --file "${PROGRAM:-/program}/erased-users.js" > "$unfinished/erased-users.json"
test -s "$unfinished/erased-users.json"
sync
mv "$unfinished" "$folder"
# Backups for KEEP_DAYS, the short lists of erased people for 400 days: a restore needs the newer lists too.
find "$backups" -maxdepth 2 -name mongodb.archive.gz -mtime "+$KEEP_DAYS" -delete
find "$backups" -mindepth 1 -maxdepth 1 -type d -mtime +400 -exec rm -rf {} +
echo "backup $folder"
