/**
 * The elements of HTML, with the obsolete ones, and the roots of SVG and MathML: browsers read other elements of these only inside the roots.
 * https://html.spec.whatwg.org/multipage/indices.html#elements-3
 */
const ELEMENTS = new Set(
  `a abbr acronym address animate applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas
  caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl dt element em embed fieldset
  figcaption figure font footer foreignobject form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins
  isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr noembed
  noframes noscript object ol optgroup option output p param path picture plaintext portal pre progress q rb rp rt rtc ruby s samp script
  search section select set shadow slot small source spacer span strike strong style sub summary sup svg table tbody td template textarea
  tfoot th thead time title tr track tt u ul use var video wbr xml xmp`.split(/\s+/),
);

/** Matches the name of an element, which may have a prefix. */
const NAME = /^\/?(?:[a-z]+:)?([a-z][a-z\d]*)(?=[\s/>])/i;

/** Matches a tag up to an event handler. Browsers run one on an element of any name. */
const HANDLER = /^[a-z](?:[^<>"']|"[^"]*"|'[^']*')*?(?:[\s/]|"[^"]*"|'[^']*')on[a-z]+\s*=/i;

/**
 * Returns whether the text after a `<` makes it the beginning of a tag of HTML or of a comment, which is complete if a `>` follows. An
 * address in angle brackets, a `<` before a space or a digit, and a name that HTML does not have begin no tag: `<anna@example.com>`, `5 <6`,
 * `<Müller>`.
 */
export function beginsTag(following: string): boolean {
  const name = NAME.exec(following)?.[1];
  if (name !== undefined && ELEMENTS.has(name.toLowerCase())) return true;
  return following.startsWith("!") || HANDLER.test(following);
}
