/**
 * Every way in which the wiki refuses a request. A `Problem` has a code, a sentence for the person and, for invalid fields,
 * their names; each interface decides how to show it (HTTP status, page, exit code). Any other thrown error is a bug.
 */

import type { Words } from '#html/html.ts';
import { say, sentences, textOf } from '#words/say.ts';

export type ProblemCode =
  /** One or more fields or parameters are invalid; `errors` names each. */
  | 'invalid'
  | 'path-taken'
  | 'path-reserved'
  /** The move would put a page beneath itself. */
  | 'path-loop'
  | 'not-found'
  /** The page was deleted; the caller could read it. `details` says who deleted it and when. */
  | 'gone'
  /** The page to be deleted has descendants; `details.pages` says how many. */
  | 'pages-beneath'
  /** The group to be deleted still has pages; `details` says how many. */
  | 'group-in-use'
  /** A valid token is required and is missing or expired. */
  | 'unauthenticated'
  /** The caller is authenticated but may not write this page. */
  | 'not-permitted'
  /** Wrong e-mail address, passphrase, provider or handle, without saying which. */
  | 'bad-credentials'
  /** The passphrase is right, but the code of the account's second factor is missing. */
  | 'second-factor-required'
  /** The API token lacks a scope, or is limited to another part of the tree. */
  | 'insufficient-scope'
  /** The member is blocked from writing; `details` says why and until when. */
  | 'blocked'
  /** The page, or one above it, is protected; `details.level` says who can write it. */
  | 'protected'
  /** A rule of the page, or of one above it, wants approvals; `details` says how many and whose. */
  | 'needs-approval'
  /** Some changes of a proposal conflict with the present pages; `details.conflicts` holds each. */
  | 'proposal-conflict'
  /** The proposal is merged or withdrawn already. */
  | 'proposal-closed'
  /** Membership of this wiki is by invitation only. */
  | 'sign-up-closed'
  /** Only moderators and administrators may do this. */
  | 'moderators-only'
  /** Only administrators may do this. */
  | 'administrators-only'
  /** The page changed since the caller's base and the edits touch; `details` holds base, yours, theirs. */
  | 'edit-conflict'
  /** The grants of the page are others than those that the caller has seen. */
  | 'access-changed'
  /** Another operation of an atomic batch was refused, so this one was undone or not started. */
  | 'rolled-back'
  /** The first request with this idempotency key is still in progress. */
  | 'idempotency-in-progress'
  /** The idempotency key was used with a different request. */
  | 'idempotency-mismatch'
  /** The request was carried out, but its response is no longer stored. */
  | 'idempotency-answer-lost'
  /** The edited document cannot be written in the page's language; `details` says where. */
  | 'not-expressible'
  | 'too-large'
  /** The requested texts together exceed the maximum size of a response; ask for fewer at a time. */
  | 'too-long'
  | 'unsupported-media-type'
  | 'not-acceptable'
  | 'method-not-allowed'
  | 'range-not-satisfiable'
  | 'too-many-requests'
  /** The request names a host that is not this wiki's. */
  | 'misdirected'
  /** `near` without latitude and longitude, for which the interface defines its own status 500. */
  | 'place-missing'
  /** The store cannot write now; retrying later may help. */
  | 'unavailable'
  | 'timeout';

/** An invalid field: `pointer` is a JSON pointer into the body (`/title`), or `?name` for a query parameter. */
export interface FieldError {
  pointer: string;
  /** In English, as the API answers it. */
  detail: string;
  /** The same for readers of the site, if it is a message of the catalogues. */
  words?: Words;
  /** Machine-readable reason, if it is more specific than the code of the problem. */
  code?: FieldCode;
}

type FieldCode = 'required' | 'wrong-type' | 'unknown-parameter' | 'not-found' | 'taken';

interface MoreOfProblem {
  errors?: FieldError[];
  details?: Record<string, unknown>;
  cause?: unknown;
  /** The sentence on the site, where it differs from that for programs. */
  onSite?: Words;
}

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: FieldError[] | undefined;
  /** Members added to the response body unchanged, e.g. base, yours and theirs of a conflict. */
  readonly details: Record<string, unknown> | undefined;
  /** The sentence for readers of the site; `message` is the same in English, or says more for programs. */
  readonly words: Words;

  constructor(code: ProblemCode, words: Words, more: MoreOfProblem = {}) {
    super(textOf(words, 'en'), { cause: more.cause });
    this.words = more.onSite ?? words;
    this.name = 'Problem';
    this.code = code;
    this.errors = more.errors;
    this.details = more.details;
  }
}

/** A problem about one invalid field, whose sentence is also the problem's. */
export function invalid(pointer: string, words: Words, code?: FieldCode): Problem {
  return new Problem('invalid', words, { errors: [fieldError(pointer, words, code)] });
}

/** An error of one field, with its JSON pointer and its words in English for the API. */
export function fieldError(pointer: string, words: Words, code?: FieldCode): FieldError {
  return {
    pointer,
    detail: textOf(words, 'en'),
    ...(typeof words === 'string' ? {} : { words }),
    ...(code ? { code } : {}),
  };
}

/** Problem for several invalid fields, with all of their messages. */
export function allInvalid(errors: FieldError[]): Problem {
  return new Problem('invalid', sentences(errors.map(({ detail, words = detail }) => words)), { errors });
}

/** Refusal of a request that may be repeated after `retryAfter` seconds. */
export function tooManyRequests(detail: Words, retryAfter: number): Problem {
  return new Problem('too-many-requests', detail, { details: { retryAfter } });
}

/** The problem `unauthenticated` for callers without a session. */
export function notSignedIn(): Problem {
  return new Problem('unauthenticated', say('problem.youAreNotSignedIn'));
}
