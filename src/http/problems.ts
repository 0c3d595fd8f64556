/**
 * HTTP responses for refusals: a table from problem codes to statuses, and RFC 9457 bodies. All thrown errors pass through
 * `problemOf`; an error that is no `Problem` is a bug, which is logged in full and answered with only the request ID.
 */

import type { FastifyRequest } from 'fastify';
import type { Content } from '#core/model/page.ts';
import { type FieldError, Problem, type ProblemCode } from '#core/model/problem.ts';
import { recentSignInMs } from '#core/operations/recent-sign-in.ts';
import type { Words } from '#html/html.ts';
import { refusalOfFramework } from './framework-refusals.ts';
import { contentJson } from './page-json.ts';

interface ProblemKind {
  status: number;
  title: string;
  /** Explanation for the reference. */
  meaning: string;
  example: string;
}

export const problemKinds = {
  invalid: {
    status: 400,
    title: 'Bad request',
    meaning: 'A field or parameter is invalid; `errors` lists each of them.',
    example: 'A page needs a title.',
  },
  'path-taken': {
    status: 400,
    title: 'Path taken',
    meaning: 'Another page already uses the path. `freePath` is the next free path, if there is one.',
    example: 'A page at /garden/roses already exists. The next free address is /garden/roses-2.',
  },
  'path-reserved': {
    status: 400,
    title: 'Path reserved',
    meaning: 'The path is reserved for the wiki itself.',
    example: 'Paths that begin with /search are reserved.',
  },
  'path-loop': {
    status: 400,
    title: 'Page beneath itself',
    meaning: 'The edit would make a page its own ancestor.',
    example: 'A page cannot be moved beneath itself.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    meaning: 'Nothing exists at this address, or the caller may not see it.',
    example: 'There is no page at /garden/tulips.',
  },
  gone: {
    status: 410,
    title: 'Deleted',
    meaning:
      'The page was deleted, and the caller could read it. `deletedAt` and `deletedBy` say when and by whom. Everybody else gets 404.',
    example: 'The page at /garden/roses was deleted.',
  },
  'pages-beneath': {
    status: 409,
    title: 'Pages beneath',
    meaning:
      'The page to delete has pages beneath it; `pages` is their number. With `subtree=true` they are deleted, too.',
    example: '12 pages lie beneath /garden. Delete them, too, with subtree=true, or move them first.',
  },
  'group-in-use': {
    status: 409,
    title: 'Group in use',
    meaning:
      'The group is still in use. `pages` is the number of pages that belong to it or give it to new pages, and `trashed` the number of such pages in the trash.',
    example: '12 pages are of the group “editors”. Choose another group for them first.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not signed in',
    meaning: 'A valid token is needed, but none was sent, or it is malformed, expired or revoked.',
    example: 'This needs a valid token. Send Authorization: Bearer <token>.',
  },
  'not-permitted': {
    status: 401,
    title: 'Not permitted',
    meaning: 'The caller is signed in, but the page’s permissions do not allow this.',
    example: 'You may not edit this page.',
  },
  'bad-credentials': {
    status: 401,
    title: 'Wrong credentials',
    meaning: 'The credentials do not authenticate anyone. The response never says which part is wrong.',
    example: 'These credentials do not match a member.',
  },
  'second-factor-required': {
    status: 401,
    title: 'Code needed',
    meaning:
      'The passphrase is right, but the account has a second factor. Send the same request with `code`, from the authenticator app or a recovery code.',
    example: 'This account has a second factor. Send `code` as well.',
  },
  'sign-up-closed': {
    status: 403,
    title: 'By invitation',
    meaning: 'People cannot sign up by themselves, because this wiki has members by invitation only.',
    example: 'Members of this wiki need an invitation. Ask an administrator for one.',
  },
  'administrators-only': {
    status: 403,
    title: 'Administrators only',
    meaning: 'Only administrators may do this.',
    example: 'Only administrators can invite members.',
  },
  'moderators-only': {
    status: 403,
    title: 'Moderators only',
    meaning: 'Only moderators and administrators may do this.',
    example: 'Only moderators and administrators may block members.',
  },
  blocked: {
    status: 403,
    title: 'Blocked',
    meaning:
      'The caller is blocked and cannot write. `reason` says why, `until` when the block ends; null if it has no end.',
    example:
      'You are blocked until 2026-04-01T00:00:00.000Z, and can read but not write. Reason: Advertisements.',
  },
  protected: {
    status: 403,
    title: 'Protected',
    meaning:
      'A page is protected: this page, a page above it, or a page beneath it that would be moved or deleted along. `level` says who can change it, `until` when the protection ends.',
    example: '/garden is protected: only moderators and administrators can change it.',
  },
  'needs-approval': {
    status: 403,
    title: 'Needs approval',
    meaning:
      'A rule of the page, of a page above it, or of a page beneath it that would be moved or deleted along wants `approvals` for each change, which `approvers` can give. Send the change to `POST /v1/proposals`.',
    example:
      'Changes here need an approval. Propose the change instead (POST /v1/proposals); moderators and administrators can approve it.',
  },
  'proposal-conflict': {
    status: 409,
    title: 'Conflict',
    meaning:
      'Changes of the proposal conflict with the present pages, so nothing was merged. `conflicts` lists them, each with `path`, `base`, `yours` and `theirs`.',
    example: 'The page at /garden/roses has changed in the same places. Nothing was merged.',
  },
  'proposal-closed': {
    status: 409,
    title: 'Proposal closed',
    meaning: 'The proposal was merged or withdrawn, so it cannot be changed, reviewed or merged.',
    example: 'This proposal was merged already.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'Token not allowed',
    meaning: 'The API token lacks the required scope, or is limited to another part of the tree.',
    example: 'This token lacks the scope “write”.',
  },
  'edit-conflict': {
    status: 412,
    title: 'Edit conflict',
    meaning:
      'The page is no longer at the change that `If-Match` names, or later changes conflict with an edit that has `base`. `base`, `yours` and `theirs` are the three versions.',
    example: 'The page has changed since you began, in the same places.',
  },
  'access-changed': {
    status: 412,
    title: 'Access changed',
    meaning: 'The grants of the page are no longer those that `version` stands for. Nothing was changed.',
    example: 'Somebody else has changed with whom the page is shared.',
  },
  'rolled-back': {
    status: 424,
    title: 'Rolled back',
    meaning:
      'Another operation of the same atomic batch was refused, so no operation of the batch took effect.',
    example: 'Operation 2 of this batch was refused, so this one was not carried out.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'Under way',
    meaning: 'The first request with this `Idempotency-Key` is still in progress. Try again in a moment.',
    example: 'The first request with this Idempotency-Key is still in progress.',
  },
  'idempotency-answer-lost': {
    status: 409,
    title: 'Answer lost',
    meaning:
      'The request with this `Idempotency-Key` took effect, but its response is not stored: it was too long, or the server stopped before storing it.',
    example: 'The request with this Idempotency-Key was carried out, but its response is no longer stored.',
  },
  'idempotency-mismatch': {
    status: 422,
    title: 'Key used already',
    meaning: 'The `Idempotency-Key` was sent with a different request within the last day.',
    example: 'This Idempotency-Key was sent with a different request. Choose a new key for each request.',
  },
  'not-expressible': {
    status: 422,
    title: 'Not expressible',
    meaning:
      'The edited document cannot be written in the language of the page as it looks. `path` leads to the smallest part concerned, by indexes of children from the document down; `range` is its place in the body, or null if it is new.',
    example: 'This part cannot be written in the language of the page as it looks.',
  },
  'too-large': {
    status: 413,
    title: 'Too large',
    meaning: 'The body, or a file in it, is larger than this server accepts. Nothing was stored.',
    example: 'A request can have at most 25 MB.',
  },
  'too-long': {
    status: 400,
    title: 'Response too long',
    meaning:
      'The requested pages have more than 64 MB of text together. Request fewer at a time with `limit`.',
    example: 'These pages have more than 64 MB of text. Request fewer at a time with “limit”.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'This operation does not accept the media type of the body.',
    example: 'Send application/json or application/x-www-form-urlencoded.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    meaning: 'The response is not available in any media type that the caller accepts.',
    example: 'This is only available as application/json.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'This address does not support the method; `Allow` lists the supported methods.',
    example: 'DELETE does not work here.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The file has no bytes in the requested range; `Content-Range` gives its size.',
    example: 'The file has 104864 bytes.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    meaning: 'A rate limit was reached; `Retry-After` says in how many seconds to try again.',
    example: 'Too many attempts. Try again in 42 seconds.',
  },
  misdirected: {
    status: 421,
    title: 'Misdirected request',
    meaning: 'The request names a host that does not belong to this wiki.',
    example: 'This wiki is at https://wiki.example.org.',
  },
  'place-missing': {
    status: 500,
    title: 'No starting point',
    meaning: 'The request for nearby places lacks latitude and longitude.',
    example: 'Latitude and longitude are needed: /v1/near/{lat}/{lon}.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The server cannot do this now. Try again later.',
    example: 'The database is unavailable. Try again in a moment.',
  },
  timeout: {
    status: 503,
    title: 'Took too long',
    meaning: 'The response needed more time than a single request is allowed.',
    example: 'This took too long and was cancelled.',
  },
} satisfies Record<ProblemCode, ProblemKind>;

