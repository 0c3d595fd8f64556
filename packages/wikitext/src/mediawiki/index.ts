/**
 * MediaWiki's rules on the points in which wikis differ, an alternative to Coppice's own in `rules.ts`: titles in namespaces,
 * subpages, interwiki prefixes, categories as markers with the key `category`, links to other languages as markers with the key
 * `language`.
 */

import { decodeEntities } from '../entities.ts';
import { safeUrl } from '../html.ts';
import { magicLinks } from '../inlines/magic-link.ts';
import type { ExpandContext, LinkTarget, Rules } from '../options.ts';
import type { Addresses } from '../tree.ts';
import { fullName, readSubpage, standardNamespaces, type Title, Titles, titleSegment } from './titles.ts';
import { titleWords } from './words.ts';

export { fullName, standardNamespaces, type Title } from './titles.ts';

/** Options of a wiki. Defaults are those of a new MediaWiki in English. */
export type SiteOptions = {
  /** Title of the page being parsed, with its namespace. Subpage links and words such as `{{PAGENAME}}` are relative to it. */
  title?: string;
  /** Number → name; `standardNamespaces` by default. Even numbers hold pages, the odd number after each their talk pages. */
  namespaces?: Readonly<Record<number, string>>;
  /** Aliases of namespaces, in lower case; `image` → `File` by default. */
  aliases?: Readonly<Record<string, string>>;
  /** Prefix in lower case → address with `$1`. */
  interwiki?: Readonly<Record<string, string>>;
  /** Prefixes, in lower case, of the same wiki in other languages. Links with them show nothing on the page. */
  languages?: readonly string[];
  /** Whether pages may have subpages. By default, all outside the main namespace may. */
  hasSubpages?: boolean;
  /** Whether titles keep the case of their first letter, as in Wiktionary. */
  keepsCase?: boolean;
  /** Whether a page exists. Links to missing pages get no fragment. By default, all pages exist. */
  exists?: (title: string) => boolean;
  /** Address of a page, with `$1` for the title; `/wiki/$1` by default. */
  pageAddress?: string;
  /** Address of the script that takes a title and other parameters in the query; `/index.php` by default. */
  scriptAddress?: string;
  /** Origin for `{{fullurl:…}}`, without trailing slash. */
  server?: string;
};

/** A MediaWiki wiki as the engine sees it: its rules, titles and addresses. */
export type Site = {
  /** Rules for `parse` and `expand`. */
  rules: Rules;
  /** Function for `expand`. */
  word: NonNullable<ExpandContext['word']>;
  /** Addresses for `render`. */
  address: Addresses;
  /** Returns undefined if MediaWiki does not accept the title. */
  title(written: string, fallbackNamespace?: string): Title | undefined;
  /** Returns the address of a link; undefined for a link of the page to itself. */
  href(target: string, fragment?: string): string | undefined;
};

const schemes =
  /^(?:https?|ftp|irc|gopher|news|mailto|telnet|nntp|worldwind|svn|git|urn|geo|tel|sip|magnet|bitcoin|sms|xmpp|ssh|sftp|redis|mms):|^\/\//i;

