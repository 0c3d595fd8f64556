/** Rows that an actor may read: the rule of `canSee` (`domain/permission.ts`) in SQL, and how to learn who else is shown the same. */
import type { ReadTrace } from '#cache/read-trace.ts';
import {
  type Actor,
  type Audience,
  everything,
  sharedWithReaders,
  type Visibility,
} from '#domain/permission.ts';

/** Whose reads these are. */
export interface View {
  actor: Actor;
  visibility: Visibility;
  trace: ReadTrace;
}

/**
 * Asks first as if everything was visible: usually nothing of it is hidden, and the result can be shared with all readers of the
 * same audience. Otherwise asks with the actor's own visibility.
 */
export async function askAsEveryone<K, P extends { audience: Audience }>(
  { visibility, trace }: View,
  ask: (visibility: Visibility) => Promise<Map<K, P>>,
): Promise<Map<K, P>> {
  const found = await ask(everything);
  const pages = [...found.values()];
  if (pages.every(({ audience }) => audience <= visibility.maxAudience)) {
    trace.record([], sharedWithReaders(visibility, pages));
    return found;
  }
  trace.record([], undefined);
  return ask(visibility);
}
