/** MediaWiki's titles: namespaces, subpages, interwiki prefixes, what may not be a title. */
import type { LinkTarget, Rules } from '../src/index.ts';
import { fixtures, original } from './mediawiki-files.ts';

export type Site = {
  title: string;
  rules: Rules;
  article(title: string): string | undefined;
  href(title: string, fragment: string | undefined): string | undefined;
  fileName(written: string): string | undefined;
};

export const namespaces: readonly [number, string][] = [
  [-2, 'Media'],
  [-1, 'Special'],
  [1, 'Talk'],
  [2, 'User'],
  [3, 'User talk'],
  [4, 'MediaWiki'],
  [5, 'MediaWiki talk'],
  [6, 'File'],
  [7, 'File talk'],
  [8, 'Mediawiki'],
  [9, 'Mediawiki talk'],
  [10, 'Template'],
  [11, 'Template talk'],
  [12, 'Help'],
  [13, 'Help talk'],
  [14, 'Category'],
  [15, 'Category talk'],
];
const byName = new Map(namespaces.map(([, name]) => [name.toLowerCase(), name]));
byName.set('image', 'File');
byName.set('image talk', 'File talk');
byName.set('project', 'MediaWiki');
byName.set('project talk', 'MediaWiki talk');
const interwiki: Readonly<Record<string, string>> = {
  wikipedia: 'http://en.wikipedia.org/wiki/$1',
  meatball: 'http://www.usemod.com/cgi-bin/mb.pl?$1',
  memoryalpha: 'http://www.memory-alpha.org/en/index.php/$1',
  mediawikiwiki: 'https://www.mediawiki.org/wiki/$1',
  local: 'http://doesnt.matter.org/$1',
};
const languages = new Set(['de', 'en', 'es', 'fr', 'ja', 'ru', 'zh', 'mi', 'mul']);

export type Title = { namespace: string; text: string };

