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
  const pathsByWords = pathsIn(here);
  const reached = new Set([...pathsByWords.values()].flatMap((paths) => [...paths]));
  const textsByTarget = Map.groupBy(source, ({ href }) => href ?? '');
  const distinct = new Map(outcomes.map((one) => [`${one.old}\0${one.new}`, one]));
  return [...distinct.values()].flatMap(({ old, new: target, isFile }) => {
    const path = target?.replace(/#.*$/s, '');
    if (!target || path === undefined || isFile || !reached.has(path)) return [];
    const texts = textsOf(old, textsByTarget);
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

/** Finds links that lead nowhere in the source, and here to a page that the wiki has besides the import. */
export function linksToOthers(
  source: readonly ShownLink[],
  outcomes: readonly LinkOutcome[],
  here: readonly ShownLink[],
): { old: string; new: string; why: string }[] {
  const dead = new Set(outcomes.filter((one) => one.new === null && !one.isFile).map(({ old }) => old));
  if (dead.size === 0) return [];
  const pathsByWords = pathsIn(here);
  const textsByTarget = Map.groupBy(source, ({ href }) => href ?? '');
  return [...dead].flatMap((old) => {
    const found = new Set(
      textsOf(old, textsByTarget).flatMap((text) => [...(pathsByWords.get(wordsOf(text)) ?? [undefined])]),
    );
    const [path] = found;
    if (found.size !== 1 || !path?.startsWith('/') || path.startsWith('//')) return [];
    return [{ old, new: path, why: 'it leads nowhere in the source, and to this page of the wiki here' }];
  });
}

/** Words of links → their paths, undefined for pages that do not exist. */
function pathsIn(links: readonly ShownLink[]): Map<string, Set<string | undefined>> {
  const found = new Map<string, Set<string | undefined>>();
  for (const { text, href } of links) {
    const paths = found.get(wordsOf(text)) ?? new Set();
    found.set(wordsOf(text), paths.add(href?.replace(/[?#].*$/s, '')));
  }
  return found;
}

function textsOf(old: string, byTarget: ReadonlyMap<string, readonly ShownLink[]>): string[] {
  const [, name, label = name] = inBrackets.exec(old) ?? [];
  if (label !== undefined) return [label];
  return (byTarget.get(percentDecoded(old.trim())) ?? []).map(({ text }) => text);
}
