/**
 * Dependencies that each commit invalidated (`cache/dependency.ts`), for caches whose entries depend on few of them. A
 * commit of this process that recorded none invalidates everything. Commit numbers are private to this process.
 */
import type { Dependency } from './dependency.ts';

/** Beyond so many the older half is forgotten: what was made before it counts as invalidated. */
const maxDependencies = 100_000;

export class ChangeLog {
  /** Commits so far. */
  commits: number;
  /** Called for each commit with what it invalidated. */
  listener: ((dependencies: Iterable<Dependency> | 'all') => void) | undefined;
  #lastOfAll = 0;
  #lastOf = new Map<Dependency, number>();
  /** The half that is next to be forgotten, and the last commit that is in it. */
  #before = new Map<Dependency, number>();
  #lastBefore = 0;
  #dependencies = new Set<Dependency>();
  #isAll = false;
  #hasInvalidated = false;

  /** `commits`: those of an earlier log. What was made before them counts as invalidated once a commit is recorded. */
  constructor(commits = 0) {
    this.commits = commits;
  }

  /** Before each transaction's work: they come one after the other, several to a commit. */
  begin(): void {
    this.#hasInvalidated = false;
  }

  invalidate(dependencies: readonly Dependency[] | 'all'): void {
    this.#hasInvalidated = true;
    if (dependencies === 'all') this.#isAll = true;
    else for (const dependency of dependencies) this.#dependencies.add(dependency);
  }

  /** After its work: a transaction that invalidated nothing may have written anything. */
  end(): void {
    if (!this.#hasInvalidated) this.#isAll = true;
  }

  /** Dependencies recorded since the last commit. */
  invalidated(): ReadonlySet<Dependency> | 'all' {
    return this.#isAll ? 'all' : this.#dependencies;
  }

  /** In the same turn as the commit itself, so that nobody sees the one without the other. */
  commit(): void {
    this.learn(this.invalidated());
    this.rollback();
  }

  /** Records a commit by others. */
  learn(dependencies: Iterable<Dependency> | 'all'): void {
    this.commits++;
    this.listener?.(dependencies);
    if (dependencies === 'all') {
      this.#lastOfAll = this.commits;
      this.#lastOf.clear();
      this.#before.clear();
      return;
    }
    for (const dependency of dependencies) this.#lastOf.set(dependency, this.commits);
    if (this.#lastOf.size > maxDependencies / 2) {
      this.#lastOfAll = Math.max(this.#lastOfAll, this.#lastBefore);
      [this.#before, this.#lastBefore] = [this.#lastOf, this.commits];
      this.#lastOf = new Map();
    }
  }

  rollback(): void {
    this.#dependencies.clear();
    this.#isAll = false;
  }

  /** Whether none of the commits after that one invalidated any of the dependencies. */
  isUnchangedSince(commit: number, dependencies: readonly Dependency[]): boolean {
    if (commit < this.#lastOfAll) return false;
    const last = (dependency: Dependency) =>
      this.#lastOf.get(dependency) ?? this.#before.get(dependency) ?? 0;
    return dependencies.every((dependency) => last(dependency) <= commit);
  }
}
