/** Forms of refusals: a problem in JSON, or a page for people. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { securityHeaders } from './headers.ts';
import { urlOf } from './page-paths.ts';
import { logProblem, problemOf } from './problems.ts';
import type { RouteTable } from './route-table.ts';
import type { WebFace } from './web-face.ts';

/**
 * Outside the site's own URLs, only files are opened by people. Browsers send `text/html` in `Accept` only when they navigate.
 */
export function isForPeople({ url, headers }: FastifyRequest): boolean {
  return url.startsWith('/files/') && (headers.accept ?? '').includes('text/html');
}

/** RFC 9110 §15.5.6: 405 with the allowed methods if the URL has other methods, otherwise 404. */
export function refusalOf(request: FastifyRequest, routes: RouteTable): Problem {
  const methods = routes.methodsAt(request.url);
  if (methods.length === 0) return new Problem('not-found', say('problem.thereIsNothingAtThisAddress'));
  return new Problem(
    'method-not-allowed',
    say('problem.isNotSupportedHereSupported', { method: request.method, methods: methods.join(', ') }),
    {
      details: { allow: methods },
    },
  );
}

/** Redirect for reading a page that had this path before. */
export function movedUrlOf(
  error: unknown,
  { method, url, routeOptions }: FastifyRequest,
): string | undefined {
  const movedTo = error instanceof Problem ? error.details?.movedTo : undefined;
  if (typeof movedTo !== 'string' || (method !== 'GET' && method !== 'HEAD')) return undefined;
  // A page in a parameter is refused, and the sentence says where it is now.
  if (!routeOptions.url?.endsWith('/*')) return undefined;
  return urlOf(routeOptions.url.slice(0, -'/*'.length), movedTo) + (/\?.*$/.exec(url)?.[0] ?? '');
}

export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body, isBug } = problemOf(error, request.id);
  logProblem(request, error, isBug);
  reply.code(status).headers(headers).header('cache-control', 'no-store').removeHeader('content-length');
  reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(body));
}

/** A URL that is not percent-encoded UTF-8 reaches no route or hook. */
export function answerBadUrl(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  web?: WebFace,
): void {
  const path = request.raw.url ?? '';
  reply
    .headers(securityHeaders)
    .header('x-request-id', request.id)
    .header('access-control-allow-origin', '*');
  if (path.startsWith('/v1/checkpath/')) {
    // The interface requires an invalid path to be reported in the body, without an error status.
    const answer = { ok: false, error: 'The path is not valid percent-encoded UTF-8.' };
    reply.code(200).type('application/json; charset=utf-8').send(JSON.stringify(answer));
    return;
  }
  const refusal = new Problem('invalid', say('problem.theUrlIsNotValidPercentEncoded'), { cause: error });
  if (web && !path.startsWith('/v1/')) web.answerProblem(refusal, request, reply);
  else answerProblem(refusal, request, reply);
}
