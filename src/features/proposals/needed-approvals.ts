/** Approvals that rules ask for before a proposal can be merged, without saying which pages have the rules. */

import type { ApprovalRule } from '#core/model/page.ts';
import { pathsAbove } from '#core/model/path.ts';
import { approverWords, ownsRule } from '#core/pages/protection.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';
import type { Words } from '#html/html.ts';
import type { JudgedChange } from './judge-changes.ts';

export interface NeededApprovals {
  approvals: number;
  /** Members who can approve, in words. */
  approvers: Words;
  /** Whether the reader is one of them. */
  isOwn: boolean;
}

/** Each kind once. At most three statements. */
export async function neededApprovals(
  store: Pick<Store, 'grants'>,
  reader: Reader,
  changes: readonly JudgedChange[],
): Promise<NeededApprovals[]> {
  const shownWith = [...new Set(changes.flatMap((change) => change.shownWith ?? []))];
  const pages = shownWith.length === 0 ? [] : await reader.pages.states(shownWith);
  const above = pages.length === 0 ? [] : await reader.pages.protectedAbove(pages);
  const over = pages.flatMap((page) => [
    page,
    ...above.filter(({ id, path }) => page.trail.includes(id) || pathsAbove(page.path).includes(path)),
  ]);
  const rules = new Map<string, ApprovalRule>();
  for (const { rule } of over) if (rule) rules.set(`${rule.group ?? 0} ${rule.approvals}`, rule);
  const named = [...rules.values()].flatMap(({ group }) => (group === undefined ? [] : [{ group }]));
  const { groups } = named.length === 0 ? {} : await store.grants.namesOf(named);
  return [...rules.values()].map((rule) => ({
    approvals: rule.approvals,
    approvers: approverWords(rule.group, groups ?? new Map()),
    isOwn: ownsRule(reader.actor, rule),
  }));
}
