/**
 * Converts the text of a MediaWiki page. Links by title mostly work unchanged, so most texts are kept. These are rewritten:
 *
 *   [[Redirect]]            the page that the redirect led to        [[/Sub]] [[../]]   subpages, by their titles or paths
 *   [[Портал:Oak]]          a link, where it would be a tag          {{/doc}}           a template of the page
 *   [[Файл:…]] [[Файл:x]]   English names of namespaces              File:x, gallery    files of the dump, by the path of their page
 *   {{Gallery}} {{Oak}}     templates, where a listing of this wiki or an article would answer
 *   [[Портал:{{{1}}}]]      namespaces, where the title comes of a call
 *   mini, {{SEITENNAME}}    English names, where this wiki is in another language
 *   <imagemap>              the picture and its links
 */
import type { Rules } from '@coppice/wikitext';
import { listings, variables } from '@coppice/wikitext/build';
import type { Adapted, Approximation, LinkOutcome, LinkPlan } from '../source.ts';
import { endOfElement, escapeTarget } from '../wikitext-links.ts';
import { foreignConstructs } from './foreign-constructs.ts';
import { pictureOfMap } from './image-map.ts';
import { englishOptions, type LocalWords } from './local-words.ts';
import { namespace, type WikiTitle, type WikiTitles } from './titles.ts';

export interface AdaptedPage {
  title: WikiTitle;
  /** Content model of the last revision: `wikitext`, `Scribunto`, `css`, … */
  model: string;
}

export interface Surroundings {
  titles: WikiTitles;
  plan: LinkPlan;
  rules: Rules;
  /** Fragments of redirects to sections, by key. */
  fragments: { get(key: string): string | undefined };
  /** Whether the dump is an export of a Coppice, whose listings are meant where they are called. */
  isOwn: boolean;
  /** Words of the source's language that this wiki does not know. */
  words?: LocalWords | undefined;
  /** Path of an uploaded file with this name; undefined if there is none. */
  pathOfFile(filename: string): string | undefined;
}

