/**
 * Entity tags and preconditions (RFC 9110 §8.8, §13). A page's tag is `"<change id>-<hash of the answer>"`: the
 * change ID makes it usable in `If-Match` of an edit, the hash makes it change with anything else the answer shows.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { saidOfContent } from './headers.ts';

/** Digest of all parts together; differs if they do. */
export function digestOf(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 22);
}

/** Strong: equal tags mean equal bytes. */
export function tagOf(parts: Iterable<string | Uint8Array>): string {
  return `"${digestOf(parts)}"`;
}

export function pageTag(changeId: number, answer: string): string {
  return `"${changeId}-${digestOf([answer])}"`;
}

/** The tag that an edit answers with: enough for the next edit's `If-Match`. */
export function changeTag(changeId: number): string {
  return `"${changeId}"`;
}

/** Whether `If-None-Match` names this tag. RFC 9110 §13.1.2: compared weakly, so `W/` makes no difference. */
export function isFresh(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // The usual form of the header.
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return tagsOf(ifNoneMatch).some((given) => given.opaque === tag);
}

/** RFC 9110 §15.4.5: without content, and without what is said of it. */
export function asNotModified(reply: FastifyReply): FastifyReply {
  for (const name of saidOfContent) reply.removeHeader(name);
  return reply.code(304);
}

/**
 * The changes at one of which the page must be for this `If-Match`; undefined for `*` and if there is none. RFC 9110
 * §13.1.1: any of them will do, compared strongly, so a weak tag never matches, nor does one that was never ours. Of a
 * tag the change counts alone: the rest of it tells of what an edit leaves as it is, such as likes.
 */
export function matchedChanges(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const changes: number[] = [];
  for (const { isWeak, opaque } of tagsOf(ifMatch)) {
    const id = /^"(\d{1,15})(?:-[\w-]{1,64})?"$/.exec(opaque)?.[1];
    if (!isWeak && id !== undefined) changes.push(Number(id));
  }
  return changes;
}

function tagsOf(list: string): { isWeak: boolean; opaque: string }[] {
  const found = list.matchAll(/(W\/)?("[^"]*")/g);
  return Array.from(found, ([, weak, opaque]) => ({ isWeak: weak !== undefined, opaque: opaque ?? '' }));
}
