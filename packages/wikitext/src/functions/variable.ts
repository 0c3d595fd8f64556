/**
 * Variables: `{{PAGENAME}}`, `{{CURRENTYEAR}}`, `{{!}}`.
 *
 * Page: PAGENAME FULLPAGENAME BASEPAGENAME ROOTPAGENAME SUBPAGENAME PAGEPATH PARENTNAME PARENTPATH PAGETYPE PAGEID; an added E
 * encodes them for addresses. Time: CURRENT… in UTC, LOCAL… in the wiki's zone, REVISION… of the last change, like REVISIONID
 * and REVISIONUSER. `statistics.ts` handles REVISION… of other pages.
 */
import type { ExpandContext } from '../options.ts';
import { encodeTitle, protect } from './string.ts';
import { formatTime } from './time-format.ts';

/** Returns the variable's value, for the page named by the argument if there is one; undefined if no such variable exists. */
export function variable(name: string, context: ExpandContext, argument?: string): string | undefined {
  const isOfOther = argument !== undefined && argument !== context.page.title;
  const isOfAny = argument !== undefined && !name.startsWith('REVISION');
  const clock = isOfOther || isOfAny ? undefined : clockWord(name, context);
  if (clock !== undefined) return clock;
  const word = pageWord(name, context, argument);
  if (word !== undefined) return protect(word);
  if (name.endsWith('E')) {
    const plain = pageWord(name.slice(0, -1), context, argument);
    if (plain !== undefined) return protect(encodeTitle(plain));
  }
  if (argument !== undefined) return undefined;
  switch (name) {
    case '!':
      return '|';
    case '=':
      return '=';
    case 'SITENAME':
      return protect(context.siteName ?? '');
    case 'SERVER':
      return context.server ?? '';
    case 'SERVERNAME':
      return (context.server ?? '').replace(/^[a-z]*:?\/\//i, '');
    case 'DIRECTIONMARK':
    case 'DIRMARK':
      return '\u200e';
    case 'SCRIPTPATH':
    case 'STYLEPATH':
      return '';
    case 'ARTICLEPATH':
      return '/$1';
    case 'CURRENTVERSION':
      return 'Coppice';
    case 'CONTENTLANGUAGE':
    case 'CONTENTLANG':
    case 'PAGELANGUAGE':
    case 'TRANSLATIONLANGUAGE':
    case 'USERLANGUAGE':
      return context.rules?.language ?? 'en';
    default:
      return undefined;
  }
}

function pageWord(name: string, { page }: ExpandContext, argument: string | undefined): string | undefined {
  const title = argument ?? page.title;
  const parts = title.split('/');
  const ofThis = title === page.title;
  switch (name) {
    case 'PAGENAME':
    case 'FULLPAGENAME':
    case 'SUBJECTPAGENAME':
    case 'ARTICLEPAGENAME':
    case 'TALKPAGENAME':
      return title;
    case 'SUBPAGENAME':
      return parts[parts.length - 1] ?? '';
    case 'BASEPAGENAME':
      return argument === undefined && page.parent
        ? page.parent.title
        : parts.slice(0, -1).join('/') || title;
    case 'ROOTPAGENAME':
      return parts[0] ?? '';
    case 'PAGEPATH':
      return page.path;
    case 'PARENTPATH':
      return page.parent?.path ?? '';
    case 'PARENTNAME':
      return page.parent?.title ?? '';
    case 'PAGETYPE':
      return page.type ?? '';
    case 'PAGEID':
      return ofThis ? String(page.id ?? '') : undefined;
    case 'NAMESPACE':
    case 'TALKSPACE':
    case 'SUBJECTSPACE':
    case 'ARTICLESPACE':
      return '';
    case 'NAMESPACENUMBER':
      return '0';
    case 'REVISIONUSER':
      return ofThis ? (page.author ?? '') : undefined;
    case 'REVISIONID':
      return ofThis ? String(page.changeId ?? '') : undefined;
    default:
      return undefined;
  }
}

const clockFormats: Readonly<Record<string, string>> = {
  YEAR: 'Y',
  MONTH: 'm',
  MONTH1: 'n',
  MONTH2: 'm',
  MONTHNAME: 'F',
  MONTHNAMEGEN: 'xg',
  MONTHABBREV: 'M',
  DAY: 'j',
  DAY2: 'd',
  DOW: 'w',
  DAYNAME: 'l',
  TIME: 'H:i',
  HOUR: 'H',
  WEEK: 'W',
  TIMESTAMP: 'YmdHis',
};

function clockWord(name: string, context: ExpandContext): string | undefined {
  for (const [prefix, zone, at] of [
    ['CURRENT', 'UTC', context.now],
    ['LOCAL', context.timeZone ?? 'UTC', context.now],
    ['REVISION', 'UTC', context.page.changedAt ?? context.now],
  ] as const) {
    if (!name.startsWith(prefix)) continue;
    const word = name.slice(prefix.length);
    const format = Object.hasOwn(clockFormats, word) ? clockFormats[word] : undefined;
    if (format === undefined) continue;
    const text = formatTime(format, at, zone, context.rules?.language);
    return word === 'WEEK' ? String(Number(text)) : text;
  }
  return undefined;
}
