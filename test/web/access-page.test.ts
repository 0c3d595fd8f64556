/** The page about access: sharing by forms without scripts, conflicts, and what a member can see. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addToGroup } from '../support/groups.ts';
import { type Shown, startSite, type TestSite, type Visitor } from '../support/web.ts';

let site: TestSite;
type Member = Visitor & { token: string; id: number };
let [root, ada, bob, gus]: Member[] = [] as unknown as [Member, Member, Member, Member];

beforeAll(async () => {
  site = await startSite();
  root = await site.signedIn('Root', { isAdmin: true });
  ada = await site.signedIn('Ada');
  bob = await site.signedIn('Bob Étoile');
  gus = await site.signedIn('Gus');
  for (const name of ['Board', 'Editors'])
    await site.call('POST', '/v1/groups', { token: root.token, json: { name } });
  await addToGroup(site.app.service.store, 1, ada.id, 1);
  await site.page(ada.token, { title: 'Plan', permissions: 700 });
  await site.page(ada.token, { title: 'Draft', parent: '/plan', permissions: 700 });
});
afterAll(() => site.close());

const member = (one: Member | undefined) => one as Member;
const words = ({ text }: Shown) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const sentence = ({ text }: Shown) => /id="access-sentence"[^>]*>([^<]*)</.exec(text)?.[1];
const versionIn = ({ text }: Shown) => /name="version" value="([^"]*)"/.exec(text)?.[1] ?? '';
const share = (who: Member, path: string, fields: Record<string, string>) =>
  who.post(`/access${path}`, { what: 'share', may: 'read', ...fields });

test('a page is shared with a group and a person found by name, and with nobody again, in words and names', async () => {
  const { text } = await member(ada).get('/plan');
  expect(text).toContain('href="/access/plan"');
  expect(sentence(await member(ada).get('/access/plan'))).toBe('Only the owner can read and edit.');
  // Any word of a name is found, without regard to case and accents; groups only if they are one's own.
  const found = await member(ada).get('/access/plan?name=etoi');
  expect(found.text).toContain(`value="member:${bob?.id}"`);
  expect((await member(ada).get('/access/plan?name=bo')).text).toContain('value="group:Board"');
  expect((await member(ada).get('/access/plan?name=edit')).text).not.toContain('value="group:Editors"');
  expect((await member(root).get('/access/plan?name=edit')).text).toContain('value="group:Editors"');
  const version = versionIn(found);
  const shared = await share(member(ada), '/plan', { version, subject: `member:${bob?.id}`, beneath: 'yes' });
  expect([shared.status, shared.location]).toEqual([303, '/access/plan']);
  const after = await member(ada).get('/access/plan');
  expect(sentence(after)).toBe('Only the owner and Bob Étoile can read, only the owner can edit.');
  expect((await member(bob).get('/plan/draft')).status).toBe(200);
  const board = { version: versionIn(after), subject: 'group:Board', may: 'write' };
  expect((await share(member(ada), '/plan', board)).status).toBe(303);
  const both = await member(ada).get('/access/plan');
  expect(sentence(both)).toBe(
    'Only the owner, the group “Board” and Bob Étoile can read, only the owner and the group “Board” can edit.',
  );
  // The page beneath says where the right comes from.
  const beneath = await member(ada).get('/access/plan/draft');
  expect(words(beneath)).toContain('Bob Étoile can read, because of /plan');
  expect(beneath.text).toContain('href="/access/plan"');
  expect(words(both)).not.toMatch(/\b[0-7]{3}\b/);
  const removing = { what: 'remove', version: versionIn(both), subject: `member:${bob?.id}` };
  expect((await member(ada).post('/access/plan', removing)).status).toBe(303);
  expect((await member(bob).get('/plan/draft')).status).toBe(404);
});

test('when two people change the access at once, the second is refused and the first change stays', async () => {
  const [first, second] = await Promise.all([
    member(ada).get('/access/plan'),
    member(root).get('/access/plan'),
  ]);
  const sent = await Promise.all([
    share(member(ada), '/plan', { version: versionIn(first), subject: `member:${bob?.id}` }),
    share(member(root), '/plan', { version: versionIn(second), subject: 'group:Editors' }),
  ]);
  expect(sent.map(({ status }) => status).sort()).toEqual([303, 412]);
  const refused = sent.find(({ status }) => status === 412) as Shown;
  expect(words(refused)).toContain('Somebody else has changed with whom the page is shared.');
  // The page shown again is the present one, from which the second change succeeds.
  const again = refused === sent[0] ? `member:${bob?.id}` : 'group:Editors';
  expect((await share(member(root), '/plan', { version: versionIn(refused), subject: again })).status).toBe(
    303,
  );
  expect(sentence(await member(ada).get('/access/plan'))).toBe(
    'Only the owner, the group “Board”, the group “Editors” and Bob Étoile can read, only the owner and the group “Board” can edit.',
  );
});

test('only those who may change the access see the page, and senseless forms are refused', async () => {
  expect((await member(gus).get('/access/plan')).status).toBe(404);
  expect((await member(bob).get('/access/plan')).status).toBe(403);
  expect((await site.visitor().get('/access/plan')).status).toBe(303);
  expect((await member(bob).get('/plan')).text).not.toContain('/access/plan');
  const version = versionIn(await member(ada).get('/access/plan'));
  for (const subject of ['', 'member:', 'member:x', 'group:Nobodies', 'member:999', 'role:admin'])
    expect((await share(member(ada), '/plan', { version, subject })).status, subject).toBe(400);
  expect((await share(member(bob), '/plan', { subject: `member:${bob?.id}` })).status).toBe(403);
  expect((await member(ada).get('/access/plan?as=999')).status).toBe(400);
});

test('the page says what a member can see and why, and what somebody sees who is not signed in', async () => {
  const check = async (as: string) =>
    /class="banner access-check">(.*?)<\/section>/s
      .exec((await member(ada).get(`/access/plan/draft?as=${as}`)).text)?.[1]
      ?.replaceAll(/<[^>]*>/g, '')
      .trim();
  expect(await check('stranger')).toBe('Somebody who is not signed in cannot read this page.');
  expect(await check(String(bob?.id))).toBe('Bob Étoile cannot read this page.');
  const board = {
    version: versionIn(await member(ada).get('/access/plan')),
    subject: 'group:Board',
    may: 'write',
  };
  await share(member(ada), '/plan', { ...board, beneath: 'yes' });
  await addToGroup(site.app.service.store, 1, bob?.id ?? 0, 2);
  expect(await check(String(bob?.id))).toBe(
    'Bob Étoile can read and edit this page.\nReading: /plan is shared with the group Board.\nEditing: /plan is shared with the group Board.',
  );
  expect(await check(String(root?.id))).toContain('Reading: administrators can do everything.');
  expect(await check(String(ada?.id))).toContain(
    'Editing: the owner can; /plan is shared with the group Board.',
  );
  await site.app.service.store.members.update(bob?.id ?? 0, { role: 'reader' });
  expect(await check(String(bob?.id))).toContain('can read this page, but not edit it');
  expect(await check(String(bob?.id))).toContain('Their role is reader');
  const protecting = { token: root?.token ?? '', json: { level: 'administrators' } };
  await site.call('PUT', '/v1/protection/plan/draft', protecting);
  expect(await check(String(ada?.id))).toContain('The page is protected');
});

test('readers and guests are not invited to write what they may not, and guests hear what they see', async () => {
  const { members } = site.app.service.store;
  const invitations = ['href="/new', 'has no pages yet', 'There are no pages yet'];
  for (const role of ['reader', 'guest'] as const) {
    await members.update(gus?.id ?? 0, { role });
    for (const url of ['/', '/tree', '/nowhere']) {
      const { text } = await member(gus).get(url);
      expect(text, `${role} ${url}`).not.toContain(invitations[0]);
      if (role !== 'guest' || url === '/nowhere') continue;
      for (const untrue of invitations) expect(text, url).not.toContain(untrue);
      expect(text).toContain('You are a guest of this wiki');
    }
  }
  expect((await member(ada).get('/')).text).toContain('href="/new');
});

test('a deleted group is named on the page, in words, until it is removed', async () => {
  const made = await site.call('POST', '/v1/groups', { token: member(root).token, json: { name: 'Jury' } });
  await site.page(member(ada).token, { title: 'Verdict', permissions: 700 });
  const shared = await share(member(root), '/verdict', { version: 'none', subject: 'group:Jury' });
  expect(shared.status, words(shared)).toBe(303);
  await site.call('DELETE', `/v1/groups/${made.json.id}`, { token: member(root).token });
  const shown = await member(ada).get('/access/verdict');
  expect(words(shown)).toContain('Jury This group was deleted, so it lets nobody in.');
  const removing = { what: 'remove', version: versionIn(shown), subject: 'group:Jury' };
  expect((await member(ada).post('/access/verdict', removing)).status).toBe(303);
  expect(words(await member(ada).get('/access/verdict'))).not.toContain('Jury');
});
