/** Groups as the command line makes them, for tests that have a store and no server. */
import type { Store } from '#core/ports/store.ts';
import * as operations from '#src/features/groups/operations.ts';
import { carryOver } from './operations.ts';

export function addGroup(store: Store, name: string, now: number) {
  return carryOver(store, now)(operations.createGroup, { name });
}

export function addToGroup(store: Store, id: number, memberId: number, now: number): Promise<void> {
  return carryOver(store, now)(operations.addToGroup, { id, memberId });
}

export function removeFromGroup(store: Store, id: number, memberId: number): Promise<void> {
  return carryOver(store)(operations.removeFromGroup, { id, memberId });
}