/** Canonical `Namespace:Title`, or undefined where MediaWiki accepts none. */
export function readTitle(written: string, fallback = ''): Title | undefined {
  let text = written.replace(/[\s_\u00a0]+/g, ' ').trim();
  let namespace = fallback;
  if (text.startsWith(':')) {
    namespace = '';
    text = text.slice(1).trim();
  }
  const colon = text.indexOf(':');
  const known = colon > 0 ? byName.get(text.slice(0, colon).trim().toLowerCase()) : undefined;
  if (known !== undefined) {
    namespace = known;
    text = text.slice(colon + 1).trim();
  }
  if (text === '' || text.startsWith(':') || /[<>[\]{}|\uFFFD]|~~~|&[a-z0-9#]+;/i.test(text))
    return undefined;
  if (/^\.{1,2}(?:\/|$)|\/\.{1,2}(?:\/|$)/.test(text) || /%[0-9a-f]{2}/i.test(text)) return undefined;
  if (new TextEncoder().encode(text).length > 255) return undefined;
  return { namespace, text: text.charAt(0).toUpperCase() + text.slice(1) };
}

export function fullName({ namespace, text }: Title): string {
  return namespace === '' ? text : `${namespace}:${text}`;
}

export function titleHref(title: string): string {
  return `/wiki/${encodeURIComponent(title.replaceAll(' ', '_')).replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
}

export function siteOf(
  page: string,
  articles: Record<string, string>,
  options: Record<string, unknown>,
): Site {
  const pages = new Map<string, string>();
  for (const [name, text] of Object.entries(articles)) {
    const title = readTitle(name);
    if (title) pages.set(fullName(title), text.trimEnd());
  }
  const own = readTitle(page);
  const ownName = own ? fullName(own) : page;
  const hasSubpages = 'subpage' in options || (own !== undefined && own.namespace !== '');
  const subpage = (text: string) => (hasSubpages ? readSubpage(text, ownName) : undefined);

  const link = (written: string, hasLabel: boolean): LinkTarget => {
    if (
      /^(?:https?|ftp|irc|gopher|news|mailto|telnet|nntp|worldwind|svn|git|urn|geo|tel|sip|magnet|bitcoin|sms|xmpp|ssh|sftp|redis|mms):|^\/\//i.test(
        written,
      )
    ) {
      return { kind: 'text' };
    }
    const hash = written.indexOf('#');
    const before = hash < 0 ? written : written.slice(0, hash);
    const fragment =
      hash < 0
        ? undefined
        : written
            .slice(hash + 1)
            .replace(/[\s_]+/g, ' ')
            .trim();
    const trimmed = before.trim();
    const isForced = trimmed.startsWith(':');
    if (trimmed === '' && hash >= 0) return { kind: 'page', target: '', isPath: false, fragment };
    const prefix = /^:?\s*([^:]+?)\s*:(.*)$/s.exec(trimmed);
    const prefixName = prefix?.[1]?.toLowerCase() ?? '';
    if (Object.hasOwn(interwiki, prefixName))
      return { kind: 'page', target: trimmed.replace(/^:\s*/, ''), isPath: false, fragment };
    if (languages.has(prefixName)) {
      if (!isForced) return { kind: 'marker', key: 'language', value: trimmed };
      return { kind: 'page', target: trimmed.replace(/^:\s*/, ''), isPath: false, fragment };
    }
    const below = subpage(trimmed);
    const title = readTitle(below?.target ?? trimmed);
    if (!title) return { kind: 'text' };
    if (!isForced && title.namespace === 'File') return { kind: 'file', name: title.text };
    if (!isForced && title.namespace === 'Category')
      return { kind: 'marker', key: 'category', value: title.text };
    const target: LinkTarget = { kind: 'page', target: fullName(title), isPath: false };
    // A link to a page that does not exist leads to no place in it.
    const name = fullName(title);
    const mayExist = below || name === ownName || pages.has(name) || title.namespace === 'Special';
    if (fragment !== undefined && mayExist) target.fragment = fragment;
    if (below?.label !== undefined && !hasLabel) target.label = below.label;
    return target;
  };

  return {
    title: ownName,
    rules: {
      link,
      pipeTrick: false,
      imageTags: false,
      hasLooseNotes: false,
      indentsAfterMarkers: true,
      magicLink,
      listings: false,
      template: (written) => {
        const text = written.trim();
        if (text.includes('\n')) return undefined;
        const below = subpage(text);
        if (text.startsWith('/') || text.startsWith('../')) {
          if (!below) return undefined;
        }
        const title = readTitle(below?.target ?? text.replace(/#.*$/s, ''), below ? '' : 'Template');
        return title ? fullName(title) : undefined;
      },
    },
    article: (title) => pages.get(title),
    fileName: (written) => {
      const title = readTitle(written, 'File');
      return title?.namespace === 'File' ? title.text : undefined;
    },
    href: (target, fragment) => {
      const hash = fragment === undefined ? '' : `#${fragment.replaceAll(' ', '_')}`;
      if (target === '') return hash;
      const media = /^Media:(.+)$/s.exec(target)?.[1];
      if (media) {
        return media in fixtures
          ? original(media)
          : `/index.php?title=Special:Upload&wpDestFile=${encodeURIComponent(media.replaceAll(' ', '_'))}`;
      }
      const prefix = /^([^:]+):(.*)$/s.exec(target);
      const pattern = prefix?.[1] ? interwikiPattern(prefix[1].trim().toLowerCase()) : undefined;
      if (pattern && prefix) {
        const rest = encodeURI((prefix[2] ?? '').trim().replaceAll(' ', '_'));
        return pattern.replace('$1', () => rest) + hash;
      }
      if (target === ownName && fragment === undefined) return undefined;
      return titleHref(target) + hash;
    },
  };
}

function magicLink(kind: 'RFC' | 'PMID' | 'ISBN', number: string): string {
  if (kind === 'ISBN') return titleHref(`Special:BookSources/${number}`);
  if (kind === 'RFC') return `https://datatracker.ietf.org/doc/html/rfc${number}`;
  return `//www.ncbi.nlm.nih.gov/pubmed/${number}?dopt=Abstract`;
}

function interwikiPattern(prefix: string): string | undefined {
  if (Object.hasOwn(interwiki, prefix)) return interwiki[prefix];
  return languages.has(prefix) ? `http://${prefix}.wikipedia.org/wiki/$1` : undefined;
}

/** `/x` below the page, `../x` beside or above it; undefined when the text is neither or leads too far up. */
function readSubpage(written: string, page: string): { target: string; label?: string } | undefined {
  if (written.startsWith('/')) {
    const isPlain = written.endsWith('/');
    const rest = isPlain ? written.slice(1).replace(/\/+$/, '') : written.slice(1);
    if (rest === '') return { target: `${page}/`, label: `${page}/` };
    return isPlain ? { target: `${page}/${rest}`, label: rest } : { target: `${page}/${rest}` };
  }
  if (!written.startsWith('../')) return undefined;
  let up = 0;
  let rest = written;
  while (rest.startsWith('../')) {
    up++;
    rest = rest.slice(3);
  }
  const segments = page.split('/');
  if (segments.length <= up) return undefined;
  const base = segments.slice(0, segments.length - up).join('/');
  const isPlain = rest.endsWith('/');
  rest = rest.replace(/\/+$/, '');
  const target = rest === '' ? base : `${base}/${rest}`;
  return { target, label: isPlain && rest !== '' ? rest : target };
}
