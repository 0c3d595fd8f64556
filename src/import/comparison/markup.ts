/**
 * Reads the HTML of a page: what it shows, and its links. One scan, which takes a fraction of the time of a parser; the HTML that
 * renderers make is well-formed, and what authors write in it ends with the element around it.
 */
import { decodeEntities } from '@coppice/wikitext';
import { percentDecoded } from '#core/model/path.ts';
import { type Shown, type ShownLink, Tally } from './shown.ts';

interface ReadMarkup {
  shown: Shown;
  /** IDs of its elements. */
  ids: string[];
  /** Paths of pages that links lead to. */
  pages: Set<string>;
  /** In order, with addresses decoded. */
  links: ShownLink[];
  /** Names of files that are shown as missing, in lower case. */
  missingFiles: Set<string>;
}

const tag = /<(\/?)([a-z][a-z0-9-]*)([^<>]*)>|<!--/gi;
const isVoid = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;

export function readMarkup(markup: string): ReadMarkup {
  const tally = new Tally();
  const found = {
    ids: [] as string[],
    pages: new Set<string>(),
    missingFiles: new Set<string>(),
    links: [] as ShownLink[],
  };
  let link: ShownLink | undefined;
  let from = 0;
  let isMissing = false;
  for (let match = tag.exec(markup); match; match = tag.exec(markup)) {
    const between = markup.slice(from, match.index);
    const text = between.includes('&') ? decodeEntities(between) : between;
    if (text !== '') tally.text(text);
    if (link) link.text += text;
    if (isMissing) found.missingFiles.add(lastSegment(text));
    isMissing = false;
    from = tag.lastIndex;
    const [, slash, written = '', attributes = ''] = match;
    const name = written.toLowerCase();
    if (name === 'a') link = undefined;
    if (slash) tally.close(name);
    else if (name !== '') {
      const classes = attributeOf(attributes, 'class')?.split(' ') ?? [];
      const isEmpty = isVoid.test(name);
      tally.open(name, classes);
      if (isEmpty) tally.close(name);
      const id = attributeOf(attributes, 'id');
      if (id !== undefined) found.ids.push(decodeEntities(id));
      isMissing = classes.includes('missing-file');
      if (name !== 'a') continue;
      const href = classes.includes('new') ? undefined : attributeOf(attributes, 'href');
      if (href !== undefined && /^\/(?!\/)/.test(href))
        found.pages.add(percentDecoded(decodeEntities(href.replace(/[?#].*$/s, ''))));
      link = { text: '', href: href && percentDecoded(decodeEntities(href)) };
      found.links.push(link);
    } else from = tag.lastIndex = (markup.indexOf('-->', from) + 1 || markup.length - 2) + 2;
  }
  tally.text(decodeEntities(markup.slice(from)));
  return { shown: tally.shown(), ...found };
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function attributeOf(attributes: string, name: string): string | undefined {
  const start = attributes.indexOf(` ${name}="`);
  if (start < 0) return undefined;
  const from = start + name.length + 3;
  const end = attributes.indexOf('"', from);
  return end < 0 ? undefined : attributes.slice(from, end);
}
