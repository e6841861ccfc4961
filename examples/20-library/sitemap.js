/**
 * The pages that a site lists in its sitemaps, and nothing else. Try it:
 *
 *     node examples/20-library/sitemap.js https://example.org/
 */
import { crawl } from "trobar";

const [seed = "https://example.org/"] = process.argv.slice(2);

const run = await crawl({ seeds: [seed], sitemaps: true, parse: { links: [] } });
for await (const page of run.pages()) console.log(page.url, page.title);
