/**
 * Record of what a response was made from: dependencies, readers who may share it, until when it is fresh, pages that it shows.
 * The store's read methods record it, and the response cache reads it. Whatever is not recorded counts as the worst:
 * forgetting costs time, never truth.
 */
import type { Dependency } from './dependency.ts';

/** Readers who may share a response: everyone (0) or all members (1). Undefined: it is for one reader alone. */
export type SharedWith = 0 | 1 | undefined;

/** A trace as plain data, to be kept beside what was made from it. */
export interface RecordedTrace {
  /** Undefined: anything. */
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
  /** The response is true at this moment only: it must not be cached here. */
  isTimeDependent = false;
  /** It would have been another response on another day: no cache may have it, neither ours nor one on the way. */
  isUncacheable = false;

  /** Undefined: anything, as where nothing was recorded. Members' names are never recorded: they invalidate everything. */
  get dependencies(): readonly Dependency[] | undefined {
    return this.#dependsOnAnything || !this.#hasRecorded ? undefined : [...this.#dependencies];
  }

  get sharedWith(): SharedWith {
    return this.#hasRecorded ? this.#sharedWith : undefined;
  }

  /** For how long the response stays fresh if nothing is written; undefined: as its route says. */
  get maxAgeMs(): number | undefined {
    return this.#maxAgeMs;
  }

  /**
   * IDs of the pages that the response names: its subjects before the others, so that a bounded header keeps them. Sorted, as reads that
   * run side by side end in any order.
   */
  get shows(): readonly number[] {
    const sorted = (ids: Set<number>) => [...ids].sort((a, b) => a - b);
    return [...new Set([...sorted(this.#subjects), ...sorted(this.#shows)])];
  }

  /** A read that depends on these alone and whose result these readers share. */
  record(dependencies: Iterable<Dependency> | 'anything', sharedWith: SharedWith): void {
    this.#hasRecorded = true;
    if (dependencies === 'anything') this.#dependsOnAnything = true;
    else for (const dependency of dependencies) this.#dependencies.add(dependency);
    this.#sharedWith = intersect(this.#sharedWith, sharedWith);
  }

  /** A page that was asked for itself, not found in a list. */
  showSubject({ id }: { id: number }): void {
    this.#subjects.add(id);
  }

  show(pages: Iterable<{ id: number }>): void {
    for (const { id } of pages) this.#shows.add(id);
  }

  /** At most for so long. */
  expireIn(ms: number): void {
    this.#maxAgeMs = Math.min(ms, this.#maxAgeMs ?? ms);
  }

  /** Records again what was recorded when the same was read before. */
  replay({ dependencies, sharedWith, shows }: RecordedTrace): void {
    this.record(dependencies ?? 'anything', sharedWith);
    for (const id of shows) this.#shows.add(id);
  }
}

/** Readers who may share what is made of both parts. */
function intersect(a: SharedWith, b: SharedWith): SharedWith {
  return a === undefined || b === undefined ? undefined : a === 0 ? b : a;
}
