/**
 * All constructs of the language: the tables that drive the parser. To add a construct, add a line here.
 *
 * Some constructs are defined elsewhere: `scan.ts` finds those that hide their content (`<!-- comments -->`, `{{calls}}`,
 * `{{{arguments}}}`, `<noinclude>` and similar); `sanitize.ts` lists the HTML elements, and `inlines/file.ts` the options of
 * files.
 */
import { heading } from './blocks/heading.ts';
import type { LineConstruct } from './blocks/line-construct.ts';
import { rule } from './blocks/rule.ts';
import type { Extension } from './extensions/extension.ts';
import { gallery } from './extensions/gallery.ts';
import { section, unsupported } from './extensions/host.ts';
import { listing } from './extensions/listing.ts';
import { markdown } from './extensions/markdown.ts';
import { math } from './extensions/math.ts';
import { nowiki } from './extensions/nowiki.ts';
import { poem } from './extensions/poem.ts';
import { pre } from './extensions/pre.ts';
import { ref } from './extensions/ref.ts';
import { noteProblems, references, unlisted } from './extensions/references.ts';
import { codeBlock, syntaxhighlight } from './extensions/syntaxhighlight.ts';
import type { Functions } from './functions/call.ts';
import { condition } from './functions/condition.ts';
import { calculate } from './functions/expression.ts';
import { language } from './functions/language.ts';
import { page } from './functions/page.ts';
import { section as sections } from './functions/section.ts';
import { statistics } from './functions/statistics.ts';
import { string } from './functions/string.ts';
import { time } from './functions/time.ts';
import { externalLink, freeLink } from './inlines/address.ts';
import type { Construct } from './inlines/inline.ts';
import { internalLink } from './inlines/link.ts';
import { lineEnd, mark, quoteRun } from './inlines/plain.ts';
import { toc } from './output/toc.ts';

/** Inline constructs by their first character. */
export const constructs: Readonly<Record<string, Construct>> = {
  '\0': mark, //             an HTML tag, or what scan.ts has set aside
  '\n': lineEnd,
  "'": quoteRun, //          ''italic'' '''bold'''
  '[': (scanner, at, limit) => internalLink(scanner, at, limit) || externalLink(scanner, at, limit) || at + 1,
  ':': freeLink, //          https://example.org
};

/**
 * Line constructs by their first character. Tables are read earlier because they span lines: `{|`, `|+`, `|-`, `|`, `!`, `|}`
 * (`blocks/table.ts`).
 */
export const lineStarts: Readonly<Record<string, LineConstruct>> = {
  '=': heading, //           == Heading ==
  '-': rule, //              ----
};

/**
 * List markers by their character, with the elements of the list and its items. A line that begins with a space is
 * preformatted.
 */
export const listMarks: Readonly<Record<string, readonly [list: string, item: string]>> = {
  '*': ['ul', 'li'],
  '#': ['ol', 'li'],
  ';': ['dl', 'dt'],
  ':': ['dl', 'dd'],
};

/** Extension tags by name. Each reads its content by its own rules: `<ref>…</ref>`. */
export const extensionTags = named({
  nowiki,
  pre,
  ref,
  references,
  gallery,
  syntaxhighlight,
  source: syntaxhighlight,
  math,
  poem,
  listing, //                the three that `expand` makes of calls
  markdown,
  unsupported,
});

/** Tags that exist only in dialects that list them. */
export const dialectTags = named({ section });

/** Extension nodes that the engine generates; no tag produces them. */
export const generatedExtensions = named({
  toc,
  unlisted,
  'note-problems': noteProblems,
  'code-block': codeBlock,
});

/** Names of `__NAME__`, in any case. The first three control the table of contents; the others are removed without effect. */
export const switches = words(`toc notoc forcetoc
  noeditsection newsectionlink nonewsectionlink nogallery hiddencat expectunusedcategory expectunusedtemplate index noindex
  staticredirect nocontentconvert nocc notitleconvert notc start end disambig noglobal archivedtalk notalk
  expected_unconnected_page expectwithoutscans`);

/** `{{name:argument|…}}`. */
export const functions: Functions = {
  ...condition, //   #if #ifeq #ifexist #iferror #switch
  ...calculate, //   #expr #ifexpr
  ...string, //      lc uc lcfirst ucfirst padleft padright urlencode anchorencode formatnum plural grammar gender bidi
  //                 #urlencode #urldecode #len #pos #rpos #sub #replace #explode #count
  ...page, //        localurl localurle fullurl fullurle canonicalurl canonicalurle filepath int ns nse displaytitle
  //                 defaultsort defaultsortkey defaultcategorysort protectionlevel protectionexpiry cascadingsources
  //                 shortdesc noexternallanglinks #titleparts #rel2abs #tag #special #speciale #contentmodel #isbn #related
  //                 #assessment #noexternallanglinks
  ...language, //    #language #dir #bcp47 #interwikilink #interlanguagelink
  ...sections, //    #lst #lstx #lsth #section #section-x #section-h #part
  ...statistics, //  numberofpages numberofarticles pagesincategory pagesincat pagesize revisionsize
  //                 pageid revisionid revisionuser revisionyear revisionmonth revisionmonth1 revisionday revisionday2
  //                 revisiontimestamp
  //                 numberoffiles numberofedits numberofviews numberofusers numberofactiveusers numberofadmins
  //                 numberingroup numingroup pagesinnamespace pagesinns
  ...time, //        #time #timel #timef #timefl #formatdate #dateformat
};

/** `{{NAME}}`; most take another page as their argument. See `functions/variable.ts`. */
export const variables = words(
  '! = NAMESPACENUMBER PAGEPATH PARENTPATH PARENTNAME PAGETYPE PAGEID REVISIONID REVISIONUSER SITENAME SERVER SERVERNAME',
  'SCRIPTPATH STYLEPATH ARTICLEPATH CURRENTVERSION CONTENTLANGUAGE CONTENTLANG PAGELANGUAGE TRANSLATIONLANGUAGE USERLANGUAGE',
  'DIRECTIONMARK DIRMARK REVISIONSIZE CASCADINGSOURCES NUMBEROFVIEWS noexternallanglinks',
  'NUMBEROFPAGES NUMBEROFARTICLES NUMBEROFFILES NUMBEROFEDITS NUMBEROFUSERS NUMBEROFACTIVEUSERS NUMBEROFADMINS',
  ...['', 'E'].map((encoded) =>
    'PAGENAME FULLPAGENAME BASEPAGENAME ROOTPAGENAME SUBPAGENAME TALKPAGENAME SUBJECTPAGENAME ARTICLEPAGENAME NAMESPACE TALKSPACE SUBJECTSPACE ARTICLESPACE'.replace(
      /\w+/g,
      `$&${encoded}`,
    ),
  ),
  ...['CURRENT', 'LOCAL', 'REVISION'].map((moment) =>
    'YEAR MONTH MONTH1 MONTH2 MONTHNAME MONTHNAMEGEN MONTHABBREV DAY DAY2 DOW DAYNAME TIME HOUR WEEK TIMESTAMP'.replace(
      /\w+/g,
      `${moment}$&`,
    ),
  ),
);

/** Variables whose case does not matter. */
export const caselessWords = words('server servername scriptpath stylepath articlepath');

/** Listings of the wiki's own data: `{{Name|option=value}}`. See `extensions/listing.ts`. */
export const listings = words('Children Tagged Wanted Recent Map Gallery');

function named(table: Record<string, Extension>): ReadonlyMap<string, Extension> {
  return new Map(Object.entries(table));
}

function words(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(/\s+/)));
}
