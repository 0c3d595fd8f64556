/** Random writes to a small wiki in which most pages refer to each other, and initial writes that cover rare cases. */
import fc from 'fast-check';
import type { App } from '#run/app.ts';
import { solved } from '../support/proof.ts';

const titles = ['Alpha', 'alpha', 'Beta', 'Gamma', 'Module:Gamma'];
export const paths = [
  '/gone',
  '/gone/beta',
  '/alpha',
  '/beta',
  '/gamma',
  '/alpha/beta',
  '/beta/alpha',
  '/alpha/gamma',
];
export const parts = [
  '[[Alpha]]',
  '[[Nowhere]]',
  '[[nowhere]]',
  '[[beta]]',
  '[[Gamma|third]]',
  '[[/beta]]',
  '[[/alpha/beta]]',
  '[[../gamma]]',
  '{{Gamma}}',
  '{{alpha}}',
  '{{#ifexist:Beta|is there|is not}}',
  '[[File:/alpha/a.txt]]',
  '{{#ifexist:File:/alpha/a.txt|has|lacks}}',
  '{{NUMBEROFPAGES}} {{PAGESINCATEGORY:oak}} {{PAGESIZE:Beta}} {{PAGEID:Beta}} {{REVISIONID}}',
  '[[Category:oak]]',
  '\n== part ==\n',
  '{{#part:Beta|part}}',
  '{{Children}}',
  '{{#invoke:Beta|main}}',
  '{{#invoke:gamma|main}}',
  '<syntaxhighlight lang="lua">return { main = function() return "[[Alpha]]" end }</syntaxhighlight>',
  '[[Type:Template]]',
  '[[Type:Mill]]',
  '[[kind:mill]]',
  '[[File:/beta/a.txt]]',
  '[[Location: 0.1, 0]]',
  '[[Location: 0.2, 0]]',
  '[[Location: -0.1, 0]]',
  '[[Location: 30, 0]]',
];

const path = fc.constantFrom(...paths);
const permissions = fc.constantFrom(774, 744, 770, 700);
/** An administrator and an ordinary member. */
const by = fc.constantFrom('ada' as const, 'cem' as const);
const access = { permissions, group: fc.constantFrom('red', 'crimson', 'members') };
const file = fc.nat(3).map((n) => ({ name: 'a.txt', data: Buffer.from(`text ${n}`).toString('base64') }));

/** Rights of the group that Cem joins and leaves, and of Cem. */
const grants = fc.uniqueArray(
  fc.record({
    whom: fc.constantFrom({ group: 1 as const }, { member: 2 as const }),
    may: fc.constantFrom('read' as const, 'write' as const),
    beneath: fc.boolean(),
  }),
  { selector: ({ whom }) => String(Object.keys(whom)), maxLength: 2 },
);

/** Name of the person without an account. */
const stranger = 'Grace';

const level = fc.constantFrom('moderators', 'administrators', null);

/** Writes of one request each, with bodies made of these parts. Refused requests change nothing. */
export function writesOf(parts: readonly string[]) {
  const body = fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((parts) => parts.join(' '));
  const fields = {
    title: fc.constantFrom(...titles),
    body,
    permissions,
    description: fc.constantFrom('One.', 'Two.'),
    type: fc.constantFrom('Template', 'Module', 'Mill', null),
  };
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ create: path, title: fields.title, body, permissions, by }) },
    { weight: 6, arbitrary: fc.record({ edit: path, fields: fc.record(fields, { requiredKeys: [] }) }) },
    { weight: 3, arbitrary: fc.record({ edit: path, fields: fc.record({ path, parent: fc.option(path) }) }) },
    { weight: 3, arbitrary: fc.record({ edit: path, fields: fc.record({ files: fc.record({ file }) }) }) },
    { weight: 3, arbitrary: fc.record({ edit: path, fields: fc.record(access) }) },
    { weight: 2, arbitrary: fc.record({ cemJoins: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ groupName: fc.constantFrom('red', 'crimson') }) },
    { weight: 1, arbitrary: fc.record({ like: path, likes: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ rollBack: path }) },
    { weight: 2, arbitrary: fc.record({ protect: path, level, subtree: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ share: path, grants }) },
    {
      weight: 2,
      arbitrary: fc.record({
        edit: path,
        fields: fc.record({ translationOf: fc.option(path), language: fc.constantFrom('de', 'fr', null) }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        comment: path,
        words: fc.constantFrom('[[Alpha]] [b](/beta)', '[[Nowhere]]'),
        by,
      }),
    },
    { weight: 1, arbitrary: fc.record({ resolve: fc.nat(), resolved: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ uncomment: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ strangers: fc.constantFrom('off', 'comments', 'proposals') }) },
    { weight: 2, arbitrary: fc.record({ submit: path, words: fc.constantFrom('[[Alpha]]', '[[Nowhere]]') }) },
    { weight: 2, arbitrary: fc.record({ decide: fc.nat(), approves: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ eraseStranger: fc.constant(stranger) }) },
    { weight: 1, arbitrary: fc.record({ rule: path, approvals: fc.nat(1) }) },
    { weight: 2, arbitrary: fc.record({ delete: path }) },
    { weight: 2, arbitrary: fc.record({ restore: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ order: fc.constantFrom('', ...paths), turn: fc.nat(3), by }) },
    { weight: 1, arbitrary: fc.record({ member: fc.constantFrom('Ada', 'Bea') }) },
  );
}
export type Write = ReturnType<typeof writesOf> extends fc.Arbitrary<infer T> ? T : never;

