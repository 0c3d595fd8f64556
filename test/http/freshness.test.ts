/** Freshness: days of review, pages that are due, and verifying them, in the API and on the site. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { everything } from '#core/model/permission.ts';
import { tellDueReviews } from '#src/features/reports/tell-reviews.ts';
import { notifyWatchers } from '#src/features/watches/notify.ts';
import { engines, type Method } from '../support/http.ts';
import { formFields, startSite, type TestSite } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  let bob: Awaited<ReturnType<TestSite['signedIn']>>;
  /** Access tokens are valid for 15 minutes. */
  let now = Date.UTC(2026, 4, 1, 23, 58);

  beforeAll(async () => {
    wiki = await startSite({}, { engine, clock: () => now });
    ada = await wiki.signedIn('Ada');
    bob = await wiki.signedIn('Bob');
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    expect(await Array.fromAsync(verifyPages(wiki.app.service.store))).toEqual([]);
    await wiki.close();
  });

  const call = (method: Method, url: string, who?: { token: string }, json?: object) =>
    wiki.call(method, `/v1${url}`, { ...(who ? { token: who.token } : {}), ...(json ? { json } : {}) });
  const due = async (who?: { token: string }, more = '') =>
    ((await call('GET', `/pages?review=due&fields=path${more}`, who)).json as { path: string }[]).map(
      ({ path }) => path,
    );

  test('the editor names the responsible member, comparisons and the page about verifying do as well', async () => {
    const cay = await wiki.signedIn('Cäy');
    const { store } = wiki.app.service;
    const [eve, other] = [await wiki.signedIn('Eve'), await wiki.signedIn('Other')];
    // Since before names were told apart.
    await store.members.update(other.id, { name: 'Eve' });
    await wiki.page(ada.token, { title: 'Kept' });
    const save = async (responsible: string) => {
      const fields = formFields((await ada.get('/edit/kept')).text, 'page-form');
      return ada.post('/edit/kept', { ...fields, responsible, intent: 'save' });
    };
    const shown = async () => formFields((await ada.get('/edit/kept')).text, 'page-form').responsible;
    expect((await save('cäy')).status).toBe(303);
    expect((await wiki.pageAt('/kept', ada.token)).responsible).toBe(cay.id);
    expect(await shown()).toBe('Cäy');
    expect((await ada.get('/diff/kept')).text).toMatch(/Responsible member<.*the owner<.*>Cäy</s);
    expect((await ada.get('/verify/kept')).text).toContain('<bdi>Cäy</bdi> is responsible');
    expect((await call('GET', '/verifications/kept')).json).toMatchObject({ responsibleName: 'Cäy' });
    // Names that nobody or several have are refused with all input; the address of the page about a member is not ambiguous.
    for (const [name, words] of [
      ['Nobody', 'There is no member with the name “Nobody”.'],
      ['Eve', 'Several members have the name “Eve”'],
      ['/members/99999', 'There is no member with the name'],
    ] as const) {
      const refused = await save(name);
      expect([refused.status, formFields(refused.text, 'page-form').responsible]).toEqual([400, name]);
      expect(refused.text).toContain(words);
    }
    await save(`/members/${other.id}`);
    expect((await wiki.pageAt('/kept', ada.token)).responsible).toBe(other.id);
    // The field keeps whom it shows, whoever has the same name and whether the account is closed or not.
    expect(await shown()).toBe('Eve');
    await store.members.update(other.id, { isActive: false });
    await save('Eve');
    expect((await wiki.pageAt('/kept', ada.token)).responsible).toBe(other.id);
    await save('');
    expect(await wiki.pageAt('/kept', ada.token)).not.toHaveProperty('responsible');
    await save('Eve');
    expect((await wiki.pageAt('/kept', ada.token)).responsible).toBe(eve.id);
  });

  test('pages are due from their day on, for those who may read them, and until they are verified', async () => {
    const old = await wiki.page(ada.token, { title: 'Old', reviewBy: '2026-04-30' });
    expect(old).toMatchObject({ reviewBy: '2026-04-30' });
    await wiki.page(ada.token, { title: 'Beneath', parent: '/old', reviewBy: '2026-05-01' });
    await wiki.page(ada.token, { title: 'Later', reviewBy: '2026-05-02' });
    await wiki.page(ada.token, { title: 'Secret', reviewBy: '2026-01-01', permissions: 700 });
    await wiki.page(ada.token, { title: 'Fresh' });
    expect(await due()).toEqual(['/old/beneath', '/old']);
    expect(await due(ada)).toEqual(['/old/beneath', '/old', '/secret']);
    expect(await due(undefined, '&ancestor=/old')).toEqual(['/old/beneath']);
    now += 5 * 60_000;
    expect(await due()).toEqual(['/old/beneath', '/later', '/old']);

    const verified = await call('POST', '/verifications/old', bob, { reviewBy: '2027-01-01' });
    expect(verified.json).toMatchObject({ path: '/old', verifiedOn: '2026-05-02', reviewBy: '2027-01-01' });
    expect((await wiki.pageAt('/old', bob.token)).history.at(-1)).toMatchObject({ msg: 'Verified' });
    expect((await call('POST', '/verifications/later', bob, {})).json.reviewBy).toBe(null);
    expect(await due()).toEqual(['/old/beneath']);
    expect((await call('GET', '/verifications/old')).json).toEqual(verified.json);
  });

  test('hidden pages are as missing ones, and days that are none are refused', async () => {
    const [hidden, absent] = await Promise.all(
      ['secret', 'absent'].map((path) => call('POST', `/verifications/${path}`, bob, {})),
    );
    expect(hidden?.status).toBe(404);
    expect(hidden?.text.replaceAll('secret', 'absent')).toBe(absent?.text);
    expect((await call('POST', '/verifications/old', undefined, {})).status).toBe(401);
    for (const reviewBy of ['2026-02-30', 'soon', '2026-5-1', '0001-01-01']) {
      const refused = await call('POST', '/pages/fresh', ada, { reviewBy });
      expect(refused.json.errors?.[0].pointer, reviewBy).toBe('/reviewBy');
    }
    expect((await call('GET', '/pages?review=never')).status).toBe(400);
  });

  test('the page says since when it is due, and the site verifies it', async () => {
    const fields = formFields((await ada.get('/edit/fresh')).text, 'page-form');
    await ada.post('/edit/fresh', { ...fields, reviewBy: '2026-05-03', intent: 'save' });
    expect((await ada.get('/fresh')).text).not.toContain('To be reviewed since');
    expect((await wiki.visitor().get('/fresh')).text).not.toContain('To be reviewed since');
    now += 24 * 3_600_000;
    expect((await wiki.visitor().get('/fresh')).text).toContain('To be reviewed since');
    expect((await ada.get('/fresh')).text).toContain('href="/verify/fresh"');
    const bad = await ada.post('/verify/fresh', { verify: 'yes', reviewBy: 'x' });
    expect(bad.status).toBe(400);
    const answer = await ada.post('/verify/fresh', { verify: 'yes', reviewBy: '' });
    expect(answer.location).toBe('/fresh');
    expect((await ada.get('/fresh')).text).not.toContain('To be reviewed since');
    expect((await call('GET', '/pages/fresh')).json.page.verifiedOn).toBe('2026-05-03');
  });

  test('watchers and the responsible member are told once when a review is due, as far as they may read the page', async () => {
    const { store } = wiki.app.service;
    ada = await wiki.signedIn('Ada again');
    const cay = await wiki.signedIn('Cay');
    const dot = await wiki.signedIn('Dot');
    const tell = async () => {
      while ((await tellDueReviews(store, randomUUID, now)) > 0);
      while (await notifyWatchers(store, () => now));
    };
    const told = async ({ id }: { id: number }) => {
      const range = { limit: 50, offset: 0 };
      const { notifications } = await store.watches.notifications(id, everything, range, false);
      return notifications.filter(({ event }) => event.kind === 'due').map(({ event }) => event.page.path);
    };
    // Reviews of the tests before are told of.
    await tell();
    const day = '2026-06-01';
    await wiki.page(ada.token, { title: 'Told', reviewBy: day });
    await wiki.page(ada.token, { title: 'Hers', reviewBy: day, responsible: cay.id });
    await wiki.page(ada.token, { title: 'Private', reviewBy: day, responsible: cay.id, permissions: 700 });
    await wiki.page(ada.token, { title: 'Of nobody', reviewBy: day, responsible: 9_999_999 });
    expect((await call('POST', '/watches', dot, { page: '/told' })).status).toBe(200);
    expect((await call('GET', '/verifications/hers')).json.responsible).toBe(cay.id);
    expect((await call('GET', '/pages/hers')).json.page.responsible).toBe(cay.id);
    await tell();
    expect([await told(dot), await told(cay)]).toEqual([[], []]);

    now = Date.parse(`${day}T10:00:00Z`);
    [ada, bob] = [await wiki.signedIn('Ada later'), await wiki.signedIn('Bob later')];
    await Promise.all([1, 2, 3].map(() => tellDueReviews(store, randomUUID, now)));
    await tell();
    expect([await told(cay), await told(dot)]).toEqual([['/hers'], ['/told']]);
    const { changes } = (await call('GET', '/changes?kind=due&limit=1000')).json;
    expect(changes.map((one: { page: { path: string } }) => one.page.path).slice(-3)).toEqual([
      ...['/told', '/hers', '/of-nobody'],
    ]);

    // The next day that is set is told of as well, and whoever verifies a page can become responsible for it.
    const verified = await call('POST', '/verifications/told', bob, { reviewBy: day, isResponsible: true });
    expect(verified.json.responsible).toBe(bob.id);
    await tell();
    expect((await call('GET', '/changes?kind=due&limit=1000')).json.changes).toHaveLength(changes.length);
    expect((await bob.get('/verify/told')).text).toContain('You are responsible');
    await call('POST', '/verifications/told', bob, { reviewBy: '2026-05-31' });
    await tell();
    expect(await told(bob)).toEqual(['/told']);
    expect((await bob.get('/account/notifications')).text).toContain('is to review');
    expect((await bob.get('/account/watches')).text).toContain(
      'Reviews of pages for which you are responsible',
    );
  });
});
