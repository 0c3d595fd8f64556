/** Writing with an API token that is limited to a page and what lies beneath it. Everybody else passes. */
import { type Actor, actorAt, type TreePlace } from '../permission.ts';
import { Problem } from '../problem.ts';

/** Refuses `insufficient-scope` for a page outside of what the actor is limited to. */
export function refuseOutside(actor: NonNullable<Actor>, page: TreePlace): void {
  if (actorAt(actor, page) === null) throw outside('This page is outside of the subtree');
}

/**
 * Refuses `insufficient-scope` for a place outside: a new or moved page needs a parent within, and an address beneath its parent's,
 * as addresses need not follow the tree.
 */
export function refusePlaceOutside(
  actor: NonNullable<Actor>,
  parent: (TreePlace & { path: string }) | null,
  path: string,
): void {
  if (actor.within === undefined) return;
  if (!parent || actorAt(actor, parent) === null) throw outside('The page needs a parent within the subtree');
  if (!path.startsWith(`${parent.path}/`))
    throw new Problem('insufficient-scope', 'This token may only give addresses beneath that of the parent.');
}

function outside(what: string): Problem {
  return new Problem('insufficient-scope', `${what} that this token is limited to.`);
}
