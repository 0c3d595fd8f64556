/**
 * Rewrites the links of a document to the future paths of their targets. Only targets change; the rest is kept byte for byte,
 * including links that are not understood or lead nowhere.
 *
 *   [[bip-0340.mediawiki#design|BIP 340]]   [[/bips/bip-0340#Design|BIP 340]]
 *   [[bip-0340.mediawiki]]                  [[/bips/bip-0340|bip-0340]]
 *   [[File:bip-0341/tree.png|frame]]        [[File:tree.png|frame]]
 *   <img src=bip-0001/process.png>          <img src="process.png">
 *   [[bip-0352/reference.py|code]]          [[File:reference.py|code]]
 *   [[https://example.org|the site]]        [https://example.org the site]
 *
 * One pass; comments, nowiki, pre and similar elements are skipped.
 */

import type { Adapted, Approximation, LinkOutcome } from '../source.ts';
import { endOfElement, escapeTarget } from '../wikitext-links.ts';

/** Resolves a target relative to a document; undefined if it is not imported. */
export interface Targets {
  /** `isKept`: a link by this title leads there as it is written. */
  page(target: string): { path: string; label: string; isKept: boolean } | undefined;
  /** `name`: by which the document's page embeds the file. `isLoose`: also matches the bare file name. */
  file(target: string, isLoose: boolean): { name: string; path: string } | undefined;
  /** Fragment of the heading that the link refers to. */
  fragment(target: string, fragment: string): string | undefined;
  /** Path of the document's own page. */
  own: string;
  /** Whether the wiki reads the target of a link as a page, and not as a tag or an address. */
  isPage(target: string): boolean;
}

/** Without a colon before it, it files the page under the category. */
const isCategory = /^category\s*:/i;

const token =
  /<!--|<(nowiki|pre|syntaxhighlight|source|math)\b[^<>]*>|\[\[([^[\]{}|<>\n]{1,1500})(?=\||\]\])|<img\b[^<>]*>/gi;

export function rewriteLinks(text: string, targets: Targets): Adapted {
  const matcher = new RegExp(token);
  const unclosed = new Set<string>();
  const links: LinkOutcome[] = [];
  const approximated: Approximation[] = [];
  let out = '';
  let from = 0;
  const replace = (at: number, end: number, after: string) => {
    approximated.push({ construct: 'link', before: text.slice(at, end), after });
    out += text.slice(from, at) + after;
    from = matcher.lastIndex = end;
  };
  for (let match = matcher.exec(text); match; match = matcher.exec(text)) {
    const [whole, tag, target] = match;
    if (target === undefined && !/^<img/i.test(whole)) {
      if (whole.endsWith('/>')) continue;
      const end = endOfElement(text, tag?.toLowerCase() ?? '--', matcher.lastIndex, unclosed);
      if (end > 0) matcher.lastIndex = end;
      continue;
    }
    const outside = webLink(text, match.index);
    if (outside) {
      replace(match.index, outside.end, outside.link);
      continue;
    }
    const isLabelled = text[matcher.lastIndex] === '|';
    const changed =
      target === undefined ? imageTag(whole, targets, links) : link(target, isLabelled, targets, links);
    if (changed !== undefined && changed !== whole) replace(match.index, matcher.lastIndex, changed);
  }
  return { body: out + text.slice(from), links, approximated };
}

/** Web addresses in double brackets, which some renderers accept. */
function webLink(text: string, at: number): { link: string; end: number } | undefined {
  const web = /\[\[(https?:\/\/[^\s[\]{}|<>]{1,1500})\|([^[\]{}|<>\n]{1,1500})\]\]/iy;
  web.lastIndex = at;
  const [, address, label] = web.exec(text) ?? [];
  return address && label ? { link: `[${address} ${label.trim()}]`, end: web.lastIndex } : undefined;
}

function link(
  written: string,
  isLabelled: boolean,
  targets: Targets,
  links: LinkOutcome[],
): string | undefined {
  const file = /^\s*(file|image)\s*:\s*(.+)$/i.exec(written);
  if (file) {
    const [, prefix, name = ''] = file;
    const known = targets.file(name.trim(), true);
    links.push({ old: written, new: known?.path ?? null, isFile: true });
    return known && `[[${prefix}:${escapeTarget(known.name)}`;
  }
  const hash = written.indexOf('#');
  const target = (hash < 0 ? written : written.slice(0, hash)).trim();
  const fragment = hash < 0 ? '' : written.slice(hash + 1).trim();
  const meant = fragment === '' ? '' : `#${targets.fragment(target, fragment) ?? fragment}`;
  if (target === '') {
    if (fragment !== '') links.push({ old: written, new: targets.own + meant });
    return meant === `#${fragment}` || meant === ''
      ? undefined
      : `[[${meant}${isLabelled ? '' : `|${fragment}`}`;
  }
  // With a colon it is a tag or a URL, unless it is a path, the title of a document, or says so by another colon before it.
  const title = target.replace(/^:\s*/, '');
  const isTag = target.includes(':') && !/^\.{0,2}\//.test(target);
  if (isTag && title === target && (/^[a-z][a-z0-9+.-]*:\/\//i.test(target) || isCategory.test(target)))
    return undefined;
  const page = targets.page(title);
  if (page) {
    links.push({ old: written, new: page.path + meant });
    const isKept = page.isKept && (fragment === '' || meant === `#${fragment}`);
    return isKept ? undefined : `[[${escapeTarget(page.path)}${meant}${isLabelled ? '' : `|${page.label}`}`;
  }
  const found = isTag ? undefined : targets.file(target, false);
  if (found || targets.isPage(target))
    links.push({ old: written, new: found?.path ?? null, ...(found ? { isFile: true } : {}) });
  return found && `[[File:${escapeTarget(found.name)}${isLabelled ? '' : `|${target}`}`;
}

function imageTag(tag: string, targets: Targets, links: LinkOutcome[]): string | undefined {
  const source = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+?)(?=\s|\/?>))/i.exec(tag);
  if (!source) return undefined;
  const written = (source[1] ?? source[2] ?? source[3] ?? '').trim();
  const file = targets.file(written, true);
  if (!file) return undefined;
  links.push({ old: written, new: file.path, isFile: true });
  const attribute = ` src="${escapeTarget(file.name).replaceAll('"', '%22')}"`;
  return tag.slice(0, source.index) + attribute + tag.slice(source.index + source[0].length);
}
