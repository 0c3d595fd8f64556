/**
 * Cached responses equal fresh ones, whatever was written: random writes to a small wiki, in which most pages name each
 * other, and after each of them every response that may be cached.
 */
import { Modules } from '@coppice/scribunto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLanguage } from '#domain/content/language.ts';
import { createRenderer } from '#domain/content/render.ts';
import { addGroup } from '#domain/members/groups.ts';
import { addMember } from '#domain/members/manage-members.ts';
import { actorOf, type Member } from '#domain/members/member.ts';
import { viewPage } from '#domain/pages/view-page.ts';
import type { Actor } from '#domain/permission.ts';
import { Problem } from '#domain/problem.ts';
import { pageJson } from '#http/page-json.ts';
import { hooksThere } from '#markup/hooks.ts';
import type { App } from '#src/app.ts';
import { effort } from '../support/effort.ts';
import { databases } from '../support/postgres.ts';
import { ask, cacheHitsOf, withWiki } from '../support/two-processes.ts';

const modules = new Modules();

const titles = ['Alpha', 'alpha', 'Beta', 'Gamma', 'Module:Gamma'];
const paths = [
  '/gone',
  '/gone/beta',
  '/alpha',
  '/beta',
  '/gamma',
  '/alpha/beta',
  '/beta/alpha',
  '/alpha/gamma',
];
const parts = [
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
  '{{NUMBEROFPAGES}} {{PAGESINCATEGORY:oak}} {{PAGESIZE:Beta}}',
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
const body = fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((parts) => parts.join(' '));
const permissions = fc.constantFrom(774, 744, 770, 700);
/** An administrator and a member who is none. */
const by = fc.constantFrom('ada' as const, 'cem' as const);
const fields = {
  title: fc.constantFrom(...titles),
  body,
  permissions,
  description: fc.constantFrom('One.', 'Two.'),
  type: fc.constantFrom('Template', 'Module', 'Mill', null),
};
const access = { permissions, group: fc.constantFrom('red', 'crimson', 'members') };
const file = fc.nat(3).map((n) => ({ name: 'a.txt', data: Buffer.from(`text ${n}`).toString('base64') }));

const level = fc.constantFrom('moderators', 'administrators', null);

/** One request each; those that are refused change nothing. */
const write = fc.oneof(
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
  { weight: 2, arbitrary: fc.record({ delete: path }) },
  { weight: 2, arbitrary: fc.record({ restore: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ member: fc.constantFrom('Ada', 'Bea') }) },
);
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

const permitted = { permissions: 774 as const, by: 'ada' as const };
const beginning: Write[] = [
  { create: '/alpha', title: 'Alpha', body: '[[beta]] [[Gamma|third]] [[Location: 0.1, 0]]', ...permitted },
  { create: '/beta', title: 'alpha', body: '{{Gamma}} [[/alpha/beta]] [[File:/alpha/a.txt]]', ...permitted },
  { create: '/gamma', title: 'Beta', body: '{{ALPHA}} [[../beta]] [[File:/beta/a.txt]]', ...permitted },
  { create: '/alpha/beta', title: 'Gamma', body: '[[Alpha]] [[Location: 0.3, 0]]', ...permitted },
  { like: '/alpha', likes: true },
  // It is called from now on instead of the other page of that title.
  { edit: '/beta', fields: { type: 'Template' } },
  { edit: '/alpha/beta', fields: { permissions: 770 } },
  { edit: '/alpha/beta', fields: { permissions: 700 } },
  // `[[Nowhere]]` is a wanted link for others, and leads Cem to his own page.
  { create: '/gone', title: 'Nowhere', body: '[[beta]]', permissions: 700, by: 'cem' },
  { member: 'Bea' },
  { edit: '/gamma', fields: { body: '{{alpha}} [[Nowhere]]' } },
  { edit: '/alpha/beta', fields: { permissions: 774 } },
  // Pages beneath it are shown to some readers and hidden from others.
  { edit: '/alpha', fields: { permissions: 700 } },
  { edit: '/alpha', fields: { permissions: 770 } },
  { edit: '/alpha', fields: { permissions: 774 } },
  // Readers are told of it there and beneath.
  { protect: '/alpha', level: 'administrators', subtree: true },
  { protect: '/alpha', level: null, subtree: false },
  { create: '/beta/alpha', title: 'Gamma', body: '[[Type:Mill]] [[kind:mill]]', ...permitted },
  // With the page beneath it; others go on naming its old path.
  { edit: '/gone', fields: { path: '/gamma/gone', parent: null } },
  { edit: '/alpha', fields: { path: '/gone', parent: null } },
  { edit: '/beta', fields: { body: '{{Gamma}} [[/alpha/beta]] [[File:/alpha/a.txt]] [[/alpha]]' } },
  // A module by its title, then by its type, then none.
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
  // Read by a group, in which Cem is and is not.
  { edit: '/beta/alpha', fields: { permissions: 770, group: 'red' } },
  { cemJoins: true },
  { groupName: 'crimson' },
  { cemJoins: false },
  // With the page beneath it, and back.
  { delete: '/gone' },
  { restore: 0 },
];

const urls = [
  ...paths.flatMap((path) => [
    ...[
      '',
      '/tree',
      '/v1/pages',
      '/v1/children',
      '/v1/backlinks',
      '/v1/checkpath',
      '/v1/history',
      '/v1/protection',
    ].map((prefix) => prefix + path),
  ]),
  ...paths.flatMap((path) => [`/v1/pages${path}?format=md&frontMatter=true`, `${path}?format=md`]),
  '/tree',
  '/llms.txt',
  '/llms-full.txt',
  '/llms.txt?ancestor=/alpha',
  '/v1/children',
  '/v1/requested',
  '/v1/files',
  '/v1/files?unused=true',
  '/files',
  '/wanted',
  '/v1/near/0/0/50000',
  '/v1/near/0/0/50000?fields=id,distance,permissions',
  '/v1/children/alpha?include=children,backlinks',
  '/v1/facets?path=/',
  ...[
    'path=/',
    'path=/al',
    'path=/alpha/',
    'title=ta',
    'type=Mill',
    'type=Template',
    'tag=kind:mill',
    'tag=mill&order=last created',
    'tag=kind',
    'type=Mill&tag=Kind&logic=or',
    'text=beta',
    'path=/&order=oldest update',
    'ancestor=/alpha',
    'ancestor=/beta',
    'ancestor=/gone',
    'type=Mill&tag=mill&logic=or',
    'path=/g&history=none',
    'path=/&fields=id,path,title',
    'path=/&fields=id,tags,lineage&include=children,backlinks,files',
    'path=/&text=beta&logic=or&include=snippet',
    'path=/&cursor=&limit=2',
    'near=0.1,0,50000',
    'bbox=-1,-1,1,0.2&type=Mill&logic=or',
    'linksTo=/beta',
    'ids=1,2,3,99',
    'owner=2',
    'since=2023-11-14&order=last created',
  ].map((query) => `/v1/pages?${query.replaceAll(' ', '+')}`),
];

const writes = effort(4, 60);
/** Number of writes before each look. A stale answer mostly stays stale: on PostgreSQL every third look finds it, too. */
const strideOf = (engine: string) => effort(engine === 'SQLite' ? 1 : 3, 1);

describe.each(databases)('on %s', (engine, fresh) => {
  test('after any write, what is cached says what is recomputed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: writes, maxLength: writes }), async (writes) => {
        await withWiki(
          fresh,
          async (app, first, authorization, renew) => {
            const tokens = { ada: authorization, cem: await cemsToken(app) };
            await addGroup(app.service.store, 'red', 1);
            let other = first;
            for (const [i, write] of [...beginning, ...writes].entries()) {
              // Now and then it is the other process that writes, and then makes way for one that keeps nothing.
              const isOthers = i % 4 === 3;
              await apply(isOthers ? other : app, write, tokens);
              if (isOthers) other = await renew();
              if (i % strideOf(engine) === 0)
                await Promise.all(urls.map((url) => expectSame([app, other], url, write, tokens)));
            }
            // Or nothing would have been held against anything.
            expect(await cacheHitsOf(app)).toBeGreaterThan(0);
          },
          { clock: () => 1_700_000_000_000 },
        );
      }),
      { numRuns: 1, endOnFailure: true },
    );
  }, 240_000);
});

