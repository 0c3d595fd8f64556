/**
 * Entity tags and preconditions (RFC 9110 §8.8, §13). A page's tag is `"<change id>-<hash of the answer>"`: the
 * change ID makes it usable as the base of an edit, the hash makes it change with anything else the answer shows.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Problem } from '#domain/problem.ts';

/** Strong: equal tags mean equal bytes. */
export function pageTag(changeId: number, answer: string): string {
  return `"${changeId}-${createHash('sha256').update(answer).digest('base64url').slice(0, 22)}"`;
}

/** The tag that an edit answers with: enough for the next edit's `If-Match`. */
export function changeTag(changeId: number): string {
  return `"${changeId}"`;
}

/** Whether `If-None-Match` names this tag. RFC 9110 §13.1.2: compared weakly, so `W/` makes no difference. */
export function isFresh(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return tagsOf(ifNoneMatch).some((given) => given.opaque === tag);
}

/** RFC 9110 §15.4.5: no content, but the headers that the whole answer would have had. */
export function sendNotModified(reply: FastifyReply) {
  return reply.code(304).send();
}

/**
 * The change that an edit with this `If-Match` starts from; undefined for `*` and for none. RFC 9110 §13.1.1:
 * compared strongly, so a weak tag never matches, nor does one that was never ours.
 */
export function baseOf(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const bases: number[] = [];
  for (const { isWeak, opaque } of tagsOf(ifMatch)) {
    const id = /^"(\d{1,15})(?:-[\w-]{1,64})?"$/.exec(opaque)?.[1];
    if (!isWeak && id !== undefined) bases.push(Number(id));
  }
  if (bases.length > 0) return Math.max(...bases);
  throw new Problem(
    'edit-conflict',
    'If-Match names no version of this page: send the ETag of a page that was read, as it was, or "<change id>".',
  );
}

function tagsOf(list: string): { isWeak: boolean; opaque: string }[] {
  const found = list.matchAll(/(W\/)?("[^"]*")/g);
  return Array.from(found, ([, weak, opaque]) => ({ isWeak: weak !== undefined, opaque: opaque ?? '' }));
}
