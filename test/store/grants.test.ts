/**
 * Grants on both engines: TypeScript and SQL agree about every page and reader, and what pages inherit follows edits, moves, the
 * trash and the private switch.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdersOf } from '#core/model/access-words.ts';
import type { Grant } from '#core/model/grant.ts';
import type { Page } from '#core/model/page.ts';
import { type Actor, may } from '#core/model/permission.ts';
import { createPage } from '#core/pages/create-page.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import type { Store } from '#core/ports/store.ts';
import { sentencesFor } from '#core/reading/access-sentence.ts';
import { changeGrants, type GivenGrant } from '#src/features/access/change-grants.ts';
import { textOf } from '#words/say.ts';
import { effort } from '../support/effort.ts';
import { addGroup, addToGroup } from '../support/groups.ts';
import { noFiles } from '../support/no-files.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addMember, asked } from '../support/write-pages.ts';

type Member = NonNullable<Actor>;
const ada: Member = { memberId: 1, name: 'Ada', isAdmin: true };
const bea: Member = { memberId: 2, name: 'Bea', isAdmin: false, groupIds: [1] };
const cyd: Member = { memberId: 3, name: 'Cyd', isAdmin: false, groupIds: [2] };
const dan: Member = { memberId: 4, name: 'Dan', isAdmin: false };
const gus: Member = { memberId: 5, name: 'Gus', isAdmin: false, role: 'guest', groupIds: [2] };
const gia: Member = { memberId: 6, name: 'Gia', isAdmin: false, role: 'guest' };
const everybody: Actor[] = [null, ada, bea, cyd, dan, gus, gia];

async function begin(store: Store): Promise<void> {
  for (const { name, isAdmin } of [ada, bea, cyd, dan, gus, gia]) await addMember(store, name, isAdmin);
  for (const name of ['Board', 'Editors']) await addGroup(store, name, 1);
  await addToGroup(store, 1, 2, 1);
  for (const id of [3, 5]) await addToGroup(store, 2, id, 1);
}

const create = (store: Store, path: string, permissions: number, owner = ada) => {
  const parent = path.slice(0, path.lastIndexOf('/'));
  return createPage(
    { store, files: noFiles, actor: owner, now: 2 },
    {
      title: `P${path}`,
      slug: path.slice(path.lastIndexOf('/') + 1),
      path,
      parent,
      permissions,
      body: `[[Wanted]] [[Wanted ${path}]] [[For members]]`,
    },
  );
};
const share = (store: Store, path: string, grants: GivenGrant[], actor = ada) =>
  store.transact((store) => changeGrants({ store, actor, now: 3 }, path, grants));

async function seenBy(store: Store, actor: Actor): Promise<string[]> {
  const reader = store.readAs(actor);
  const { ids } = await reader.lists.search({ ...asked, pathPrefix: '/', limit: 100 });
  return (await reader.pages.outlines(ids)).map(({ path }) => path).sort();
}

/** Who may read or write a page by its explicit grants and those above: the rule, without rows. */
function mayBy(
  actor: Actor,
  action: 'read' | 'write',
  grants: readonly { grant: Grant; isOwn: boolean }[],
): boolean {
  return grants.some(({ grant, isOwn }) => {
    const isTheirs =
      'group' in grant ? (actor?.groupIds ?? []).includes(grant.group) : actor?.memberId === grant.member;
    return isTheirs && (isOwn || grant.beneath) && (action === 'read' || grant.may === 'write');
  });
}

const groupsOf: Record<string, number> = { 'the group “Board”': 1, 'the group “Editors”': 2 };

/** Whether this part of a sentence, such as `members, the group “Board” and Dan`, means the actor. */
function means(words: string, actor: Actor, ownerId: number): boolean {
  return words
    .replace(/^only /, '')
    .split(/, | and /)
    .some((part) => {
      if (part === 'anyone') return true;
      if (!actor || part === 'administrators') return actor?.isAdmin ?? false;
      if (part === 'everyone who is signed in' || actor.isAdmin) return true;
      if (part === 'members') return actor.role !== 'guest';
      if (part === 'the owner') return actor.memberId === ownerId;
      const group = groupsOf[part];
      return group === undefined ? part === actor.name : (actor.groupIds ?? []).includes(group);
    });
}

