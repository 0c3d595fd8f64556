/** Files that a change attached, replaced or removed, derived from the names in it and in the change before it. */
import type { AttachedFile, Change, Content, FileChanges } from '../model/page.ts';
import type { Reader } from '../ports/reader.ts';

/** Maximum number of each kind in `fileChanges`. */
const maxFiles = 1000;

type Stated = Pick<Content, 'files'>;

/** Files that came, went or were replaced between two states of a page. */
export async function fileChanges(
  reader: Reader,
  before: Stated | undefined,
  after: Stated,
): Promise<FileChanges> {
  const { removed, added } = namesChanged(before, after);
  const names = [...removed.slice(0, maxFiles), ...added.slice(0, maxFiles)];
  return grouped(await reader.files.named(names), new Set(added));
}

/**
 * The same for many changes, by ID, in one statement: at most `limit` files are looked up for each change, and `count` gives
 * their total. `before`: null for the first change; changes without a known predecessor are left out.
 */
export async function listFileChanges(
  reader: Reader,
  changes: { change: Change; before: Change | null | undefined }[],
  limit: number,
): Promise<Map<number, FileChanges & { count: number }>> {
  const comparable = changes.flatMap(({ change, before }) =>
    before === undefined ? [] : [{ id: change.id, ...namesChanged(before?.content, change.content) }],
  );
  const shown = ({ removed, added }: { removed: string[]; added: string[] }) => [
    ...added.slice(0, limit),
    ...removed.slice(0, limit),
  ];
  const files = new Map(
    (await reader.files.named([...new Set(comparable.flatMap(shown))])).map((file) => [file.name, file]),
  );
  return new Map(
    comparable.map((one) => {
      const found = shown(one).flatMap((name) => files.get(name) ?? []);
      const changes = grouped(found, new Set(one.added));
      const count = Math.max(one.added.length, one.removed.length);
      return [one.id, { ...changes, count }];
    }),
  );
}

function namesChanged(before: Stated | undefined, after: Stated): { removed: string[]; added: string[] } {
  const [was, is] = [new Set(before?.files), new Set(after.files)];
  return { removed: [...was.difference(is)], added: [...is.difference(was)] };
}

function grouped(files: AttachedFile[], added: ReadonlySet<string>): FileChanges {
  const newer = new Map(files.filter(({ name }) => added.has(name)).map((file) => [file.filename, file]));
  const older = files.filter(({ name }) => !added.has(name));
  const replaced = older.flatMap((before) => {
    const after = newer.get(before.filename);
    return after ? [{ before, after }] : [];
  });
  for (const { after } of replaced) newer.delete(after.filename);
  const kept = new Set(replaced.map(({ before }) => before));
  return { attached: [...newer.values()], replaced, taken: older.filter((file) => !kept.has(file)) };
}
