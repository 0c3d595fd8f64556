/** Refusals as pages in plain words. Any other error is a bug: logged with its cause, shown only with its request ID. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '#core/model/problem.ts';
import { logProblem, problemOf } from '#http/problems.ts';
import { html } from './html.ts';
import { sendLayout } from './layout.ts';
import type { Site, Visit } from './site.ts';

const headings: Record<string, string> = {
  'not-found': 'Not found',
  gone: 'This page was deleted',
  'not-permitted': 'You may not do this',
  'administrators-only': 'Only for administrators',
  protected: 'This page is protected',
  'too-large': 'Too large',
  'too-many-requests': 'Too many attempts',
  unavailable: 'Not now',
  timeout: 'This took too long',
};

export function answerProblem(
  site: Site,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, headers, body, isBug } = problemOf(error, request.id);
  logProblem(request, error, isBug);
  const code = isBug ? 'internal' : ((error as Problem).code ?? 'invalid');
  request.visit ??= blankVisit(site);
  const { visit } = request;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // Anonymous visitors are asked to sign in; form handlers show their form again themselves.
  if (code === 'unauthenticated' && isRead) {
    return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`, 303);
  }
  const { 'www-authenticate': _, ...kept } = headers;
  reply.headers(kept);
  const subject = subjectOf(visit.url);
  const proposal = /[?&]proposal=(\d{1,15})(?:&|$)/.exec(visit.url)?.[1];
  const main = html`<div class="plain">
<h1>${headings[code] ?? (isBug ? 'Something went wrong' : 'That did not work')}</h1>
<p class="lede">${String(body.detail)}</p>
${isBug && html`<p>The request ID is <code>${request.id}</code>. Nothing was saved halfway. You can try again.</p>`}
${code === 'unauthenticated' && html`<p><a class="button" href="/login">Sign in</a></p>`}
${code === 'not-found' && visit.actor === null && html`<p>If it is private, <a href="/login?next=${encodeURIComponent(visit.url)}">sign in to read it</a>.</p>`}
<p>${proposal !== undefined && html`<a href="/proposals/${proposal}">Back to the proposal</a> · `}${subject !== undefined && html`<a href="${subject}">Back to the page</a> · `}<a href="/">Go to the home page</a> · <a href="/search">Search</a></p>
</div>`;
  // For a form of a member without permission, 403 is more useful to browsers than the API's 401.
  const shownStatus = code === 'not-permitted' ? 403 : status;
  return sendLayout(site, reply, {
    title: headings[code] ?? String(body.title),
    kind: 'problem',
    main,
    status: shownStatus,
  });
}

/** URL of the page to which a URL of an action or version belongs. */
function subjectOf(url: string): string | undefined {
  return /^(?:\/(?:access|delete|diff|edit|erase|history|move|protect|watch)(?=\/)|(?=[^?]+\?version=))(\/[^?]+)/.exec(
    url,
  )?.[1];
}

/** Used for errors before the visitor is identified. */
function blankVisit(site: Site): Visit {
  return {
    actor: null,
    signedIn: undefined,
    unread: 0,
    waiting: 0,
    theme: 'system',
    notice: undefined,
    isPrivate: site.service.store.isPrivate,
    isSessionLost: false,
    nonce: '',
    origin: site.settings.baseUrl,
    url: '/',
    now: site.service.clock(),
  };
}
