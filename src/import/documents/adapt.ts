/**
 * Converts the text of a Markdown document. Links are rewritten to the same pages and files; titles that resolve by themselves
 * are kept:
 *
 *   [text](../elm.md#bark)   [text](/trees/elm#bark)         [[Elm]]                 the same
 *   ![](../img/oak.png)      ![](/trees/oak.png)             [[trees/Elm#Bark]]      [[/trees/elm#Bark|trees/Elm > Bark]]
 *   [list](list.pdf)         [[Media:/trees/list.pdf|list]]
 */

import { callSpansIn, readFrontMatter } from '@coppice/markdown';
import { safeUrl } from '@coppice/wikitext/build';
import type { Dialect } from '@coppice/wikitext/dialect';
import { rulesOf } from '@coppice/wikitext/dialect';
import { titleKey } from '#core/model/fold.ts';
import { encodePath, percentDecoded } from '#core/model/path.ts';
import { type Anchors, anchorFor } from '../anchors.ts';
import type { Adapted, Approximation, LinkOutcome, LinkPlan } from '../source.ts';
import { withoutBracketFormulas } from './brackets.ts';
import { isOfExport } from './detect.ts';
import { withHashtags } from './hashtags.ts';
import type { DocumentLinks, Meant } from './links.ts';
import { mediaTags } from './media-tags.ts';
import { inOwnTerms, type TermsSurroundings } from './own-terms.ts';
import { type FoundLink, replaceLinks } from './scan.ts';

interface DocumentSurroundings extends Omit<TermsSurroundings, 'key'> {
  plan: LinkPlan;
  links: DocumentLinks;
  dialect: Dialect;
  /** Whether this wiki exported the documents. */
  isOwn: boolean;
  /** File → key of its page, and its name there. */
  files: ReadonlyMap<string, { key: string; filename: string }>;
  /** Headings of a page, in the spellings of links. */
  anchorsOf(key: string): Anchors;
}

/** Kinds whose texts may be written for this wiki, or whose braces are converted. */
const isOwnLanguage = /^(?:markdown|html|csv|tiddlywiki|opml)$/;
/** Programs that also find files by their names alone. */
const isByName: ReadonlySet<string> = new Set(['obsidian', 'quartz', 'foam', 'hugo']);
const outside = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** `converted`: the text in this wiki's Markdown, with links as they were written. */
export function adaptDocument(
  key: string,
  body: string,
  around: DocumentSurroundings,
): Adapted & { converted: string } {
  const approximated: Approximation[] = [];
  const framed = mediaTags(body, approximated);
  const ownTerms = inOwnTerms(framed, { key, ...around }, approximated);
  const { kind } = around;
  const isOwn = around.isOwn || isOfExport.test(body) || isOwnLanguage.test(kind);
  const plain = isOwn ? ownTerms : withoutCalls(ownTerms, approximated);
  const prepared = withHashtags(withoutBracketFormulas(plain, kind), kind, approximated);
  const reader = new Reader(key, around, approximated);
  const text = replaceLinks(prepared, (link) => reader.replace(link));
  return { body: text, links: reader.outcomes, approximated, converted: ownTerms };
}

