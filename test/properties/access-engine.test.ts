/**
 * Random questions about access are answered as an independent policy engine answers them. The engine gets the raw facts: who is in
 * which group, which page lies beneath which, digits, and each grant as a policy of its own on a page or its subtree. Digits and
 * effective grants are ours. `test/store/grants.test.ts` compares rows and lists with the same rule.
 */
import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { audienceKey, effectiveEntries, type Grant } from '#core/model/grant.ts';
import { mayRead, mayWrite, type PageAccess } from '#core/model/page-access.ts';
import { type Actor, audienceByDigits } from '#core/model/permission.ts';
import { effort } from '../support/effort.ts';

const memberCount = 6;
const groupCount = 3;
const pageCount = 6;

interface World {
  isPrivate: boolean;
  members: {
    role: 'guest' | 'reader' | 'writer' | 'moderator' | 'administrator';
    isBlocked: boolean;
    groups: number[];
  }[];
  pages: { above: number; code: number; group: number; owner: number; grants: Grant[] }[];
  /** Pages that are put beneath another one, or at the root, before anybody asks. */
  moves: { page: number; to: number }[];
}

const subject = fc.oneof(
  fc.record({ group: fc.integer({ min: 1, max: groupCount }) }),
  fc.record({ member: fc.integer({ min: 1, max: memberCount }) }),
);
const grant: fc.Arbitrary<Grant> = fc
  .tuple(subject, fc.constantFrom<'read' | 'write'>('read', 'write'), fc.boolean())
  .map(([whom, may, beneath]) => ({ ...whom, may, beneath }));
const worlds: fc.Arbitrary<World> = fc.record({
  isPrivate: fc.boolean(),
  members: fc.array(
    fc.record({
      role: fc.constantFrom('guest', 'reader', 'writer', 'moderator', 'administrator'),
      isBlocked: fc.boolean(),
      groups: fc.uniqueArray(fc.integer({ min: 1, max: groupCount })),
    }),
    { minLength: memberCount, maxLength: memberCount },
  ),
  pages: fc.array(
    fc.record({
      // Pages lie beneath earlier ones; 0 stands for the root.
      above: fc.nat(pageCount),
      code: fc
        .tuple(fc.nat(7), fc.nat(7), fc.nat(7))
        .map(([owner, group, world]) => 100 * owner + 10 * group + world),
      group: fc.nat(groupCount),
      owner: fc.integer({ min: 1, max: memberCount }),
      grants: fc.array(grant, { maxLength: 3 }),
    }),
    { minLength: pageCount, maxLength: pageCount },
  ),
  moves: fc.array(fc.record({ page: fc.integer({ min: 1, max: pageCount }), to: fc.nat(pageCount) }), {
    maxLength: 3,
  }),
});

/** The page above each, by ID, after the moves; those that would put a page beneath itself are left out. */
function treeOf({ pages, moves }: World): Map<number, number> {
  const above = new Map(pages.map((page, index) => [index + 1, Math.min(page.above, index)]));
  for (const { page, to } of moves)
    if (to !== page && !trailOf(above, to).includes(page)) above.set(page, to);
  return above;
}

function trailOf(above: ReadonlyMap<number, number>, id: number): number[] {
  const parent = above.get(id) ?? 0;
  return parent === 0 ? [] : [...trailOf(above, parent), parent];
}

/** The page as the wiki stores it. */
function pageOf(world: World, above: ReadonlyMap<number, number>, id: number): PageAccess {
  const { code, group: groupId, owner } = world.pages[id - 1] as World['pages'][number];
  const trail = trailOf(above, id);
  let passedOn = '';
  for (const one of trail) passedOn = effectiveEntries(world.pages[one - 1]?.grants ?? [], passedOn).beneath;
  const { here } = effectiveEntries(world.pages[id - 1]?.grants ?? [], passedOn);
  const group = groupId === 0 ? null : { id: groupId };
  const digits = { permissions: code, group };
  const key = audienceKey(audienceByDigits(digits, world), here);
  return { ...digits, id, trail, owner: { id: owner }, ...(here === '' ? {} : { granted: { id: 1, key } }) };
}

function actorOf({ members }: World, id: number): Actor {
  if (id === 0) return null;
  const { role, isBlocked, groups } = members[id - 1] as World['members'][number];
  return {
    ...{ memberId: id, name: `Member ${id}`, isAdmin: role === 'administrator', groupIds: groups },
    ...(role === 'writer' || role === 'administrator' ? {} : { role }),
    ...(isBlocked ? { block: { reason: 'Rest', until: null } } : {}),
  };
}

