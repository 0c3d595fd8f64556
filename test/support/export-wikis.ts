/** Wikis of arbitrary pages and access, and what each of their readers gets, to compare it before and after an import. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type engines, startApp, type TestApp } from './http.ts';

/** Formats of the export that state access, JSON lines first, because they keep their IDs only in an empty wiki. */
export const statingFormats = [
  'jsonl',
  'markdown',
  'wikitext',
  'mdbook',
  'mkdocs',
  'docusaurus',
  'hugo',
  'mediawiki-xml',
];
export const names = ['Ann', 'Bob', 'Mona', 'Rita', 'Gus'] as const;
export const groups: Record<string, readonly string[]> = { Board: ['Ann'], Staff: ['Ann', 'Bob'] };

export interface Wiki {
  app: TestApp;
  ids: Record<string, number>;
  tokens: Record<string, string | undefined>;
}

const grantArbitrary = fc.record({
  to: fc.constantFrom('Ann', 'Bob', 'Gus', 'Board', 'Staff'),
  may: fc.constantFrom('read', 'write'),
  beneath: fc.boolean(),
});

export const pageArbitrary = fc.record({
  parent: fc.nat(),
  owner: fc.constantFrom('Ann', 'Bob', 'Mona', 'Ada'),
  permissions: fc.constantFrom(774, 770, 700, 744, 740, 70, 0, 777, 4),
  group: fc.constantFrom(null, null, 'Board', 'Staff'),
  format: fc.constantFrom('wikitext', 'markdown'),
  isTemplate: fc.boolean(),
  /** Whether the path says nothing of the title. */
  hasPlainPath: fc.boolean(),
  /** Whether the page was made elsewhere, so that its former path leads to it, too. */
  isMoved: fc.boolean(),
  hasFile: fc.boolean(),
  /** Whether the latest change takes the file away. */
  losesFile: fc.boolean(),
  hidesHistory: fc.boolean(),
  protection: fc.constantFrom(null, null, 'moderators', 'administrators'),
  rule: fc.constantFrom(null, null, { approvals: 1 }, { approvals: 1, group: 'Board' }),
  defaults: fc.constantFrom(null, null, { permissions: 700 }, { permissions: 770, group: 'Board' }),
  /** Front matter that may be older than the access of the page. */
  front: fc.constantFrom('', '', '---\npermissions: 774\ngroup: Staff\n---\n\n', '---\nkey: value\n---\n\n'),
  embeds: fc.nat(),
  /** Page whose file the text shows. */
  shows: fc.nat(),
  /** Page to which the text links by its former path, if it has one. */
  links: fc.nat(),
  language: fc.constantFrom(null, null, 'de', 'fr'),
  translates: fc.nat(),
  hasOrder: fc.boolean(),
  hasComment: fc.boolean(),
  hasProposal: fc.boolean(),
  grants: fc.uniqueArray(grantArbitrary, { maxLength: 2, selector: ({ to }) => to }),
});
export type MadePage = typeof pageArbitrary extends fc.Arbitrary<infer T> ? T : never;

export async function start(
  engine: (typeof engines)[number],
  groupsHere: Record<string, readonly string[]>,
  people: readonly string[] = names,
): Promise<Wiki> {
  const app = await startApp({}, { engine });
  const tokens: Wiki['tokens'] = { stranger: undefined };
  const ids: Record<string, number> = {};
  for (const name of ['Ada', ...people]) {
    const { id, token } = await app.member(name, { isAdmin: name === 'Ada' });
    tokens[name] = token;
    ids[name] = id;
  }
  const root = tokens.Ada;
  for (const [id, role] of [
    [ids.Mona, 'moderator'],
    [ids.Rita, 'reader'],
    [ids.Gus, 'guest'],
  ] as const)
    expect((await app.call('PATCH', `/v1/members/${id}`, { token: root, json: { role } })).status).toBe(200);
  for (const [name, members] of Object.entries(groupsHere)) {
    const { json } = await app.call('POST', '/v1/groups', { token: root, json: { name } });
    for (const member of members)
      await app.call('PUT', `/v1/groups/${json.id}/members/${ids[member]}`, { token: root });
  }
  return { app, ids, tokens };
}

/** Words that occur nowhere else: of the page's text, of its first text, of its title, file, comment, proposal and path. */
export const secretsOf = (index: number) =>
  ['now', 'old', 'title', 'file', 'note', 'draft', 'path'].map((kind) => `zq${kind}${index}qz`);

