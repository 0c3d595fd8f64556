/**
 * Carries out operations for all faces. The only place that enforces what an operation declares: the limits of API tokens, who may
 * call it, blocks and the required second factor, its transaction, its ports and its audit log. Idempotency keys and atomic batches
 * work on the store that faces pass (`http/operations.ts`).
 */
import { getAdministrator } from '../members/get-administrator.ts';
import { getModerator } from '../members/get-moderator.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';
import type { Access, Operation, Ports } from './operation.ts';
import { refuseToken, type TokenRights } from './token-scope.ts';

/** The sender of a call through a face. */
export interface Caller {
  actor: Actor;
  /** Set if the caller was identified by an API token. */
  apiToken?: TokenRights | undefined;
}

export interface Wiki {
  store: Store;
  clock(): number;
}

/** Carries out operations for one caller. */
export type Carry = <Given, Answer>(operation: Operation<Given, Answer>, input: Given) => Promise<Answer>;

export function carryOutFor(wiki: Wiki, caller: Caller | 'command line'): Carry {
  return (operation, input) => carryOut(wiki, caller, operation, input);
}

/** `input` is valid by the operation's schema. */
async function carryOut<Given, Answer>(
  { store, clock }: Wiki,
  caller: Caller | 'command line',
  { access, summary, scope, subtree, writes, ports, run }: Operation<Given, Answer>,
  input: Given,
): Promise<Answer> {
  if (caller !== 'command line') {
    refuseToken(caller.apiToken, { scope, subtree });
    await refuseUnless[access](
      store,
      caller.actor,
      summary.replace(/^./, (first) => first.toLowerCase()),
    );
  }
  const by = caller === 'command line' ? caller : caller.actor;
  const now = clock();
  const work = (store: Store) =>
    run(portsOf(store, ports), { input, by, now, record: (entry) => store.audit.record(entry) });
  return writes ? store.transact(work) : work(store);
}

/** Refusals by access. `action`: the verb that a sentence completes. */
const refuseUnless: Record<Access, (store: Store, actor: Actor, action: string) => unknown> = {
  anyone: () => undefined,
  member(_store, actor, action) {
    if (!actor) throw new Problem('unauthenticated', `Sign in to ${action}.`);
  },
  moderator: getModerator,
  administrator: getAdministrator,
};

function portsOf(store: Store, names: readonly (keyof Ports)[]): Partial<Ports> {
  return Object.fromEntries(names.map((name) => [name, store[name]]));
}
