/**
 * Every way the wiki says no. A `Problem` carries a code, a sentence for the person and, for bad fields, which
 * ones; the faces decide what that looks like (HTTP status, page, exit code). Anything else thrown is a bug.
 */

export type ProblemCode =
  /** One or more fields or parameters are unusable; `errors` names each. */
  | 'invalid'
  | 'path-taken'
  | 'path-reserved'
  /** The move would put a page beneath itself. */
  | 'path-loop'
  | 'not-found'
  /** The page was deleted; the caller could read it. `details` says who deleted it and when. */
  | 'gone'
  /** Pages lie beneath one that is to be deleted alone; `details.pages` says how many. */
  | 'pages-beneath'
  /** Pages are of the group that is to be deleted; `details` says how many. */
  | 'group-in-use'
  /** No or no longer valid token where one is needed. */
  | 'unauthenticated'
  /** The caller is known and may not write this page. */
  | 'not-permitted'
  /** Wrong e-mail, passphrase, provider or handle: never says which. */
  | 'bad-credentials'
  /** The passphrase was right, and the account has a second factor, whose code is missing. */
  | 'second-factor-required'
  /** The API token lacks a scope, or is limited to another part of the tree. */
  | 'insufficient-scope'
  /** The member may not write for now; `details` says why and until when. */
  | 'blocked'
  /** The page, or one above it, is protected; `details.level` says who can write it. */
  | 'protected'
  /** Members of this wiki come by invitation alone. */
  | 'sign-up-closed'
  /** Only moderators and administrators may do this. */
  | 'moderators-only'
  /** Only administrators may do this. */
  | 'administrators-only'
  /** The page changed since the caller's base and the edits touch; `details` holds base, yours, theirs. */
  | 'edit-conflict'
  /** Another operation of an atomic batch was refused, so this one was undone or not begun. */
  | 'rolled-back'
  /** The first request with this idempotency key is not answered yet. */
  | 'idempotency-in-progress'
  /** The idempotency key was sent with another request. */
  | 'idempotency-mismatch'
  /** The request was carried out, and what was answered is not known any more. */
  | 'idempotency-answer-lost'
  | 'too-large'
  /** So many long texts were asked for that the answer would be larger than any may be; fewer at a time can be had. */
  | 'too-long'
  | 'unsupported-media-type'
  | 'not-acceptable'
  | 'method-not-allowed'
  | 'range-not-satisfiable'
  | 'too-many-requests'
  /** The request names a host that is not this wiki's. */
  | 'misdirected'
  /** Near without latitude and longitude: the interface wants a 500 of its own. */
  | 'place-missing'
  /** The store cannot take writes now; trying again later helps. */
  | 'unavailable'
  | 'timeout';

/** A bad field: `pointer` is a JSON pointer into the body (`/title`) or `?name` for a query parameter. */
export interface FieldError {
  pointer: string;
  detail: string;
  /** For programs, where more can be said than by the code of the problem. */
  code?: FieldCode;
}

export type FieldCode = 'required' | 'wrong-type' | 'unknown-parameter' | 'not-found' | 'taken';

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: FieldError[] | undefined;
  /** Members added to the answer as they are, e.g. base, yours and theirs of a conflict. */
  readonly details: Record<string, unknown> | undefined;

  constructor(
    code: ProblemCode,
    message: string,
    more: { errors?: FieldError[]; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = more.errors;
    this.details = more.details;
  }
}

/** One unusable field, as a problem whose sentence is the field's own. */
export function invalid(pointer: string, detail: string, code?: FieldCode): Problem {
  return new Problem('invalid', detail, { errors: [{ pointer, detail, ...(code ? { code } : {}) }] });
}
