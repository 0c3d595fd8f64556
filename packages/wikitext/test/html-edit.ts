/** Pages shown as HTML, edited there, and written again. */
import { expect } from 'vitest';
import { expand, parse, render } from '../src/index.ts';
import { toWikitext } from '../src/to-wikitext/index.ts';

const bodies = new Map([
  ['Word', "''word''"],
  ['Nothing', ''],
  ['Text', 'text'],
  ['Box', '<div>box</div>'],
]);

export function shown(source: string): string {
  const page = { path: '/p', title: 'P' };
  const none = { exists: new Map(), listings: new Map(), now: 0, tracksOrigins: true };
  const { text, origins = [] } = expand(source, { page, templates: bodies, ...none });
  const files = new Map([['a.png', { url: '/files/a.png', mime: 'image/png' }]]);
  return render(parse(text, { expanded: true }), { pages: new Map(), files, page, origins }).html;
}

/** Writes the source with the first part of the HTML that matches replaced. Spaces between tags do not count. */
export function edited(source: string, from: string | RegExp, to: string): string {
  const html = shown(source);
  const changed = html.replace(from, to);
  expect(changed).not.toBe(html);
  return toWikitext(changed, { original: { source, html } });
}
