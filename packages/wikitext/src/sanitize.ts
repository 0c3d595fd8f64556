/**
 * Allow-list of the HTML in pages: elements, attributes and styles. Everything else is refused.
 */
import { char } from './characters.ts';
import { decodeEntities } from './entities.ts';
import { safeUrl } from './html.ts';
import type { Attributes } from './tree.ts';

const words = (list: string) => list.split(' ');

/** Elements that pages may write as tags. */
export const allowedElements: ReadonlySet<string> = new Set(
  words(
    'abbr b bdi bdo big blockquote br caption center cite code data dd del dfn div dl dt em font h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rb rp rt rtc ruby s samp small span strike strong sub sup table td th time tr tt u ul var wbr',
  ),
);

export const voidElements: ReadonlySet<string> = new Set(['br', 'hr', 'wbr', 'img', 'input', 'meta', 'link']);

/** Elements used only for microdata, with the attribute that they need besides `itemprop`. They load and run nothing. */
export const microdata: Readonly<Record<string, string>> = { meta: 'content', link: 'href' };

const common = words(
  'id class style lang dir title tabindex role aria-describedby aria-flowto aria-hidden aria-label aria-labelledby aria-level aria-owns itemid itemprop itemref itemscope itemtype',
);
/** Attributes that mean something to the scripts of this engine, of MediaWiki or of Coppice's own pages. */
const reservedData =
  /^data-(?:(?:map|member|mw|ooui|order|parsoid|passkey|path|preview|source|tree|url)(?:-.*)?|again|assets|base|challenge|change|checkpath-url|comments|complete|complete-url|contents|copy|drafts|edit-section|exported|fits|format|grant(?:ee)?s|group|header|hint|hint-of|import|import-words|insert-file|is-text|label|lat|lon|max-upload|new-comment|note|object-id|open-access|page-id|permissions|place|places|private-wiki|propose|quoted|section|sheet|style-nonce|submits|theme?|them|tool|threads|tiles|title|type|wide|words|work|x|zoom)$/;

const cell = words('align valign bgcolor width height nowrap abbr axis headers scope rowspan colspan');
const own: Readonly<Record<string, readonly string[]>> = {
  div: ['align'],
  p: ['align'],
  center: ['align'],
  h1: ['align'],
  h2: ['align'],
  h3: ['align'],
  h4: ['align'],
  h5: ['align'],
  h6: ['align'],
  caption: ['align'],
  blockquote: ['align'],
  table: words('align bgcolor border cellpadding cellspacing frame rules summary width'),
  tr: words('align valign bgcolor'),
  td: cell,
  th: cell,
  br: ['clear'],
  hr: words('width align noshade size'),
  ul: ['type'],
  ol: words('type start reversed'),
  li: words('type value'),
  pre: ['width'],
  font: words('size color face'),
  del: ['datetime'],
  ins: ['datetime'],
  time: ['datetime'],
  data: ['value'],
  details: ['open'],
};
const allowedAttributes = new Map<string, ReadonlySet<string>>();

function attributesOf(element: string): ReadonlySet<string> {
  let set = allowedAttributes.get(element);
  if (!set) {
    const stated = Object.hasOwn(microdata, element) ? microdata[element] : undefined;
    set = new Set(
      stated
        ? ['itemprop', stated]
        : [...common, ...(Object.hasOwn(own, element) ? (own[element] ?? []) : [])],
    );
    allowedAttributes.set(element, set);
  }
  return set;
}

function isAllowed(allowed: ReadonlySet<string>, name: string): boolean {
  return allowed.has(name) || (name.startsWith('data-') && allowed.has('class') && !reservedData.test(name));
}

/** Reads the attributes in `text` that `element` may have, with decoded values. The last of equal names wins. */
export function readAttributes(text: string, element: string): Attributes | undefined {
  let result: Attributes | undefined;
  const allowed = attributesOf(element);
  eachAttribute(text, (name, value) => {
    if (!isAllowed(allowed, name)) return;
    const safe = safeValue(name, value);
    if (safe === undefined) {
      if (result) delete result[name];
    } else {
      result ??= {};
      result[name] = safe;
    }
  });
  return result;
}

/** Reads all attributes in `text`, names in lower case: for tags that the engine itself defines. */
export function readAnyAttributes(text: string): Attributes {
  const result: Attributes = Object.create(null);
  eachAttribute(text, (name, value) => {
    result[name] = value;
  });
  return result;
}

/** Valid attribute names. MediaWiki drops others together with their values. */
const attributeName = /^[:_\p{L}\p{N}][:_.\-\p{L}\p{N}]*$/u;

function collapseSpace(value: string): string {
  return /^\s|\s$|[\t\n\r]| {2}/.test(value) ? value.replace(/[\t\n\r ]+/g, ' ').trim() : value;
}

