/**
 * MediaWiki's cases for HTML → wikitext, from the file in COPPICE_HTML_TESTS; skipped if it is unset. A case passes if the
 * wikitext is identical, except for line breaks at its end.
 *
 *   html2wt   HTML as Parsoid writes it, without the source that it came from
 *   wt2wt     wikitext, rendered here, written again from the HTML alone
 *             (as it looks: what is written must be rendered as the same)
 *   selser    the same with its source, and one paragraph more: everything else must keep its bytes
 *
 * Floors are the numbers that pass today. Raise them by hand when more cases pass; never lower them.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, references, render } from '../src/index.ts';
import { mediawiki } from '../src/mediawiki/index.ts';
import { toWikitext } from '../src/to-wikitext/index.ts';

type Case = { name: string; html: string; wikitext: string; original?: string };

const file = process.env.COPPICE_HTML_TESTS ?? '';
const languages = ['de', 'en', 'es', 'fr', 'ja', 'ru', 'zh', 'mi', 'mul', 'ko'];
const interwiki: Readonly<Record<string, string>> = {
  wikipedia: 'http://en.wikipedia.org/wiki/$1',
  meatball: 'http://www.usemod.com/cgi-bin/mb.pl?$1',
  memoryalpha: 'http://www.memory-alpha.org/en/index.php/$1',
  gerrit: 'https://gerrit.wikimedia.org/$1',
  ...Object.fromEntries(languages.map((code) => [code, `//${code}.wikipedia.org/wiki/$1`])),
};
const site = mediawiki({ interwiki, languages });
const options = { rules: site.rules, interwiki: otherWiki, target: ownPage };

/** Title of the page at an address of this wiki. */
function ownPage(href: string): string | undefined {
  const title = /^\/wiki\/(.+)$/s.exec(href)?.[1];
  return title === undefined ? undefined : decodeURIComponent(title).replaceAll('_', ' ');
}

/** Interwiki target for an address, e.g. `w:Oak`. */
function otherWiki(href: string): string | undefined {
  const address = href.replace(/^https?:/, '');
  for (const [prefix, pattern] of Object.entries(interwiki)) {
    const base = pattern.replace('$1', '').replace(/^https?:/, '');
    if (!address.startsWith(base)) continue;
    const colon = languages.includes(prefix) ? ':' : '';
    return `${colon}${prefix}:${decodeURIComponent(address.slice(base.length))}`;
  }
  return undefined;
}

function shown(source: string): string {
  const page = { path: 'Main Page', title: 'Main Page' };
  const tree = parse(source, { rules: site.rules, expanded: true });
  const files = new Map(
    references(tree).files.map((name) => [
      name,
      { url: `/files/${name}`, mime: 'image/png', width: 1941, height: 220 },
    ]),
  );
  return render(tree, { pages: new Map(), files, page, address: site.address, origins: [] }).html;
}

const trimmed = (text: string) => text.replace(/\n+$/, '');

describe.skipIf(file === '')('MediaWiki’s cases for HTML to wikitext', () => {
  const cases: Case[] = file === '' ? [] : JSON.parse(readFileSync(file, 'utf8'));
  const passing = (passes: (one: Case) => boolean) => cases.filter(passes).length;

  it('html2wt', () => {
    const plain = (one: Case) =>
      one.original === undefined && trimmed(toWikitext(one.html, options)) === trimmed(one.wikitext);
    expect(passing(plain)).toBeGreaterThanOrEqual(312);
  });

  it('wt2wt', () => {
    const again = (one: Case) => trimmed(toWikitext(shown(one.wikitext), options)) === trimmed(one.wikitext);
    expect(passing(again)).toBeGreaterThanOrEqual(187);
  });

  it('wt2wt, as it looks', () => {
    const looks = (html: string) =>
      html
        .replace(/ data-source="[^"]*"/g, '')
        .replace(/<p>\s*<br ?\/?>\s*/g, '<p>')
        .replace(/\s+/g, ' ')
        .replace(/ ?(<\/?(?:p|li|dd|dt|ul|ol|dl|td|th|tr|table|div|pre|h\d|caption)\b[^>]*>) ?/g, '$1')
        .replace(/<p><\/p>/g, '')
        .trim();
    const again = ({ wikitext }: Case) => {
      const html = shown(wikitext);
      return looks(shown(toWikitext(html, options))) === looks(html);
    };
    expect(passing(again)).toBeGreaterThanOrEqual(508);
  });

  it('selser', () => {
    const kept = ({ wikitext: source }: Case) => {
      const html = shown(source);
      const more = toWikitext(`${html}<p>One more.</p>`, { ...options, original: { source, html } });
      return trimmed(more.replace(/\n*One more\.\s*$/, '')) === trimmed(source) && more.includes('One more.');
    };
    expect(passing(kept)).toBeGreaterThanOrEqual(555);
    const own = (one: Case) =>
      toWikitext(`${shown(one.wikitext)} `, {
        ...options,
        original: { source: one.wikitext, html: shown(one.wikitext) },
      }) === one.wikitext;
    expect(passing(own)).toBe(cases.length);
  });
});
