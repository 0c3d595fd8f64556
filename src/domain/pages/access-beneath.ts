/** Access that a new page would have, as far as the actor may know: what unreadable pages above give is theirs to tell. */
import type { Reader } from '../reader.ts';
import { findReadable } from './find-page.ts';
import type { AccessDefaults } from './page.ts';
import { defaultsBeneath } from './page-group.ts';

/** Undefined where no readable page gives any, or there is no page at this path. */
export async function accessBeneath(reader: Reader, path: string): Promise<AccessDefaults | undefined> {
  const parent = path.startsWith('/') ? await findReadable(reader, path) : undefined;
  if (!parent) return undefined;
  const above = await reader.pages.outlines([...parent.trail, parent.id]);
  const giving = above.flatMap(({ id, defaults }) => (defaults ? [[id, defaults] as const] : []));
  return defaultsBeneath(parent, new Map(giving));
}
