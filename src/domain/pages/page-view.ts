/** One reader's view of one page: the page, its markup, what they may do. */
import type { Section } from '@coppice/wikitext';
import { type Dependency, factsOf } from '#cache/dependency.ts';
import { asWritten, type ReadText } from '../content/language.ts';
import { shownBody } from '../content/module-body.ts';
import { type Renderer, renderBody } from '../content/render.ts';
import {
  type Actor,
  actorAt,
  canSee,
  intersect,
  may,
  type SharedWith,
  sharedWithReaders,
  type TreePlace,
  type Visibility,
  visibilityOf,
} from '../permission.ts';
import type { Store } from '../ports/store.ts';
import type { Ancestor, PageOutline, WholePage } from './page.ts';

export interface PageView {
  page: WholePage;
  mayWrite: boolean;
  markup: string;
  /** HTML of the title as the page wants it shown; undefined: plain. */
  displayTitle: string | undefined;
  outline: Section[];
  /** Messages of the renderer to the writer: limits met, templates that loop. */
  notices: string[];
  /** It shows the time: true for a moment only. */
  isTimeDependent: boolean;
  /** Dependencies of this view; undefined: anything. */
  dependencies: Dependency[] | undefined;
  /** See `RenderedPage`. */
  isSource: boolean;
  /** But for `mayWrite`. */
  sharedWith: SharedWith;
}

export async function viewOf(
  store: Store,
  renderer: Renderer,
  actor: Actor,
  page: WholePage,
  now: number,
  read?: ReadText,
): Promise<PageView> {
  const parent = page.lineage.at(-1);
  const visibility = visibilityOf(actor);
  const { html, displayTitle, outline, notices, isTimeDependent, isSource, dependencies, sharedWith } =
    await renderBody(
      store,
      renderer,
      visibility,
      {
        page: {
          id: page.id,
          title: page.title,
          path: page.path,
          type: page.type,
          changedAt: page.updatedAt,
          ...(parent ? { parent: { title: parent.title, path: parent.path } } : {}),
        },
        body: shownBody(page.content),
        format: page.content.format,
        files: page.files,
        cacheKey: `${page.id} ${page.changeId}`,
        read,
      },
      now,
    );
  return {
    page: visibleTo(visibility, page),
    mayWrite: mayWrite(actor, page),
    markup: html,
    displayTitle,
    outline,
    notices,
    isTimeDependent,
    isSource,
    dependencies: dependencies && [page.id, ...page.trail.map(factsOf), ...dependencies],
    sharedWith: intersect(sharedWith, sharedWithReaders(visibility, [page, ...page.lineage])),
  };
}

/** A page that was just saved, for whoever saved it. */
export interface SavedView extends PageView {
  /** Why the page is shown as it was written instead of rendered. */
  failure?: unknown;
}

const notRendered =
  'The page is saved. It could not be rendered just now, so it is shown as it was written: read it again in a minute.';

/**
 * Like `viewOf`, but never fails: a saved page must not look unsaved, or it would be saved again. If the page cannot be
 * rendered at this moment, its markup is the body as it was written, with a notice.
 */
export async function viewSaved(
  store: Store,
  renderer: Renderer,
  actor: Actor,
  { page, read }: { page: WholePage; read?: ReadText },
  now: number,
): Promise<SavedView> {
  try {
    return await viewOf(store, renderer, actor, page, now, read);
  } catch (failure) {
    return {
      page,
      mayWrite: mayWrite(actor, page),
      markup: asWritten(page.content.body, notRendered),
      displayTitle: undefined,
      outline: [],
      notices: [notRendered],
      isTimeDependent: true,
      isSource: true,
      dependencies: undefined,
      sharedWith: undefined,
      failure,
    };
  }
}

/** Facts of a page that decide who may do what with it. */
export interface PageAccess extends TreePlace {
  permissions: number;
  owner: { id: number };
}

export function mayWrite(actor: Actor, page: PageAccess): boolean {
  return actor !== null && may(actor, 'write', { ...accessOf(page), ownerId: page.owner.id });
}

export function mayRead(actor: Actor, page: PageAccess): boolean {
  return may(actor, 'read', { ...accessOf(page), ownerId: page.owner.id });
}

function accessOf({ permissions, id, trail }: PageAccess) {
  return { permissions, ...(id === undefined ? {} : { id }), ...(trail ? { trail } : {}) };
}

/**
 * The first change of a page that this reader of it may see. Its owner and administrators see all; a page may have begun its history anew
 * for everybody else.
 */
export function firstChangeFor(
  actor: Actor,
  page: { historyFrom: number; owner: { id: number } } & TreePlace,
): number {
  const here = actorAt(actor, page);
  return here?.isAdmin || here?.memberId === page.owner.id ? 0 : page.historyFrom;
}

/** Pages that the actor may read, in the form in which they may see them. */
export function readableOf<P extends PageOutline>(actor: Actor, pages: P[]): P[] {
  const visibility = visibilityOf(actor);
  return pages.filter((page) => mayRead(actor, page)).map((page) => visibleTo(visibility, page));
}

/** The page as this visibility may see it: ancestors it may not read keep their place in the tree alone. */
export function visibleTo<P extends PageOutline>(visibility: Visibility, page: P): P {
  return { ...page, lineage: page.lineage.map((ancestor) => hideUnlessSeen(visibility, ancestor)) };
}

function hideUnlessSeen(visibility: Visibility, ancestor: Ancestor): Ancestor {
  if (canSee(visibility, { audience: ancestor.audience, ownerId: ancestor.owner.id })) return ancestor;
  const { id, path, title, depth, permissions, audience } = ancestor;
  return {
    id,
    path,
    title,
    depth,
    permissions,
    audience,
    isHidden: true,
    slug: '',
    description: '',
    type: null,
    location: null,
    parentId: null,
    owner: { id: 0, name: '' },
  };
}
