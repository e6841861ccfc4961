#!/bin/sh
# The pages of a site as a table: sh examples/04-pages-to-csv.sh https://example.org/ [flags of crawl]
# Afterwards pages.csv has a row for each page, and crawl-pages/ the archive.
set -eu

npx trobar crawl --pages pages.csv -o crawl-pages "$@"

# Some of the columns, for a first look.
head -n 5 pages.csv | cut -d , -f 1-6
