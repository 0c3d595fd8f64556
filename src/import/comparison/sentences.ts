/** Words for the differences between a page and its source, for terminals and the site. */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { stored } from '#words/stored.ts';
import type { PageDifference } from './comparer.ts';
import type { WordDifference } from './difference.ts';

export function sentencesOf({ missing, added, moved, parts = [], links = [] }: PageDifference): Words[] {
  return [
    ...(missing ? [say('importAccount.missingWords', wordsOf(missing))] : []),
    ...(added ? [say('importAccount.addedWords', wordsOf(added))] : []),
    ...(moved ? [say('importAccount.movedWords', wordsOf(moved))] : []),
    ...parts.map(({ part, source, here }) => say('importAccount.partDiffers', { part, source, here })),
    ...links.map(({ old, new: target, why }) =>
      say('importAccount.linkDiffers', { old, target, why: stored(why) }),
    ),
  ];
}

function wordsOf({ words, examples }: WordDifference): { count: number; examples: string } {
  return { count: words, examples: examples.map((example) => `“${example}”`).join(', ') };
}