function eachAttribute(text: string, found: (name: string, value: string) => void): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const first = text.charCodeAt(at);
    if (first !== char.equals && endsName(first)) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < length && !endsName(text.charCodeAt(end))) end++;
    const name = text.slice(at, end).toLowerCase();
    const isName = attributeName.test(name);
    let next = end;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) !== char.equals) {
      if (isName) found(name, '');
      at = end;
      continue;
    }
    next++;
    while (isSpace(text.charCodeAt(next))) next++;
    const quote = text[next];
    let value: string;
    if (quote === '"' || quote === "'") {
      const close = text.indexOf(quote, next + 1);
      const stop = close < 0 ? length : close;
      value = text.slice(next + 1, stop);
      at = stop + 1;
    } else {
      at = next;
      while (at < length && !isSpace(text.charCodeAt(at))) at++;
      value = text.slice(next, at);
    }
    if (isName) found(name, decodeEntities(collapseSpace(value)));
  }
}

function endsName(code: number): boolean {
  return isSpace(code) || code === char.slash || code === char.equals;
}

/** Returns the safe value of an attribute of `element`, or undefined if the attribute is not allowed. */
export function safeAttribute(element: string, name: string, value: string): string | undefined {
  return isAllowed(attributesOf(element), name) ? safeValue(name, value) : undefined;
}

/** Returns the attributes that `element` may have, with safe values. */
export function safeAttributes(element: string, attributes: Attributes): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const safe = safeAttribute(element, name, value);
    if (safe !== undefined) result[name] = safe;
  }
  return result;
}

function safeValue(name: string, value: string): string | undefined {
  if (name === 'style') return safeStyle(value);
  if (name === 'href') return safeUrl(value);
  if (name === 'id') return value.replace(/[\t\n\f\r ]/g, '_');
  if (name === 'tabindex') return value.trim() === '0' ? '0' : undefined;
  return value;
}

// A named view transition is drawn above the whole page, outside the content box.
const forbiddenStyle =
  /expression|view-transition|(?:filter|accelerator|behaviou?r|-moz-binding|-o-link|-o-link-source|-o-replace)\s*:|(?:url|src|image|image-set|element|cross-fade|attr|paint)\s*\(|@import|[\\<>]|position\s*:(?!\s*(?:static|relative|inherit|initial|unset))/i;

/**
 * Returns `style` without comments and without declarations that could load, run or cover anything; undefined if none is left.
 */
export function safeStyle(value: string): string | undefined {
  if (value.length > 10_000) return undefined;
  let text = value.includes('\\') ? withoutEscapes(value) : value;
  if (text.includes('/*')) {
    let out = '';
    let from = 0;
    for (let open = text.indexOf('/*'); open >= 0; open = text.indexOf('/*', from)) {
      out += `${text.slice(from, open)} `;
      const close = text.indexOf('*/', open + 2);
      from = close < 0 ? text.length : close + 2;
    }
    text = out + text.slice(from);
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < char.space && !isSpace(code)) || code === char.delete || code === char.replacement)
      return undefined;
  }
  // Some browsers read full-width letters as ASCII.
  return isForbidden(text) ? withoutForbidden(text) : text;
}

function isForbidden(style: string): boolean {
  return forbiddenStyle.test(style.normalize('NFKC'));
}

/**
 * Returns the declarations that are allowed. Forbidden patterns contain no semicolon, so joining the rest cannot form a new
 * one.
 */
function withoutForbidden(style: string): string | undefined {
  return (
    style
      .split(';')
      .filter((declaration) => declaration.trim() !== '' && !isForbidden(declaration))
      .join(';')
      .trim() || undefined
  );
}

/**
 * Decodes CSS escapes, so that they cannot hide forbidden text. Escapes of characters that would end a value stay, and are
 * refused.
 */
function withoutEscapes(value: string): string {
  return value.replace(
    /\\(?:([0-9a-f]{1,6})\s?|([^\n0-9a-f]))/gi,
    (all, hex: string | undefined, one: string | undefined) => {
      const code = hex === undefined ? (one?.codePointAt(0) ?? 0) : Number.parseInt(hex, 16);
      const isPlain =
        code >= char.space &&
        code <= 0x10ffff &&
        !(code >= 0xd800 && code <= 0xdfff) &&
        !'"\'\\;{}'.includes(String.fromCodePoint(code));
      return isPlain ? String.fromCodePoint(code) : all;
    },
  );
}

function isSpace(code: number): boolean {
  return (
    code === char.space ||
    code === char.tab ||
    code === char.newline ||
    code === char.formFeed ||
    code === char.carriageReturn
  );
}
