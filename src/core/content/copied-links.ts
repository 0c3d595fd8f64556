/**
 * Links and template calls of a copied text: those to pages within the copy lead to the copies, and those relative to the page become
 * absolute, because the copy stands elsewhere. Labels stay as readers saw them.
 */
import { linkPlaces } from '@coppice/markdown';
import { resolvePath } from '@coppice/wikitext/build';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import {
  type Change,
  edit,
  find,
  links,
  readSource,
  setLabel,
  setTarget,
  templates,
} from '@coppice/wikitext/edit';
import { titleKey } from '../model/fold.ts';
import type { Content } from '../model/page.ts';
import { encodePath, percentDecoded } from '../model/path.ts';

/** Path of the copy, by path and by key of each title that leads into the copied pages. Templates are found by other rules than links. */
export interface Copied {
  links: ReadonlyMap<string, string>;
  templates: ReadonlyMap<string, string>;
}

/** The body with links into the copied subtree led to the copies. `path`: the page before it was copied. */
export function withCopiedLinks(
  { body, format, path }: Pick<Content, 'body' | 'format' | 'path'>,
  copied: Copied,
  dialect: Dialect,
): string {
  return format === 'markdown'
    ? inMarkdown(body, path, copied.links)
    : inWikitext(body, path, copied, dialect);
}

function inWikitext(body: string, path: string, copied: Copied, dialect: Dialect): string {
  const tree = readSource(body, { rules: rulesOf(dialect), path });
  const changes: Change[][] = [];
  for (const link of [...links(tree), ...find(tree, 'file')]) {
    const written = body.slice(link.targetRange.start, link.targetRange.end);
    const target = moved(written, path, copied.links);
    if (target === undefined) continue;
    changes.push(setTarget(tree, link, target));
    if (!link.labelRange && link.type === 'link') changes.push(setLabel(tree, link, written.trim()));
  }
  for (const { target, nameRange } of templates(tree)) {
    if (target === undefined) continue;
    const written = body.slice(nameRange.start, nameRange.end);
    const [, way = '', name = ''] = /^((?:safesubst|subst|msgnw|msg|raw):)?(.*)$/is.exec(written) ?? [];
    const isRelative = /^\.\.?(?:\/|$)/.test(name.trim());
    const to = copied.templates.get(keyOf(target)) ?? (isRelative ? target : undefined);
    if (to !== undefined) changes.push([{ ...nameRange, text: way + to }]);
  }
  return changes.length === 0 ? body : edit(tree, changes);
}

function inMarkdown(body: string, path: string, copied: Copied['links']): string {
  let out = '';
  let from = 0;
  for (const place of linkPlaces(body)) {
    if (place.start < from) continue;
    const changed =
      place.kind === 'wiki'
        ? wikiLink(place.start, place.end)
        : address(place.kind === 'tag' ? place : place.target);
    if (!changed) continue;
    out += body.slice(from, changed.start) + changed.text;
    from = changed.end;
  }
  return out + body.slice(from);

  function wikiLink(start: number, end: number) {
    const [, mark = '', inside = ''] = /^(!?)\[\[(.*)\]\]$/s.exec(body.slice(start, end)) ?? [];
    const [written = '', ...label] = inside.split('|');
    const target = moved(written, path, copied);
    if (target === undefined) return undefined;
    const shown = label.length > 0 ? label.join('|') : written.trim();
    return { start, end, text: `${mark}[[${target}${mark === '' || label.length > 0 ? `|${shown}` : ''}]]` };
  }

  function address({ start, end }: { start: number; end: number }) {
    const written = body.slice(start, end).replace(/^<(.*)>$/s, '$1');
    const [, target = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(written) ?? [];
    if (!/^(?:\/|\.\.?\/)/.test(target)) return undefined;
    const named = percentDecoded(target);
    // An address within a page may be that of its file.
    const to = copied.has(named)
      ? moved(named, path, copied)
      : (fileIn(named, copied) ?? moved(named, path, copied));
    return to === undefined ? undefined : { start, end, text: encodePath(to) + rest };
  }
}

/** Address of the file of a copied page; undefined for other addresses. */
function fileIn(target: string, copied: Copied['links']): string | undefined {
  const slash = target.lastIndexOf('/');
  const page = slash > 0 && target.includes('.', slash) ? copied.get(target.slice(0, slash)) : undefined;
  return page === undefined ? undefined : page + target.slice(slash);
}

/** The target in the copy, or undefined if it stays as it is. */
function moved(written: string, path: string, copied: Copied['links']): string | undefined {
  const [, kind = '', name = '', rest = ''] =
    /^(\s*:?(?:file|image|media)\s*:)?([^#]*)(.*)$/is.exec(written) ?? [];
  const target = resolvePath(name.trim(), () => path);
  const isRelative = target !== name.trim() && /^\.\.?(?:\/|$)/.test(name.trim());
  if (kind !== '') {
    const file = fileIn(target, copied) ?? (isRelative ? target : undefined);
    return file === undefined ? undefined : kind + file;
  }
  const to = copied.get(keyOf(target.replace(/^:/, '')));
  return to === undefined ? (isRelative ? target + rest : undefined) : to + rest;
}

/** Key by which a link target is found among copied pages: a path as it is, a title without regard to case. */
export function keyOf(target: string): string {
  return target.startsWith('/') ? target : titleKey(target);
}