type Tokens = Record<'ada' | 'cem', string>;

/** The other process knows nothing of what the first one caches, and caches little by itself. */
async function expectSame(
  [app, other]: [App, App],
  url: string,
  write: Write,
  { ada, cem }: Tokens,
): Promise<void> {
  // Pages of the site name it.
  const host = 'wiki.example';
  // Members are served no cached responses, but cached texts of pages in lists.
  const callers: Record<string, string>[] = /^\/v1\/(pages\?|near)/.test(url)
    ? [{}, { authorization: ada }, ...(concernsGroups(write) ? [{ authorization: cem }] : [])]
    : [{}];
  if (url.startsWith('/v1/pages/') && !url.includes('?'))
    await expectSamePage([app, other], url, write, { ada, cem });
  for (const caller of callers) {
    const cached = await ask(app, url, { host, ...caller });
    const computed = await ask(other, url, { host, cookie: 'a=b', ...caller });
    const after = `${url} after ${JSON.stringify(write)}`;
    expect(cached.statusCode, after).toBe(computed.statusCode);
    if (computed.statusCode === 200) expect(cached.body, after).toBe(computed.body);
    if (url.startsWith('/v1/pages?') && !/fields=|include=/.test(url)) {
      // Whatever the other one caches.
      const id = caller.authorization === ada ? 1 : caller.authorization === cem ? 2 : 0;
      const actor = id === 0 ? null : await actorWith(other, id);
      const ids = (JSON.parse(cached.body) as { id: number }[]).map(({ id }) => id);
      const history = url.includes('history=none') ? 'none' : 'all';
      const pages = await other.service.store.readAs(actor).pages.load(ids, history);
      expect(cached.body, after).toBe(JSON.stringify(pages.map((page) => pageJson(page, ''))));
    }
  }
}

