/** Comparison of imported pages with their sources: what it is given, and its outcome. */
import type { Actor } from '#core/model/permission.ts';
import type { LinkOutcome } from '../source.ts';
import type { Difference } from './difference.ts';
import type { SourceText } from './source-text.ts';

/** A page that has been written. */
export interface ExpectedPage {
  path: string;
  source: SourceText;
  links: LinkOutcome[];
}

export interface PageDifference extends Partial<Difference> {
  page: string;
  /** Links that lead to a page or file in the source, and why they do not here; the first ones. */
  links?: { old: string; new: string; why: string }[];
}

export interface Comparison {
  /** Pages that were compared with their source. */
  pages: number;
  differing: number;
  /** Number of pages for each kind of difference. */
  byKind: Record<string, number>;
  list: PageDifference[];
  /** Number of pages that differ and are not listed. */
  more: number;
  /** Sentence about why the comparison stopped; then the other fields are empty. */
  failed?: string;
}

export interface Comparer extends AsyncDisposable {
  /** Resolves when more pages may be added. */
  add(pages: ExpectedPage[]): Promise<void>;
  finish(): Promise<Comparison>;
}

export interface ComparisonOptions {
  /** Links are followed as this member. */
  actor: NonNullable<Actor>;
  /** Time of the import. */
  now: number;
  /** Number of pages of the import. */
  pages: number;
}

export type CreateComparer = (options: ComparisonOptions) => Comparer;
