/**
 * Finds links whose words lead to another page here than in the source, as where two links have changed places: both pages are
 * reached then, so that following the links finds nothing.
 */
import { percentDecoded } from '#core/model/path.ts';
import type { LinkOutcome } from '../source.ts';
import { type ShownLink, wordsIn } from './shown.ts';

/** A link in double brackets: the target, and words that are shown instead of it. */
const inBrackets = /^\[\[([^|\]]+?)(?:\\?\|([^\]]+))?\]\]$/;

/** `outcomes`: links of the source with their pages here. `here`: links of the page, whose addresses are paths. */
export function linksElsewhere(
  source: readonly ShownLink[],
  outcomes: readonly LinkOutcome[],
  here: readonly ShownLink[],
): { old: string; new: string; why: string }[] {
  const pathsByWords = new Map<string, Set<string | undefined>>();
  const reached = new Set<string>();
  for (const { text, href } of here) {
    const path = href?.replace(/[?#].*$/s, '');
    const paths = pathsByWords.get(wordsOf(text)) ?? new Set();
    pathsByWords.set(wordsOf(text), paths.add(path));
    if (path !== undefined) reached.add(path);
  }
  const textsByTarget = Map.groupBy(source, ({ href }) => href ?? '');
  const distinct = new Map(outcomes.map((one) => [`${one.old}\0${one.new}`, one]));
  return [...distinct.values()].flatMap(({ old, new: target, isFile }) => {
    const path = target?.replace(/#.*$/s, '');
    if (!target || path === undefined || isFile || !reached.has(path)) return [];
    const [, name, label = name] = inBrackets.exec(old) ?? [];
    const texts =
      label === undefined ? (textsByTarget.get(percentDecoded(old)) ?? []).map(({ text }) => text) : [label];
    const isElsewhere = texts.some((text) => {
      const paths = pathsByWords.get(wordsOf(text));
      // A page that did not exist when the page was read may be the right one.
      return wordsOf(text) !== '' && paths && !paths.has(path) && !paths.has(undefined);
    });
    return isElsewhere ? [{ old, new: target, why: 'its words lead to another page here' }] : [];
  });
}

function wordsOf(text: string): string {
  return wordsIn(text).join(' ');
}
