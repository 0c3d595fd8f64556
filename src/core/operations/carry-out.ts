/**
 * Carries out operations for all faces. The only place that enforces what an operation declares: the limits of API tokens, who may
 * call it, blocks and the required second factor, its transaction, its ports and its audit log. Idempotency keys and atomic batches
 * work on the store that faces pass (`http/operations.ts`).
 */
import { say } from '#words/say.ts';
import { refuseBlocked, refuseUnlessWriter } from '../model/may-write.ts';
import type { Actor } from '../model/permission.ts';
import { notSignedIn, Problem } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import type { SignedIn } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import { declaredOnly } from './declared.ts';
import { getAdministrator } from './get-administrator.ts';
import { getModerator } from './get-moderator.ts';
import type { Access, Operation, Ports, Services, SignIn } from './operation.ts';
import { refuseUnlessRecent } from './recent-sign-in.ts';
import { refuseToken, refuseUnlessScope, type TokenRights } from './token-scope.ts';

/** The sender of a call through a face. */
export interface Caller {
  actor: Actor;
  /** Set if the caller was identified by an API token. */
  apiToken?: TokenRights | undefined;
  /** Set if the caller signed in. */
  signedIn?: { claims: SignIn } | SignedIn | undefined;
  /** Whether the command line acts for this member, without a sign-in. */
  isCommandLine?: boolean;
  /** Reader of the face, which records what the answer depends on. */
  reader?: Reader;
}

export interface Wiki {
  store: Store;
  clock(): number;
  /** Made or imported when an operation names them. */
  services: { [Name in keyof Services]: () => Services[Name] | Promise<Services[Name]> };
}

/** Carries out operations for one caller. */
export type Carry = <Given, Answer>(operation: Operation<Given, Answer>, input: Given) => Promise<Answer>;

/** Carries out operations for one caller with all checks. */
export function carryOutFor(wiki: Wiki, caller: Caller | 'command line'): Carry {
  return (operation, input) => carryOut(wiki, caller, operation, input);
}

/** `given` is valid by the operation's schema, and may have more fields. */
async function carryOut<Given, Answer>(
  wiki: Wiki,
  caller: Caller | 'command line',
  operation: Operation<Given, Answer>,
  given: Given,
): Promise<Answer> {
  const input = declaredOnly(operation.input, given);
  const now = wiki.clock();
  const by = caller === 'command line' ? caller : caller.actor;
  const signedIn = caller === 'command line' ? undefined : caller.signedIn;
  if (caller !== 'command line') {
    await refuse(wiki.store, caller, operation, now);
    if (operation.attachesFiles?.(input as never)) refuseUnlessScope(caller.apiToken, 'files');
  } else if (operation.access === 'self') throw notSignedIn();
  const work = async (store: Store) =>
    operation.run(await portsOf({ ...wiki, store }, caller, operation.ports), {
      input,
      by,
      signIn: signedIn?.claims,
      signedIn: signedIn && 'session' in signedIn ? (signedIn as SignedIn) : undefined,
      now,
      record: (entry) => store.audit.record(entry),
    });
  if (operation.writes !== true) return work(wiki.store);
  return wiki.store.transact(work, { worksReadOnly: operation.worksReadOnly === true });
}

async function refuse(store: Store, caller: Caller, operation: Operation, now: number): Promise<void> {
  const { access, action, recentSignInFor, refusesBlocked, writesPages } = operation;
  refuseToken(caller.apiToken, operation);
  await refuseUnless[access](store, caller.actor, action);
  if (recentSignInFor !== undefined && !caller.isCommandLine)
    refuseUnlessRecent(caller.signedIn?.claims.signedInAt, now, recentSignInFor);
  if (refusesBlocked) refuseBlocked(caller.actor);
  if (writesPages) refuseUnlessWriter(caller.actor);
}

/** Refusals by access. `action`: the verb that a sentence completes. */
const refuseUnless: Record<Access, (store: Store, actor: Actor, action: string) => unknown> = {
  unidentified: () => undefined,
  anyone: () => undefined,
  member: refuseAnonymous,
  self: refuseAnonymous,
  moderator: getModerator,
  administrator: getAdministrator,
};

function refuseAnonymous(_store: Store, actor: Actor, action: string): void {
  if (!actor)
    throw new Problem('unauthenticated', `Sign in to ${action}.`, { onSite: say('problem.signInToDoThis') });
}

async function portsOf(
  { store, services }: Wiki,
  caller: Caller | 'command line',
  names: readonly (keyof Ports)[],
): Promise<Partial<Ports>> {
  const ports: Record<string, unknown> = {};
  for (const name of names) {
    if (name === 'reader') ports[name] = readerOf(store, caller);
    else if (name === 'store') ports[name] = store;
    else if (name in services) ports[name] = await services[name as keyof Services]();
    else ports[name] = store[name as keyof Store];
  }
  return ports;
}

/** Within a transaction, a reader that sees what that has written. */
function readerOf(store: Store, caller: Caller | 'command line'): Reader {
  if (caller === 'command line') return store.readAsSystem();
  return caller.reader && !store.isTransaction ? caller.reader : store.readAs(caller.actor);
}
