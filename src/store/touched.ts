/**
 * Which pages each commit of this process concerned, for those who keep what they made from a few pages. What is not told
 * to concern pages alone concerns everything. Numbers of commits are this process's own.
 */

/** Beyond so many pages it is forgotten which they were: all that was made before counts as concerned. */
const maxPages = 50_000;

export class Touched {
  /** Commits so far. */
  commits = 0;
  #lastOfAll = 0;
  #lastOf = new Map<number, number>();
  #pages = new Set<number>();
  #isAll = false;
  #isTold = false;

  /** Before each transaction's work: they come one after the other, several to a commit. */
  begin(): void {
    this.#isTold = false;
  }

  tell(pages: readonly number[] | 'all'): void {
    this.#isTold = true;
    if (pages === 'all') this.#isAll = true;
    else for (const id of pages) this.#pages.add(id);
  }

  /** After its work: one that told nothing may have written anything. */
  end(): void {
    if (!this.#isTold) this.#isAll = true;
  }

  /** In the same turn as the commit itself, so that nobody sees the one without the other. */
  commit(): void {
    this.commits++;
    for (const id of this.#pages) this.#lastOf.set(id, this.commits);
    if (this.#isAll || this.#lastOf.size > maxPages) {
      this.#lastOfAll = this.commits;
      this.#lastOf.clear();
    }
    this.rollback();
  }

  rollback(): void {
    this.#pages.clear();
    this.#isAll = false;
  }

  /** Whether none of the commits after that one concerned any of the pages. */
  isUnchangedSince(commit: number, pages: readonly number[]): boolean {
    return commit >= this.#lastOfAll && pages.every((id) => (this.#lastOf.get(id) ?? 0) <= commit);
  }
}