/** A problem in the form in which it is sent. */
interface ProblemAnswer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Whether the error is a bug, to be logged in full. */
  isBug: boolean;
  /** The sentence for readers of the site; none for a bug. */
  words?: Words;
}

const reference = '/v1/docs';

export function internalProblem(requestId: string): ProblemAnswer['body'] {
  return {
    type: `${reference}#problem-internal`,
    title: 'Internal error',
    status: 500,
    detail:
      'Something went wrong on the server. The operator of this wiki can find the cause under this request ID.',
    requestId,
  };
}

/** `requestId` is only included in responses to unexpected errors, which contain no other internals. */
export function problemOf(error: unknown, requestId: string): ProblemAnswer {
  const problem = error instanceof Problem ? error : refusalOfFramework(error);
  if (!problem) {
    return { status: 500, headers: {}, body: internalProblem(requestId), isBug: true };
  }
  const kind = problemKinds[problem.code];
  return {
    status: kind.status,
    headers: headersOf(problem),
    body: {
      ...shownDetails(problem),
      type: `${reference}#problem-${problem.code}`,
      title: kind.title,
      status: kind.status,
      detail: problem.message,
      ...(problem.errors ? { errors: problem.errors.map((error) => fieldError(problem, error)) } : {}),
    },
    isBug: false,
    words: problem.words,
  };
}