const rules = `
permit (principal, action == Action::"read", resource) when { resource.worldReads && !resource.isPrivate };
permit (principal is Member, action == Action::"write", resource) when { resource.worldWrites && !resource.isPrivate };
permit (principal is Member, action == Action::"read", resource) when { resource.groupReads && principal in resource.group };
permit (principal is Member, action == Action::"write", resource) when { resource.groupWrites && principal in resource.group };
permit (principal is Member, action == Action::"read", resource) when { resource.ownerReads && principal == resource.owner };
permit (principal is Member, action == Action::"read", resource) when { resource.membersRead && principal == resource.owner };
permit (principal is Member, action == Action::"write", resource) when { resource.ownerWrites && principal == resource.owner };
permit (principal is Member, action, resource) when { principal.role == "administrator" };
forbid (principal is Member, action == Action::"write", resource) when { principal.role == "reader" || principal.isBlocked };
`;

const entity = (type: string, id: number | string) => ({ type, id: String(id) });

function policiesOf({ pages }: World): string {
  const ofGrants = pages.flatMap(({ grants }, index) =>
    grants.map((grant) => {
      const whom =
        'group' in grant ? `principal in Group::"${grant.group}"` : `principal == Member::"${grant.member}"`;
      const where = `resource ${grant.beneath ? 'in' : '=='} Page::"${index + 1}"`;
      const actions = grant.may === 'write' ? 'action' : 'action == Action::"read"';
      return `permit (${whom}, ${actions}, ${where});`;
    }),
  );
  return rules + ofGrants.join('\n');
}

/** By kind and ID. */
function entitiesOf(world: World, above: ReadonlyMap<number, number>) {
  const members = world.members.map(({ role, isBlocked, groups }, index) => ({
    uid: entity('Member', index + 1),
    attrs: { role, isBlocked },
    parents: [...groups, ...(role === 'guest' ? [] : ['members'])].map((group) => entity('Group', group)),
  }));
  const pages = world.pages.map(({ code, group, owner }, index) => {
    const parent = above.get(index + 1) ?? 0;
    const [owns = 0, groups = 0, worlds = 0] = [...String(code).padStart(3, '0')].map(Number);
    return {
      uid: entity('Page', index + 1),
      attrs: {
        isPrivate: world.isPrivate,
        owner: { __entity: entity('Member', owner) },
        group: { __entity: entity('Group', group === 0 ? 'members' : group) },
        ...{ ownerReads: (owns & 4) !== 0, ownerWrites: (owns & 6) === 6 },
        membersRead: group === 0 && (groups & 4) !== 0,
        ...{ groupReads: (groups & 4) !== 0, groupWrites: (groups & 6) === 6 },
        ...{ worldReads: (worlds & 4) !== 0, worldWrites: (worlds & 6) === 6 },
      },
      parents: parent === 0 ? [] : [entity('Page', parent)],
    };
  });
  return { members, pages };
}

test('members and strangers may read and write what an independent policy engine permits', () => {
  let asked = 0;
  let permitted = 0;
  fc.assert(
    fc.property(worlds, (world) => {
      const above = treeOf(world);
      // Parsed once for all questions about this world.
      expect(cedar.preparsePolicySet('world', { staticPolicies: policiesOf(world) }).type).toBe('success');
      const wrong: string[] = [];
      const entities = entitiesOf(world, above);
      for (let page = 1; page <= pageCount; page++) {
        // Everything else is of no concern to the answer, and would only be read anew for each question.
        const needed = [...trailOf(above, page), page].flatMap((id) => entities.pages[id - 1] ?? []);
        for (let member = 0; member <= memberCount; member++) {
          const [actor, access] = [actorOf(world, member), pageOf(world, above, page)];
          for (const action of ['read', 'write'] as const) {
            const answer = cedar.statefulIsAuthorized({
              principal: member === 0 ? entity('Stranger', 0) : entity('Member', member),
              action: entity('Action', action),
              resource: entity('Page', page),
              context: {},
              preparsedPolicySetId: 'world',
              entities: [...entities.members.slice(Math.max(0, member - 1), member), ...needed],
            });
            const failed = answer.type === 'failure' ? answer.errors : answer.response.diagnostics.errors;
            if (answer.type === 'failure' || failed.length > 0) throw new Error(JSON.stringify(failed));
            const is = action === 'read' ? mayRead(actor, access, world) : mayWrite(actor, access, world);
            if (is !== (answer.response.decision === 'allow'))
              wrong.push(`${action} ${page} as ${member}: ${is}`);
            asked++;
            if (is) permitted++;
          }
        }
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: effort(10, 1200) },
  );
  // Neither answer is rare.
  expect(Math.min(permitted, asked - permitted)).toBeGreaterThan(asked / 10);
});
