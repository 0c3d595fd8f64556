/**
 * Dependencies that each commit invalidated (`cache/dependency.ts`), for caches whose entries depend on few of them. A
 * commit of this process that recorded none invalidates everything. Commit numbers are private to this process.
 */
import type { Subject } from './dependency.ts';

/** Beyond so many the older half is forgotten: what was made before these were told counts as concerned. */
const maxSubjects = 100_000;

export class Touched {
  /** Commits so far. */
  commits = 0;
  #lastOfAll = 0;
  #lastOf = new Map<Subject, number>();
  /** The half that is next to be forgotten, and the last commit that is in it. */
  #before = new Map<Subject, number>();
  #lastBefore = 0;
  #subjects = new Set<Subject>();
  #isAll = false;
  #isTold = false;

  /** Before each transaction's work: they come one after the other, several to a commit. */
  begin(): void {
    this.#isTold = false;
  }

  tell(subjects: readonly Subject[] | 'all'): void {
    this.#isTold = true;
    if (subjects === 'all') this.#isAll = true;
    else for (const subject of subjects) this.#subjects.add(subject);
  }

  /** After its work: one that told nothing may have written anything. */
  end(): void {
    if (!this.#isTold) this.#isAll = true;
  }

  /** Dependencies recorded since the last commit. */
  told(): ReadonlySet<Subject> | 'all' {
    return this.#isAll ? 'all' : this.#subjects;
  }

  /** In the same turn as the commit itself, so that nobody sees the one without the other. */
  commit(): void {
    this.learn(this.told());
    this.rollback();
  }

  /** Records a commit by others. */
  learn(subjects: Iterable<Subject> | 'all'): void {
    this.commits++;
    if (subjects === 'all') {
      this.#lastOfAll = this.commits;
      this.#lastOf.clear();
      this.#before.clear();
      return;
    }
    for (const subject of subjects) this.#lastOf.set(subject, this.commits);
    if (this.#lastOf.size > maxSubjects / 2) {
      this.#lastOfAll = Math.max(this.#lastOfAll, this.#lastBefore);
      [this.#before, this.#lastBefore] = [this.#lastOf, this.commits];
      this.#lastOf = new Map();
    }
  }

  rollback(): void {
    this.#subjects.clear();
    this.#isAll = false;
  }

  /** Whether none of the commits after that one concerned any of the subjects. */
  isUnchangedSince(commit: number, subjects: readonly Subject[]): boolean {
    if (commit < this.#lastOfAll) return false;
    const last = (subject: Subject) => this.#lastOf.get(subject) ?? this.#before.get(subject) ?? 0;
    return subjects.every((subject) => last(subject) <= commit);
  }
}
