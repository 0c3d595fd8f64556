/** For `/account`: where the member is signed in, with buttons to sign out. */
import type { FastifyRequest } from 'fastify';
import type { ListedSession } from '#core/sign-in/list-sessions.ts';
import { sessionList as sessionsOfMember } from '#core/sign-in/session-operations.ts';
import { say } from '#words/say.ts';
import { deviceName } from './device-name.ts';
import { timeAgo } from './format.ts';
import { type Html, html, type Words } from './html.ts';
import { carryFor } from './operation-pages.ts';
import type { Site } from './site.ts';

/** Maximum number of sessions listed, most recently used first: programs that sign in often start many. */
const shownSessions = 20;

export async function sessionList(site: Site, request: FastifyRequest): Promise<Html> {
  const { visit } = request;
  const { providers } = site.service;
  const listed = await carryFor(site, request)(sessionsOfMember, {});
  const labelOf = (name: string | null) => providers.all.find((one) => one.name === name)?.label ?? name;
  const current = listed.filter(({ isCurrent }) => isCurrent);
  const others = listed.filter(({ isCurrent }) => !isCurrent);
  const shown = [...current, ...others.slice(0, shownSessions)];
  return html`<section id="sessions"><h2>${say('sessionList.whereYouAreSignedIn')}</h2>
<ul class="sessions">${shown.map((session) => row(session, labelOf(session.provider), visit.now))}</ul>
${others.length > shownSessions && html`<p class="quiet">${say('sessionList.andOlderSession', { count: others.length - shownSessions })}</p>`}
${
  others.length > 0 &&
  html`<form method="post" action="/account/sessions"><button type="submit" name="end" value="others" class="button quiet-button">${say('sessionList.signOutOnAllOtherDevices')}</button></form>`
}
</section>`;
}

function row(session: ListedSession, provider: Words | null, now: number): Html {
  const way = wayIn(session, provider ?? '', timeAgo(session.createdAt, now));
  const { id, userAgent, isCurrent, seenAt } = session;
  const name = deviceName(userAgent);
  return html`<li><form method="post" action="/account/sessions">
<strong dir="auto">${name}</strong>${isCurrent && html` <span class="count">${say('sessionList.thisDevice')}</span>`} <span class="quiet">${way}${
    !isCurrent && html`, ${say('sessionList.lastUsed', { time: timeAgo(seenAt, now) })}`
  }</span>
${
  !isCurrent &&
  html`<button type="submit" name="end" value="${id}" class="button quiet-button" aria-label="${say('sessionList.signOutName', { name })}">${say('sessionList.signOut')}</button>`
}</form></li>`;
}

function wayIn({ method }: ListedSession, provider: Words, time: Html): Words {
  return {
    passphrase: say('sessionList.byPassphrase', { time }),
    passkey: say('sessionList.withAPasskey', { time }),
    provider: say('sessionList.withProvider', { provider, time }),
    handle: say('sessionList.byHandle', { provider, time }),
  }[method];
}
