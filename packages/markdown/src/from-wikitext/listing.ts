/** Writes listings of pages as lists of links. */
import type { ExtensionNode, ListingRow } from '@coppice/wikitext';
import { pathHref } from '@coppice/wikitext/build';
import type { ListItem, PhrasingContent } from 'mdast';
import { linkTo, withOrigin } from './lines.ts';
import type { Block, Writer } from './writer.ts';

const maxRows = 1000;

/** Returns a list of the pages that a query found, at most 1,000 and the number of others, or a sentence that there are none. */
export function listing(writer: Writer, { attributes }: ExtensionNode): Block[] {
  const answer = writer.resolved.listings?.get(attributes.key ?? '');
  if (!answer || answer.rows.length === 0) return [line([{ type: 'text', value: 'Nothing here yet.' }])];
  const items = answer.rows.slice(0, maxRows).map((row): ListItem => {
    const children = rowOf(writer, (attributes.name ?? '').toLowerCase(), row);
    return { type: 'listItem', spread: false, children: [line(children)] };
  });
  const more = (answer.more ?? 0) + answer.rows.length - items.length;
  const list: Block = { type: 'list', ordered: false, spread: false, children: items };
  return more > 0 ? [list, line([{ type: 'text', value: `and ${more} more` }])] : [list];
}

function rowOf({ options }: Writer, kind: string, row: ListingRow): PhrasingContent[] {
  const title: PhrasingContent = { type: 'text', value: row.title };
  const url =
    kind === 'gallery' && row.url ? row.url : row.path === undefined ? undefined : pathHref(row.path);
  const facts = [
    kind === 'wanted' && row.count !== undefined ? `(${row.count})` : '',
    row.time !== undefined && Math.abs(row.time) < 8.64e15
      ? new Date(row.time).toISOString().slice(0, 10)
      : '',
    row.author ?? '',
    row.lat !== undefined && row.lon !== undefined ? `${row.lat}; ${row.lon}` : '',
    row.description ?? '',
  ].filter((fact) => fact !== '');
  const isLink = url !== undefined && kind !== 'wanted';
  const name = isLink ? linkTo(withOrigin(url, options.origin), [title]) : title;
  return facts.length === 0 ? [name] : [name, { type: 'text', value: ` ${facts.join(' · ')}` }];
}

function line(children: PhrasingContent[]): Extract<Block, { type: 'paragraph' }> {
  return { type: 'paragraph', children };
}
