/**
 * Determines the title of a document's page:
 *
 * 1. A document may begin with a preamble, `<pre>` with lines `Key: value`, as standards do. Its `Title:` is the document's
 *    own word for itself; the file name goes before it, since people know standards by their number: `bip-0341 – Taproot: …`.
 * 2. Otherwise the first heading, unless it is a generic one such as “Abstract”.
 * 3. Otherwise the file name without extension; for a folder's own document (README, index), the folder's name.
 */
import { maxTitleLength } from '#core/model/page-fields.ts';

const generic = new Set(
  (
    'abstract|acknowledgements|acknowledgments|background|contents|copyright|description|foreword|history|' +
    'index|introduction|licence|license|motivation|notes|overview|preamble|preface|rationale|readme|references|' +
    'see also|simple summary|specification|status|summary|table of contents'
  ).split('|'),
);

type HeadingsOf = (text: string) => readonly { title: string }[];

/** Title stated by the document itself. */
export interface DocumentTitle {
  preamble?: string;
  /** Empty if there is none. */
  heading: string;
}

export function titleIn(text: string, headingsOf: HeadingsOf): DocumentTitle {
  const preamble = preambleTitle(text);
  return preamble === undefined ? { heading: firstHeading(text, headingsOf) } : { preamble, heading: '' };
}

export function titleOf({ preamble, heading }: DocumentTitle, name: string): string {
  if (preamble !== undefined) {
    return fitted(
      preamble.toLowerCase().includes(name.toLowerCase()) ? preamble : `${name} – ${preamble}`,
      name,
    );
  }
  return fitted(heading === '' || generic.has(heading.toLowerCase()) ? name : heading, name);
}

/** Reads only as much text as necessary. */
function firstHeading(text: string, headingsOf: HeadingsOf): string {
  const line = /^=.*$/m.exec(text);
  const start = line ? text.slice(0, line.index + line[0].length) : text;
  // True if no element, comment, template, table or link is open before the line.
  const isPlain = !/[<{]/.test(start) && start.split('[[').length === start.split(']]').length;
  const found = (isPlain && headingsOf(start)[0]) || headingsOf(text)[0];
  return found?.title.trim() ?? '';
}

/** Name as MediaWiki shows it, with spaces instead of underscores. */
export function nameOf(stem: string): string {
  return stem.replaceAll('_', ' ').trim() || stem;
}

function preambleTitle(text: string): string | undefined {
  const start = /^\s*<pre>[ \t]*\n/i.exec(text)?.[0].length;
  const end = start === undefined ? -1 : text.indexOf('</pre>', start);
  if (end < 0) return undefined;
  return /^[ \t]*Title:[ \t]*(\S.*)$/im.exec(text.slice(start, end))?.[1]?.trim();
}

function fitted(title: string, name: string): string {
  const clean = title
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return [...(clean || name)].slice(0, maxTitleLength).join('').trim();
}
