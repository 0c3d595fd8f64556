/**
 * The visitor: session cookie, remembered theme, and the notice left by the previous page.
 *
 * The cookie refers to a session like an API token, for the maximum life of the session. It is only accepted for requests made
 * by this site itself: by `Sec-Fetch-Site` if browsers send it, otherwise by `Origin`.
 */

import { randomBytes } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countWaiting } from '#core/joining/approve-sign-up.ts';
import { readPath } from '#core/model/path.ts';
import { type Actor, isModerator, visibilityOf } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { Claims } from '#core/ports/credentials.ts';
import type { Device, SignedIn } from '#core/ports/sessions.ts';
import type { Store } from '#core/ports/store.ts';
import { maxUnread } from '#core/ports/watch-store.ts';
import { namedPaths } from '#core/reading/named-pages.ts';
import { identify } from '#core/sign-in/sign-in.ts';
import type { SignInWarnings } from '#core/sign-in/sign-in-warnings.ts';
import type { Language } from '#html/html.ts';
import { tailOf } from '#http/page-paths.ts';
import type { Service } from '#http/service.ts';
import { languageLike, negotiated, siteLanguageOf } from '#words/languages.ts';
import { say } from '#words/say.ts';
import { exactTime } from './format.ts';
import { type HtmlValue, html } from './html.ts';
import type { Site, Theme, Visit } from './site.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether other sites and programs may send this form. */
    isForeign?: boolean;
    /** Whether the page can be shown with the changes of a proposal, by `?proposal=ID`. */
    showsProposals?: boolean;
    /** Whether files of the form are small, and are passed on in it. */
    hasSmallFiles?: boolean;
  }
  interface FastifyRequest {
    visit: Visit;
    /** Whether visitors use HTTPS, so that cookies are restricted to it. */
    isSecure: boolean;
  }
}

// Workaround for the plug-in's types: these functions work once it is registered, which `routes.ts` does.
const { parse, serialize } = fastifyCookie as unknown as fastifyCookie.FastifyCookie;

/** Cookies are sealed again with the newest key, so that they survive key rotation. */
const resealAfterMs = 24 * 60 * 60 * 1000;
const yearSeconds = 365 * 24 * 60 * 60;

export async function readVisit(site: Site, reply: FastifyReply): Promise<Visit> {
  const { request } = reply;
  const cookies = cookiesOf(request);
  const token = cookies[sessionCookie(request)];
  const now = site.service.clock();
  const signedIn = token ? await signedInBy(site.service, reply, token) : undefined;
  const isPage = request.method === 'GET' && signedIn !== undefined;
  const [unread, waiting, submitted] = isPage
    ? await Promise.all([
        countUnread(site.service.store, signedIn.actor),
        countWaiting(site.service, signedIn.actor, now),
        countSubmitted(site.service.store, signedIn.actor),
      ])
    : [0, 0, 0];
  const notice = noticeOf(cookies.notice ?? '');
  const isAhead = isPrefetch(request);
  if (cookies.notice && request.method === 'GET' && !isAhead) setCookie(reply, 'notice', '', { maxAge: 0 });
  return {
    actor: signedIn?.actor ?? null,
    signedIn,
    unread,
    waiting,
    submitted,
    strangers: site.service.store.isPrivate ? 'off' : site.service.store.settings.current().strangers,
    theme: readTheme(cookies.theme),
    language: languageOf(site, request, cookies.language),
    origin: originOf(site, request),
    url: request.url,
    now,
    nonce: randomBytes(16).toString('base64'),
    notice: isAhead ? undefined : notice,
    isPrivate: site.service.store.isPrivate,
    isSessionLost: token !== undefined && token !== '' && !signedIn,
  };
}

async function countUnread(store: Store, actor: NonNullable<Actor>): Promise<number> {
  return store.watches.countUnread(actor.memberId, visibilityOf(actor, store), maxUnread);
}

async function countSubmitted(store: Store, actor: NonNullable<Actor>): Promise<number> {
  const mayWait = isModerator(actor) && store.settings.current().strangers !== 'off';
  return mayWait ? store.submissions.count(visibilityOf(actor, store)) : 0;
}

type Identifying = Pick<Service, 'tokens' | 'sessions' | 'clock'>;

/**
 * For the API and files: identifies requests by the site's own pages by their session. Runs before the API identifies the
 * caller.
 */
