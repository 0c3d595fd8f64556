/** Sentences about places that an erasure leaves alone: texts that people wrote elsewhere, and copies that the wiki made. */
import type { Store } from '#core/ports/store.ts';

/** `since`: time from which the erased data existed. */
export async function remainingPlaces(
  store: Store,
  { words, since }: { words: readonly string[]; since: number },
): Promise<string[]> {
  return [...(await sayWhatMentions(store, words)), ...(await sayWhatWasExported(store, since))];
}

/** Looks through everything that is stored for erased names. */
async function sayWhatMentions(store: Store, words: readonly string[]): Promise<string[]> {
  const { pages, paths, others } = await store.maintenance.mentions([...new Set(words)]);
  const more = pages > paths.length ? ` and ${pages - paths.length} more` : '';
  return [
    ...(pages > 0
      ? [
          `These pages mention an erased name, title, address or file in a version: ${paths.join(', ')}${more}. Change their text, and erase the versions that mention it.`,
        ]
      : []),
    ...(others.length > 0
      ? [`An erased name, title, address or file is also mentioned in ${others.join(', ')}.`]
      : []),
  ];
}

/** Scheduled exports are replaced by later ones, and kept for as long as the settings say. */
async function sayWhatWasExported(store: Store, since: number): Promise<string[]> {
  const made = (await store.exportSchedule.list()).filter(({ succeededAt }) => (succeededAt ?? 0) >= since);
  if (made.length === 0) return [];
  return [
    `Scheduled exports that were made before the erasure contain it: ${made.map(({ format }) => format).join(', ')}. Delete them, or wait until they are replaced.`,
  ];
}
