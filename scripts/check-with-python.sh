#!/bin/sh
# Has programs in Python read what Trobar writes: warcio its archive, py-wacz and pywb its WACZ. It is
# not part of `npm test`, since it installs them from the network, into a temporary folder.
# Usage: scripts/check-with-python.sh CRAWL_DIRECTORY
set -eu
[ $# -eq 1 ] || { echo "usage: $0 CRAWL_DIRECTORY" >&2; exit 2; }
crawl=$1
trobar="node $(dirname "$0")/../bin/trobar.js"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet warcio wacz pywb

for archive in "$crawl"/warc/*.warc*; do
  "$work/python/bin/warcio" check "$archive"
done
$trobar store export wacz -o "$crawl" --to "$work/crawl.wacz" --quiet
"$work/python/bin/wacz" validate -f "$work/crawl.wacz"
# pywb indexes the same records that we list for replay.
$trobar store export cdxj -o "$crawl" --to "$work/ours.cdxj" --quiet
"$work/python/bin/cdx-indexer" --sort --cdxj "$crawl"/warc/*.warc* > "$work/theirs.cdxj"
for index in ours theirs; do
  grep -v '^!' "$work/$index.cdxj" | cut -d ' ' -f 1,2 | sort -u > "$work/$index.keys"
done
diff "$work/ours.keys" "$work/theirs.keys"
echo "warcio, py-wacz and pywb agree with us"
