#!/bin/sh
# A crawl by three processes: sh examples/16-polybot/run.sh https://example.org/ [flags of crawl]
# The pages are in crawl-polybot/; the fetching processes have directories of their own beside it. All
# have the same flags, and may be started in any order; only the crawl gets the seed.
set -eu

here=$(dirname "$0")
seed=$1
shift
for part in 1 2; do
  npx trobar crawl --fresh -q --ip-delay 0 -o "crawl-polybot-fetch-$part" \
    --set topology="$here/fetch-$part.yaml" "$@" &
done
npx trobar crawl --fresh --ip-delay 0 -o crawl-polybot \
  --set topology="$here/crawl.yaml" "$@" "$seed"
wait
