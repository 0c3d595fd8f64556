/** A page of an export in JSON lines while it is being written. */
import { hash } from 'node:crypto';
import type { Change, PastContent } from '#core/model/page.ts';
import type { PageRow } from '#core/ports/reader.ts';
import type { NewPage, Store, Transaction } from '#core/ports/store.ts';
import type { KnownPage } from './outline.ts';
import type { LineOf } from './records.ts';

const readAtOnce = 100;

export interface Draft {
  page: KnownPage;
  line: LineOf<'page'>;
  /** Existing changes, oldest first: ID and fingerprint. */
  earlier: { id: number; mark: string }[];
  /** Names of files in these changes. */
  names: ReadonlySet<string>;
  /** Number of changes read from the file. */
  changesRead: number;
  waiting: Waiting[];
  bytes: number;
  files: ReadonlySet<string>;
  last: PastContent | undefined;
  /** Whether the existing page differs from the file. */
  isOther: boolean;
  isBegun: boolean;
  hasNewChanges: boolean;
}

export interface Waiting {
  line: LineOf<'change'>;
  editorId: number;
  content: PastContent;
}

/** Positions by ID, and by path for parents that are not in the file. */
export async function placesOf(
  store: Transaction,
  drafts: Draft[],
  idOf: (id: number | null) => number,
): Promise<Map<number | string, Place>> {
  const parents = drafts.map(({ page }) => idOf(page.parentId)).filter((id) => id > 0);
  const paths = drafts.flatMap(({ page, waiting }) =>
    page.parentId !== null && idOf(page.parentId) === 0 ? (waiting.at(-1)?.content.parent ?? []) : [],
  );
  const [byId, byPath] = [
    await store.pages.lockByIds([...new Set(parents)], 'share'),
    await store.pages.lockByPaths([...new Set(paths)], 'share'),
  ];
  return new Map<number | string, Place>([
    ...byId.map((place) => [place.id, place] as const),
    ...byPath.map((place) => [place.path, place] as const),
  ]);
}

type Place = Awaited<ReturnType<Transaction['pages']['lockByIds']>>[number];

export function changesIn({ waiting }: Draft, ids: ReadonlyMap<number, number>): NewPage['changes'] {
  return waiting.map(({ line, editorId, content }) => ({
    id: ids.get(line.id) ?? line.id,
    at: Date.parse(line.at),
    editorId,
    content,
  }));
}

/** The changes that a page has here, oldest first, and the names of files in them. */
export async function changesHere(
  store: Store,
  page: PageRow | undefined,
): Promise<Pick<Draft, 'earlier' | 'names'>> {
  const earlier: Draft['earlier'] = [];
  const names = new Set<string>();
  if (!page) return { earlier, names };
  const { changes } = store.readAsSystem();
  for (let after: Change | null = null; ; ) {
    const some: Change[] = await changes.listOfPages([page], after, readAtOnce);
    for (const { id, at, content } of some) {
      earlier.push({ id, mark: markOf(at, content) });
      for (const name of content.files ?? []) names.add(name);
    }
    after = some.at(-1) ?? null;
    if (!after) return { earlier, names };
  }
}

/** Fingerprint that is equal for equal changes. */
export function markOf(at: number, { title, msg, body }: PastContent): string {
  return hash('sha256', JSON.stringify([at, title, msg, body]));
}
