/** Values that pages give to the parameters of a template, to complete them in its form. */
import { afterFacts, guardCode } from '@coppice/markdown';
import { rulesOf } from '@coppice/wikitext/dialect';
import { callArguments } from '@coppice/wikitext/parameters';
import { titleKey } from '../model/fold.ts';
import type { Reader } from '../ports/reader.ts';
import { getReadable } from '../reading/find-page.ts';

interface ValueInUse {
  value: string;
  /** Calls that give it. */
  count: number;
}

/** Pages whose calls are read, and characters of them: some 10 ms. */
const maxPages = 100;
const maxCharacters = 500_000;

const shownOfEach = 20;
/** Values that somebody would type in a line: without markup. */
const simple = /^[^{}[\]<>|\n]{1,100}$/;

/**
 * By parameter, the values that pages which this actor may read give to it, those of most calls first. Refuses `not-found` for a
 * template that does not exist or that this actor may not read. Three statements.
 */
export async function valuesInUse(reader: Reader, path: string): Promise<Map<string, ValueInUse[]>> {
  const template = await getReadable(reader, path);
  const calling = (await reader.links.backlinksOfEach([template], maxPages)).get(template.id) ?? [];
  const pages = await reader.links.templates(calling.map((page) => page.path));
  const rules = rulesOf(reader.dialect);
  const keyOf = (name: string) => titleKey(rules.template(name, () => undefined) ?? name);
  const names = new Set([template.title, template.path].map(keyOf));
  const counts = new Map<string, Map<string, number>>();
  let left = maxCharacters;
  for (const { body, format } of pages.values()) {
    if (body.length > left) continue;
    left -= body.length;
    const source = format === 'markdown' ? guardCode(afterFacts(body)) : body;
    for (const { name, value } of callArguments(source, (written) => names.has(keyOf(written)))) {
      if (!simple.test(value)) continue;
      const values = counts.get(name) ?? new Map<string, number>();
      counts.set(name, values.set(value, (values.get(value) ?? 0) + 1));
    }
  }
  return new Map(
    [...counts].map(([name, values]) => [
      name,
      [...values]
        .map(([value, count]) => ({ value, count }))
        .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
        .slice(0, shownOfEach),
    ]),
  );
}
