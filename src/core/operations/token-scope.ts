/** Limits of API tokens, compared with what an operation declares. */
import { say } from '#words/say.ts';
import { Problem } from '../model/problem.ts';
import type { ApiToken, Scope } from '../ports/credentials.ts';
import type { SubtreeRelation } from './operation.ts';

export type TokenRights = Pick<ApiToken, 'scopes' | 'ancestorId'>;

/**
 * Refuses `insufficient-scope` for an API token without this scope, for any API token if the operation has no scope, and for one
 * limited to a subtree unless the operation works within it.
 */
export function refuseToken(
  token: TokenRights | undefined,
  { scope, subtree }: { scope?: Scope | undefined; subtree?: SubtreeRelation | undefined },
): void {
  if (!token) return;
  refuseUnlessScope(token, scope);
  if (token.ancestorId !== null && subtree !== 'within')
    throw new Problem('insufficient-scope', say('problem.thisTokenIsLimitedToAPart'));
}

/** Whether `refuseToken` would let the token in. */
export function mayCarryOut(
  token: TokenRights | undefined,
  { scope, subtree }: { scope?: Scope | undefined; subtree?: SubtreeRelation | undefined },
): boolean {
  if (!token) return true;
  const hasScope = scope !== undefined && token.scopes.includes(scope);
  return hasScope && (token.ancestorId === null || subtree === 'within');
}

/** Refuses `insufficient-scope` for an API token without this scope, or for any API token without a scope. */
export function refuseUnlessScope(token: TokenRights | undefined, scope: Scope | undefined): void {
  if (!token) return;
  if (scope === undefined) {
    throw new Problem('insufficient-scope', say('problem.apiTokensCannotDoThisSignIn'));
  }
  if (!token.scopes.includes(scope)) {
    throw new Problem('insufficient-scope', say('problem.thisTokenLacksTheScope', { scope }), {
      details: { scope },
    });
  }
}