/** Logs unexpected errors, and failures behind a refusal, such as a database or storage that does not respond. */
export function logProblem(request: FastifyRequest, error: unknown, isBug: boolean): void {
  const where = { err: error, method: request.method, route: request.routeOptions.url };
  if (isBug) request.log.error(where, 'unhandled error');
  else if (error instanceof Problem && error.code === 'unavailable' && error.cause !== undefined) {
    request.log.warn(where, 'unavailable');
  }
}

function headersOf(problem: Problem): Record<string, string> {
  switch (problem.code) {
    case 'unauthenticated':
      // RFC 6750 §3: an invalid token is reported as such. RFC 9470 §3: a valid token whose member has to authenticate again.
      if (problem.details?.again) {
        return {
          'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${recentSignInMs / 1000}"`,
        };
      }
      return { 'www-authenticate': problem.details?.tokenSent ? 'Bearer error="invalid_token"' : 'Bearer' };
    case 'not-permitted':
    case 'bad-credentials':
    case 'second-factor-required':
      // RFC 9110 §15.5.2: a 401 always carries a challenge.
      return { 'www-authenticate': 'Bearer' };
    case 'insufficient-scope': {
      // RFC 6750 §3.1.
      const scope = problem.details?.scope === undefined ? '' : `, scope="${problem.details.scope}"`;
      return { 'www-authenticate': `Bearer error="insufficient_scope"${scope}` };
    }
    case 'method-not-allowed':
      return { allow: ((problem.details?.allow as string[] | undefined) ?? []).join(', ') };
    case 'idempotency-in-progress':
    case 'too-many-requests':
      return { 'retry-after': String(problem.details?.retryAfter ?? 60) };
    case 'unavailable':
    case 'timeout':
      return { 'retry-after': String(problem.details?.retryAfter ?? 5) };
    default:
      return {};
  }
}

/** Details that only affect headers are left out; contents get the interface's form. */
function shownDetails({ code, details = {} }: Problem): Record<string, unknown> {
  const { tokenSent: _, allow: __, again: ___, scope: ____, wanted: _____, ...shown } = details;
  if (code === 'proposal-conflict' && Array.isArray(shown.conflicts))
    return { ...shown, conflicts: shown.conflicts.map(withVersions) };
  return code === 'edit-conflict' ? withVersions(shown) : shown;
}

function withVersions(details: Record<string, unknown>): Record<string, unknown> {
  const shown = { ...details };
  for (const side of ['base', 'theirs', 'yours']) {
    const version = shown[side] as { content?: Content } | null | undefined;
    if (version?.content) shown[side] = { ...version, content: contentJson(version.content) };
  }
  return shown;
}

function fieldError({ code: kind }: Problem, { pointer, detail, code }: FieldError) {
  return { pointer, code: code ?? kind, detail };
}
