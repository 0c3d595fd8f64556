/**
 * Creates many pages in one transaction with shared statements, with the same result as repeated calls of `createPage`. Pages
 * that need more work (files, aliases, a moved parent, a refusal) are passed to `createPage`.
 */

import type { Dialect } from '@coppice/wikitext/dialect';
import { derive } from '../content/derive.ts';
import type { DerivedContent } from '../model/derived.ts';
import type { PagePlace } from '../model/page.ts';
import { defaultsBeneath } from '../model/page-group.ts';
import { checkInput, type PageInput } from '../model/page-input.ts';
import { readPath } from '../model/path.ts';
import { type Actor, defaultPermissionsIn, may, type Wiki } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Files } from '../ports/file-store.ts';
import type { NewPage, Store, Transaction } from '../ports/store.ts';
import { createPage, firstContent } from './create-page.ts';
import { declaredAliases } from './declared-aliases.ts';
import { accessFacts, placeBeneath, stateOf } from './page-state.ts';
import { refusingAbove } from './protection.ts';

/** A page to create. `plain` is missing if only `createPage` can determine its content. */
export interface Draft {
  input: PageInput;
  plain?: { content: ReturnType<typeof firstContent>; derived: DerivedContent };
}

/**
 * Reads the input and derives its content. Uses no store, so it can run on another thread. `plain` is missing for input that
 * only `createPage` can read.
 */
export function draftOf(input: PageInput, dialect: Dialect): Draft {
  // A private wiki changes the permissions when it writes the page.
  const content = plainContent(input, { isPrivate: false });
  return content ? { input, plain: { content, derived: derive(content, dialect) } } : { input };
}

/**
 * Returns for each draft, in order, the data derived from its content, or why it was refused. Parents come before their
 * children.
 */
export async function createPages(
  { store, files, actor, now }: { store: Store; files: Files; actor: NonNullable<Actor>; now: number },
  drafts: Draft[],
): Promise<(DerivedContent | Problem)[]> {
  let created = new Set<Draft>();
  try {
    created = await store.transact((store) => insertPlain(store, actor, drafts, now));
  } catch (error) {
    // Another transaction took one of the paths; creating the pages one by one shows which.
    if (!(error instanceof Problem) || error.code !== 'path-taken') throw error;
  }
  const ends: (DerivedContent | Problem)[] = [];
  for (const draft of drafts) {
    const derived = created.has(draft) ? draft.plain?.derived : undefined;
    ends.push(derived ?? (await createOne({ store, files, actor, now }, draft.input)));
  }
  return ends;
}

/** Returns undefined if only `createPage` can determine the content. */
function plainContent(input: PageInput, wiki: Wiki): ReturnType<typeof firstContent> | undefined {
  if (input.files?.length || typeof input.parent === 'number') return undefined;
  const { group, defaults, translationOf } = input;
  if ([group, defaults, translationOf].some((given) => given !== undefined)) return undefined;
  const read = input.parent ? readPath(input.parent) : undefined;
  if (read && 'problem' in read) return undefined;
  try {
    const checked = checkInput(input);
    const { title } = checked.given;
    const content =
      title === undefined
        ? undefined
        : firstContent({ title, format: 'wikitext', wiki }, checked, read ?? null);
    return content && declaredAliases(content).size === 0 ? content : undefined;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

async function insertPlain(
  store: Transaction,
  actor: NonNullable<Actor>,
  drafts: Draft[],
  now: number,
): Promise<Set<Draft>> {
  const contents = drafts.flatMap(({ plain }) => (plain ? [plain.content] : []));
  const paths = contents.flatMap(({ path, parent }) => (parent === null ? [path] : [path, parent]));
  const existing = await store.pages.lockByPaths([...new Set(paths)], 'share');
  const places = new Map<string, PagePlace>(existing.map((place) => [place.path, place]));
  const above = (await store.pages.haveDefaults()) ? existing.flatMap(({ id, trail }) => [...trail, id]) : [];
  // Defaults of ancestors are only handled by `createPage`.
  const defaults = await store.pages.defaultsOf([...new Set(above)]);
  const guarding = { ids: existing.flatMap(({ id, trail }) => [...trail, id]), paths };
  // Only `createPage` judges each place by itself.
  const isLimited =
    actor.within !== undefined ||
    actor.role === 'guest' ||
    (await refusingAbove(store, actor, guarding, now)).length > 0;
  if (isLimited) return new Set();
  const ids = await store.pages.reserveIds(contents.length);
  const pages: NewPage[] = [];
  const created = new Set<Draft>();
  for (const draft of drafts) {
    if (!draft.plain) continue;
    const { derived } = draft.plain;
    const { content: plain } = draft.plain;
    const parent = plain.parent === null ? null : places.get(plain.parent);
    const { input } = draft;
    const content = {
      ...plain,
      ...(input.permissions === undefined ? { permissions: defaultPermissionsIn(store) } : {}),
      ...(input.language === undefined ? { language: parent?.language ?? null } : {}),
    };
    if (parent === undefined || places.has(content.path) || (parent && !may(actor, 'read', parent, store)))
      continue;
    if (!fitsBeneath(parent)) continue;
    if (parent && defaultsBeneath(parent, defaults)) continue;
    const id = ids[pages.length] as number;
    const facts = await accessFacts(store, content, parent);
    const { state } = stateOf(content, { parent, ownerId: actor.memberId }, derived, facts);
    places.set(content.path, { ...state, id });
    pages.push({
      id,
      state,
      changes: [{ at: now, editorId: actor.memberId, content }],
      derived: derived.derived,
    });
    created.add(draft);
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

async function createOne(...[by, input]: Parameters<typeof createPage>): Promise<DerivedContent | Problem> {
  try {
    return await by.store.derive((await createPage(by, input)).content);
  } catch (error) {
    if (error instanceof Problem && error.code !== 'unavailable') return error;
    throw error;
  }
}
