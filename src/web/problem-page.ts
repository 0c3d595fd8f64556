/** Refusals as pages in plain words. Any other error is a bug: logged with its cause, shown only with its request ID. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '#core/model/problem.ts';
import { logProblem, problemOf } from '#http/problems.ts';
import { english } from '#words/languages.ts';
import { say } from '#words/say.ts';
import { stored } from '#words/stored.ts';
import { html, type Words } from './html.ts';
import { isShutOut, sendLayout } from './layout.ts';
import type { Site, Visit } from './site.ts';

const headings: Record<string, Words> = {
  'not-found': say('problemPage.notFound'),
  gone: say('problemPage.thisPageWasDeleted'),
  'not-permitted': say('problemPage.youMayNotDoThis'),
  'administrators-only': say('problemPage.onlyForAdministrators'),
  protected: say('problemPage.thisPageIsProtected'),
  'too-large': say('problemPage.tooLarge'),
  'too-many-requests': say('problemPage.tooManyAttempts'),
  unavailable: say('problemPage.notNow'),
  timeout: say('problemPage.thisTookTooLong'),
};

export function answerProblem(
  site: Site,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, headers, isBug, words } = problemOf(error, request.id);
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
  const heading =
    headings[code] ?? (isBug ? say('problemPage.somethingWentWrong') : say('problemPage.thatDidNotWork'));
  const isByLink = visit.url.startsWith('/by-link/');
  const main = html`<div class="plain">
<h1>${heading}</h1>
<p class="lede">${words === undefined ? say('problemPage.theOperatorCanFindTheCause') : stored(words)}</p>
${isBug && html`<p>${say('problemPage.theRequestIdIsIdNothingWas', { id: html`<code>${request.id}</code>` })}</p>`}
${code === 'unauthenticated' && html`<p><a class="button" href="/login">${say('common.signIn')}</a></p>`}
${
  code === 'not-found' &&
  visit.actor === null &&
  !isByLink &&
  html`<p>${say('problemPage.ifItIsPrivateSignInToReadIt', { link: (words) => html`<a href="/login?next=${encodeURIComponent(visit.url)}">${words}</a>` })}</p>`
}
${isByLink && html`<p>${say('problemPage.askWhoSentTheLink')}</p>`}
<p>${
    proposal !== undefined &&
    html`<a href="/proposals/${proposal}">${say('problemPage.backToTheProposal')}</a> · `
  }${subject !== undefined && html`<a href="${subject}">${say('common.backToThePage')}</a> · `}<a href="/">${say('problemPage.goToTheHomePage')}</a>
${!isShutOut(visit) && html` · <a href="/search">${say('search.search')}</a>`}</p>
</div>`;
  // For a form of a member without permission, 403 is more useful to browsers than the API's 401.
  const shownStatus = code === 'not-permitted' ? 403 : status;
  return sendLayout(site, reply, {
    title: heading,
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
    submitted: 0,
    strangers: 'off',
    theme: 'system',
    notice: undefined,
    isPrivate: site.service.store.isPrivate,
    isSessionLost: false,
    nonce: '',
    origin: site.settings.baseUrl,
    url: '/',
    language: english,
    now: site.service.clock(),
  };
}
