/**
 * Finds what a browser could execute in a file: behind byte order marks, white space, comments and declarations, and in UTF-16.
 * A false alarm only means that a file is downloaded instead of displayed, while a miss could let it run code, so doubt counts
 * as active.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const html = 'text/html';
const xml = 'application/xml';
const svg = 'image/svg+xml';

/**
 * Tags that begin an HTML document: the list of WHATWG MIME Sniffing §7.1, and every other element that could contain or run
 * code.
 */
const htmlTags = new Set(
  (
    'a abbr address applet article aside audio b base blockquote body br button canvas center details dialog div ' +
    'dl embed fieldset font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ' +
    'isindex keygen li link main map marquee math menu meta nav noembed noframes noscript object ol p picture ' +
    'plaintext script section select slot source span strong style sub summary sup table template textarea title ' +
    'tr track u ul video xmp'
  ).split(' '),
);

/** Tags that begin many pages of wikitext and only show text. Any other tag begins XML. */
const wikitextTags = new Set(
  'includeonly noinclude nowiki onlyinclude pre ref references syntaxhighlight'.split(' '),
);

/** Number of characters in which browsers look for HTML when they guess a type, and readers for the beginning of a PDF. */
const guessedChars = 1024;

/** Detects the encoding by the byte order mark, or without one by the zeros beside letters in UTF-16. */
export function encodingOf([a, b, c, d]: Uint8Array): Encoding {
  if ((a === 0xff && b === 0xfe) || (isAscii(a) && b === 0 && isAscii(c) && d === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && isAscii(b) && c === 0 && isAscii(d))) return 'utf-16be';
  return 'utf-8';
}

/**
 * Returns the active type that the beginning of a file may be taken for. The head is examined as text even if the file is
 * binary. `isWhole`: the head is the whole file. If more follows, a head of only white space or one comment counts as HTML.
 * Runs in linear time.
 */
export function findActiveBeginning(head: Uint8Array, isWhole: boolean): string | undefined {
  const text = new TextDecoder(encodingOf(head)).decode(head);
  let outer: string | undefined;
  for (let at = 0; ; ) {
    at = endOfSpace(text, at);
    if (at === text.length && at > 0 && !isWhole) return outer ?? html;
    if (text.startsWith('<!--', at)) {
      outer ??= html;
      // `<!-->` is a whole comment, so its end may overlap its beginning (HTML Living Standard §13.2.5.43).
      at = endAfter(text, '-->', at + 2);
    } else if (text.startsWith('<?', at)) {
      outer = xml;
      at = endAfter(text, '>', at);
    } else return kindOfTag(text.slice(at, at + 200), outer) ?? outer;
  }
}

/** Finds executable markup, or a PDF, near the beginning of a text. */
export function findActiveWithin(text: string): string | undefined {
  const start = text.slice(0, guessedChars);
  if (
    /<(?:!doctype|(?:[\w.-]{1,40}:)?(?:html|head|body|script|iframe|frameset|svg|object|embed))[\s/>]/i.test(
      start,
    )
  ) {
    return html;
  }
  return start.includes('%PDF-') ? 'application/pdf' : undefined;
}

function kindOfTag(text: string, outer: string | undefined): string | undefined {
  const doctype = /^<!doctype\s*([\w:.-]*)/i.exec(text)?.[1]?.toLowerCase();
  if (doctype !== undefined)
    return doctype === 'svg' ? svg : doctype === 'html' || doctype === '' ? html : xml;
  if (/^<[!/]/.test(text)) return outer ?? html;
  const tag = /^<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)(?=[\s/>]|$)/.exec(text)?.[1]?.toLowerCase();
  if (tag === undefined) return undefined;
  if (tag === 'svg') return svg;
  if (tag === 'html' && outer === xml) return 'application/xhtml+xml';
  if (htmlTags.has(tag)) return html;
  return wikitextTags.has(tag) ? undefined : xml;
}

function endOfSpace(text: string, at: number): number {
  const space = /[\s\ufeff\0]*/y;
  space.lastIndex = at;
  return at + (space.exec(text)?.[0].length ?? 0);
}

function endAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127));
}