export async function lendSession(service: Identifying, reply: FastifyReply): Promise<void> {
  const { request } = reply;
  if (request.headers.cookie === undefined || request.headers.authorization !== undefined) return;
  if (!/^(optional|required)$/.test(request.routeOptions.config?.access ?? 'none')) return;
  if (!isOwnRequest(request, /^(GET|HEAD)$/.test(request.method))) return;
  const token = cookiesOf(request)[sessionCookie(request)];
  // A cookie of an ended session is ignored instead of refused.
  if (token) request.signedIn = await signedInBy(service, reply, token);
}

async function signedInBy(
  { tokens, sessions, clock }: Identifying,
  reply: FastifyReply,
  token: string,
): Promise<SignedIn | undefined> {
  const now = clock();
  if (isPrefetch(reply.request)) return identify({ tokens, sessions, now }, token, false);
  const signedIn = await identify({ tokens, sessions, now }, token);
  if (signedIn?.claims.isCookie && now - signedIn.claims.issuedAt >= resealAfterMs) {
    const maxAge = Math.ceil((signedIn.session.createdAt + sessions.lifetimeMs - now) / 1000);
    const resealed = await tokens.issue({ ...signedIn.claims, issuedAt: now });
    setCookie(reply, sessionCookie(reply.request), resealed, { maxAge });
  }
  return signedIn;
}

/** A prefetch may never be seen (Fetch, `Sec-Purpose`), so it has no side effects. */
function isPrefetch({ headers }: FastifyRequest): boolean {
  return /\bprefetch\b/.test(String(headers['sec-purpose'] ?? ''));
}

/** Description of the browser for a new session, which replaces its former one. */
export function deviceOf({ headers, visit }: FastifyRequest): Device {
  return { userAgent: headers['user-agent'], isBrowser: true, replaces: visit.signedIn?.session };
}

/** Sets the cookie of a newly started session, and that of the language which the member has chosen. */
export async function startSession({ service }: Site, reply: FastifyReply, claims: Claims): Promise<void> {
  const member = await service.store.members.findById(claims.memberId);
  if (member?.language) rememberLanguage(reply, member.language);
  const maxAge = service.sessions.lifetimeMs / 1000;
  setCookie(reply, sessionCookie(reply.request), await service.tokens.issue(claims), { maxAge });
}

export function endSession(reply: FastifyReply): void {
  setCookie(reply, sessionCookie(reply.request), '', { maxAge: 0 });
}

export function rememberTheme(reply: FastifyReply, theme: string): void {
  setCookie(reply, 'theme', readTheme(theme), { maxAge: yearSeconds });
}

