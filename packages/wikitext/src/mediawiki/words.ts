/**
 * Variables and functions that depend on MediaWiki's titles: `{{NAMESPACE}}`, `{{TALKPAGENAME:…}}`, `{{ns:10}}`,
 * `{{fullurl:…|action=edit}}`, `{{#titleparts:…}}`, `{{#rel2abs:…}}`, `{{#special:…}}`.
 */
import { decodeEntities } from '../entities.ts';
import { number } from '../functions/numbers.ts';
import { absolutePath, titleParts } from '../functions/page.ts';
import { encodeTitle, protect } from '../functions/string.ts';
import { escapeHtml } from '../html.ts';
import type { ExpandContext } from '../options.ts';
import { fullName, type Title, type Titles } from './titles.ts';

export type WordSite = {
  titles: Titles;
  /** Title of the page being parsed. */
  page: string;
  hasSubpages: (title: Title) => boolean;
  /** Returns the address of a page, possibly on another wiki. */
  href: (title: string) => string;
  /** Pattern for addresses of pages, with `$1` for the title. */
  pageAddress: string;
  /** Address of the wiki's script, which takes a title and other parameters in the query. */
  script: string;
  server: string;
};

/**
 * Returns the words of MediaWiki that name titles and addresses, such as `NAMESPACE` and `fullurl:`. Undefined for other
 * words.
 */
export function titleWords(site: WordSite): NonNullable<ExpandContext['word']> {
  const { titles, page } = site;
  return (name, argument, other) => {
    const lower = name.toLowerCase();
    if (argument !== undefined) {
      if (lower === 'ns' || lower === 'nse') return namespaceName(titles, argument, lower === 'nse');
      const [, kind, e] = /^(local|full|canonical)url(e?)$/.exec(lower) ?? [];
      if (kind !== undefined) {
        const address = addressOf(site, argument, other(1), kind !== 'local');
        return address !== null && e ? escapeHtml(address) : address;
      }
      if (lower === '#special' || lower === '#speciale') {
        const title = specialPage(titles, argument);
        return lower === '#special' ? title : encodeTitle(title);
      }
      if (lower === '#titleparts') {
        const title = readTitle(titles, argument);
        if (!title && argument.startsWith('#')) return '';
        return title ? titleParts(fullName(title), number(other(1), 0), number(other(2), 0)) : argument;
      }
      if (lower === '#rel2abs') return absolutePath(argument, other(1) || page);
    }
    if (revisionWord.test(name) && argument !== undefined && argument !== page) return '';
    if (name === 'ARTICLEPATH') return site.pageAddress;
    const isEncoded = !plainWords.test(name) && name.endsWith('E') && plainWords.test(name.slice(0, -1));
    const word = isEncoded ? name.slice(0, -1) : name;
    if (!plainWords.test(word)) return undefined;
    const title = argument === undefined ? titles.read(page) : readTitle(titles, argument);
    // Virtual pages such as special pages have a full name only if they are the page being parsed.
    const isOther = argument !== undefined && word === 'FULLPAGENAME';
    const value = title && !(isOther && isVirtual(titles, title)) ? titleWord(site, word, title) : undefined;
    return value === undefined ? '' : protect(isEncoded ? encodeTitle(value) : value);
  };
}

