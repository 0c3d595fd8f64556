/**
 * Entity tags and preconditions (RFC 9110 §8.8, §13). The tag of a page is `"<change ID>-<hash of the response>"`: the change
 * ID is used by `If-Match` of an edit, and the hash changes with everything else in the response.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { saidOfContent } from './headers.ts';

/** Digest of all parts in sequence. */
export function digestOf(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 22);
}

/** A strong tag: equal tags mean equal bytes. */
export function tagOf(parts: Iterable<string | Uint8Array>): string {
  return `"${digestOf(parts)}"`;
}

export function pageTag(changeId: number, answer: string | Uint8Array): string {
  return `"${changeId}-${digestOf([answer])}"`;
}

/** Tag in the response to an edit, sufficient for `If-Match` of the next edit. */
export function changeTag(changeId: number): string {
  return `"${changeId}"`;
}

/** Whether `If-None-Match` names this tag. RFC 9110 §13.1.2: compared weakly, so `W/` makes no difference. */
export function isFresh(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // Fast path for the usual form of the header.
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return tagsOf(ifNoneMatch).some((given) => given.opaque === tag);
}

/** RFC 9110 §15.4.5: a 304 has no content and no content headers. */
export function asNotModified(reply: FastifyReply): FastifyReply {
  for (const name of saidOfContent) reply.removeHeader(name);
  return reply.code(304);
}

/**
 * IDs of the changes of which one must be current for this `If-Match`; undefined for `*` or without the header. RFC 9110
 * §13.1.1: any match is sufficient, compared strongly, so weak tags and foreign tags never match. Only the change ID of a tag
 * counts; the rest depends on data that an edit does not change, such as likes.
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
