/**
 * Report of an import: totals and outcomes. Counts are complete; lists are truncated to a readable length and say how many
 * entries are missing.
 */
import type { Comparison } from './comparison/comparer.ts';
import type { GoneEntry } from './prune.ts';
import type { Approximation, LinkOutcome, Omission } from './source.ts';

export interface Numbers {
  pages: number;
  revisions: number;
  authors: number;
  files: number;
  /** Links to pages in the current texts, with repetitions. */
  links: number;
  redirects: number;
}

export interface Certificate {
  kind: string;
  /** Observation by which the kind was recognised, as the end of a sentence; absent if the kind was given. */
  recognisedBy?: string;
  source: string;
  /** Name under which the pages are recorded: a later run with it continues this import. */
  origin?: string;
  /** Names of earlier imports that may have read the same source, in a dry run: the import needs a name to go on. */
  unclear?: readonly string[];
  parent: string;
  isDryRun: boolean;
  startedAt: string;
  finishedAt: string;
  /** In the result, `links` counts links to existing pages. */
  numbers: { source: Numbers; result: Numbers };
  pages: {
    created: number;
    changed: number;
    unchanged: number;
    /** How many of the created ones have no text in the source, such as folders: they list the pages beneath them. Absent for none. */
    parents?: number;
  };
  /** Pages edited in the wiki since the last run, and whether both texts were merged. */
  edited: { path: string; outcome: 'merged' | 'kept' | 'overwritten' }[];
  /** Pages of an earlier run that the source does not have any more, or has elsewhere. */
  gone: { total: number; list: GoneEntry[]; more: number };
  /** Pages whose path was taken by another page. */
  collisions: { title: string; wanted: string; path: string }[];
  /** `dead`: links that are broken in the source as well. `lost`: links that work in the source but not here. */
  links: {
    resolved: number;
    dead: number;
    lost: number;
    list: (LinkOutcome & { count: number; isLost?: true })[];
    more: number;
  };
  approximated: {
    total: number;
    byConstruct: Record<string, number>;
    list: (Approximation & { page: string })[];
    more: number;
  };
  leftOut: { total: number; list: Omission[]; more: number };
  /** Differences between the written pages, as readers see them, and their sources. */
  comparison?: Comparison;
}

const most = { links: 50_000, approximated: 10_000, leftOut: 10_000, gone: 10_000 };

/** Builds a certificate in bounded memory. */
export class Ledger {
  readonly source: Numbers = noNumbers();
  readonly result: Numbers = noNumbers();
  readonly pages: Certificate['pages'] = { created: 0, changed: 0, unchanged: 0 };
  readonly edited: Certificate['edited'] = [];
  gone: readonly GoneEntry[] = [];
  readonly #links = new Map<string, LinkOutcome & { count: number }>();
  #moreLinks = 0;
  #resolved = 0;
  #dead = 0;
  readonly #approximated: Certificate['approximated']['list'] = [];
  readonly #byConstruct = new Map<string, number>();
  readonly #leftOut: Omission[] = [];
  #leftOutTotal = 0;
  #hasRefusal = false;

  addLinks(outcomes: readonly LinkOutcome[]): void {
    for (const outcome of outcomes) {
      this.source.links++;
      if (outcome.new === null) this.#dead++;
      else this.#resolved++;
      const key = `${outcome.old}\0${outcome.new ?? ''}`;
      const known = this.#links.get(key);
      if (known) known.count++;
      else if (this.#links.size < most.links) this.#links.set(key, { ...outcome, count: 1 });
      else this.#moreLinks++;
    }
  }

  addApproximations(page: string, some: readonly Approximation[]): void {
    for (const one of some) {
      this.#byConstruct.set(one.construct, (this.#byConstruct.get(one.construct) ?? 0) + 1);
      if (this.#approximated.length < most.approximated) this.#approximated.push({ page, ...one });
    }
  }

  leaveOut(omission: Omission): void {
    this.#leftOutTotal++;
    this.#hasRefusal ||= omission.isRefusal ?? false;
    if (this.#leftOut.length < most.leftOut) this.#leftOut.push(omission);
  }

  get hasRefusal(): boolean {
    return this.#hasRefusal;
  }

  /** Paths of link targets, without fragments, to check that they exist. */
  targets(): string[] {
    const paths = [...this.#links.values()].flatMap((link) =>
      link.new === null || link.isFile ? [] : [pathOf(link.new)],
    );
    return [...new Set(paths)];
  }

  /** `lost`: paths of link targets that do not exist. */
  certificate(
    head: Pick<
      Certificate,
      | 'kind'
      | 'source'
      | 'origin'
      | 'unclear'
      | 'parent'
      | 'isDryRun'
      | 'startedAt'
      | 'finishedAt'
      | 'collisions'
    >,
    lost: ReadonlySet<string>,
  ): Certificate {
    const links = [...this.#links.values()];
    const isLost = (link: LinkOutcome) => link.new !== null && !link.isFile && lost.has(pathOf(link.new));
    const list = links.map((link) => (isLost(link) ? { ...link, isLost: true as const } : link));
    const lostCount = links.filter(isLost).reduce((sum, { count }) => sum + count, 0);
    const total = [...this.#byConstruct.values()].reduce((sum, count) => sum + count, 0);
    this.result.links = this.#resolved - lostCount;
    return {
      ...head,
      numbers: { source: this.source, result: this.result },
      pages: this.pages,
      edited: this.edited,
      gone: {
        total: this.gone.length,
        list: this.gone.slice(0, most.gone),
        more: Math.max(0, this.gone.length - most.gone),
      },
      links: {
        resolved: this.result.links,
        dead: this.#dead,
        lost: lostCount,
        list,
        more: this.#moreLinks,
      },
      approximated: {
        total,
        byConstruct: Object.fromEntries(this.#byConstruct),
        list: this.#approximated,
        more: total - this.#approximated.length,
      },
      leftOut: {
        total: this.#leftOutTotal,
        list: this.#leftOut,
        more: this.#leftOutTotal - this.#leftOut.length,
      },
    };
  }
}

function pathOf(target: string): string {
  const hash = target.indexOf('#');
  return hash < 0 ? target : target.slice(0, hash);
}

function noNumbers(): Numbers {
  return { pages: 0, revisions: 0, authors: 0, files: 0, links: 0, redirects: 0 };
}
