/** Pages and forms of operations: the button chooses what is carried out, and refusals are shown where the form was. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite, type TestSite, type Visitor } from '../support/web.ts';

let site: TestSite;
let root: Visitor;
beforeAll(async () => {
  site = await startSite();
  root = await site.signedIn('Root', { isAdmin: true });
});
afterAll(() => site.close());

test('an unknown button is refused, whatever its name', async () => {
  for (const what of ['nothing', 'constructor', '__proto__']) {
    const refused = await root.post('/members/groups', { what, name: 'x' });
    expect([what, refused.status, refused.text.includes('Choose an action.')]).toEqual([what, 400, true]);
  }
  expect((await root.get('/members/groups')).text).toContain('There are no groups yet.');
});

test('input that does not fit the schema of the operation is refused on the page, by field', async () => {
  const refused = await root.post('/members/groups', { what: 'rename', id: '1e1', name: 'x' });
  expect([refused.status, refused.text.includes('This value is not possible here.')]).toEqual([400, true]);
});

test('an invalid or unknown ID in the address is not found', async () => {
  for (const id of ['0', '7', 'x', '1e1', '9'.repeat(30)]) {
    expect([id, (await root.get(`/members/webhooks/${id}`)).status]).toEqual([id, 404]);
    const sent = await root.post(`/members/webhooks/${id}`, { what: 'delete' });
    expect([id, sent.status]).toEqual([id, 404]);
  }
});

test('members without the rights of an operation get its refusal, and strangers are asked to sign in', async () => {
  const ada = await site.signedIn('Ada');
  const refused = await ada.post('/members/groups', { what: 'make', name: 'Mine' });
  expect([refused.status, refused.text.includes('Only administrators may do this.')]).toEqual([403, true]);
  expect((await ada.get('/members/webhooks')).status).toBe(403);
  expect((await site.visitor().get('/members/groups')).location).toMatch(/^\/login\?/);
});
