/** Names that are the engine's own: `{{PAGENAME}}`, `{{#if:…}}`, `{{lc:…}}`, `{{Children}}`. */
import { isFunction } from './functions/run.ts';
import type { Rules } from './options.ts';
import type { ListingName } from './tree.ts';

const pageWords =
  'PAGENAME FULLPAGENAME BASEPAGENAME ROOTPAGENAME SUBPAGENAME TALKPAGENAME SUBJECTPAGENAME ARTICLEPAGENAME NAMESPACE TALKSPACE SUBJECTSPACE ARTICLESPACE'.split(
    ' ',
  );
const clockWords =
  'YEAR MONTH MONTH1 MONTH2 MONTHNAME MONTHNAMEGEN MONTHABBREV DAY DAY2 DOW DAYNAME TIME HOUR WEEK TIMESTAMP'.split(
    ' ',
  );

/** Words without an argument; most may have one. In upper case as written. */
export const variables: ReadonlySet<string> = new Set([
  ...pageWords.flatMap((word) => [word, `${word}E`]),
  ...clockWords.flatMap((word) => [`CURRENT${word}`, `LOCAL${word}`, `REVISION${word}`]),
  ...'NAMESPACENUMBER PAGEPATH PARENTPATH PARENTNAME PAGETYPE PAGEID REVISIONID REVISIONUSER SITENAME SERVER SERVERNAME SCRIPTPATH CURRENTVERSION CONTENTLANGUAGE CONTENTLANG PAGELANGUAGE DIRECTIONMARK DIRMARK NUMBEROFPAGES NUMBEROFARTICLES NUMBEROFFILES NUMBEROFEDITS NUMBEROFUSERS NUMBEROFACTIVEUSERS NUMBEROFADMINS ! ='.split(
    ' ',
  ),
]);

export const listingNames: ReadonlySet<string> = new Set<ListingName>([
  'Children',
  'Tagged',
  'Wanted',
  'Recent',
  'Map',
  'Gallery',
]);

/** Whether `{{name…}}` is the engine's own rather than a page's. */
export function isBuiltIn(written: string, hasArguments: boolean, rules: Rules): boolean {
  const name = rules.word?.(written) ?? written;
  const colon = name.indexOf(':');
  if (colon < 0) {
    if (rules.listings && listingNames.has(name)) return true;
    return name.startsWith('#') || (variables.has(name) && !hasArguments);
  }
  const word = name.slice(0, colon).trim();
  if (word.startsWith('#')) return true;
  return variables.has(word) || isFunction(word.toLowerCase());
}