/** Returns their paths. */
export async function plant({ app, ids, tokens }: Wiki, pages: readonly MadePage[]): Promise<string[]> {
  const paths: string[] = [];
  const formerPaths: (string | undefined)[] = [];
  for (const [index, page] of pages.entries()) {
    const [now, old, title, file, note, draft, inPath] = secretsOf(index);
    const isModuleOrTemplate = page.isTemplate && page.format === 'wikitext';
    const above = index === 0 ? undefined : paths[page.parent % (index + 1)];
    const front = page.format === 'markdown' ? page.front : '';
    const embedded = paths[page.embeds % (index + 1)];
    const embeds = embedded === undefined ? '' : ` {{:${embedded}}} {{Children}}`;
    const shown = page.shows % (index + 1);
    const picture = `${paths[shown] ?? ''}/f${shown}.txt`;
    const shows = page.format === 'markdown' ? ` [x](${picture})` : ` [[File:${picture}]]`;
    const former = formerPaths[page.links % (index + 1)];
    const links = former === undefined ? '' : ` [[${former}]] [[${former}|x]]`;
    const text = (word: string | undefined) => `${front}Text ${word}.${embeds}${shows}${links}\n`;
    const first = page.isMoved ? `${above ?? ''}/was${index}` : undefined;
    const plain = page.hasPlainPath ? `${above ?? ''}/${inPath}` : undefined;
    const create = (who: string) =>
      app.call('POST', '/v1/pages', {
        token: tokens[who] ?? '',
        json: {
          ...{ title: `P ${title}`, format: page.format, body: text(old), permissions: page.permissions },
          ...(above === undefined ? {} : { parent: above }),
          ...(page.isMoved || page.hasPlainPath ? { path: first ?? plain } : {}),
          ...(page.group === null ? {} : { group: page.group }),
          ...(page.defaults === null ? {} : { defaults: page.defaults }),
          ...(isModuleOrTemplate ? { type: 'Template' } : {}),
          ...(page.hasFile
            ? {
                files: {
                  file: { name: `f${index}.txt`, data: Buffer.from(`Bytes ${file}`).toString('base64') },
                },
              }
            : {}),
        },
      });
    const own = await create(page.owner);
    // Not everybody may create pages there, or give them to this group.
    const made = own.status === 200 ? own : await create('Ada');
    expect(made.status, made.text).toBe(200);
    formerPaths.push(first);
    const edit: { body: string; path?: string } = {
      body: text(now),
      ...(first === undefined ? {} : { path: plain ?? `${above ?? ''}/p-${title}` }),
      ...(page.hasFile && page.losesFile ? { removeFiles: [`f${index}.txt`] } : {}),
      ...(page.hidesHistory ? { history: 'from now' } : {}),
    };
    const edited = await app.call('POST', `/v1/pages${made.json.path}`, { token: tokens.Ada, json: edit });
    expect(edited.status, edited.text).toBe(200);
    const path: string = edit.path ?? made.json.path;
    paths.push(path);
    const grants = page.grants.map(({ to, ...more }) => ({
      ...(Object.hasOwn(groups, to) ? { group: to } : { member: ids[to] }),
      ...more,
    }));
    const shared = await app.call('PUT', `/v1/access${path}`, { token: tokens.Ada, json: { grants } });
    expect(shared.status, shared.text).toBe(200);
    const asAda = async (method: 'POST' | 'PUT', url: string, json: object) => {
      const answer = await app.call(method, url, { token: tokens.Ada ?? '', json });
      expect(answer.status, answer.text).toBe(200);
    };
    if (page.hasComment) await asAda('POST', '/v1/comments', { page: path, body: `Note ${note}` });
    if (page.hasProposal)
      await asAda('POST', '/v1/proposals', {
        ...{ title: `Draft ${draft}`, text: `Why ${draft}` },
        changes: [{ action: 'edit', path, body: `Draft ${draft}` }],
      });
    const original = paths[page.translates % (index + 1)];
    // Translations of translations are translations of the original.
    if (page.language !== null && original !== undefined && original !== path)
      await app.call('POST', `/v1/pages${path}`, {
        ...{ token: tokens.Ada ?? '', json: { language: page.language, translationOf: original } },
      });
    if (page.rule !== null) await asAda('PUT', `/v1/rules${path}`, page.rule);
    if (page.protection === null) continue;
    const json = { level: page.protection, subtree: index % 2 === 0 };
    await asAda('PUT', `/v1/protection${path}`, json);
  }
  for (const [index, { hasOrder }] of pages.entries()) {
    const above = paths[index] ?? '';
    const beneath = paths.filter((path) => path.slice(0, path.lastIndexOf('/')) === above);
    if (!hasOrder || beneath.length === 0) continue;
    const json = { children: beneath.reverse() };
    expect((await app.call('PUT', `/v1/order${above}`, { token: tokens.Ada ?? '', json })).status).toBe(200);
  }
  return paths;
}