/** Notices for the next page, as codes, so that a forged cookie cannot contain text. */
const notices = {
  created: say('visitor.pageCreated'),
  saved: say('visitor.changesSaved'),
  merged: say('visitor.changesSavedAndMergedWith'),
  unchanged: say('visitor.noChangesThePageAlreadyHas'),
  moved: say('visitor.pageMovedItsOldAddress'),
  restored: say('visitor.olderVersionRestored'),
  deleted: say('visitor.movedToTheTrash'),
  undeleted: say('visitor.pageRestored'),
  purged: say('visitor.deletedPermanently'),
  'file-removed': say('visitor.fileRemovedItStaysInThe'),
  'file-replaced': say('visitor.fileReplacedThePrevious'),
  'signed-in': say('visitor.youAreSignedIn'),
  'signed-out': say('visitor.youAreSignedOut'),
  'signed-out-everywhere': say('visitor.youAreSignedOutEverywhere'),
  welcome: say('visitor.welcomeYourAccountIsReady'),
  'signed-up': say('visitor.doneSignInWithTheAddressAnd'),
  'sign-up-approved': say('visitor.signUpRequestApproved'),
  'sign-up-refused': say('visitor.requestRefused'),
  'account-saved': say('visitor.accountUpdated'),
  'passphrase-saved': say('visitor.passphraseChangedYouHaveBeen'),
  'session-ended': say('visitor.deviceSignedOut'),
  'sessions-ended': say('visitor.youHaveBeenSignedOutOnAll'),
  'member-saved': say('visitor.memberUpdated'),
  'member-blocked': say('visitor.memberBlocked'),
  'member-unblocked': say('visitor.blockLifted'),
  reviewed: say('visitor.marked'),
  'protection-saved': say('visitor.protectionChanged'),
  'access-saved': say('visitor.permissionsChanged'),
  'group-created': say('visitor.groupCreated'),
  'group-deleted': say('visitor.groupDeleted'),
  'groups-saved': say('visitor.groupUpdated'),
  'order-saved': say('visitor.orderSaved'),
  'rule-saved': say('visitor.ruleSaved'),
  'rule-lifted': say('visitor.ruleLifted'),
  submitted: say('visitor.submittedAModeratorLooks'),
  'submission-approved': say('visitor.submissionApproved'),
  'submissions-refused': say('visitor.submissionsRefused'),
  proposed: say('visitor.proposedOthersCanReviewAnd'),
  'draft-saved': say('visitor.draftSavedOnlyYouCanSeeIt'),
  'proposal-saved': say('visitor.proposalUpdated'),
  'proposal-merged': say('visitor.merged'),
  'paragraph-translated': say('visitor.theParagraphIsUpToDate'),
  'translation-marked': say('visitor.theTranslationIsUpToDate'),
  'links-saved': say('visitor.linkRevoked'),
  copied: say('visitor.pageCopied'),
  verified: say('visitor.pageVerified'),
  starred: say('visitor.pageAddedToYourFavourites'),
  unstarred: say('visitor.pageRemovedFromYour'),
  'passphrase-reset': say('visitor.passphraseChangedSignInWith'),
  'reset-link-revoked': say('visitor.resetLinkRevokedItNoLonger'),
  'invitation-mailed': say('visitor.theInvitationHasBeenSent'),
  'address-asked': say('visitor.checkTheMailOfYourNewAddress'),
  'address-noted': say('visitor.requestReceivedAskAn'),
  'address-changed': say('visitor.eMailAddressChanged'),
  'mail-due': say('visitor.theMailWillBeSentAgainWithin'),
  'mail-discarded': say('visitor.mailDiscarded'),
  'webhook-enabled': say('visitor.webhookEnabledItContinues'),
  'webhook-disabled': say('visitor.webhookDisabledNothingIsSent'),
  'webhook-deleted': say('visitor.webhookDeleted'),
  'invitation-revoked': say('visitor.invitationRevokedItsLinkNo'),
  'second-factor-ended': say('visitor.secondFactorTurnedOffYour'),
  'passkey-added': say('visitor.passkeyAddedYouCanNowSignIn'),
  'passkey-renamed': say('visitor.passkeyRenamed'),
  'passkey-removed': say('visitor.passkeyRemovedItCanNoLonger'),
  'member-left': say('visitor.yourAccountHasBeenDeleted'),
  'watch-saved': say('visitor.savedYourWatchesAreListedOn'),
  'token-revoked': say('visitor.tokenRevokedItNoLongerWorks'),
  'provider-linked': say('visitor.accountLinkedYouCanNowSignIn'),
  'provider-unlinked': say('visitor.accountUnlinked'),
  'settings-saved': say('visitor.settingsSaved'),
} as const;
export type Notice = keyof typeof notices;

export function leaveNotice(reply: FastifyReply, notice: Notice): void {
  setCookie(reply, 'notice', notice, { maxAge: 60 });
}

/** Only numbers, so that a forged cookie cannot contain text. */
export function leaveWarnings(reply: FastifyReply, { failed, resets }: SignInWarnings): void {
  const numbers = [failed?.count, failed?.since, resets?.count, resets?.lastAt];
  setCookie(reply, 'notice', `warnings.${numbers.map((one) => one ?? 0).join('.')}`, { maxAge: 60 });
}

function noticeOf(left: string): HtmlValue {
  if (Object.hasOwn(notices, left)) return notices[left as Notice];
  const numbers = /^warnings\.(\d{1,9})\.(\d{1,14})\.(\d{1,9})\.(\d{1,14})$/.exec(left)?.slice(1).map(Number);
  if (!numbers) return undefined;
  const [failed = 0, since = 0, resets = 0, lastAt = 0] = numbers;
  return html`${notices['signed-in']}${failed > 0 && html` ${say('visitor.attemptsSince', { count: failed, time: exactTime(since) })}`}${
    resets > 0 && html` ${say('visitor.resetLinkUsed', { count: resets, time: exactTime(lastAt) })}`
  }`;
}

/** Refuses state changes requested by another site's page (Fetch Metadata; RFC 6454 §7 for older browsers). */
export function refuseForeign(request: FastifyRequest): void {
  if (/^(GET|HEAD)$/.test(request.method) || request.routeOptions.config.isForeign) return;
  if (isOwnRequest(request, false, request.visit.origin)) return;
  throw new Problem('not-permitted', say('visitor.thisFormWasSentFromAnother'));
}

