#!/bin/sh
# The pages of a site as a table: sh examples/04-pages-to-csv.sh https://example.org/ [flags of crawl]
# It writes pages.csv with a row for each page, and the archive to crawl-pages/.
set -eu

npx trobar crawl --pages pages.csv -o crawl-pages "$@"

# Some of the columns, for a first look.
head -n 5 pages.csv | cut -d , -f 1-6
