/**
 * Restrictions that the front matter of a document states: in the form of this wiki's own exports, or by the markers of other
 * programs (`draft: true`, `published: false`, `visibility: private`). Front matter in YAML, TOML and JSON is read; where it
 * cannot be parsed, its lines are.
 */
import { readFrontMatter } from '@coppice/markdown';
import { readAccess, type Stated, shownFact } from '../access.ts';
import type { Kind, PageOutline } from '../source.ts';
import { type Facts, timeIn } from './settings.ts';

/** Longest front matter that is searched, in characters. */
const maxLength = 200_000;
const block =
  /^\uFEFF?(?:(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)\r?\n(?:\1|\.\.\.)[ \t]*(?:\r?\n|$)|(\{\s*\n[\s\S]*?\n\}))/;
const line = /^[ \t]*["']?([A-Za-z_](?:[\w -]{0,60}[\w-])?)["']?[ \t]*[:=][ \t]*(.*?)[ \t]*,?[ \t]*$/;
/** Keys of Hugo, Zola and others whose values are facts about the page. */
const inner = /^(?:params|extra|metadata|meta|build|cascade)$/;

/** Key under which exports of this wiki state more than permissions and group. */
export const ownKey = 'coppice';

const hidingIfTrue =
  /^(?:is)?(?:draft|private|hidden|unlisted|restricted|secret|confidential|protected|passwordprotected|unpublished|deleted|trashed|membersonly|internalonly|loginrequired|requireslogin|requirelogin|authrequired|requiresauth|requireauth)$/;
const hidingIfFalse = /^(?:is)?(?:published|publish|public|listed|visible)$/;
const hidingIfGiven =
  /^(?:password|passphrase|acl|acls|accesscontrol|accesslist|accesslevel|accessgroups?|accessroles?|allow(?:ed)?(?:groups?|roles?|users?|readers?|members?)|readers|viewers|visibleto|visiblefor|sharedwith|restrict|restrictto|restrictedto|restrictions?|readpermissions?|viewpermissions?)$/;
/** Keys whose every unknown value restricts, and keys that often mean something else. */
const ofAccess = /^(?:visibility|privacy|confidentiality|sensitivity)$/;
const ofState = /^(?:access|status|state|publication|classification|audience|publishstatus|poststatus)$/;
const openWord =
  /^(?:public|open|published|everyone|everybody|anyone|anybody|all|world|any|none|null|no|false|\*|listed|visible|default|guests?|anonymous|live|\[\]|\{\})?$/;
const closedWord =
  /^(?:private|drafts?|hidden|internal|restricted|confidential|secret|unpublished|members|membersonly|password|protected|unlisted|personal|team|staff|embargoed|pending|trash|trashed|deleted|admins?|administrators?|owner|nobody|noone|closed|loggedin|registered|subscribers|paid)$/;
const no = /^(?:false|no|off|0|n|null|~)?$/;

/** Undefined if nothing is stated. */
export function statedInDocument(text: string): Stated | undefined {
  const found = block.exec(text.slice(0, maxLength));
  if (!found) return undefined;
  const lines = factsInLines(found[2] ?? found[3] ?? '');
  const parsed = readFrontMatter(text)?.data;
  if (!parsed) {
    const { permissions, group } = lines;
    return restrictionIn(lines) ?? readAccess({ permissions, group });
  }
  // A number as it is written: `0o770` is 504 otherwise, which would open the page.
  const facts =
    typeof parsed.permissions === 'number' ? { ...parsed, permissions: lines.permissions } : parsed;
  const { permissions, group, [ownKey]: more } = facts;
  const isMore = typeof more === 'object' && more !== null;
  return restrictionIn(facts) ?? readAccess({ ...(isMore ? more : {}), permissions, group });
}

/** Restrictions that the page of a folder states for everything beneath it. */
export function cascadeIn(text: string): Stated | undefined {
  const cascade = readFrontMatter(text)?.data.cascade;
  for (const facts of [cascade].flat()) {
    const found = typeof facts === 'object' && facts !== null ? restrictionIn({ ...facts }) : undefined;
    if (found) return found;
  }
  return undefined;
}

function restrictionIn(facts: Readonly<Record<string, unknown>>): Stated | undefined {
  for (const [key, value] of Object.entries(facts)) {
    if (isRestriction(key.toLowerCase().replace(/[-_ ]/g, ''), value))
      return { restriction: shownFact(key, value) };
    const isFacts = inner.test(key) && typeof value === 'object' && value !== null && !Array.isArray(value);
    const within = isFacts ? restrictionIn({ ...value }) : undefined;
    if (within) return within;
  }
  return undefined;
}

function isRestriction(key: string, value: unknown): boolean {
  const isList = typeof value === 'object' && value !== null && !(value instanceof Date);
  const word = isList
    ? JSON.stringify(value)
    : String(value ?? '')
        .trim()
        .toLowerCase()
        .replace(/[-_ ]/g, '');
  if (hidingIfTrue.test(key)) return !no.test(word);
  if (hidingIfFalse.test(key))
    return value !== null && word !== '' && (no.test(word) || closedWord.test(word));
  if (hidingIfGiven.test(key) || ofAccess.test(key)) return !openWord.test(word);
  if (ofState.test(key)) return isList ? false : closedWord.test(word);
  return false;
}

/** Facts line by line, as texts. */
function factsInLines(text: string): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  for (const written of text.split('\n')) {
    const [, key, value = ''] = line.exec(written.slice(0, 2000)) ?? [];
    if (key === undefined) continue;
    const bare = value.replace(/(?<![ \t])[ \t]+#.*$/, '');
    facts[key] ??= /^(["']).*\1$/.test(bare) ? bare.slice(1, -1) : bare;
  }
  return facts;
}

/** Restriction of a document that its program publishes later, or no longer. */
export function statedByTime(
  kind: Kind,
  { facts, day, now }: { facts: Facts; day: number | undefined; now: number },
): Stated | undefined {
  const lower = Object.fromEntries(Object.entries(facts).map(([key, value]) => [key.toLowerCase(), value]));
  const [from, until]: [string[], string[]] =
    kind === 'hugo' ? [['publishdate', 'date'], ['expirydate']] : [kind === 'jekyll' ? ['date'] : [], []];
  const begins = timeIn(lower, from) ?? (kind === 'jekyll' ? day : undefined);
  if (begins !== undefined && begins > now) return { restriction: shownFact('date', dayOf(begins)) };
  const ends = timeIn(lower, until);
  return ends !== undefined && ends < now ? { restriction: shownFact('expiryDate', dayOf(ends)) } : undefined;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The first statement applies; a restriction of any is one of the page. */
export function restrict(outline: PageOutline, ...stated: (Stated | undefined)[]): void {
  for (const one of stated) {
    if (one && 'restriction' in one) {
      outline.isHidden = true;
      outline.restriction ??= one.restriction;
    } else if (one) outline.access ??= one.access;
  }
}
