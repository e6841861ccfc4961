/**
 * A site behind a login: the password is in a variable of the environment, is sent to this host only, and
 * is written nowhere. Cookies that the site sets are sent back. Try it:
 *
 *     SITE_LOGIN=me:secret node examples/20-library/login.js https://intranet.example.org/
 *
 * Where one logs in by a form, log in with a browser, export its cookies to a file, and name that file
 * with the option `cookies`.
 */
import { crawl } from "trobar";

const [seed = "https://intranet.example.org/"] = process.argv.slice(2);

const run = await crawl({
  seeds: [seed],
  fetch: {
    credentials: [{ host: new URL(seed).hostname, env: "SITE_LOGIN" }],
    cookies: true,
    headers: { "Accept-Language": "en" },
  },
});
for await (const page of run.pages()) console.log(page.status, page.title);
