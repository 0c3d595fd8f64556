/**
 * Cached responses equal fresh ones after any write. Makes random writes to a small wiki in which most pages refer to each
 * other, and checks every cacheable response after each.
 */
import { Modules } from '@coppice/scribunto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLanguage } from '#core/content/language.ts';
import { createRenderer } from '#core/content/render.ts';
import { addMember } from '#core/members/manage-members.ts';
import { actorOf, type Member } from '#core/model/member.ts';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { viewPage } from '#core/pages/view-page.ts';
import { grantsJson, pageJson } from '#http/page-json.ts';
import { hooksThere } from '#markup/hooks.ts';
import type { App } from '#run/app.ts';
import { effort } from '../support/effort.ts';
import { addGroup } from '../support/groups.ts';
import { emptyDatabases } from '../support/postgres.ts';
import { ask, cacheHitsOf, withWiki } from '../support/two-processes.ts';
import { apply, beginning, parts, paths, type Tokens, type Write, writesOf } from './random-writes.ts';

const modules = new Modules();

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
  ...paths.flatMap((path) => [`/comments${path}`, `/v1/comments?page=${path}`, `/v1/translations${path}`]),
  '/comments',
  '/v1/comments',
  '/v1/comments?state=open',
  '/translations',
  '/v1/translations?behind=de',
  '/v1/untranslated',
  ...paths.map((path) => `/v1/untranslated${path}`),
  '/v1/proposals',
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
    'ancestor=/gone&order=tree',
    'ancestor=/gamma&order=tree',
    'ancestor=/beta&order=tree&cursor=&limit=1',
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

const writesOn = (engine: string) => effort(engine === 'SQLite' ? 3 : 2, 60);
/** Each write is followed by a check of every n-th URL, in turn: a stale response mostly stays stale. */
const strideOf = (engine: string) => effort(engine === 'SQLite' ? 12 : 36, 1);

describe.each(effort(emptyDatabases.slice(0, 1), emptyDatabases))('on %s', (engine, fresh) => {
  test('after any write, cached responses equal recomputed ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(writesOf(parts), { minLength: writesOn(engine), maxLength: writesOn(engine) }),
        async (writes) => {
          await withWiki(
            fresh,
            async (app, first, authorization, renew) => {
              const tokens = { ada: authorization, cem: await cemsToken(app) };
              await addGroup(app.service.store, 'red', 1);
              let other = first;
              for (const [i, write] of [...beginning, ...writes].entries()) {
                // Every fourth write is made by the other process, which is then replaced by one with an empty cache.
                const isOthers = i % 4 === 3;
                await apply(isOthers ? other : app, write, tokens);
                if (isOthers) other = await renew();
                const looked = urls.filter((_, n) => (n + i) % strideOf(engine) === 0);
                await Promise.all(looked.map((url) => expectSame([app, other], url, write, tokens)));
              }
              // Otherwise no cached response would have been compared.
              expect(await cacheHitsOf(app)).toBeGreaterThan(0);
            },
            { clock: () => 1_700_000_000_000 },
          );
        },
      ),
      { numRuns: 1, endOnFailure: true },
    );
  }, 240_000);
});

/** The other process does not know what the first one caches, and caches little itself. */
async function expectSame(
  [app, other]: [App, App],
  url: string,
  write: Write,
  { ada, cem }: Tokens,
): Promise<void> {
  // Pages of the site contain the host name.
  const host = 'wiki.example';
  // Members get no cached responses, but lists with cached texts of pages.
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
      // Compares with pages read from the store.
      const id = caller.authorization === ada ? 1 : caller.authorization === cem ? 2 : 0;
      const actor = id === 0 ? null : await actorWith(other, id);
      const ids = (JSON.parse(cached.body) as { id: number }[]).map(({ id }) => id);
      const history = url.includes('history=none') ? 'none' : 'all';
      const pages = await other.service.store.readAs(actor).pages.load(ids, history);
      expect(cached.body, after).toBe(JSON.stringify(pages.map((page) => pageJson(page, wiki))));
    }
  }
}

const wiki = { baseUrl: '', language: 'en' };

/** Whether Cem may see different pages after the write. */
function concernsGroups(write: Write): boolean {
  return (
    'cemJoins' in write ||
    'groupName' in write ||
    'share' in write ||
    ('edit' in write && 'group' in write.fields)
  );
}

/** Members share cached pages that look the same to all of them. The second response at the latest is cached. */
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
      { reader: store.readAs(actor), renderer: fresh, now: 1_700_000_000_000 },
      path,
      { history: 'all' },
    ).catch((error: unknown) => (error instanceof Problem && error.code === 'gone' ? 'gone' : undefined));
    const status = view === 'gone' ? 410 : !view ? 404 : 'movedTo' in view ? 308 : 200;
    expect(given.statusCode, after).toBe(status);
    if (!view || view === 'gone' || !('page' in view)) continue;
    const shown = { page: pageJson(view.page, wiki), markup: view.markup };
    const grants = grantsJson(view.page, actor);
    if (grants.grants)
      expect(JSON.parse(given.body), after).toEqual({ ...shown, page: { ...shown.page, ...grants } });
    else expect(given.body, after).toBe(JSON.stringify(shown));
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
