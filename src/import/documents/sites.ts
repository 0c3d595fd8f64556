/**
 * Addresses at which programs publish documents, by the rules of each program. Links between pages use these addresses, as
 * well as paths of files. An address here has no slash in front and may end with one, which is where relative links start.
 */
import type { Kind } from '../source.ts';
import { docusaurusAddresses, settingsOf } from './docusaurus.ts';
import type { Flavour } from './flavour.ts';
import { bundleNames, hugoAddresses, zolaAddresses } from './hugo.ts';
import { jekyllAddresses } from './jekyll.ts';
import { journalTitleOf, logseqNames } from './logseq.ts';
import { idIn, idInAddress } from './notion.ts';
import { assigned, isFacts, listIn, type SiteSettings, textIn } from './settings.ts';
import { basesOf, folderAddress, nameOf, type SiteDocument, withIndex } from './site-address.ts';
import { rewritesIn, vitepressAddresses } from './vitepress.ts';

export interface Site {
  /** The first one is where the page is, the others lead to it. */
  addressesOf(document: SiteDocument): string[];
  /** Names by which double brackets and references mean the document, besides that of its file. */
  namesOf(document: SiteDocument): string[];
  /** Beginnings of addresses that mean the top of the site, with a trailing slash: `docs/`, `https://example.org/`. */
  bases: readonly string[];
  /** Title of a document that has none of its own. */
  titleOf?(path: string): string | undefined;
  /** Address within the site of a whole one that names a page by its ID. */
  addressIn?(address: string): string | undefined;
}

const noNames = () => [];

