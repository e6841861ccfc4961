/**
 * Fields of pages as a table for a spreadsheet: fields by CSS selectors in every row, and one that the
 * program adds. Try it:
 *
 *     node examples/20-library/prices.js https://example.org/ prices.csv
 */
import { crawl } from "trobar";

const [seed = "https://example.org/", file = "prices.csv"] = process.argv.slice(2);

const run = await crawl({
  seeds: [seed],
  pages: file,
  extract: { price: ".price", image: "img@src", "tags[]": ".tag" },
  fields: ["cheap"],
  handler: (page) => {
    page.push({ cheap: Number(page.$(".price")?.text) < 2 });
  },
});
await run.finished();
