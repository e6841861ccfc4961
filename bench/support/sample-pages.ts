/**
 * Pages to measure with: made up, the same in every run, and of several makes (a news site, a
 * manual, a shop, a forum, an old-fashioned page), because markup differs more between programs
 * that write it than between their pages. Sizes are near the median and the ninth decile of the web.
 */
import { SeededRandom } from "../../src/base/random/index.ts";

const WORDS =
  "time river stone under between morning letter carry windows garden market simple yellow answer music number against history certain travel engine paper cloud silver question village summer bridge reading mountain because little house water people always another country winter thought";
const VOCABULARY = WORDS.split(" ");

type Make = (random: SeededRandom, block: number) => string;

function word(random: SeededRandom): string {
  return VOCABULARY[random.below(VOCABULARY.length)] as string;
}

function words(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(" ");
}

function path(random: SeededRandom): string {
  return `/${word(random)}/${word(random)}-${word(random)}-${random.below(100_000)}`;
}

/** A sentence with a few references and an inline element. */
function sentence(random: SeededRandom): string {
  const start = words(random, 6 + random.below(8));
  const extra = ["&nbsp;", " &amp; ", "&#8217;s ", " <em>so</em> ", " caf\u00e9 ", ", ", " ", " "];
  return `${start}${extra[random.below(extra.length)]}${words(random, 3 + random.below(5))}.`;
}

const news: Make = (random) => `
      <article class="card card--${word(random)} js-track" data-id="${random.u32()}" data-position="${random.below(40)}">
        <a class="card__link" href="${path(random)}.html" data-event="click:teaser"><img class="card__image lazy" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" data-src="https://img.example.org${path(random)}.jpg?w=320&amp;h=180" srcset="/i/${word(random)}.jpg 320w, /i/${word(random)}.jpg 640w" alt="${words(random, 4)}" width="320" height="180"></a>
        <div class="card__body">
          <h3 class="card__title"><a href="${path(random)}.html?ref=home&amp;pos=${random.below(50)}">${words(random, 8)}</a></h3>
          <p class="card__text">${sentence(random)} ${sentence(random)}</p>
          <time datetime="2024-0${1 + random.below(9)}-11T10:00:00Z">11 ${word(random)}</time>
        </div>
      </article>`;

const manual: Make = (random, block) => `
<section id="section-${block}"><h2><a class="anchor" href="#section-${block}">&sect; ${words(random, 3)}</a></h2>
<p>${sentence(random)} ${sentence(random)} See <a href="../${word(random)}/fn.${word(random)}.html" title="fn ${word(random)}"><code>${word(random)}</code></a>. ${sentence(random)}</p>
<pre class="language-ts"><code><span class="kw">const</span> <span class="id">${word(random)}</span> = <span class="fn">${word(random)}</span>(<span class="str">&quot;${word(random)}&quot;</span>);
<span class="kw">if</span> (a &lt; b &amp;&amp; c &gt; d) <span class="kw">return</span> <span class="num">${random.below(900)}</span>;</code></pre>
<ul><li>${sentence(random)}</li><li><a href="${word(random)}.html">${word(random)}</a></li><li>${words(random, 5)}</li></ul></section>`;

const shop: Make = (random) => `
<tr class="row"><td class="c1"><input type="checkbox" name="p[]" value="${random.u32()}"></td><td class="c2"><a href="/product?id=${random.below(99_999)}&amp;cat=${random.below(90)}&amp;lang=en">${words(random, 4)}</a></td><td class="c3" align="right">&euro;&nbsp;${random.below(900)}.${random.below(90)}</td><td><form action="/cart" method="post"><button type="submit" class="btn btn-primary">Add</button></form></td></tr>`;

const forum: Make = (random, block) => `
<div class="post" id="p${block}"><div class="author"><a href="/user/${random.below(9999)}" rel="nofollow ugc">${word(random)}</a><br>
<span class="small">Posts: ${random.below(5000)}</span><svg class="icon" viewBox="0 0 24 24"><title>${word(random)}</title><path d="M12 2L2 7l10 5 10-5-10-5z M2 17l10 5 10-5 M2 12l10 5 10-5"/></svg></div>
<blockquote>${sentence(random)}</blockquote>${sentence(random)}<br>
${sentence(random)} <a href="https://${word(random)}.example.net${path(random)}" rel="nofollow noopener" target="_blank">${words(random, 2)}</a> ${sentence(random)}</div>`;

const old: Make = (random) => `
<TABLE WIDTH=100% BORDER=0 CELLPADDING=2><TR><TD VALIGN=top><FONT FACE="Arial" SIZE=2><A HREF=${word(random)}.htm>${words(random, 3)}</A> - ${sentence(random)}</FONT></TD>
<TD><A HREF='${path(random)}.cgi?a=1&b=2'><IMG SRC=${word(random)}.gif BORDER=0></A></TD></TR></TABLE><!-- ${words(random, 12)} -->`;

const MAKES: readonly Make[] = [news, manual, shop, forum, old];

function head(random: SeededRandom): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${words(random, 6)} &ndash; ${word(random)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="${words(random, 18)}">
<meta property="og:title" content="${words(random, 6)}"><link rel="canonical" href="https://example.org${path(random)}">
<link rel="stylesheet" href="/static/main.${random.u32()}.css"><link rel="preconnect" href="https://fonts.example.net">
<style>body{margin:0;font:16px/1.5 sans-serif}.card{display:grid;grid-template-columns:1fr 2fr}.card__title>a{color:#123}@media (max-width:600px){.card{display:block}}</style>
<script>window.dataLayer=window.dataLayer||[];(function(w,d){var s=d.createElement("script");s.async=true;s.src="https://stats.example.net/t.js?id=${random.u32()}";if(w.a<3&&w.b>2){d.head.appendChild(s)}})(window,document);</script>
</head><body class="page page-${word(random)}"><header><nav><ul>`;
}

function footer(random: SeededRandom): string {
  const state = Array.from(
    { length: 12 },
    () => `{"id":${random.u32()},"title":"${words(random, 5)}","url":"${path(random)}"}`,
  );
  return `</main><footer><p>&copy; 2024 ${words(random, 3)}. <a href="/imprint">Imprint</a> | <a href="/privacy">Privacy</a></p></footer>
<script type="application/json" id="state">[${state.join(",")}]</script><script src="/static/app.${random.u32()}.js" defer></script></body></html>`;
}

/** One page of about `bytes` bytes. */
export function samplePage(seed: string, bytes: number): Buffer {
  const random = new SeededRandom(seed);
  const make = MAKES[random.below(MAKES.length)] as Make;
  const parts = [head(random)];
  for (let index = 0; index < 12; index++) {
    parts.push(
      `<li class="nav-item"><a class="nav-link" href="/${word(random)}/">${word(random)}</a></li>`,
    );
  }
  parts.push("</ul></nav></header><main>");
  const last = footer(random);
  let length = last.length + parts.join("").length;
  for (let block = 0; length < bytes; block++) {
    const part = make(random, block);
    length += part.length;
    parts.push(part);
  }
  parts.push(last);
  return Buffer.from(parts.join(""), "utf8");
}

/** This many pages of about that size. */
export function samplePages(count: number, bytes: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => samplePage(`page ${bytes} ${index}`, bytes));
}