/** Cem may see something else than before. */
function concernsGroups(write: Write): boolean {
  return 'cemJoins' in write || 'groupName' in write || ('edit' in write && 'group' in write.fields);
}

/** Members share cached pages that all of them see alike. The second response at the latest is a cached one. */
async function expectSamePage(
  [app, other]: [App, App],
  url: string,
  write: Write,
  { ada, cem }: Tokens,
): Promise<void> {
  const path = url.slice('/v1/pages'.length);
  const { store, renderer } = other.service;
  const callers = [
    { actor: await actorWith(other, 1), authorization: ada },
    { actor: await actorWith(other, 2), authorization: cem },
  ];
  for (const { actor, authorization } of [...callers, ...callers]) {
    const given = await ask(app, url, { authorization });
    const after = `${url} for ${actor.name} after ${JSON.stringify(write)}`;
    const fresh = createRenderer(renderer.siteName, createLanguage(hooksThere, undefined, modules));
    const view = await viewPage(
      store.readAs(actor),
      fresh,
      path,
      { history: 'all' },
      1_700_000_000_000,
    ).catch((error: unknown) => (error instanceof Problem && error.code === 'gone' ? 'gone' : undefined));
    const status = view === 'gone' ? 410 : !view ? 404 : 'movedTo' in view ? 308 : 200;
    expect(given.statusCode, after).toBe(status);
    if (view && view !== 'gone' && 'page' in view)
      expect(given.body, after).toBe(JSON.stringify({ page: pageJson(view.page, ''), markup: view.markup }));
  }
}

async function actorWith({ service }: App, id: number): Promise<NonNullable<Actor>> {
  return actorOf((await service.store.members.findById(id)) as Member);
}

async function cemsToken({ service, server }: App): Promise<string> {
  const cem = {
    email: 'cem@example.org',
    name: 'Cem',
    passphrase: 'another passphrase of his',
    isAdmin: false,
  };
  await addMember(service.store, service.passphrases, cem, 1);
  const payload = { email: cem.email, pass: cem.passphrase };
  return `Bearer ${(await server.inject({ method: 'POST', url: '/v1/members/auth', payload })).body}`;
}

async function apply(app: App, write: Write, { ada, cem }: Tokens): Promise<void> {
  const authorization = 'by' in write && write.by === 'cem' ? cem : ada;
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload: object = {}) =>
    app.server.inject({ method, url, payload, headers: { authorization } });
  if ('create' in write) {
    const { create: path, by: _, ...page } = write;
    // Beneath the page that its path lies beneath, if there is one.
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