/** The sentence of each page means exactly those who can read and edit it, as facts and by its words. */
async function compareSentences(store: Store, pages: readonly Page[]): Promise<void> {
  const sentences = await sentencesFor(store, ada, pages);
  for (const page of pages) {
    const sentence = textOf(sentences.get(page.id) ?? '', 'en');
    const words = sentence.charAt(0).toLowerCase() + sentence.slice(1);
    const [, readers = '', , writers = readers] =
      /^(.+?) can read( and edit|, (.+) can edit)$/.exec(words) ?? [];
    for (const actor of everybody)
      for (const action of ['read', 'write'] as const) {
        const { everyone, members, owner, groups, people } = holdersOf(action, page, store);
        const isHolder =
          (everyone && (actor !== null || action === 'read')) ||
          (actor !== null &&
            (actor.isAdmin ||
              (members && actor.role !== 'guest') ||
              (owner && actor.memberId === page.owner.id) ||
              groups.some((id) => (actor.groupIds ?? []).includes(id)) ||
              people.includes(actor.memberId)));
        // Nobody edits without signing in, whatever the permissions say.
        const is =
          (actor !== null || action === 'read') &&
          may(actor, action, { ...page, ownerId: page.owner.id }, store);
        const note = `${actor?.name} ${action} ${page.path} ${page.permissions}: ${sentence}`;
        expect(isHolder, note).toBe(is);
        expect(means(action === 'read' ? readers : writers, actor, page.owner.id), note).toBe(is);
      }
  }
}

/** Compares every list, page, right and sentence with the rule, and finds no violated invariant. */
async function compare(store: Store): Promise<void> {
  expect(await store.maintenance.violations(10)).toEqual([]);
  const { ids } = await store.readAsSystem().lists.search({ ...asked, pathPrefix: '/', limit: 100 });
  const pages = await store.readAsSystem().pages.load(ids, 'none');
  await compareSentences(store, pages);
  const byId = new Map(pages.map((page) => [page.id, page]));
  for (const actor of everybody) {
    const reader = store.readAs(actor);
    const expected = pages.filter((page) => {
      const grants = [...page.trail, page.id].flatMap((id) =>
        (byId.get(id)?.content.grants ?? []).map((grant) => ({ grant, isOwn: id === page.id })),
      );
      const digits = { permissions: page.permissions, group: page.group, ownerId: page.owner.id };
      for (const action of ['read', 'write'] as const) {
        const is = may(actor, action, { ...page, ownerId: page.owner.id }, store);
        const due = may(actor, action, digits, store) || mayBy(actor, action, grants);
        expect(is, `${actor?.name} ${action} ${page.path}`).toBe(due);
      }
      return may(actor, 'read', digits, store) || mayBy(actor, 'read', grants);
    });
    const paths = expected.map(({ path }) => path).sort();
    expect(await seenBy(store, actor), actor?.name).toEqual(paths);
    expect((await reader.pages.outlines(ids)).map(({ path }) => path).sort(), actor?.name).toEqual(paths);
    const wanted = await reader.links.wanted(100, 100);
    expect(
      wanted
        .filter(({ title }) => title.startsWith('Wanted /'))
        .map(({ title }) => `P${title.slice(7)}`)
        .sort(),
      actor?.name,
    ).toEqual(expected.flatMap(({ title }) => (title === 'For members' ? [] : [title])).sort());
    const countOf = (name: string) => wanted.find(({ title }) => title === name)?.count ?? 0;
    expect(countOf('Wanted'), actor?.name).toBe(paths.length);
    const isHidden = !pages.some(({ title }) => title === 'For members') || !paths.includes('/for-members');
    expect(countOf('For members'), actor?.name).toBe(isHidden ? paths.length : 0);
  }
}

