/** Writes with an API token that is limited to a subtree. Other actors pass all checks. */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { type Actor, actorAt, type TreePlace } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';

/** Refuses `insufficient-scope` for a page outside the actor's subtree. */
export function refuseOutside(actor: NonNullable<Actor>, page: TreePlace): void {
  if (actorAt(actor, page) === null) throw outside(say('problem.thisPageIsOutsideOfTheToken'));
}

/**
 * Refuses `insufficient-scope` for a position outside: a new or moved page needs a parent inside, and a path beneath its
 * parent's, because paths need not follow the tree.
 */
export function refusePlaceOutside(
  actor: NonNullable<Actor>,
  parent: (TreePlace & { path: string }) | null,
  path: string,
): void {
  if (actor.within === undefined) return;
  if (!parent || actorAt(actor, parent) === null)
    throw outside(say('problem.thePageNeedsAParentWithinTheToken'));
  if (!path.startsWith(`${parent.path}/`))
    throw new Problem('insufficient-scope', say('problem.thisTokenCanOnlyGiveAddressesBeneath'));
}

function outside(words: Words): Problem {
  return new Problem('insufficient-scope', words);
}
