/**
 * Access that a new page at a path would have, as far as the actor may know: defaults of unreadable ancestors are not revealed.
 */

import type { AccessDefaults } from '../model/page.ts';
import { defaultsBeneath } from '../model/page-group.ts';
import type { Reader } from '../ports/reader.ts';
import { findReadable } from '../reading/find-page.ts';

/**
 * `defaults`: undefined if no readable ancestor has any, or if no page is possible at this path. `isOpen`: whether a page above may
 * have nearer ones that the reader cannot know.
 */
export async function accessBeneath(
  reader: Reader,
  path: string,
): Promise<{ defaults?: AccessDefaults | undefined; isOpen: boolean }> {
  const parent = path.startsWith('/') ? await findReadable(reader, path) : undefined;
  if (!parent) return { isOpen: false };
  const trail = [...parent.trail, parent.id];
  const above = await reader.pages.states(trail);
  const giving = above.flatMap(({ id, defaults }) =>
    defaults?.permissions === undefined
      ? []
      : [[id, { ...defaults, permissions: defaults.permissions }] as const],
  );
  const known = new Set(above.map(({ id }) => id));
  const nearest = trail.findLastIndex((id) => giving.some(([one]) => one === id));
  const isOpen = trail.slice(nearest + 1).some((id) => !known.has(id));
  return { defaults: defaultsBeneath(parent, new Map(giving)), isOpen };
}

/** Path of the page template of new pages beneath a page, by the nearest page that names one. `parent`: path or ID. */
export async function templateBeneath(
  reader: Reader,
  parent: string | number | null | undefined,
): Promise<string | undefined> {
  if (!parent) return undefined;
  const [page] =
    typeof parent === 'number' ? await reader.pages.states([parent]) : [await findReadable(reader, parent)];
  if (!page) return undefined;
  const above = await reader.pages.states(page.trail);
  const byId = new Map([...above, page].map(({ id, defaults }) => [id, defaults?.template]));
  return [...page.trail, page.id].map((id) => byId.get(id)).findLast((template) => template !== undefined);
}