const permitted = { permissions: 774 as const, by: 'ada' as const };
/** Lists keep the JSON of pages with long histories in another place. */
const long = 'long '.repeat(8000);
export const beginning: Write[] = [
  { create: '/alpha', title: 'Alpha', body: '[[beta]] [[Gamma|third]] [[Location: 0.1, 0]]', ...permitted },
  {
    create: '/beta',
    title: 'alpha',
    body: `{{Gamma}} [[/alpha/beta]] [[File:/alpha/a.txt]] ${long}`,
    ...permitted,
  },
  { create: '/gamma', title: 'Beta', body: '{{ALPHA}} [[../beta]] [[File:/beta/a.txt]]', ...permitted },
  { create: '/alpha/beta', title: 'Gamma', body: '[[Alpha]] [[Location: 0.3, 0]]', ...permitted },
  { like: '/alpha', likes: true },
  // Calls of this title now use this page instead of the other one.
  { edit: '/beta', fields: { type: 'Template' } },
  { edit: '/alpha/beta', fields: { permissions: 770 } },
  { edit: '/alpha/beta', fields: { permissions: 700 } },
  // `[[Nowhere]]` is a wanted link for others, but leads Cem to his own page.
  { create: '/gone', title: 'Nowhere', body: '[[beta]]', permissions: 700, by: 'cem' },
  { member: 'Bea' },
  { edit: '/gamma', fields: { body: '{{alpha}} [[Nowhere]]' } },
  { edit: '/alpha/beta', fields: { permissions: 774 } },
  // Pages beneath it are shown to some readers and hidden from others.
  { edit: '/alpha', fields: { permissions: 700 } },
  { edit: '/alpha', fields: { permissions: 770 } },
  { edit: '/alpha', fields: { permissions: 774 } },
  // Readers see the protection on the page and those beneath it.
  { protect: '/alpha', level: 'administrators', subtree: true },
  { protect: '/alpha', level: null, subtree: false },
  { create: '/beta/alpha', title: 'Gamma', body: '[[Type:Mill]] [[kind:mill]]', ...permitted },
  // Moved with the page beneath it; other pages keep using the old path.
  { edit: '/gone', fields: { path: '/gamma/gone', parent: null } },
  { edit: '/alpha', fields: { path: '/gone', parent: null } },
  { edit: '/beta', fields: { body: '{{Gamma}} [[/alpha/beta]] [[File:/alpha/a.txt]] [[/alpha]]' } },
  // A module found by its title, later by its type, and finally not at all.
  { edit: '/beta', fields: { body: '{{#invoke:Beta|main}}' } },
  { edit: '/gamma', fields: { title: 'Module:Beta', body: 'return { main = function() return "one" end }' } },
  { edit: '/gamma', fields: { body: 'return { main = function() return "two" end }' } },
  {
    create: '/gone/beta',
    title: 'Beta',
    body: 'return { main = function() return "three" end }',
    ...permitted,
  },
  { edit: '/gone/beta', fields: { type: 'Module' } },
  { edit: '/gone/beta', fields: { permissions: 700 } },
  // Readable by a group that Cem joins and leaves.
  { edit: '/beta/alpha', fields: { permissions: 770, group: 'red' } },
  { cemJoins: true },
  { groupName: 'crimson' },
  // Shared with Cem by a page above, until that page moves.
  { edit: '/gone', fields: { permissions: 700 } },
  { share: '/gone', grants: [{ whom: { member: 2 }, may: 'read', beneath: true }] },
  { share: '/beta', grants: [{ whom: { group: 1 }, may: 'write', beneath: true }] },
  { cemJoins: false },
  // Arranged, which pages above and beneath show.
  { order: '', turn: 1, ...permitted },
  { order: '/gamma', turn: 0, ...permitted },
  // Commented on, translated, and in need of approvals.
  { comment: '/beta', words: '[[Alpha]] [b](/beta)', by: 'cem' },
  { edit: '/gamma', fields: { translationOf: '/beta', language: 'de' } },
  // Its links lead to translations while both languages are the same.
  {
    edit: '/beta/alpha',
    fields: { language: 'de', body: '[[/beta]] [[alpha]] [[Type:Mill]] [[kind:mill]]' },
  },
  { edit: '/gamma', fields: { translationOf: '/beta', language: 'fr' } },
  { edit: '/gamma', fields: { translationOf: '/beta', language: 'de' } },
  { edit: '/beta', fields: { permissions: 700 } },
  { edit: '/beta', fields: { permissions: 774 } },
  { resolve: 0, resolved: true },
  { rule: '/beta', approvals: 1 },
  // Commented on by a person without an account.
  { strangers: 'proposals' },
  { submit: '/beta', words: '[[Alpha]]' },
  { decide: 0, approves: true },
  { eraseStranger: stranger },
  { submit: '/beta', words: '[[Alpha]]' },
  { decide: 0, approves: true },
  // Deleted with the page beneath it, and restored.
  { delete: '/gone' },
  { restore: 0 },
];