forEachEngine((open) => {
  test('grants beneath hold for pages that exist, are created, and come there, until they leave', async () => {
    await using store = await open();
    await begin(store);
    for (const path of ['/a', '/a/b', '/a/b/c', '/x', '/x/y']) await create(store, path, 700);
    await share(store, '/a', [{ group: 'Board', may: 'read', beneath: true }]);
    expect(await seenBy(store, bea)).toEqual(['/a', '/a/b', '/a/b/c']);
    await create(store, '/a/b/new', 700);
    await saveEdit({ store, files: noFiles, actor: ada, now: 4 }, '/x', { parent: '/a' });
    expect(await seenBy(store, bea)).toEqual(['/a', '/a/b', '/a/b/c', '/a/b/new', '/a/x', '/a/x/y']);
    await saveEdit({ store, files: noFiles, actor: ada, now: 5 }, '/a/b', { parent: '/' });
    expect(await seenBy(store, bea)).toEqual(['/a', '/a/x', '/a/x/y']);
    await share(store, '/a', []);
    expect(await seenBy(store, bea)).toEqual([]);
    await compare(store);
  });

  test.each([false, true])(
    'digits and grants together decide for everybody; private: %s',
    async (isPrivate) => {
      await using store = await open();
      await begin(store);
      if (isPrivate) await store.settings.write({ private: true }, 1, null);
      await store.settings.refresh();
      for (const code of [700, 740, 744, 770, 774, 704, 0, 444]) await create(store, `/p${code}`, code, dan);
      await create(store, '/for-members', 770);
      await saveEdit({ store, files: noFiles, actor: ada, now: 3 }, '/for-members', {
        title: 'For members',
        body: '[[Wanted]]',
      });
      for (const code of [700, 740, 744, 770, 774, 704, 0, 444]) {
        await share(store, `/p${code}`, [
          { member: gia.memberId, may: 'read', beneath: true },
          { group: 'Editors', may: 'write' },
        ]);
        await create(store, `/p${code}/child`, code);
      }
      await compare(store);
      await store.settings.write({ private: !isPrivate }, 2, null);
      await store.settings.refresh();
      await compare(store);
      await saveEdit({ store, files: noFiles, actor: ada, now: 6 }, '/p774', {
        permissions: 740,
        group: 'Board',
      });
      await compare(store);
    },
  );

  test('random edits of a tree leave exactly the readers that its grants give', async () => {
    const paths = ['/a', '/a/b', '/a/b/c', '/d', '/d/e'];
    const grant = fc
      .tuple(fc.constantFrom('Board', 'Editors', 3, 4, 6), fc.constantFrom('read', 'write'), fc.boolean())
      .map(
        ([of, may, beneath]): GivenGrant => ({
          ...(typeof of === 'string' ? { group: of } : { member: of }),
          ...{ may: may as 'read' | 'write', beneath },
        }),
      );
    const fieldsOf = ({ code, group }: { code: number; group: string }) => ({ permissions: code, group });
    const step = fc.oneof(
      fc.record({
        share: fc.nat(4),
        grants: fc.uniqueArray(grant, { selector: (one) => one.group ?? one.member, maxLength: 3 }),
      }),
      fc.record({ move: fc.nat(4), to: fc.nat(4) }),
      fc.record({
        digits: fc.nat(4),
        code: fc.constantFrom(700, 740, 770, 774, 4, 66, 376, 540),
        group: fc.constantFrom('Board', 'members'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        await using store = await open();
        await begin(store);
        const ids: number[] = [];
        for (const path of paths) ids.push((await create(store, path, 700)).id);
        const pathOf = async (n: number) =>
          (await store.readAsSystem().pages.findById(ids[n] ?? 0))?.path ?? '';
        for (const step of steps) {
          if ('share' in step) await share(store, await pathOf(step.share), step.grants);
          else if ('digits' in step)
            await saveEdit(
              { store, files: noFiles, actor: ada, now: 4 },
              await pathOf(step.digits),
              fieldsOf(step),
            );
          else {
            const parent = step.to === step.move ? '/' : await pathOf(step.to);
            await saveEdit({ store, files: noFiles, actor: ada, now: 5 }, await pathOf(step.move), {
              parent,
            }).catch((error: unknown) => {
              if ((error as { code?: string }).code !== 'path-loop') throw error;
            });
          }
        }
        await compare(store);
      }),
      { numRuns: effort(4, 60) },
    );
  });
});