/** Double braces mean something else in other programs, or nothing; here they would call a template, or show a page. */
function withoutCalls(text: string, approximated: Approximation[]): string {
  let out = '';
  let at = 0;
  const factsEnd = readFrontMatter(text)?.end ?? 0;
  for (const { start, end, wikitext } of callSpansIn(text)) {
    const call = text.slice(start, end);
    if (wikitext !== undefined || call === '{{Children}}' || start < factsEnd) continue;
    // Shortcodes of Hugo, which call nothing here.
    if (call.startsWith('{{<')) continue;
    const [braces = ''] = /^\{+/.exec(call) ?? [];
    const marks = '\\{'.repeat(braces.length - 1);
    out += text.slice(at, start) + marks;
    at = start + braces.length - 1;
    const before = call.slice(0, 500);
    const after = marks + before.slice(braces.length - 1);
    approximated.push({ construct: 'double braces, shown as text', before, after });
  }
  return out + text.slice(at);
}

class Reader {
  readonly outcomes: LinkOutcome[] = [];
  readonly #approximated: Approximation[];
  readonly #key: string;
  readonly #around: DocumentSurroundings;

  constructor(key: string, around: DocumentSurroundings, approximated: Approximation[]) {
    this.#approximated = approximated;
    this.#key = key;
    this.#around = around;
  }

  replace(link: FoundLink): string | undefined {
    if (link.kind === 'wiki') return this.#wikiLink(link);
    if (link.kind === 'tag') return this.#address(link.target);
    const isPlain = !link.isImage && !link.isDefinition && !/[[\]|]/.test(link.text);
    const target = this.#address(link.target, isPlain);
    if (target === undefined) return undefined;
    if (target.startsWith('[[')) return `${target}${link.text}]]`;
    if (link.isDefinition) return `[${link.text}]: ${target}`;
    const text = link.text.includes('![')
      ? replaceLinks(link.text, (inner) => this.replace(inner))
      : link.text;
    return `${link.isImage ? '!' : ''}[${text}](${target}${link.more})`;
  }

  /** Returns undefined if the link is kept. */
  #address(written: string, isLink = false): string | undefined {
    const { links, kind } = this.#around;
    if (written === '') return undefined;
    if (outside.test(written) && !links.isOwn(written)) {
      const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(written) ?? [];
      if (scheme && safeUrl(written) === undefined && scheme !== 'data')
        this.#approximated.push({
          construct: `address with “${scheme.toLowerCase()}:”, which this wiki does not link`,
          before: written.slice(0, 500),
          after: '',
        });
      return undefined;
    }
    const hash = written.indexOf('#');
    const name = hash < 0 ? written : written.slice(0, hash);
    const afterHash = hash < 0 ? '' : written.slice(hash + 1);
    // Addresses of Notion name blocks, whose IDs no export holds.
    const fragment = kind === 'notion' && outside.test(written) ? '' : afterHash;
    if (name === '') return this.#ownFragment(written, fragment);
    const byName = () => (isByName.has(kind) ? links.name(this.#key, percentDecoded(name)) : undefined);
    const meant = links.address(this.#key, name) ?? byName();
    if (!meant) {
      this.outcomes.push({ old: written, new: null });
      return undefined;
    }
    const path = this.#pathOf(meant, fragment, written);
    if (path === undefined) return undefined;
    if ('file' in meant) return isLink ? `[[Media:${path}|` : encodePath(path);
    const at = path.indexOf('#');
    // A space or bracket would end the address.
    const end = path.slice(at).replace(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    return at < 0 ? encodePath(path) : `${encodePath(path.slice(0, at))}${end}`;
  }

  #ownFragment(written: string, fragment: string): string | undefined {
    const meant = anchorFor(this.#around.anchorsOf(this.#key), fragment);
    const page = this.#around.plan.pageOf(this.#key);
    this.outcomes.push({ old: written, new: page ? `${page.path}#${meant ?? fragment}` : null });
    return meant === undefined || meant === fragment ? undefined : `#${meant}`;
  }

  /** Also records the outcome. */
  #pathOf(meant: Meant, fragment: string, written: string): string | undefined {
    const { plan, files, anchorsOf } = this.#around;
    if ('file' in meant) {
      const file = files.get(meant.file);
      const holder = file && plan.pageOf(file.key);
      const path = file && holder ? `${holder.path}/${file.filename}` : undefined;
      this.outcomes.push({ old: written, new: path ?? null, isFile: true });
      if (file?.key === this.#key) return file.filename;
      return path;
    }
    const page = plan.pageOf(meant.page);
    if (!page) {
      this.outcomes.push({ old: written, new: null });
      return undefined;
    }
    const id =
      fragment === '' || fragment.startsWith('^')
        ? fragment
        : (anchorFor(anchorsOf(meant.page), percentDecoded(fragment)) ?? fragment);
    const path = `${page.path}${id === '' ? '' : `#${id}`}`;
    this.outcomes.push({ old: written, new: path });
    return path;
  }

  #wikiLink({ isEmbed, inside: written }: FoundLink & { kind: 'wiki' }): string | undefined {
    // Dendron writes the label first.
    const inside = this.#around.kind === 'dendron' ? written.replace(/^([^|]*)\|(.*)$/s, '$2|$1') : written;
    const [, name = '', label] = /^((?:[^|\\]|\\(?!\|))*)(?:\\?\|(.*))?$/s.exec(inside) ?? [];
    const separator = inside.includes('\\|') ? '\\|' : '|';
    const hash = name.indexOf('#');
    const target = (hash < 0 ? name : name.slice(0, hash)).trim();
    // Obsidian writes the whole chain of headings; the last one decides.
    const fragment =
      hash < 0
        ? ''
        : (
            name
              .slice(hash + 1)
              .split('#')
              .at(-1) ?? ''
          ).trim();
    if (target === '') {
      if (fragment === '') return undefined;
      const meant = fragment.startsWith('^')
        ? fragment
        : this.#ownFragment(`[[${inside}]]`, fragment)?.slice(1);
      return meant === undefined || meant === fragment
        ? undefined
        : `[[#${meant}${separator}${label ?? fragment}]]`;
    }
    const { plan, links, dialect } = this.#around;
    const here = rulesOf(dialect).link(name, label !== undefined, () => '/page');
    if (here.kind === 'address') return undefined;
    const meant = links.name(this.#key, target);
    const mark = isEmbed ? '!' : '';
    const old = `${mark}[[${inside}]]`;
    if (!meant) {
      if (here.kind !== 'marker') this.outcomes.push({ old, new: null });
      return undefined;
    }
    const path = this.#pathOf(meant, fragment, old);
    if (path === undefined) return undefined;
    if ('file' in meant) {
      const shown = isEmbed ? label : (label ?? target);
      return `${mark}[[${isEmbed ? '' : 'Media:'}${path}${shown === undefined ? '' : `${separator}${shown}`}]]`;
    }
    const page = plan.pageOf(meant.page);
    const at = path.indexOf('#');
    const id = at < 0 ? '' : path.slice(at + 1);
    // A title that resolves by itself is kept.
    const isTitle = here.kind === 'page' && !here.isPath && plan.pathOfTitle(target) === page?.path;
    if (isTitle && titleKey(page?.title ?? '') === titleKey(target) && (fragment === '' || id === fragment))
      return undefined;
    const goal = isTitle ? target : (page?.path ?? target);
    const shown = isEmbed
      ? ''
      : `${separator}${label ?? (fragment === '' ? target : [target, ...name.slice(hash + 1).split('#')].map((part) => part.trim()).join(' > '))}`;
    return `${mark}[[${goal}${id === '' ? '' : `#${isEmbed ? fragment : id}`}${shown}]]`;
  }
}
