/** Names that are the engine's own: `{{PAGENAME}}`, `{{#if:…}}`, `{{lc:…}}`, `{{Children}}`. */
import type { ListingName } from './tree.ts';

const set = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words without an argument; most may have one. In upper case as written. */
export const variables = set(
  'PAGENAME PAGENAMEE FULLPAGENAME FULLPAGENAMEE BASEPAGENAME BASEPAGENAMEE ROOTPAGENAME ROOTPAGENAMEE SUBPAGENAME SUBPAGENAMEE TALKPAGENAME TALKPAGENAMEE SUBJECTPAGENAME SUBJECTPAGENAMEE ARTICLEPAGENAME ARTICLEPAGENAMEE NAMESPACE NAMESPACEE NAMESPACENUMBER TALKSPACE TALKSPACEE SUBJECTSPACE SUBJECTSPACEE ARTICLESPACE ARTICLESPACEE PAGEPATH PARENTPATH PARENTNAME PAGETYPE PAGEID REVISIONID REVISIONUSER REVISIONTIMESTAMP REVISIONYEAR REVISIONMONTH REVISIONMONTH1 REVISIONDAY REVISIONDAY2 SITENAME SERVER SERVERNAME SCRIPTPATH CURRENTVERSION CONTENTLANGUAGE CONTENTLANG PAGELANGUAGE DIRECTIONMARK DIRMARK CURRENTYEAR CURRENTMONTH CURRENTMONTH1 CURRENTMONTH2 CURRENTMONTHNAME CURRENTMONTHNAMEGEN CURRENTMONTHABBREV CURRENTDAY CURRENTDAY2 CURRENTDOW CURRENTDAYNAME CURRENTTIME CURRENTHOUR CURRENTWEEK CURRENTTIMESTAMP LOCALYEAR LOCALMONTH LOCALMONTH1 LOCALMONTH2 LOCALMONTHNAME LOCALMONTHNAMEGEN LOCALMONTHABBREV LOCALDAY LOCALDAY2 LOCALDOW LOCALDAYNAME LOCALTIME LOCALHOUR LOCALWEEK LOCALTIMESTAMP ! =',
);

/** Functions written without `#`, in lower case. */
const plainFunctions = set(
  'lc uc lcfirst ucfirst padleft padright urlencode anchorencode formatnum plural grammar gender bidi ns nse localurl localurle fullurl fullurle canonicalurl canonicalurle filepath int defaultsort defaultsortkey defaultcategorysort displaytitle',
);

export const listingNames: ReadonlySet<string> = new Set<ListingName>([
  'Children',
  'Tagged',
  'Wanted',
  'Recent',
  'Map',
  'Gallery',
]);

/** Whether `{{name…}}` is the engine's own rather than a page's. */
export function isBuiltIn(name: string, hasArguments: boolean, hasListings: boolean): boolean {
  const colon = name.indexOf(':');
  if (colon < 0) {
    if (hasListings && listingNames.has(name)) return true;
    return name.startsWith('#') || (variables.has(name) && !hasArguments);
  }
  const word = name.slice(0, colon).trim();
  if (word.startsWith('#')) return true;
  return variables.has(word) || plainFunctions.has(word.toLowerCase());
}