const token =
  /<!--|<(nowiki|pre|syntaxhighlight|source|math|gallery|imagemap)\b[^<>]*>|\[\[([^[\]{}|<>\n]{1,1500})(?=\||\]\])|\{\{(\s*\/[^{}|<>\n]{1,250}?)(?=\s*(?:\||\}\}))|\{\{(\s*[^{}|<>\n:/#]{1,60}:)(?=[^{}|<>\n]{1,250}(?:\||\}\}|\n))|(?<!\{)\{\{([^{}|<>\n:#]{1,250})(?=\||\}\}|\n)|\[\[(\s*[^[\]{}|<>\n:]{1,60}:)(?=[^[\]|<>\n]{0,200}\{)|^(\s*#[\p{L}\p{M}]{1,40}\s*:?\s*)(?=\[\[)|\{\{\s*(#[\p{L}\p{M}]{2,40})(?=\s*:)|__([\p{L}\p{M}_]{2,40}?)__/giu;
const parameterFile =
  /(=\s*|\|\s*)([^|=[\]{}<>\n]{1,200}\.(?:avif|bmp|gif|jpe?g|mp3|mp4|oga|ogg|ogv|pdf|png|svg|tiff?|webm|webp))(?=\s*(?:\||\}\}|\n))/giu;
const languages: Readonly<Record<string, string>> = { css: 'css', javascript: 'javascript', json: 'json' };

export function adaptPage(page: AdaptedPage, body: string, around: Surroundings): Adapted {
  const approximated: Approximation[] = [];
  const language = languages[page.model.toLowerCase().replace('sanitized-', '')];
  if (language !== undefined) {
    const after = `<syntaxhighlight lang="${language}">\n${body}\n</syntaxhighlight>`;
    approximated.push({ construct: `page in ${language}`, before: firstLine(body), after: firstLine(after) });
    return { body: after, links: [], approximated };
  }
  if (page.title.ns === namespace.module && !page.title.name.endsWith('/doc'))
    return { body, links: [], approximated };

  const links: LinkOutcome[] = [];
  const reader = new LinkReader(page, around, links);
  const matcher = new RegExp(token);
  const unclosed = new Set<string>();
  let out = '';
  let from = 0;
  for (let match = matcher.exec(body); match; match = matcher.exec(body)) {
    const [whole, tag, target, subtemplate, prefix, called, linkPrefix, redirect, hashed, switched] = match;
    let changed: string | undefined;
    if (target !== undefined) {
      changed = reader.link(target, body[matcher.lastIndex] === '|');
      if (around.words && reader.isFile(target)) {
        const { text, end } = englishOptions(body, matcher.lastIndex, around.words);
        if (text !== body.slice(matcher.lastIndex, end)) {
          changed = (changed ?? whole) + text;
          matcher.lastIndex = end;
        }
      }
    } else if (subtemplate !== undefined) changed = reader.template(subtemplate);
    else if (prefix !== undefined)
      changed = inPlace('{{', around.words?.word(prefix.trim())) ?? reader.templatePrefix(prefix);
    else if (called !== undefined)
      changed = inPlace('{{', around.words?.word(called.trim())) ?? reader.call(called);
    else if (linkPrefix !== undefined) changed = reader.linkPrefix(linkPrefix);
    else if (hashed !== undefined) changed = inPlace('{{', around.words?.word(hashed));
    else if (switched !== undefined) changed = inPlace('__', around.words?.switch(switched), '__');
    else if (redirect !== undefined)
      changed = match.index === 0 && !/^\s*#redirect/i.test(redirect) ? '#REDIRECT ' : undefined;
    else if (!whole.endsWith('/>')) {
      const end = endOfElement(body, tag?.toLowerCase() ?? '--', matcher.lastIndex, unclosed);
      if (end > 0) {
        const element = body.slice(match.index, end);
        if (tag?.toLowerCase() === 'gallery') changed = reader.gallery(element);
        const shown = tag?.toLowerCase() === 'imagemap' ? pictureOfMap(element) : undefined;
        if (shown !== undefined) {
          const adapted = adaptPage(page, shown, around);
          links.push(...adapted.links);
          approximated.push({
            construct: 'tag <imagemap>, now a picture and links',
            before: element.slice(0, 500),
            after: adapted.body.slice(0, 500),
          });
          out += body.slice(from, match.index) + adapted.body;
          from = end;
        }
        matcher.lastIndex = end;
      }
    }
    if (changed === undefined) continue;
    const before = body.slice(match.index, matcher.lastIndex);
    approximated.push({ construct: 'link', before, after: changed });
    out += body.slice(from, match.index) + changed;
    from = matcher.lastIndex;
  }
  const whole = out + body.slice(from);
  const foreign = foreignConstructs(body, around.rules, around.words);
  approximated.push(...foreign);
  return { body: reader.parameters(whole), links, approximated };
}

function inPlace(mark: string, name: string | undefined, end = ''): string | undefined {
  return name === undefined ? undefined : mark + name + end;
}

export class LinkReader {
  readonly #page: AdaptedPage;
  readonly #around: Surroundings;
  readonly #links: LinkOutcome[];

  constructor(page: AdaptedPage, around: Surroundings, links: LinkOutcome[]) {
    this.#page = page;
    this.#around = around;
    this.#links = links;
  }

  /** Returns the replacement for the text before the bar or the closing brackets, if it has to change. */
  link(written: string, isLabelled: boolean): string | undefined {
    const { titles, plan, rules, fragments } = this.#around;
    const hash = written.indexOf('#');
    const name = (hash < 0 ? written : written.slice(0, hash)).trim();
    const isForced = name.startsWith(':');
    if (name === '' || name === ':') return undefined;
    const here = rules.link(written, isLabelled, () => '/page');
    const title = this.#read(name);
    if (!title || here.kind === 'text') return undefined;
    if (!isForced && (title.ns === namespace.file || title.ns === namespace.media))
      return this.#file(written, title, {
        isKnown: here.kind === 'file' || here.kind === 'media',
        isLabelled,
      });
    if (!isForced && title.ns === namespace.category)
      return here.kind === 'marker' && here.key === 'category' ? undefined : `[[Category:${title.name}`;

    const key = titles.keyOf(title);
    const page = plan.pageOf(key);
    // Links to other languages are not part of the text; they become tags.
    if (
      !page &&
      here.kind === 'marker' &&
      rules.link(`:${name}`, isLabelled, () => '/page').kind === 'address'
    )
      return undefined;
    // URLs and interwiki prefixes have the same meaning here, unless the source has a page with that name.
    if (here.kind === 'address' && !page) return undefined;
    const fragment = hash < 0 ? fragments.get(key) : written.slice(hash + 1).trim();
    this.#links.push({ old: written, new: page ? page.path + (fragment ? `#${fragment}` : '') : null });
    const hereTitle = here.kind === 'page' ? here.target : undefined;
    const leadsTo = hereTitle === undefined ? undefined : plan.pathOfTitle(hereTitle);
    if (here.kind === 'page' && leadsTo === page?.path && (hash >= 0 || !fragment)) return undefined;
    const meant = this.#targetOf(title, page?.path);
    const label = isLabelled ? '' : `|${written.replace(/^\s*:\s*/, '').trim()}`;
    return `[[${escapeTarget(meant)}${fragment ? `#${fragment}` : ''}${label}`;
  }

  isFile(written: string): boolean {
    return !written.trim().startsWith(':') && this.#read(written.trim())?.ns === namespace.file;
  }

  /** A template beneath the page itself: `{{/doc}}`. */
  template(written: string): string | undefined {
    const title = this.#read(written.trim());
    if (!title) return undefined;
    const path = this.#around.plan.pageOf(this.#around.titles.keyOf(title))?.path;
    return `{{${title.ns === namespace.template ? title.name : (path ?? `:${this.#around.titles.titleHere(title)}`)}`;
  }

  /** The template namespace's name in the source's language. */
  templatePrefix(written: string): string | undefined {
    const title = this.#around.titles.read(`${written}x`);
    const isOurs = /^\s*template\s*:$/i.test(written);
    return title?.ns === namespace.template && !isOurs ? '{{Template:' : undefined;
  }

  /** A template called by name only. Any page with that name could match here, and listings have reserved names. */
  call(written: string): string | undefined {
    const { titles, plan, rules } = this.#around;
    const name = written.trim();
    const title = titles.read(`Template:${name}`);
    if (!title || variables.has(rules.word?.(name) ?? name)) return undefined;
    if (listings.has(name)) return this.#around.isOwn ? undefined : `{{Template:${name}`;
    // Calls of the page’s own title stay as they are.
    const isOwn = titles.titleHere(this.#page.title) === title.name;
    if (isOwn || plan.pageOf(titles.keyOf(title)) || plan.pathOfTitle(title.name) === undefined)
      return undefined;
    return `{{${this.#pathOf(title)}`;
  }

  /** The namespace of a link whose title contains a call: `[[Portal:{{{1}}}]]`. */
  linkPrefix(written: string): string | undefined {
    const { titles, rules } = this.#around;
    const title = titles.read(`${written}x`);
    const here = rules.link(`${written}x`, false, () => '/page');
    if (!title || here.kind !== 'marker' || title.ns === namespace.main) return undefined;
    if (title.ns === namespace.file) return '[[File:';
    if (title.ns === namespace.media) return '[[Media:';
    if (title.ns !== namespace.category) return `[[:${written.trim()}`;
    return here.key === 'category' ? undefined : '[[Category:';
  }

  gallery(text: string): string | undefined {
    const changed = text.replace(/^([^|\n<]{1,300})(?=\||$)/gm, (line: string) => {
      const title = this.#around.titles.read(line.includes(':') ? line : `File:${line}`);
      const path = title?.ns === namespace.file ? this.#around.pathOfFile(title.name) : undefined;
      return path === undefined ? line : `File:${path}`;
    });
    return changed === text ? undefined : changed;
  }

  /** Files passed as template parameters: `image = oak.jpg`. */
  parameters(body: string): string {
    if (!body.includes('{{')) return body;
    return body.replace(parameterFile, (whole: string, before: string, name: string) => {
      const title = this.#around.titles.read(`File:${name}`);
      const path = title && this.#around.pathOfFile(title.name);
      return path === undefined ? whole : before + path;
    });
  }

  /** Subpage links are relative to the page if the source enables them. */
  #read(name: string): WikiTitle | undefined {
    const { ns, name: own } = this.#page.title;
    if (name.startsWith('/')) return { ns, name: `${own}${name.replace(/\/+$/, '')}` };
    if (name.startsWith('../') || name === '..') {
      const up = own.split('/');
      let rest = name;
      for (; rest.startsWith('..'); rest = rest.slice(3)) up.pop();
      const full = [...up, ...rest.split('/')].filter((part) => part !== '').join('/');
      return full === '' ? undefined : { ns, name: full };
    }
    return this.#around.titles.read(name);
  }

  #targetOf(title: WikiTitle, path: string | undefined): string {
    const { titles, plan, rules } = this.#around;
    const here = titles.titleHere(title);
    const written = here.includes(':') ? `:${here}` : here;
    const read = rules.link(written, true, () => '/page');
    const leadsTo = read.kind === 'page' && !read.isPath ? plan.pathOfTitle(read.target) : undefined;
    if (read.kind === 'page' && !read.isPath && leadsTo === path) return written;
    // If the title resolves to something else here, the path of the page, or the path it would have.
    return path ?? this.#pathOf(title);
  }

  /** Path that a missing page would have. */
  #pathOf(title: WikiTitle): string {
    const names = this.#around.titles.placeOf(title).join('/');
    return `/${names.replace(/[\s?#\\]+/g, '-').toLowerCase()}`;
  }

  #file(
    written: string,
    title: WikiTitle,
    { isKnown, isLabelled }: { isKnown: boolean; isLabelled: boolean },
  ): string | undefined {
    const path = this.#around.pathOfFile(title.name);
    const prefix = title.ns === namespace.media ? 'Media' : 'File';
    if (prefix === 'Media') this.#links.push({ old: written, new: path ?? null, isFile: true });
    // A link to a file shows its target, so one without words gets the title that was written.
    const label = prefix === 'Media' && !isLabelled ? `|${written.trim()}` : '';
    if (path !== undefined) return `[[${prefix}:${escapeTarget(path)}${label}`;
    return isKnown ? undefined : `[[${prefix}:${written.slice(written.indexOf(':') + 1).trim()}`;
  }
}

function firstLine(text: string): string {
  return text.slice(0, 200).split('\n', 2).join('\n');
}