export function siteOf(kind: Kind, settings: SiteSettings, { placedIn }: Pick<Flavour, 'placedIn'>): Site {
  const { facts, program } = settings;
  const ownAddress = textIn(facts, 'baseURL') ?? textIn(facts, 'base_url') ?? textIn(facts, 'site_url');
  const bases = [ownAddress, assigned(program, 'base'), assigned(program, 'baseUrl')].flatMap(basesOf);
  switch (kind) {
    case 'hugo':
      return { addressesOf: (one) => hugoAddresses(one, facts), namesOf: bundleNames, bases };
    case 'zola':
      return { addressesOf: zolaAddresses, namesOf: noNames, bases: [...bases, '@/'] };
    case 'jekyll': {
      const prefixes = [textIn(facts, 'baseurl'), textIn(facts, 'url')].flatMap(basesOf);
      return { addressesOf: (one) => jekyllAddresses(one, facts), namesOf: noNames, bases: prefixes };
    }
    case 'eleventy':
      return { addressesOf: eleventyAddresses, namesOf: noNames, bases };
    case 'docusaurus': {
      const ofDocs = settingsOf(program, 'docs');
      const docs = (assigned(ofDocs, 'routeBasePath') ?? 'docs').replace(/^\/+|\/+$/g, '');
      const beneath = docs === '' ? [] : bases.map((base) => `${base}${docs}/`);
      const prefixes = [...bases, ...beneath, ...basesOf(docs), '@site/'];
      return {
        addressesOf: (one) => docusaurusAddresses(one, placedIn?.(one.path)),
        namesOf: noNames,
        bases: prefixes,
      };
    }
    case 'mdbook': {
      const output = isFacts(facts.output) ? facts.output : {};
      const top = isFacts(output.html) ? textIn(output.html, 'site-url') : undefined;
      return {
        addressesOf: ({ path }) => [`${withIndex(path, /^(?:readme|index)$/i)}.html`],
        namesOf: noNames,
        bases: basesOf(top),
      };
    }
    case 'mkdocs': {
      const isFlat = facts.use_directory_urls === false;
      return { addressesOf: (one) => mkdocsAddresses(one, isFlat), namesOf: noNames, bases };
    }
    case 'vitepress': {
      const rewrites = rewritesIn(program);
      return { addressesOf: (one) => vitepressAddresses(one, rewrites), namesOf: noNames, bases };
    }
    case 'gitbook': {
      const redirects = Object.entries(isFacts(facts.redirects) ? facts.redirects : {});
      return {
        addressesOf: ({ path }) => [
          // Published without a slash at the end.
          folderAddress(path, /^(?:readme|index)$/i).replace(/(?<=[^/])\/$/, (slash) =>
            /(?:^|\/)(?:readme|index)\.\w+$/i.test(path) ? slash : '',
          ),
          ...redirects.flatMap(([from, to]) => (to === path || to === `./${path}` ? [from] : [])),
        ],
        namesOf: noNames,
        bases,
      };
    }
    case 'logseq': {
      const title = /:journal\/page-title-format\s+"([^"]{1,60})"/.exec(program)?.[1] ?? 'MMM do, yyyy';
      return {
        addressesOf: () => [],
        namesOf: (one) => logseqNames(one, title),
        bases,
        titleOf: (path) => journalTitleOf(path, title),
      };
    }
    case 'obsidian':
    case 'quartz':
    case 'foam':
      return {
        addressesOf: ({ path, facts }) => [
          folderAddress(path, /^(?:index)$/i),
          ...[textIn(facts, 'permalink')].flatMap((one) => one ?? []),
        ],
        namesOf: ({ facts }) => [...listIn(facts, 'aliases'), ...listIn(facts, 'alias')],
        bases,
      };
    case 'wikijs':
      return {
        // The home page of the wiki, and of each language, is at its top.
        addressesOf: ({ path }) => [
          folderAddress(path, /^(?:index|readme)$/i),
          ...(/^(?:[a-z]{2}(?:-[a-z]{2})?\/)?home\.\w+$/i.test(path)
            ? [path.replace(/home\.\w+$/i, '')]
            : []),
        ],
        namesOf: noNames,
        bases,
      };
    case 'outline':
      return {
        addressesOf: ({ path }) => [
          folderAddress(path, /^(?:index|readme)$/i),
          outlineSlug(nameOf(path).replace(/\.\w+$/, '')),
        ],
        namesOf: noNames,
        bases,
        // Addresses within the program: the title, and an ID that exports do not have.
        addressIn: (address) => /^\/doc\/([^/?#]{1,300})-[A-Za-z\d]{10}(?=[?#]|$)/.exec(address)?.[1],
      };
    case 'notion':
      return {
        addressesOf: ({ path }) => [idIn(path)].filter((id) => id !== undefined),
        namesOf: noNames,
        bases,
        addressIn: idInAddress,
      };
    case 'tiddlywiki':
    case 'evernote':
      return { addressesOf: () => [], namesOf: ({ facts }) => [textIn(facts, 'title') ?? ''], bases };
    case 'dendron':
      return {
        addressesOf: () => [],
        namesOf: ({ path, facts }) => [nameOf(path), textIn(facts, 'id') ?? ''],
        bases,
      };
    default:
      return {
        addressesOf: ({ path, facts }) => [
          textIn(facts, 'slug') ??
            textIn(facts, 'permalink') ??
            folderAddress(path, /^(?:index|readme|_index|page)$/i),
        ],
        namesOf: noNames,
        bases,
      };
  }
}

function outlineSlug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

function eleventyAddresses({ path, facts }: SiteDocument): string[] {
  const own = folderAddress(path, /^index$/i).replace(/(^|\/)\d{4}-\d{2}-\d{2}-(?=[^/]+\/$)/, '$1');
  const permalink = textIn(facts, 'permalink');
  if (permalink === undefined) return [own];
  const slug = nameOf(own.replace(/\/$/, ''));
  const shown = permalink.replace(/\{\{-?\s*(?:page\.)?(?:fileSlug|filePathStem|title)[^}]*\}\}/g, slug);
  return [shown.replace(/^\//, ''), own];
}

function mkdocsAddresses({ path }: SiteDocument, isFlat: boolean): string[] {
  const own = withIndex(path, /^(?:index|readme)$/i);
  return isFlat ? [`${own}.html`] : [folderAddress(path, /^(?:index|readme)$/i), `${own}.html`];
}