/** Routes that strangers need to become members of a private wiki, and those without any of its content. */
const strangersRoutes =
  /^\/(?:login|invite|setup|theme|assets|by-link|favicon\.ico|robots\.txt)(?:\/|$)|^\/account\/(?:email|unsubscribe)\/|^\/atom\/watched\//;

/**
 * Refuses `unauthenticated` in a private wiki: strangers are asked to sign in, and then see the page that they wanted. Addresses that
 * the settings name as imprint and privacy policy are let through to the route of pages, which shows strangers nothing else.
 */
export function refuseStranger({ settings }: Pick<Store, 'settings'>, request: FastifyRequest): void {
  const { visit, routeOptions, url } = request;
  const { url: route = '' } = routeOptions;
  if (!visit.isPrivate || visit.actor !== null || strangersRoutes.test(route)) return;
  if (route === '/*' && !url.includes('proposal=')) {
    const read = readPath(tailOf(url, route));
    if ('path' in read && namedPaths(settings.current()).includes(read.path)) return;
  }
  throw privateToStrangers();
}

export function privateToStrangers(): Problem {
  return new Problem('unauthenticated', say('visitor.thisWikiIsPrivateSignInTo'));
}

/** `publicOrigin`: origin used by visitors, if a proxy changes the host. */
function isOwnRequest(request: FastifyRequest, isRead: boolean, publicOrigin?: string): boolean {
  const site = request.headers['sec-fetch-site'];
  // `none` means an action by the user, such as a typed URL or a reload.
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined) return isRead;
  try {
    return origin === publicOrigin || new URL(origin).host === request.host;
  } catch {
    return false;
  }
}

/** The URL if it is on this site, or `otherwise`, because links may contain anything. */
export function returnAddress(given: string | null | undefined, otherwise = '/'): string {
  if (!given?.startsWith('/') || /[\p{Cc}\\]/u.test(given) || given.length > 4096) return otherwise;
  try {
    const url = new URL(given, 'http://here.invalid');
    const address = url.pathname + url.search + url.hash;
    return url.host === 'here.invalid' && !address.startsWith('//') ? address : otherwise;
  } catch {
    return otherwise;
  }
}

/** The language that the visitor has chosen, or else that of the browser, or else that of the wiki. */
function languageOf(site: Site, { headers }: FastifyRequest, chosen: string | undefined): Language {
  const wikis = site.look().settings.language;
  return (
    (chosen === undefined ? undefined : languageLike(chosen)) ??
    negotiated(headers['accept-language']) ??
    siteLanguageOf(wikis)
  );
}

/** Returns the language of the site that the tag means; undefined if there is none. */
export function rememberLanguage(reply: FastifyReply, language: string): Language | undefined {
  const known = languageLike(language);
  // Without a choice, the browser decides again.
  setCookie(reply, 'language', known ?? '', { maxAge: known ? yearSeconds : 0 });
  return known;
}

function readTheme(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

function originOf({ settings }: Site, { protocol, host }: FastifyRequest): string {
  if (settings.baseUrl) return settings.baseUrl;
  // The host is used in URLs. RFC 9112 §3.2: invalid hosts are refused.
  if (!/^(?:[\w.-]*|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host))
    throw invalid('', say('visitor.theRequestHasNoValidHost'));
  return `${protocol}://${host}`;
}

/** `__Host-`: can only be set by this host over HTTPS (RFC 6265bis §4.1.3.2). */
function sessionCookie(request: FastifyRequest): string {
  return request.isSecure ? '__Host-coppice' : 'coppice';
}

export function cookiesOf(request: FastifyRequest): Record<string, string | undefined> {
  const { cookie } = request.headers;
  return cookie === undefined ? {} : parse(cookie);
}

export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  { maxAge }: { maxAge: number },
): void {
  const cookie = serialize(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    maxAge,
    secure: reply.request.isSecure,
  });
  const before = reply.getHeader('set-cookie');
  // A later Set-Cookie with the same name replaces an earlier one in the same response.
  const others = [before ?? []].flat().filter((one) => !String(one).startsWith(`${name}=`));
  reply.removeHeader('set-cookie');
  reply.header('set-cookie', [...others.map(String), cookie]);
}
