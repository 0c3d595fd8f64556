/** Words for the differences between a page and its source, for terminals and the site. */
import type { PageDifference } from './comparer.ts';
import type { WordDifference } from './difference.ts';

export function sentencesOf({ missing, added, parts = [], links = [] }: PageDifference): string[] {
  return [
    ...(missing ? [`missing ${words(missing)}`] : []),
    ...(added ? [`added ${words(added)}`] : []),
    ...parts.map(({ part, source, here }) => `${part}: ${source} in the source, ${here} here`),
    ...links.map(({ old, new: target, why }) => `${old} to ${target}: ${why}`),
  ];
}

function words({ words, examples }: WordDifference): string {
  const shown = examples.map((example) => `“${example}”`).join(', ');
  return `${words === 1 ? 'word' : `${words} words`}: ${shown}`;
}
