/**
 * Creates many pages in one transaction, with statements for all of them: what `createPage` would do one after the other.
 * Pages of which there is more to say (files, a parent that moved, a reason to refuse) are left to it.
 */
import type { Files } from './attach-files.ts';
import { createPage, firstContent } from './create-page.ts';
import { derive } from './derive.ts';
import type { Content } from './page.ts';
import { checkInput, type PageInput } from './page-input.ts';
import { placeBeneath, stateOf } from './page-state.ts';
import { readPath } from './path.ts';
import { type Actor, may } from './permission.ts';
import { Problem } from './problem.ts';
import type { NewPage, PagePlace, Store } from './store.ts';

export type DerivedContent = ReturnType<typeof derive>;

export interface CreatingMany {
  /** Where it is done in another thread. */
  derive?: (contents: Content[]) => Promise<DerivedContent[]>;
  /** What must have ended before the transaction begins: those that create the parents. */
  after?: Promise<unknown>;
}

/** For each input, in their order, what follows from its content or why it was refused. Parents stand before their children. */
export async function createPages(
  store: Store,
  files: Files,
  actor: NonNullable<Actor>,
  inputs: PageInput[],
  now: number,
  { derive: deriveAll = async (contents) => contents.map(derive), after }: CreatingMany = {},
): Promise<(DerivedContent | Problem)[]> {
  const contents = inputs.map(plainContent);
  const derived = new Map<Content, DerivedContent>();
  const plain = contents.filter((content) => content !== undefined);
  for (const [i, one] of (await deriveAll(plain)).entries()) derived.set(plain[i] as Content, one);
  await after;

  let created = new Set<Content>();
  try {
    created = await store.transact((store) => insertPlain(store, actor, derived, now));
  } catch (error) {
    // Somebody else took one of the paths meanwhile: one by one it shows which.
    if (!(error instanceof Problem) || error.code !== 'path-taken') throw error;
  }
  const ends: (DerivedContent | Problem)[] = [];
  for (const [i, input] of inputs.entries()) {
    const content = contents[i];
    const isCreated = content !== undefined && created.has(content);
    const one = isCreated ? derived.get(content) : undefined;
    ends.push(one ?? (await createOne(store, files, actor, input, now)));
  }
  return ends;
}

/** Undefined if only `createPage` can tell. */
function plainContent(input: PageInput): Content | undefined {
  if (input.files?.length || typeof input.parent === 'number') return undefined;
  const read = input.parent ? readPath(input.parent) : undefined;
  if (read && 'problem' in read) return undefined;
  try {
    const checked = checkInput(input);
    const { title } = checked.given;
    return title === undefined ? undefined : firstContent(title, checked, read ?? null, 'wikitext');
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

async function insertPlain(
  store: Store,
  actor: NonNullable<Actor>,
  derived: Map<Content, DerivedContent>,
  now: number,
): Promise<Set<Content>> {
  const paths = [...derived.keys()].flatMap(({ path, parent }) =>
    parent === null ? [path] : [path, parent],
  );
  const there = await store.pages.lockByPaths([...new Set(paths)], 'share');
  const places = new Map<string, PagePlace>(there.map((place) => [place.path, place]));
  const ids = await store.pages.reserveIds(derived.size);
  const pages: NewPage[] = [];
  const created = new Set<Content>();
  for (const [content, one] of derived) {
    const parent = content.parent === null ? null : places.get(content.parent);
    if (parent === undefined || places.has(content.path) || (parent && !may(actor, 'read', parent))) continue;
    if (!fitsBeneath(parent)) continue;
    const id = ids[pages.length] as number;
    const { state } = stateOf(content, parent, actor.memberId, one);
    places.set(content.path, { ...state, id });
    pages.push({
      id,
      state,
      changes: [{ at: now, editorId: actor.memberId, content }],
      derived: one.derived,
    });
    created.add(content);
  }
  await store.pages.insertMany(pages);
  return created;
}

function fitsBeneath(parent: PagePlace | null): boolean {
  try {
    placeBeneath(parent);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

async function createOne(
  ...[store, files, actor, input, now]: Parameters<typeof createPage>
): Promise<DerivedContent | Problem> {
  try {
    return derive((await createPage(store, files, actor, input, now)).content);
  } catch (error) {
    if (error instanceof Problem && error.code !== 'unavailable') return error;
    throw error;
  }
}
