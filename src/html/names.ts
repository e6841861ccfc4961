/**
 * The names that the extractor knows, as small numbers. A name is hashed while its bytes are
 * scanned; one look into a table then says which known name it is, or that it is none. So no string
 * is ever made for a tag or an attribute, and case does not matter.
 */

/** Elements that mean something to links, text or the parser's state; others share id 0. */
const ELEMENTS = [
  ..."a address annotation-xml applet area article aside audio b base basefont bgsound big".split(
    " ",
  ),
  ..."blockquote body br button caption center code col colgroup dd desc details dialog dir".split(
    " ",
  ),
  ..."div dl dt em embed fieldset figcaption figure font footer foreignobject form frame".split(
    " ",
  ),
  ..."frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input keygen".split(
    " ",
  ),
  ..."li link listing main malignmark marquee math menu meta mglyph mi mn mo ms mtext nav".split(
    " ",
  ),
  ..."nobr noembed noframes noscript object ol optgroup option p param plaintext pre rb rp".split(
    " ",
  ),
  ..."rt rtc ruby s script search section select small source span strike strong style sub".split(
    " ",
  ),
  ..."summary sup svg table tbody td template textarea tfoot th thead title tr track tt u".split(
    " ",
  ),
  ..."ul var video wbr xmp".split(" "),
] as const;
