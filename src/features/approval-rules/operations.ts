/** Rules of approval: beneath a page, changes of others are merged from proposals. They are enforced by `core/pages/protection.ts`. */

import { type Static, Type } from 'typebox';
import { namesOfGroups } from '#core/members/groups.ts';
import { groupKey, noGroupNamed } from '#core/model/group-name.ts';
import type { ApprovalRule, Page } from '#core/model/page.ts';
import { type Actor, actorAt, isInGroup } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { component, count, flag, objects, text, textOrNull } from '#core/operations/fields.ts';
import { operation } from '#core/operations/operation.ts';
import { approversOf, approverWords, ownsRule, refuseProtected, rulesAt } from '#core/pages/protection.ts';
import { refuseOutside } from '#core/pages/token-limit.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import { getReadable, getWhole } from '#core/reading/find-page.ts';
import { say, textOf } from '#words/say.ts';

export const maxApprovals = 10;
const path = text('Path of the page.', '/handbook');
const approvals = Type.Integer({
  minimum: 0,
  maximum: maxApprovals,
  description: 'Number of approvals that a proposal needs. 0 means that there is no rule.',
  examples: [1],
});
const group = textOrNull(
  'Group whose members can approve and merge, and still change pages directly. Null stands for moderators. Administrators always can.',
  'editors',
);

const Rule = component('Rule', 'The rules of a page and of the pages above it, all of which apply.', {
  path,
  approvals,
  group,
  approvers: text(
    'Members who can approve by the rule of the page itself, in words.',
    'moderators and administrators',
  ),
  inherited: objects('Rules of pages above, nearest first.', {
    from: textOrNull('Page that has the rule; null if the caller cannot read that page.', '/'),
    approvals: count('Number of approvals.', 1),
    group,
    approvers: text('Members who can approve, in words.', 'moderators and administrators'),
  }),
  needsApproval: flag('Whether a change by the caller needs approvals.', true),
});

export const readRule = operation({
  name: 'readRule',
  summary: 'Read the rule of a page',
  description:
    'How many approvals a change of the page or of a page beneath it needs, and who can give them.',
  access: 'self',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ path }),
  output: Rule,
  problems: ['not-found', 'gone'],
  ports: ['store'],
  run: async ({ store }, { input, by }) => ruleJson(await ruleOf(store, by, input.path)),
});

/** For the site. */
export const showRule = operation({
  name: 'showRule',
  summary: 'Show the rule of a page',
  description: 'As `readRule`, with the groups that the caller can name.',
  access: 'self',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ path }),
  output: Type.Unsafe<ShownRule>({}),
  problems: ['not-found', 'gone'],
  ports: ['store'],
  async run({ store }, { input, by }): Promise<ShownRule> {
    const page = await getReadable(store.readAs(by), input.path);
    const [rule, groups] = await Promise.all([ruleOf(store, by, input.path), namesOfGroups(store, by)]);
    const mayChange = by.isAdmin || by.memberId === page.owner.id;
    return { ...rule, title: page.title, mayChange, groups };
  },
});

interface ShownRule extends Awaited<ReturnType<typeof ruleOf>> {
  title: string;
  mayChange: boolean;
  /** Names of groups that the caller can name. */
  groups: string[];
}

export const changeRule = operation({
  name: 'changeRule',
  summary: 'Ask for approvals beneath a page',
  description:
    'For the owner of the page, who can name the groups that they are in, and for administrators. Beneath the page, and on it, whatever others write directly is refused with `needs-approval`; they propose changes instead (`POST /v1/proposals`). `approvals` 0 lifts the rule.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  writesPages: true,
  input: component('RuleInput', 'Rule of a page.', { path, approvals, group: Type.Optional(group) }),
  output: Rule,
  problems: ['not-found', 'gone', 'not-permitted', 'protected', 'blocked'],
  writes: true,
  audit: ['rule-changed'],
  ports: ['store'],
  async run({ store }, { input, by, now, record }) {
    const seen = await getReadable(store.readAs(by), input.path);
    const note = await store.transact(async (store) => {
      const page = await store.pages.lockById(seen.id, 'update');
      if (!page) throw new Problem('not-found', say('problem.thereIsNoPageAt', { path: seen.path }));
      refuseForeign(by, page);
      // The own rule of the page does not keep its owner from lifting it.
      const { rule: _, ...withoutRule } = page;
      await refuseProtected({ store, actor: by, now }, withoutRule);
      const rule = await ruleGiven(store, by, input, page);
      await store.pages.setRule(page, rule);
      if (!rule) return 'lifted';
      return `${rule.approvals} ${rule.approvals === 1 ? 'approval' : 'approvals'} by ${textOf(await approversOf(store, rule), 'en')}`;
    });
    await record({ kind: 'rule-changed', subject: { kind: 'page', id: seen.id, name: seen.path }, note });
    return ruleJson(await ruleOf(store, by, seen.path));
  },
});

function refuseForeign(by: NonNullable<Actor>, page: Page): void {
  refuseOutside(by, page);
  if (by.isAdmin || (actorAt(by, page) && by.memberId === page.owner.id)) return;
  throw new Problem('not-permitted', say('problem.onlyTheOwnerOfAPageAnd7'));
}

async function ruleGiven(
  store: Transaction,
  by: NonNullable<Actor>,
  { approvals, group: name }: { approvals: number; group?: string | null },
  page: Page,
): Promise<ApprovalRule | null> {
  if (approvals === 0) return null;
  if (!name?.trim()) return { approvals };
  const found = (await store.groups.lockByNames([name])).find((one) => groupKey(one.name) === groupKey(name));
  if (found && (by.isAdmin || isInGroup(by, found) || page.rule?.group === found.id))
    return { approvals, group: found.id };
  throw invalid('/group', noGroupNamed(name, by), 'not-found');
}

/** A fixed number of statements besides those of the page. */
async function ruleOf(store: Store, by: NonNullable<Actor>, path: string) {
  const reader = store.readAs(by);
  const { id } = await getReadable(reader, path);
  const page = await getWhole(reader, id, 'none');
  const rules = rulesAt(page);
  const ids = rules.flatMap(({ group }) => (group === undefined ? [] : [{ group }]));
  const { groups } = await store.grants.namesOf(ids);
  const shown = ({ approvals, group }: ApprovalRule) => {
    const name = groups.get(group ?? 0)?.name ?? null;
    return { approvals, group: name, approvers: approverWords(group, groups) };
  };
  const own = page.rule ? shown(page.rule) : { approvals: 0, group: null, approvers: say('rules.nobody') };
  const above = page.rule ? rules.slice(1) : rules;
  return {
    path: page.path,
    ...own,
    inherited: above.map((rule) => ({ from: rule.path, ...shown(rule) })),
    needsApproval: rules.some((rule) => !ownsRule(by, rule)),
  };
}

/** The rule for programs, which read English. */
function ruleJson({
  approvers,
  inherited,
  ...rule
}: Awaited<ReturnType<typeof ruleOf>>): Static<typeof Rule> {
  return {
    ...rule,
    approvers: textOf(approvers, 'en'),
    inherited: inherited.map((one) => ({ ...one, approvers: textOf(one.approvers, 'en') })),
  };
}
