/**
 * Records what a response was made from: dependencies, readers who may share it, expiry, and pages that it names. The store's
 * read methods record it, and the response cache reads it. Anything not recorded counts as the worst case, so an omission costs
 * speed but never correctness.
 */
import type { Dependency } from './dependency.ts';

/** Readers who may share a response: everyone (0) or all members (1). Undefined: only the one reader. */
export type SharedWith = 0 | 1 | undefined;

/** A trace as plain data, stored with the value that was computed. */
export interface RecordedTrace {
  /** Undefined: depends on everything. */
  dependencies: readonly Dependency[] | undefined;
  sharedWith: SharedWith;
  shows: readonly number[];
}

export class ReadTrace {
  readonly #dependencies = new Set<Dependency>();
  readonly #subjects = new Set<number>();
  readonly #shows = new Set<number>();
  #hasRecorded = false;
  #dependsOnAnything = false;
  #sharedWith: SharedWith = 0;
  #maxAgeMs: number | undefined;
  /** Whether the response is valid only now, so that it must not be cached here. */
  isTimeDependent = false;
  /** Whether the response depends on the time in a way that forbids all caching, here and on the way to the client. */
  isUncacheable = false;

  /**
   * Undefined if the response depends on everything, as when nothing was recorded. Members' names are not recorded; changing
   * one invalidates everything.
   */
  get dependencies(): readonly Dependency[] | undefined {
    return this.#dependsOnAnything || !this.#hasRecorded ? undefined : [...this.#dependencies];
  }

  get sharedWith(): SharedWith {
    return this.#hasRecorded ? this.#sharedWith : undefined;
  }

  /** Milliseconds for which the response stays fresh if nothing is written; undefined for the route's default. */
  get maxAgeMs(): number | undefined {
    return this.#maxAgeMs;
  }

  /**
   * IDs of the pages that the response names, its subjects first, so that a header of limited length keeps them. Sorted,
   * because concurrent reads finish in any order.
   */
  get shows(): readonly number[] {
    const sorted = (ids: Set<number>) => [...ids].sort((a, b) => a - b);
    return [...new Set([...sorted(this.#subjects), ...sorted(this.#shows)])];
  }

  /** Records a read that depends only on these and whose result these readers may share. */
  record(dependencies: Iterable<Dependency> | 'anything', sharedWith: SharedWith): void {
    this.#hasRecorded = true;
    if (dependencies === 'anything') this.#dependsOnAnything = true;
    else for (const dependency of dependencies) this.#dependencies.add(dependency);
    this.#sharedWith = intersect(this.#sharedWith, sharedWith);
  }

  /** Records a page that was requested itself, as opposed to one found in a list. */
  showSubject({ id }: { id: number }): void {
    this.#subjects.add(id);
  }

  show(pages: Iterable<{ id: number }>): void {
    for (const { id } of pages) this.#shows.add(id);
  }

  /** Limits the time for which the response is fresh. */
  expireIn(ms: number): void {
    this.#maxAgeMs = Math.min(ms, this.#maxAgeMs ?? ms);
  }

  /** Records again what an earlier, identical read recorded. */
  replay({ dependencies, sharedWith, shows }: RecordedTrace): void {
    this.record(dependencies ?? 'anything', sharedWith);
    for (const id of shows) this.#shows.add(id);
  }
}

/** Readers who may share a response made from both parts. */
function intersect(a: SharedWith, b: SharedWith): SharedWith {
  return a === undefined || b === undefined ? undefined : a === 0 ? b : a;
}
