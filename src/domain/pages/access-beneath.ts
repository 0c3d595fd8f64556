/**
 * Access that a new page at a path would have, as far as the actor may know: defaults of unreadable ancestors are not revealed.
 */
import type { Reader } from '../reader.ts';
import { findReadable } from './find-page.ts';
import type { AccessDefaults } from './page.ts';
import { defaultsBeneath } from './page-group.ts';

/** Returns undefined if no readable ancestor has defaults, or if no page is possible at this path. */
export async function accessBeneath(reader: Reader, path: string): Promise<AccessDefaults | undefined> {
  const parent = path.startsWith('/') ? await findReadable(reader, path) : undefined;
  if (!parent) return undefined;
  const above = await reader.pages.outlines([...parent.trail, parent.id]);
  const giving = above.flatMap(({ id, defaults }) => (defaults ? [[id, defaults] as const] : []));
  return defaultsBeneath(parent, new Map(giving));
}
