/** For `/account`: where the member is signed in, with buttons to sign out. */
import { type ListedSession, listSessions } from '#core/members/list-sessions.ts';
import { deviceName } from './device-name.ts';
import { count, timeAgo } from './format.ts';
import { type Html, html } from './html.ts';
import type { Site, Visit } from './site.ts';

/** Maximum number of sessions listed, most recently used first: programs that sign in often start many. */
const shownSessions = 20;

export async function sessionList({ service }: Site, visit: Visit): Promise<Html> {
  const { store, sessions, providers } = service;
  const listed = await listSessions(store, sessions, visit.signedIn, visit.now);
  const labelOf = (name: string | null) => providers.all.find((one) => one.name === name)?.label ?? name;
  const current = listed.filter(({ isCurrent }) => isCurrent);
  const others = listed.filter(({ isCurrent }) => !isCurrent);
  const shown = [...current, ...others.slice(0, shownSessions)];
  return html`<section id="sessions"><h2>Where you are signed in</h2>
<ul class="sessions">${shown.map((session) => row(session, waysIn(session, labelOf(session.provider)), visit.now))}</ul>
${others.length > shownSessions && html`<p class="quiet">And ${count(others.length - shownSessions, 'older session')}.</p>`}
${others.length > 0 && html`<form method="post" action="/account/sessions"><button type="submit" name="end" value="others" class="button quiet-button">Sign out on all other devices</button></form>`}
</section>`;
}

function row(session: ListedSession, way: string, now: number): Html {
  const { id, userAgent, isCurrent, createdAt, seenAt } = session;
  const name = deviceName(userAgent);
  return html`<li><form method="post" action="/account/sessions">
<strong dir="auto">${name}</strong>${isCurrent && html` <span class="count">this device</span>`} <span class="quiet">${way} ${timeAgo(createdAt, now)}${!isCurrent && html`, last used ${timeAgo(seenAt, now)}`}</span>
${!isCurrent && html`<button type="submit" name="end" value="${id}" class="button quiet-button" aria-label="Sign out: ${name}">Sign out</button>`}</form></li>`;
}

function waysIn({ method }: ListedSession, label: string | null): string {
  return {
    passphrase: 'signed in by passphrase',
    passkey: 'signed in with a passkey',
    provider: `signed in with ${label}`,
    handle: `a program with a handle of ${label}, signed in`,
  }[method];
}
