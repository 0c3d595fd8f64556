/** A small wiki for tests and for the examples of `docs/wikitext.md`: two trees, some templates, one picture. */

import { rulesOf } from '../src/dialect.ts';
import {
  type ExpandContext,
  expand,
  type ListingRows,
  parse,
  type Rendered,
  type Resolved,
  type ResolvedFile,
  type ResolvedPage,
  render,
} from '../src/index.ts';
import { commonInterwiki, localNames, tags } from '../src/locales.ts';

const page = { title: 'Bark', path: '/trees/oak/bark', parent: { title: 'Oak', path: '/trees/oak' } };

const oak: ResolvedPage = { path: '/trees/oak', title: 'Oak' };
const pages = new Map<string, ResolvedPage>([
  ['Oak', oak],
  ['oak', oak],
  ['/trees/oak', oak],
  ['Elm', { path: '/trees/elm', title: 'Elm' }],
  ['/trees/oak/leaf', { path: '/trees/oak/leaf', title: 'Leaf' }],
  ['Key: a thing', { path: '/key-a-thing', title: 'Key: a thing' }],
]);

const files = new Map<string, ResolvedFile>([
  [
    'oak.jpg',
    { url: '/files/1/oak.jpg', thumbnailUrl: '/files/1/small', mime: 'image/jpeg', width: 1200, height: 800 },
  ],
  ['song.ogg', { url: '/files/2/song.ogg', mime: 'audio/ogg' }],
  ['plan.svg', { url: '/files/4/plan.svg', mime: 'image/svg+xml' }],
  ['walk.mp4', { url: '/files/7/walk.mp4', mime: 'video/mp4' }],
  ['rows.csv', { url: '/files/5/rows.csv', mime: 'text/csv' }],
  ['notes.pdf', { url: '/files/3/notes.pdf', mime: 'application/pdf' }],
]);

const templates: Readonly<Record<string, string>> = {
  Greeting: 'Hello {{{1|you}}}!',
  Box: '<div class="box">{{{title}}}: {{{text|…}}}</div><noinclude>How to use the box.</noinclude>',
  Rows: '* one\n* two',
  Loop: '{{Loop}}',
  Ping: '{{Pong}}',
  Pong: '{{Ping}}',
  Only: 'before <onlyinclude>inside</onlyinclude> after',
  Hidden: '<includeonly>shown where included</includeonly><noinclude>shown here</noinclude>',
  Loose: 'a</noinclude>b<onlyinclude >',
  Old: '#REDIRECT [[Greeting]]',
  '/trees/oak/sign': 'A sign.',
  Guide:
    'Lead. <section begin=short/>In short.<section end=short/>\n== Planting ==\nDig.\n== Felling ==\nSaw.',
  // Parts as a host extracts them.
  'Guide#Planting': '== Planting ==\nDig.\n',
  // Arguments of these templates land where they could break out.
  Attributes: '<div class="{{{1}}}" style={{{2}}} title=\'{{{1}}}\'>{{{3|}}}</div>',
  Cells: '{| class="{{{1}}}"\n| {{{2}}} | {{{3|}}}\n|}',
  Tag: '<{{{1}}} {{{2|}}}>',
  Note: '<ref name="{{{1}}}">{{{2|}}}</ref>',
  Address: '[https://{{{1}}} {{{2|}}}] [[File:oak.jpg|{{{1}}}|alt={{{2|}}}|link={{{1}}}]]',
  Pictures: '<gallery caption="{{{1}}}">\noak.jpg|{{{2|}}}\n</gallery>',
};

const listings: ListingRows = {
  rows: [
    { title: 'Leaf', path: '/trees/oak/leaf', description: 'Green in <summer>' },
    { title: 'Root', path: '/trees/oak/root', lat: 51.5, lon: -0.1 },
  ],
  more: 3,
};

/** Renders `source` for a reader of the page, in a wiki of that language. */
export function show(source: string, resolved: Partial<Resolved> = {}, language = 'en'): Rendered {
  const rules = rulesOf({
    language,
    interwiki: commonInterwiki(language),
    names: localNames(language),
    tags,
  });
  const known = new Map<string, string | null>();
  const exists = new Map<string, boolean>();
  const answers = new Map<string, ListingRows>();
  const addresses = new Map<string, string | null>();
  const context: ExpandContext = {
    page,
    templates: known,
    exists,
    files: addresses,
    listings: answers,
    now: Date.UTC(2026, 4, 1, 12, 30),
    siteName: 'Woods',
    server: 'https://woods.example',
    rules,
  };
  for (;;) {
    const { text, needs } = expand(source, context);
    if (needs.templates.length + needs.exists.length + needs.files.length + needs.listings.length === 0) {
      const tree = parse(text, { path: page.path, expanded: true, rules });
      return render(tree, { pages, files, page, listings: answers, ...resolved });
    }
    for (const name of needs.templates)
      known.set(name, Object.hasOwn(templates, name) ? (templates[name] ?? '') : null);
    for (const name of needs.exists) exists.set(name, pages.has(name));
    for (const name of needs.files) addresses.set(name, files.get(name)?.url ?? null);
    for (const { key, name } of needs.listings)
      answers.set(key, name === 'Count' ? { rows: [], more: 1234 } : listings);
  }
}