export async function exported(
  { app, tokens }: Pick<Wiki, 'app' | 'tokens'>,
  format: string,
  who: string,
  ancestor?: string,
): Promise<Buffer> {
  const token = tokens[who];
  const answer = await app.app.server.inject({
    url: `/v1/export?format=${format}${ancestor === undefined ? '' : `&ancestor=${ancestor}`}`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  // A private wiki gives strangers nothing.
  if (token === undefined && answer.statusCode !== 200) return Buffer.alloc(0);
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
}

/** Words that each reader finds in all that the wiki gives them. */
export async function readable(wiki: Wiki): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const who of Object.keys(wiki.tokens).filter((who) => who !== 'Ada')) {
    const lines = (await exported(wiki, 'jsonl', who)).toString();
    const bytes = [...lines.matchAll(/"base64":"([^"]*)"/g)].map(([, text = '']) =>
      Buffer.from(text, 'base64'),
    );
    found.set(who, new Set(`${lines}${bytes.join(' ')}`.match(/zq[a-z]+\d+qz/g)));
  }
  return found;
}

/** The current text of each page that has a word of its own, with that word. */
export async function ownTexts({
  app,
  tokens,
}: Wiki): Promise<{ path: string; body: string; word: string }[]> {
  const all = (await exported({ app, tokens }, 'jsonl', 'Ada')).toString().trimEnd().split('\n');
  const lines = all.map(
    (line) => JSON.parse(line) as { kind: string; id: number; path: string; change: number; body: string },
  );
  const bodies = new Map(lines.filter(({ kind }) => kind === 'change').map(({ id, body }) => [id, body]));
  return lines
    .filter(({ kind }) => kind === 'page')
    .flatMap(({ path, change }) => {
      const body = bodies.get(change) ?? '';
      const word = /zq(?:now|then)\d+qz/.exec(body)?.[0];
      return word === undefined ? [] : [{ path, body, word }];
    });
}

/** Texts that each caller can change, by the word of the text. */
export async function writable(wiki: Wiki): Promise<Map<string, Set<string>>> {
  const texts = await ownTexts(wiki);
  const found = new Map<string, Set<string>>();
  for (const who of Object.keys(wiki.tokens).filter((who) => who !== 'Ada')) {
    const words = new Set<string>();
    for (const { path, word } of texts) {
      const token = wiki.tokens[who];
      const answer = await wiki.app.call('POST', `/v1/pages${path}`, {
        ...(token === undefined ? {} : { token }),
        json: { msg: 'May I?' },
      });
      if (answer.status === 200) words.add(word);
    }
    found.set(who, words);
  }
  return found;
}

export async function imported({ app, tokens }: Wiki, file: Buffer, query: string): Promise<string> {
  const begun = await app.call('POST', `/v1/imports${query}`, {
    ...{ token: tokens.Ada ?? '', body: file, headers: { 'content-type': 'application/octet-stream' } },
  });
  expect(begun.status, begun.text).toBe(202);
  for (;;) {
    const { json } = await app.call('GET', `/v1/imports/${begun.json.id}`, { token: tokens.Ada ?? '' });
    if (json.state === 'running') await new Promise((done) => setTimeout(done, 10));
    else {
      expect(json.state, json.error).toBe('done');
      return JSON.stringify(json.certificate);
    }
  }
}

export function expectNoMore(
  after: Map<string, Set<string>>,
  before: Map<string, Set<string>>,
  what: string,
): void {
  for (const [who, words] of after)
    expect([...words.difference(before.get(who) ?? new Set())], `${what}: ${who}`).toEqual([]);
}
