/** Rules of comments: who may write them, what they may be, and whom they mention. */

import { locateGiven, quoteAt, squeeze } from '#core/content/quotes.ts';
import { hasMoreCharacters } from '#core/model/bytes.ts';
import { refuseBlocked } from '#core/model/may-write.ts';
import { actorOf, type Member } from '#core/model/member.ts';
import type { MemberName, Page } from '#core/model/page.ts';
import { mayWrite } from '#core/model/page-access.ts';
import { normaliseSource } from '#core/model/page-fields.ts';
import {
  type Actor,
  audienceOf,
  canSee,
  isModerator,
  visibilityOf,
  type Wiki,
} from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { refuseOutside } from '#core/pages/token-limit.ts';
import type { Comment, CommentStore, Quote } from '#core/ports/comment-store.ts';
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';

export const maxCommentLength = 10_000;
export const maxQuoteLength = 2000;
/** Most quotes on a page, all of which are carried through each of its changes. */
export const maxQuotes = 1000;
const maxMentions = 20;
/** Most words of a name. */
const maxNameWords = 6;

/** Whether the actor, who may read the page, may comment on it. */
export function mayComment(actor: Actor, page: Page, wiki: Wiki): boolean {
  return actor !== null && !actor.block && whyNot(actor, page, wiki) === undefined;
}

/** Refuses `not-permitted` where only members may comment, or nobody. */
export function refuseUnlessOpenTo({ content: { comments } }: Page): void {
  if (comments === 'off') throw new Problem('not-permitted', say('problem.commentsAreTurnedOffOnThisPage'));
  if (comments !== undefined)
    throw new Problem('not-permitted', say('problem.onlyMembersWhoMayEditThisPage'));
}

/** Refuses `blocked`, `insufficient-scope` and `not-permitted`. */
export function refuseUnlessCommenter(actor: NonNullable<Actor>, page: Page, wiki: Wiki): void {
  refuseBlocked(actor);
  refuseOutside(actor, page);
  const why = whyNot(actor, page, wiki);
  if (why) throw new Problem('not-permitted', why);
}

function whyNot(actor: Actor, page: Page, wiki: Wiki): Words | undefined {
  const who = page.content.comments ?? 'members';
  if (who === 'off') return say('problem.commentsAreTurnedOffOnThisPage');
  if (who === 'writers' && !mayWrite(actor, page, wiki)) return say('problem.onlyMembersWhoMayEditThisPage');
  return undefined;
}

/** Whether the actor may edit and delete the comment: their own, and moderators any. */
export function mayChange(actor: Actor, { author }: Pick<Comment, 'author'>): boolean {
  return actor !== null && !actor.block && (actor.memberId === author.id || isModerator(actor));
}

export function noComment(id: number): Problem {
  return new Problem('not-found', say('problem.thereIsNoComment', { id: String(id) }));
}

/** Refuses `invalid`. */
export function readBody(given: string): string {
  const body = normaliseSource(given).normalize('NFC').trim();
  if (body === '') throw invalid('/body', say('problem.writeSomething'), 'required');
  if (hasMoreCharacters(body, maxCommentLength))
    throw invalid('/body', say('problem.aCommentCanHaveAtMostCharacters', { maxCommentLength }));
  if (!body.isWellFormed() || body.includes('\0'))
    throw invalid('/body', say('problem.theTextMustBeWellFormedUnicode'));
  return body;
}

/** The quoted words in the page's text, with their context there. Refuses `invalid` if the page does not have them. */
export function findQuote(
  text: string,
  given: { text: string; before?: string | undefined; after?: string | undefined },
): Quote {
  if (hasMoreCharacters(given.text, maxQuoteLength))
    throw invalid('/quote/text', say('problem.atMostCharactersCanBeQuoted', { maxQuoteLength }));
  const { before = '', after = '' } = given;
  const range = locateGiven(squeeze(text), { text: given.text, before, after });
  if (range) return quoteAt(text, range);
  throw invalid(
    '/quote/text',
    given.text.trim() === ''
      ? say('problem.quoteSomeWordsOfThePageOr')
      : say('problem.thePageDoesNotHaveTheseWords'),
  );
}

/**
 * Members whom the text mentions as `@Name`, by the longest name that fits, and who may read the page. Other names are text. Upper
 * and lower case do not matter.
 */
export async function mentionsIn(
  comments: Pick<CommentStore, 'membersNamed'>,
  body: string,
  page: Page,
  wiki: Wiki,
): Promise<MemberName[]> {
  const written = Array.from(body.matchAll(/(?<![\p{L}\p{N}_@])@(?=\S)/gu), ({ index }) =>
    namesAt(body.slice(index + 1, index + 200)),
  ).slice(0, maxMentions);
  if (written.length === 0) return [];
  const members = await comments.membersNamed(written.flat());
  const byName = new Map(members.map((member) => [folded(member.name), member]));
  const named = written.flatMap((names) => {
    const name = names.find((name) => byName.has(folded(name)));
    const member = name === undefined ? undefined : byName.get(folded(name));
    return member && name !== undefined ? [{ member, name }] : [];
  });
  const isReader = readersOf(page, wiki);
  const mentioned = new Map<number, MemberName>();
  for (const { member, name } of named)
    if (isReader(member)) mentioned.set(member.id, { id: member.id, name });
  return [...mentioned.values()];
}

/** Members among these names who may read the page. */
export async function readersNamed(
  comments: Pick<CommentStore, 'membersNamed'>,
  names: readonly string[],
  page: Page,
  wiki: Wiki,
): Promise<Set<number>> {
  const members = names.length === 0 ? [] : await comments.membersNamed(names);
  return new Set(members.filter(readersOf(page, wiki)).map(({ id }) => id));
}

function readersOf({ permissions, group, granted, owner }: Page, wiki: Wiki): (member: Member) => boolean {
  const audience = audienceOf({ permissions, group, ...(granted ? { granted } : {}) }, wiki);
  return (member) => canSee(visibilityOf(actorOf(member), wiki), { audience, ownerId: owner.id, granted });
}

/** Possible names at the beginning of the text, longest first. */
function namesAt(text: string): string[] {
  const words = /^\S+(?:[^\S\n]\S+){0,5}/.exec(text)?.[0].split(/\s/) ?? [];
  const names: string[] = [];
  for (let count = Math.min(words.length, maxNameWords); count > 0; count--) {
    const name = words.slice(0, count).join(' ');
    const bare = name.replace(/[\p{P}\p{S}]+$/u, '');
    names.push(...new Set([name, bare]));
  }
  return names.filter((name) => name !== '');
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