export type Tokens = Record<'ada' | 'cem', string>;

export async function apply(app: App, write: Write, { ada, cem }: Tokens): Promise<void> {
  const authorization = 'by' in write && write.by === 'cem' ? cem : ada;
  const send = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload: object = {}) =>
    app.server.inject({ method, url, payload, headers: { authorization } });
  if ('create' in write) {
    const { create: path, by: _, ...page } = write;
    // The parent is the page at the path above, if there is one.
    const parent = path.slice(0, path.lastIndexOf('/'));
    const made = await send('POST', '/v1/pages', { ...page, path, parent });
    if (made.statusCode !== 200) await send('POST', '/v1/pages', { ...page, path });
  } else if ('edit' in write) {
    await send('POST', `/v1/pages${write.edit}`, write.fields);
  } else if ('cemJoins' in write) {
    await send(write.cemJoins ? 'PUT' : 'DELETE', '/v1/groups/1/members/2');
  } else if ('groupName' in write) {
    await send('POST', '/v1/groups/1', { name: write.groupName });
  } else if ('like' in write) {
    await send(write.likes ? 'PUT' : 'DELETE', `/v1/likes${write.like}`);
  } else if ('protect' in write) {
    const { protect, ...protection } = write;
    await send('PUT', `/v1/protection${protect}`, protection);
  } else if ('share' in write) {
    const groups = (await send('GET', '/v1/groups')).json() as { id: number; name: string }[];
    const given = write.grants.map(({ whom, ...rest }) =>
      'group' in whom ? { group: groups[0]?.name, ...rest } : { ...whom, ...rest },
    );
    await send('PUT', `/v1/access${write.share}`, { grants: given });
  } else if ('order' in write) {
    const children = await send('GET', `/v1/children${write.order}`);
    // A page that has moved is answered by its new address.
    const listed =
      children.statusCode === 200 ? (children.json() as { path: string }[]).map(({ path }) => path) : [];
    const turned = [...listed.slice(write.turn), ...listed.slice(0, write.turn)].reverse();
    await send('PUT', `/v1/order${write.order}`, { children: turned.slice(0, 3) });
  } else if ('comment' in write) {
    await send('POST', '/v1/comments', { page: write.comment, body: write.words });
  } else if ('resolve' in write || 'uncomment' in write) {
    const comments = (await send('GET', '/v1/comments')).json() as { id: number }[];
    const nth = 'resolve' in write ? write.resolve : write.uncomment;
    const one = comments[nth % Math.max(1, comments.length)];
    if (!one) return;
    if ('resolve' in write) await send('PATCH', `/v1/comments/${one.id}`, { resolved: write.resolved });
    else await send('DELETE', `/v1/comments/${one.id}`);
  } else if ('strangers' in write) {
    await send('PATCH', '/v1/settings', write);
  } else if ('submit' in write) {
    const { submit: page, words: body } = write;
    const payload = { page, body, name: stranger, proof: await proofIn(app) };
    await app.server.inject({ method: 'POST', url: '/v1/submissions/comments', payload });
  } else if ('decide' in write) {
    const waiting = (await send('GET', '/v1/submissions')).json() as { id: number }[];
    const one = waiting[write.decide % Math.max(1, waiting.length)];
    if (one && write.approves) await send('POST', `/v1/submissions/${one.id}/approve`);
    else if (one) await send('POST', '/v1/submissions/refuse', { ids: [one.id] });
  } else if ('eraseStranger' in write) {
    await send('POST', '/v1/submissions/erase', { name: write.eraseStranger });
  } else if ('rule' in write) {
    await send('PUT', `/v1/rules${write.rule}`, { approvals: write.approvals });
  } else if ('delete' in write) {
    await send('DELETE', `/v1/pages${write.delete}?subtree=true`);
  } else if ('restore' in write) {
    const trash = (await send('GET', '/v1/trash')).json() as { id: number }[];
    const deletion = trash[write.restore % Math.max(1, trash.length)];
    if (deletion) await send('POST', `/v1/trash/${deletion.id}/restore`);
  } else if ('rollBack' in write) {
    const history = await send('GET', `/v1/history${write.rollBack}`);
    if (history.statusCode === 200)
      await send('POST', `/v1/rollback${write.rollBack}`, { to: history.json().at(-1).id });
  } else {
    await app.service.store.members.update(1, { name: write.member });
  }
}

/** Undefined where the wiki takes nothing from strangers. */
async function proofIn({ server }: App): Promise<string | undefined> {
  const challenge = await server.inject({ method: 'GET', url: '/v1/members/challenge' });
  return challenge.statusCode === 200 ? solved(challenge.json()) : undefined;
}
