/**
 * link ::= '[' url (blank* text)? ']'     free ::= url, where a word may begin
 * url  ::= scheme (character that is no space, quote, bracket or angle)+
 *
 *   [https://example.org the site]     <a href="https://example.org">the site</a>
 *   [https://example.org]              <a href="https://example.org">[1]</a>
 *   see https://example.org/a.         see <a href="https://example.org/a">https://example.org/a</a>.
 *
 * Punctuation at the end of a bare address is not part of it, nor is a closing parenthesis without an opening one. Only the
 * schemes listed here make links; in brackets, `//example.org` does too.
 */
import { char, isLetter } from '../characters.ts';
import { decodeEntities } from '../entities.ts';
import { schemesWithout, schemesWithSlashes } from '../html.ts';

const withSlashes = new Set(schemesWithSlashes);
const withoutSlashes = new Set(schemesWithout);

/** Returns the end of the scheme that begins at `at` (after `:` or `//`), or -1. */
export function schemeEnd(text: string, at: number): number {
  if (text.startsWith('//', at)) return at + 2;
  let end = at;
  while (end - at < 12 && isLetter(text.charCodeAt(end))) end++;
  if (text.charCodeAt(end) !== char.colon) return -1;
  return afterColon(text, at, end);
}

/** Returns the start of the scheme whose colon is at `colon`, or -1 if no word begins there. */
export function schemeStart(text: string, colon: number, from: number): number {
  let start = colon;
  while (start > from && colon - start < 12 && isLetter(text.charCodeAt(start - 1))) start--;
  if (start === colon) return -1;
  // A scheme must follow a non-word character, so `xhttp:` contains none.
  if (start > 0 && isWord(text[start - 1] ?? '')) return -1;
  return afterColon(text, start, colon) < 0 ? -1 : start;
}

function afterColon(text: string, start: number, colon: number): number {
  const scheme = text.slice(start, colon).toLowerCase();
  if (withSlashes.has(scheme)) return text.startsWith('//', colon + 1) ? colon + 3 : -1;
  return withoutSlashes.has(scheme) ? colon + 1 : -1;
}

/** Returns the end of the address whose scheme ends at `from`; `from` itself if nothing follows. */
export function urlEnd(text: string, from: number, limit: number): number {
  let at = from;
  // An IPv6 host is enclosed in brackets.
  if (text.charCodeAt(at) === char.openBracket) {
    let end = at + 1;
    while (end - at < 48 && /[0-9a-f:.]/i.test(text[end] ?? '')) end++;
    if (text.charCodeAt(end) !== char.closeBracket || end === at + 1) return from;
    at = end + 1;
  }
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (endsAddress(code)) break;
    if (code === char.apostrophe && text.charCodeAt(at + 1) === char.apostrophe) {
      // The first of four apostrophes is text, as are all before the last five.
      const run = apostrophes(text, at);
      if (run > 5) at += run - 5;
      else if (run === 4) at++;
      break;
    }
    if (code >= char.fixedSpace && isWideSpace(code)) break;
    at++;
  }
  return at;
}

function apostrophes(text: string, from: number): number {
  let end = from;
  while (text.charCodeAt(end) === char.apostrophe) end++;
  return end - from;
}

/** Control characters, spaces, quotes, and brackets of tags and links. */
function endsAddress(code: number): boolean {
  return (
    code <= char.space ||
    code === char.quote ||
    code === char.lessThan ||
    code === char.greaterThan ||
    code === char.openBracket ||
    code === char.closeBracket ||
    code === char.delete
  );
}

/** Returns the end of a bare address, without the punctuation of the sentence around it, or -1 if nothing is left. */
export function freeUrlEnd(text: string, start: number, schemeAfter: number, limit: number): number {
  let end = limit;
  const cut = /&(?:lt|gt|nbsp|#x0{0,8}(?:3[ce]|a0)|#0{0,8}(?:60|62|160));/i.exec(text.slice(start, end));
  if (cut) end = start + cut.index;
  const mayHaveParenthesis = text.slice(start, end).includes('(');
  const isSentence = (code: number) =>
    code === char.comma ||
    code === char.semicolon ||
    code === char.dot ||
    code === char.colon ||
    code === char.exclamation ||
    code === char.question ||
    code === char.backslash ||
    (code === char.closeParenthesis && !mayHaveParenthesis);
  let trimmed = end;
  while (trimmed > start && isSentence(text.charCodeAt(trimmed - 1))) trimmed--;
  // A semicolon that ends a character reference stays.
  if (
    trimmed < end &&
    text.charCodeAt(trimmed) === char.semicolon &&
    endsWithReference(text.slice(Math.max(start, trimmed - 32), trimmed))
  ) {
    trimmed++;
  }
  return trimmed <= schemeAfter ? -1 : trimmed;
}

const invisible = /[\s\u00ad\u034f\u180b-\u180d\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]/gu;

/**
 * Returns the address for `href`: references decoded, characters that could end it encoded, invisible host characters removed.
 */
export function cleanUrl(written: string): string {
  if (/^[\w!#$%'()*+,./:;=?@~-]*$/.test(written)) return written;
  let url = decodeEntities(written);
  let out = '';
  let from = 0;
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at);
    const isUnsafe = endsAddress(code) || code === char.pipe;
    if (!isUnsafe) continue;
    out +=
      url.slice(from, at) +
      (code === char.space ? '+' : `%${code.toString(16).toUpperCase().padStart(2, '0')}`);
    from = at + 1;
  }
  url = out + url.slice(from);
  const parts = /^([a-z]+:)?(\/\/[^/]*)/i.exec(url);
  if (!parts?.[2]) return url;
  const host = parts[2].replace(invisible, '').replace(/%5B([0-9a-f:.]+)%5D/i, '[$1]');
  return (parts[1] ?? '') + host + url.slice(parts[0].length);
}

function endsWithReference(text: string): boolean {
  return /&(?:[a-z]+|#x[\da-f]+|#\d+)$/i.test(text);
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}

function isWideSpace(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}
