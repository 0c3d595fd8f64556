/** A page as one reader sees it: the page, its markup, and the reader's rights. */

import type { Section } from '@coppice/wikitext';
import { renderBody } from '../content/cached-rendering.ts';
import { asWritten } from '../content/language.ts';
import { shownBody } from '../content/module-body.ts';
import type { Renderer, RenderInput } from '../content/render.ts';
import type { ReadText } from '../model/derived.ts';
import type { WholePage } from '../model/page.ts';
import type { Reader } from '../ports/reader.ts';
import { mayEdit } from './protection.ts';

export interface PageView {
  page: WholePage;
  mayWrite: boolean;
  markup: string;
  /** HTML of the title if the page wants it to be formatted. */
  displayTitle: string | undefined;
  outline: Section[];
  /** The renderer's messages for authors: limits that were reached, template loops. */
  notices: string[];
}

/** Renders a page for the reader, with its notices and whether the reader may edit it now. `read`: its body, if it was parsed already. */
export async function viewOf(
  { reader, renderer, now }: { reader: Reader; renderer: Renderer; now: number },
  page: WholePage,
  read?: ReadText,
): Promise<PageView> {
  const input = { ...renderInputOf(page), read };
  const { html, displayTitle, outline, notices } = await renderBody(reader, renderer, input, now);
  return {
    page,
    mayWrite: mayEdit(reader.actor, page, now, reader),
    markup: html,
    displayTitle,
    outline,
    notices,
  };
}

/** Everything that rendering needs of a page in its current state, with the key of its cached renderings. */
export function renderInputOf(page: WholePage): RenderInput {
  const parent = page.lineage.at(-1);
  return {
    page: {
      id: page.id,
      title: page.title,
      path: page.path,
      type: page.type,
      changedAt: page.updatedAt,
      changeId: page.changeId,
      ...(parent ? { parent: { title: parent.title, path: parent.path } } : {}),
    },
    body: shownBody(page.content),
    format: page.content.format,
    language: page.language,
    files: page.files,
    cacheKey: `${page.id} ${page.changeId}`,
  };
}

/** A page that was just saved, for its editor. */
export interface SavedView extends PageView {
  /** Error because of which the page's source is shown instead of its rendering. */
  failure?: unknown;
}

const notRendered =
  'The page is saved. It could not be rendered just now, so its source is shown. Read it again in a minute.';

/**
 * Like `viewOf`, but never fails, because a saved page that seems unsaved would be saved again. If the page cannot be rendered
 * now, its markup is the source of the body, with a notice.
 */
export async function viewSaved(
  reader: Reader,
  renderer: Renderer,
  { page, read }: { page: WholePage; read?: ReadText },
  now: number,
): Promise<SavedView> {
  try {
    return await viewOf({ reader, renderer, now }, page, read);
  } catch (failure) {
    return {
      page,
      mayWrite: mayEdit(reader.actor, page, now, reader),
      markup: asWritten(page.content.body, notRendered),
      displayTitle: undefined,
      outline: [],
      notices: [notRendered],
      failure,
    };
  }
}