/** Returns a site with MediaWiki's namespaces, titles and addresses, changed by the options. */
export function mediawiki(options: SiteOptions = {}): Site {
  const { interwiki = {}, languages = [], pageAddress = '/wiki/$1', exists = () => true } = options;
  const titles = new Titles(
    options.namespaces ?? standardNamespaces,
    options.aliases ?? { image: 'File', 'image talk': 'File talk' },
    options.keepsCase ?? false,
    (prefix) => Object.hasOwn(interwiki, prefix),
  );
  const own = titles.read(options.title ?? '');
  const ownName = own ? fullName(own) : (options.title ?? '');
  const mayHaveSubpages = ({ namespace }: Title) => options.hasSubpages ?? namespace !== '';
  const subpage = (text: string) => (own && mayHaveSubpages(own) ? readSubpage(text, ownName) : undefined);
  /** A namespace takes precedence over an interwiki prefix of the same name, such as `Wikipedia:` in a Wikipedia. */
  const outsidePrefix = (text: string) => {
    const prefix = prefixOf(text);
    return titles.namespace(prefix) === undefined ? prefix : '';
  };
  const pageHref = (title: string) => pageAddress.replace('$1', () => titleSegment(title));

  function link(written: string, hasLabel: boolean): LinkTarget {
    if (schemes.test(written)) return { kind: 'text' };
    const hash = written.indexOf('#');
    const trimmed = (hash < 0 ? written : written.slice(0, hash)).trim();
    const fragment =
      hash < 0
        ? undefined
        : written
            .slice(hash + 1)
            .replace(/[\s_]+/g, ' ')
            .trim();
    const isForced = trimmed.startsWith(':');
    if (trimmed === '' && hash >= 0) return { kind: 'page', target: '', isPath: false, fragment };
    const prefix = outsidePrefix(trimmed);
    const isLanguage = languages.includes(prefix);
    if (isLanguage && !isForced) return { kind: 'marker', key: 'language', value: trimmed };
    if (isLanguage || Object.hasOwn(interwiki, prefix))
      return { kind: 'page', target: trimmed.replace(/^:\s*/, ''), isPath: false, fragment };
    const below = subpage(trimmed);
    const title = titles.read(below?.target ?? trimmed);
    if (!title) return { kind: 'text' };
    if (!isForced && title.namespace === titles.namespace('6')) return { kind: 'file', name: title.text };
    if (!isForced && title.namespace === titles.namespace('14'))
      return { kind: 'marker', key: 'category', value: title.text };
    const name = fullName(title);
    const target: LinkTarget = { kind: 'page', target: name, isPath: false };
    // Links to missing pages have no fragment.
    const mayExist = below || name === ownName || title.namespace === titles.namespace('-1') || exists(name);
    if (fragment && mayExist) target.fragment = fragment;
    if (below?.label !== undefined && !hasLabel) target.label = below.label;
    return target;
  }

  function template(written: string): string | undefined {
    const text = written.trim();
    if (text.includes('\n')) return undefined;
    const below = subpage(text);
    if (!below && /^(?:\/|\.\.\/)/.test(text)) return undefined;
    const fallback = below ? '' : (titles.namespace('10') ?? '');
    const title = titles.read(below?.target ?? decodeEntities(text).replace(/#.*$/s, ''), fallback);
    return title && title.wiki === undefined ? fullName(title) : undefined;
  }

  function href(target: string, fragment?: string): string | undefined {
    const hash = fragment === undefined ? '' : `#${fragment.replaceAll(' ', '_')}`;
    if (target === '') return hash;
    const prefix = outsidePrefix(target);
    const pattern = Object.hasOwn(interwiki, prefix) ? interwiki[prefix] : undefined;
    if (pattern !== undefined) {
      const rest = target.slice(target.indexOf(':') + 1).trim();
      return pattern.replace('$1', () => encodeURI(rest.toWellFormed().replaceAll(' ', '_'))) + hash;
    }
    return target === ownName && fragment === undefined ? undefined : pageHref(target) + hash;
  }

  return {
    rules: {
      link,
      template,
      asciiTrails: true,
      pipeTrick: false,
      imageTags: false,
      hasLooseNotes: false,
      strictCalls: true,
      indentsAfterMarkers: true,
      letters: magicLinks((kind, number) => magicLink(kind, number, pageHref)),
      listings: false,
      message: (name) => `${titles.namespace('8')}:${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    },
    word: titleWords({
      titles,
      page: ownName,
      hasSubpages: mayHaveSubpages,
      href: (title) => (title === '' ? undefined : href(title)) ?? pageHref(title),
      pageAddress,
      script: options.scriptAddress ?? '/index.php',
      server: options.server ?? '',
    }),
    address: {
      page: ({ target, fragment }) => {
        const address = href(target, fragment);
        return address === undefined || /^[#?]/.test(address)
          ? { href: address }
          : { href: safeUrl(address) };
      },
    },
    title: (written, fallback) => titles.read(written, fallback),
    href,
  };
}

/** Returns the text before the first colon, in lower case. */
function prefixOf(target: string): string {
  const [, prefix = ''] = /^:?([^:]+):/.exec(target) ?? [];
  return prefix.trim().toLowerCase();
}

function magicLink(
  kind: 'RFC' | 'PMID' | 'ISBN',
  number: string,
  pageHref: (title: string) => string,
): string {
  if (kind === 'ISBN') return pageHref(`Special:BookSources/${number}`);
  if (kind === 'RFC') return `https://datatracker.ietf.org/doc/html/rfc${number}`;
  return `//www.ncbi.nlm.nih.gov/pubmed/${number}?dopt=Abstract`;
}
