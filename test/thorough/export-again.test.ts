/** Exports imported again after access was taken away in the source: what is new reaches only those who may read and write it there now. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import {
  expectNoMore,
  exported,
  groups,
  imported,
  type MadePage,
  ownTexts,
  pageArbitrary,
  plant,
  readable,
  start,
  statingFormats,
  type Wiki,
  writable,
} from '../support/export-wikis.ts';
import { engines } from '../support/http.ts';

const formats = effort(statingFormats.slice(0, 3), statingFormats);

/** Changes of a page after the first export. */
const laterArbitrary = fc.record({
  /** Whether the page of the first import is edited where it was imported. */
  isEditedThere: fc.boolean(),
  isReplacedBy: fc.constantFrom(null, null, null, 'Ann', 'Bob', 'Ada'),
  permissions: fc.constantFrom(null, 700, 770, 740, 70, 774),
  group: fc.constantFrom('members', 'Board', 'Staff'),
  hidesHistory: fc.boolean(),
  keepsGrants: fc.boolean(),
  protection: fc.constantFrom(null, null, 'moderators', 'administrators'),
  rule: fc.constantFrom(null, null, { approvals: 1 }, { approvals: 1, group: 'Board' }),
  hasComment: fc.boolean(),
  hasProposal: fc.boolean(),
});
type Later = typeof laterArbitrary extends fc.Arbitrary<infer T> ? T : never;

async function changeAll(
  { app, tokens }: Wiki,
  pages: readonly { page: MadePage; later: Later; path: string }[],
): Promise<void> {
  const asAda = async (method: 'POST' | 'PUT' | 'DELETE', url: string, json?: object) => {
    const answer = await app.call(method, url, { token: tokens.Ada ?? '', ...(json ? { json } : {}) });
    expect(answer.status, `${url} ${answer.text}`).toBe(200);
    return answer.json;
  };
  for (const [index, { page, later, path }] of pages.entries()) {
    const { isReplacedBy, permissions, group, hidesHistory, keepsGrants, protection, rule } = later;
    const word = (kind: string) => `zq${kind}${index}qz`;
    const isLeaf = !pages.some(({ path: other }) => other.startsWith(`${path}/`));
    const text = { body: `${page.format === 'markdown' ? page.front : ''}Now ${word('then')}.\n` };
    const access = permissions === null ? {} : { permissions, group };
    if (isReplacedBy !== null && isLeaf) {
      await asAda('DELETE', `/v1/pages${path}`);
      const { format } = page;
      const json = { path, title: `P ${word('title')}`, format, ...text, ...access };
      const made = await app.call('POST', '/v1/pages', { token: tokens[isReplacedBy] ?? '', json });
      if (made.status !== 200) await asAda('POST', '/v1/pages', json);
    } else {
      await asAda('POST', `/v1/pages${path}`, {
        ...{ ...text, ...access, ...(hidesHistory ? { history: 'from now' } : {}) },
      });
      if (!keepsGrants) await asAda('PUT', `/v1/access${path}`, { grants: [] });
    }
    if (protection !== null)
      await asAda('PUT', `/v1/protection${path}`, { level: protection, subtree: index % 2 === 0 });
    if (rule !== null) await asAda('PUT', `/v1/rules${path}`, rule);
    if (later.hasComment) await asAda('POST', '/v1/comments', { page: path, body: `Later ${word('later')}` });
    if (later.hasProposal)
      await asAda('POST', '/v1/proposals', {
        ...{ title: `Plan ${word('plan')}`, text: `Why ${word('plan')}` },
        changes: [{ action: 'edit', path, body: `Plan ${word('plan')}` }],
      });
  }
}

function both(...maps: Map<string, Set<string>>[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const map of maps)
    for (const [who, words] of map) all.set(who, words.union(all.get(who) ?? new Set()));
  return all;
}

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  const other = engines.find((one) => one !== engine) ?? engine;

  test('a second import gives nobody more than the source does now', { timeout: 1_200_000 }, async () => {
    const few = effort({ minLength: 4, maxLength: 5 }, { minLength: 5, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ page: pageArbitrary, later: laterArbitrary }), few),
        fc.boolean(),
        async (drawn, isPrivate) => {
          const wiki = await start(engine, groups);
          const fresh = await start(other, groups);
          const whole = await start(other, groups);
          try {
            const paths = await plant(
              wiki,
              drawn.map(({ page }) => page),
            );
            const settings = { token: wiki.tokens.Ada ?? '', json: { private: isPrivate } };
            expect((await wiki.app.call('PATCH', '/v1/settings', settings)).status).toBe(200);
            const then = await readable(wiki);
            const bring = async () => {
              const made = new Map<string, Buffer>();
              for (const format of formats) made.set(format, await exported(wiki, format, 'Ada'));
              return made;
            };
            const importAll = async (files: Map<string, Buffer>) => {
              for (const [format, file] of files)
                if (format === 'jsonl') await imported(whole, file, '');
                else
                  for (const there of [fresh, wiki])
                    await imported(there, file, `?parent=/in-${format}&source=wiki`);
            };
            await importAll(await bring());
            for (const there of [fresh, whole])
              for (const { path, body, word } of await ownTexts(there)) {
                if (!drawn[Number(/\d+/.exec(word)?.[0])]?.later.isEditedThere) continue;
                const edit = { token: there.tokens.Ada ?? '', json: { body: `${body}\n\nEdited here.` } };
                expect((await there.app.call('POST', `/v1/pages${path}`, edit)).status).toBe(200);
              }
            await changeAll(
              wiki,
              drawn.map((one, index) => ({ ...one, path: paths[index] ?? '' })),
            );
            const [now, writers] = [await readable(wiki), await writable(wiki)];
            const files = await bring();
            await importAll(files);
            await importAll(files);
            for (const [what, there] of Object.entries({ others: fresh, jsonl: whole, same: wiki })) {
              expectNoMore(await readable(there), both(then, now), `${what}, read`);
              const changed = new Map(
                [...(await writable(there))].map(([who, words]) => [
                  who,
                  new Set([...words].filter((word) => word.startsWith('zqthen'))),
                ]),
              );
              expectNoMore(changed, writers, `${what}, write`);
            }
          } finally {
            await wiki.app.close();
            await fresh.app.close();
            await whole.app.close();
          }
        },
      ),
      { numRuns: effort(1, 4), endOnFailure: true },
    );
  });
});