/** Reads a title as written in a page, without the fragment. */
function readTitle(titles: Titles, written: string): Title | undefined {
  return titles.read(decodeEntities(written).replace(/#.*$/s, ''));
}

/** Whether the title has no page in this wiki, like special pages, media links and pages of other wikis. */
function isVirtual(titles: Titles, { namespace, wiki }: Title): boolean {
  return wiki !== undefined || titles.number(namespace) < 0;
}

/**
 * Returns null for text that is neither number nor name, so that it is not a call. Numbers without a namespace give an empty
 * name.
 */
function namespaceName(titles: Titles, written: string, isEncoded: boolean): string | null {
  if (written === '') return '';
  const index = number(written, 0) || (/^[+-]?0+$/.test(written) ? 0 : undefined);
  const name = titles.namespace(index === undefined ? written : String(index));
  if (name === undefined) return index === undefined ? null : '';
  return isEncoded ? encodeTitle(name) : name;
}

/** Returns null if the title is invalid. */
function addressOf(
  { titles, href, script, server }: WordSite,
  written: string,
  query: string,
  isFull: boolean,
): string | null {
  const text = decodeEntities(written);
  const hash = text.indexOf('#');
  const title = readTitle(titles, text);
  if (!title && hash !== 0) return null;
  const isMedia = title?.namespace === titles.namespace('-2');
  const name = title ? fullName(isMedia ? { ...title, namespace: titles.namespace('6') ?? '' } : title) : '';
  const page = href(name).replaceAll("'", '%27');
  if (title?.wiki !== undefined)
    return query === '' ? page : `${page}${page.includes('?') ? '&' : '?'}${query}`;
  const address = query === '' ? page : `${script}?title=${encodeTitle(name)}&${query}`;
  if (!isFull) return address;
  return server + address + (hash < 0 ? '' : text.slice(hash).replaceAll(' ', '_'));
}

/** Names of special pages that are not one capitalized word, matched in any case. */
const specialPages = new Map(
  'AllMessages AllPages ApiHelp ApiSandbox BlankPage BlockList BookSources BrokenRedirects ChangeContentModel ChangeCredentials ChangeEmail ChangePassword ComparePages ConfirmEmail CreateAccount DeadendPages DeletedContributions DoubleRedirects EditPage EditTags EditWatchlist EmailUser ExpandTemplates FewestRevisions FileDuplicateSearch FilePath GoToInterwiki JavaScriptTest LinkAccounts LinkSearch ListAdmins ListBots ListDuplicatedFiles ListFiles ListGrants ListGroupRights ListRedirects ListUsers LockDB LonelyPages LongPages MediaStatistics MergeHistory MIMESearch MostCategories MostImages MostInterwikis MostLinked MostLinkedCategories MostLinkedTemplates MostRevisions MovePage MyContributions MyLanguage MyPage MyTalk MyUploads NewFiles NewPages NewSection PagesWithProp PageHistory PageInfo PageLanguage PasswordReset PermanentLink PrefixIndex ProtectedPages ProtectedTitles RandomInCategory RandomRedirect RandomRootpage RecentChanges RecentChangesLinked RemoveCredentials ResetTokens RevisionDelete ShortPages SpecialPages TrackingCategories UncategorizedCategories UncategorizedFiles UncategorizedPages UncategorizedTemplates UnlinkAccounts UnlockDB UnusedCategories UnusedFiles UnusedTemplates UnwatchedPages UploadStash UserLogin UserLogout UserRights WantedCategories WantedFiles WantedPages WantedTemplates WhatLinksHere WithoutInterwiki'
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);

function specialPage(titles: Titles, written: string): string {
  const [, page = '', below = ''] = /^([^/]*)(.*)$/s.exec(decodeEntities(written).replaceAll('_', ' ')) ?? [];
  const known = specialPages.get(page.trim().toLowerCase()) ?? page;
  const title = titles.read(`${titles.namespace('-1')}:${known}${below}`);
  return title ? fullName(title) : `${titles.namespace('-1')}:Badtitle`;
}

const plainWords =
  /^(?:(?:FULL|BASE|ROOT|SUB|TALK|SUBJECT|ARTICLE)?PAGENAME|NAMESPACE(?:NUMBER)?|(?:TALK|SUBJECT|ARTICLE)SPACE)$/;

/** Variables about changes, which are known only for the page being parsed. */
const revisionWord = /^REVISION(?:ID|USER|TIMESTAMP|YEAR|MONTH1?|DAY2?)$/;

/** Returns undefined if the title has no such value, such as the talk page of a special page. */
function titleWord({ titles, hasSubpages }: WordSite, word: string, title: Title): string | undefined {
  const { namespace, text } = title;
  // A leading slash does not separate parts.
  const parts = hasSubpages(title) ? text.split(/(?<=.)\//s) : [text];
  // A page on another wiki is its own subject and has no talk page here.
  const [subject, talk] =
    title.wiki === undefined ? [titles.subject(namespace), titles.talk(namespace)] : [namespace, undefined];
  switch (word) {
    case 'FULLPAGENAME':
      return fullName(title);
    case 'BASEPAGENAME':
      return parts.length > 1 ? parts.slice(0, -1).join('/') : text;
    case 'ROOTPAGENAME':
      return parts[0];
    case 'SUBPAGENAME':
      return parts[parts.length - 1];
    case 'NAMESPACE':
      return namespace;
    case 'NAMESPACENUMBER':
      return String(titles.number(namespace));
    case 'TALKSPACE':
      return talk;
    case 'SUBJECTSPACE':
    case 'ARTICLESPACE':
      return subject;
    case 'TALKPAGENAME':
      return talk === undefined ? undefined : fullName({ ...title, namespace: talk });
    case 'SUBJECTPAGENAME':
    case 'ARTICLEPAGENAME':
      return fullName({ ...title, namespace: subject });
    default:
      return text;
  }
}
