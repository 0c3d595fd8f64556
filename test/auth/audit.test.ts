/** Audit log entries for sign-in and joining by a provider, and for linked identities; see also `test/http/audit.test.ts`. */
import { expect, test, vi } from 'vitest';
import { inviteMember } from '#core/joining/invite-member.ts';
import { Browser } from '../support/oauth.ts';
import { base, clock, leaveFor, link, newMember, signIn, site, useOauthSite } from '../support/oauth-site.ts';
import { patience } from '../support/patience.ts';

useOauthSite();

async function kindsAfter(position: number, expected: readonly string[]): Promise<unknown[]> {
  return vi.waitFor(async () => {
    const found = await site.app.service.store.audit.listAfter(position, 100, {});
    expect(found.map(({ kind }) => kind)).toEqual(expected);
    return found;
  }, patience);
}

const kindsOf = (name: string) =>
  site.app.routes.routes.find(({ method, url }) => `${method} ${url}` === name)?.config?.audit ?? [];

test('returning from a provider, joining by one and unlinking it write all declared entries', async () => {
  const { store, secrets } = site.app.service;
  const last = async () => (await store.audit.listBefore(undefined, 1, {}))[0]?.position ?? 0;
  const member = await newMember();
  const browser = new Browser();
  await signIn(browser, member.email);
  let before = await last();
  await link(browser, 'ada');
  expect(kindsOf('GET /login/with/:provider/return').toSorted()).toEqual([
    'groups-withheld',
    'provider-linked',
    'sign-in-failed',
    'signed-in',
  ]);
  const own = { actor: { id: member.id }, subject: { kind: 'member', id: member.id }, via: 'site' };
  expect(await kindsAfter(before, ['provider-linked'])).toMatchObject([{ ...own, from: '127.0.0.1' }]);

  before = await last();
  const other = new Browser();
  await other.passProvider(await leaveFor(other, 'alpha'), 'ada');
  const stranger = new Browser();
  await stranger.passProvider(await leaveFor(stranger, 'alpha'), 'nobody-here');
  expect(await kindsAfter(before, ['signed-in', 'sign-in-failed'])).toMatchObject([
    { ...own, note: 'by provider of alpha' },
    { actor: null, subject: null, from: '127.0.0.1' },
  ]);

  before = await last();
  await browser.submit(await browser.open(`${base}/account`), '/account/unlink');
  expect(await kindsAfter(before, [...kindsOf('POST /account/unlink')])).toMatchObject([own]);

  const { token } = await inviteMember({ store, secrets, actor: 'command line', now: clock() }, {});
  before = await last();
  const joining = new Browser();
  const invited = await joining.open(`${base}/invite/${token}`);
  const form = await joining.passProvider(await joining.submit(invited, '/login/with/alpha"'), 'joan');
  await joining.submit(form, 'action="/login/join"', { email: 'joan@example.org', name: 'Joan' });
  expect(await kindsAfter(before, ['member-joined', 'signed-in'])).toMatchObject([
    { via: 'site', from: '127.0.0.1', actor: { name: 'Joan' }, subject: { name: 'Joan' } },
    { actor: { name: 'Joan' } },
  ]);
});
