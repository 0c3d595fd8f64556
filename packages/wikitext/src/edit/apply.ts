/**
 * Changes of a source, and their application. Changes are made against one tree. Those that touch nothing in common are applied
 * together; a change that touches an earlier one is made again on the source that the earlier one left, so that the result is as
 * if they had been made one after the other.
 */
import type { SourceNode, SourceTree } from './nodes.ts';
import { type SourceSection, sections, walk } from './queries.ts';
import { readSource } from './read-source.ts';

/** Replaces the range between two offsets of the source. */
export type Change = {
  start: number;
  end: number;
  text: string;
  /** How the change is made on a later tree. Without it, a change that touches another is refused. */
  again?: Again;
  /** Among insertions at one place: -1 belongs to what ends there, 1 to what begins there. */
  side?: -1 | 1;
  /** Whether an insertion at the start of a node belongs to it, so that the node does not move. */
  isInside?: boolean;
};

export type Again = {
  node: SourceNode | SourceSection;
  make(tree: SourceTree, node: SourceNode | SourceSection): Change | Change[];
  /** Whether the change also depends on other changes of the same node, such as the numbers of parameters. */
  isStructural?: boolean;
};

/** Changes that are made together or not at all. */
type Unit = readonly Change[];

/** Marks changes so that they can be made again. */
export function repeatable<N extends SourceNode | SourceSection>(
  changes: Change | Change[],
  node: N,
  make: (tree: SourceTree, node: N) => Change | Change[],
  isStructural = false,
): Change[] {
  const again: Again = { node, make: (tree, one) => make(tree, one as N), isStructural };
  return [changes].flat().map((change) => ({ ...change, again }));
}

/**
 * Returns the source with all changes applied. The order matters only for those that touch: a later one sees what the earlier
 * ones left, and one within a node that was removed has no effect. Throws if a change lies within text that another replaced.
 */
export function edit(tree: SourceTree, changes: readonly (Change | readonly Change[])[]): string {
  let current = tree;
  let waiting = unitsOf(changes);
  for (;;) {
    const { accepted, deferred } = fit(waiting);
    const source = applied(current.source, accepted);
    if (deferred.length === 0) return source;
    const { rules, path } = current;
    const next = readSource(source, { rules, ...(path === undefined ? {} : { path }) });
    waiting = deferred.flatMap((unit) => madeAgain(unit, current, next, accepted));
    current = next;
  }
}

/** Changes that one call has made stay together, also if they are given one by one. */
function unitsOf(changes: readonly (Change | readonly Change[])[]): Unit[] {
  const units: Change[][] = [];
  for (const one of changes) {
    if (Array.isArray(one)) units.push([...one]);
    else {
      const change = one as Change;
      const last = units.at(-1);
      if (change.again && last?.at(-1)?.again === change.again) last.push(change);
      else units.push([change]);
    }
  }
  return units;
}

/** Selects the units that touch no earlier one. */
function fit(units: readonly Unit[]): { accepted: Change[]; deferred: Unit[] } {
  const accepted: Change[] = [];
  const deferred: Unit[] = [];
  // Only changes in one group can touch, so that thousands of small ones are not compared with one another.
  const earlier = new Map<number, Change[]>();
  const structural = new Map<Again['node'], boolean>();
  const groups = groupsOf(units.flat());
  for (const unit of units) {
    const { node, isStructural = false } = unit[0]?.again ?? {};
    const before = node && structural.get(node);
    const touches =
      (before !== undefined && (before || isStructural)) ||
      unit.some((change) => earlier.get(groups.get(change) ?? 0)?.some((other) => doTouch(change, other)));
    if (touches) deferred.push(unit);
    else accepted.push(...unit);
    if (node) structural.set(node, before === true || isStructural);
    for (const change of unit) {
      const group = groups.get(change) ?? 0;
      const others = earlier.get(group);
      if (others) others.push(change);
      else earlier.set(group, [change]);
    }
  }
  return { accepted, deferred };
}

/** Numbers the changes; those whose ranges overlap, directly or through others, have one number. */
function groupsOf(changes: readonly Change[]): Map<Change, number> {
  const groups = new Map<Change, number>();
  let group = 0;
  let end = 0;
  for (const change of inOrder(changes)) {
    if (change.start >= end) group++;
    end = Math.max(end, change.end);
    groups.set(change, group);
  }
  return groups;
}

function doTouch(left: Change, right: Change): boolean {
  if (left.start === left.end) return right.start < left.start && left.start < right.end;
  if (right.start === right.end) return left.start < right.start && right.start < left.end;
  return left.start < right.end && right.start < left.end;
}

function inOrder(changes: readonly Change[]): Change[] {
  return [...changes].sort(
    (left, right) => left.start - right.start || left.end - right.end || (left.side ?? 0) - (right.side ?? 0),
  );
}

function applied(source: string, changes: readonly Change[]): string {
  let out = '';
  let at = 0;
  for (const { start, end, text } of inOrder(changes)) {
    if (end < start || end > source.length)
      throw new RangeError(
        'A change lies outside of the source. Make it from the tree that it is given with.',
      );
    if (start < at) refuse(source, start, end);
    out += source.slice(at, start) + text;
    at = end;
  }
  return out + source.slice(at);
}

function refuse(source: string, start: number, end: number): never {
  throw new RangeError(
    `Two changes touch "${source.slice(start, Math.min(end, start + 40))}". Make one, read its result, and make the other there.`,
  );
}

/** Makes a unit again on the tree that earlier changes led to. Returns nothing if its node was removed. */
function madeAgain(unit: Unit, before: SourceTree, after: SourceTree, earlier: readonly Change[]): Unit[] {
  const [first] = unit;
  if (!first) return [];
  const { node } = first.again ?? {};
  const { start, end } = node ?? { start: first.start, end: unit[unit.length - 1]?.end ?? first.end };
  let moved = start;
  for (const change of earlier) {
    const isInsertion = change.start === change.end;
    if (!isInsertion && change.start <= start && change.end >= end && change.text === '') return [];
    if (!isInsertion && change.start < start && change.end > start) refuse(before.source, start, end);
    if (change.end <= start && !(isInsertion && change.start === start && change.isInside))
      moved += change.text.length - (change.end - change.start);
  }
  if (!first.again || !node) refuse(before.source, start, end);
  const found = located(after, node, moved);
  if (!found) refuse(before.source, start, end);
  return [[first.again.make(after, found)].flat()];
}

function located(
  tree: SourceTree,
  node: SourceNode | SourceSection,
  start: number,
): SourceNode | SourceSection | undefined {
  if (!('type' in node)) return sections(tree).find((one) => one.start === start);
  for (const one of walk(tree.page)) if (one.type === node.type && one.start === start) return one;
  return undefined;
}
