/** Warns about `COPPICE_…` variables that are no settings. They are probably mistyped and would be ignored silently. */

import { likeness } from '#core/search/likeness.ts';
import { providerPrefix } from './providers.ts';
import { settings } from './settings.ts';

/** Names with a lower similarity are not suggested. */
const least = 0.5;
const longestName = 100;

/** Returns a sentence for each unknown `COPPICE_…` variable, with the setting that may be meant. */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const providers = environment.COPPICE_OAUTH?.split(/[\s,]+/).filter((name) => name !== '') ?? [];
  const known = settings.flatMap(({ name }) =>
    name.startsWith('COPPICE_OAUTH_*')
      ? providers.map((provider) => name.replace('COPPICE_OAUTH_*', providerPrefix(provider)))
      : [name],
  );
  return Object.entries(environment)
    .filter(([name, text]) => name.startsWith('COPPICE_') && text?.trim() && !known.includes(name))
    .map(([name]) => {
      const nearest = nearestTo(name.slice(0, longestName), known);
      return `${name.slice(0, longestName)} is not a setting and is ignored.${nearest ? ` Do you mean ${nearest}?` : ''}`;
    });
}

/** The common prefix is left out of the comparison, because it does not tell settings apart. */
function nearestTo(name: string, known: string[]): string | undefined {
  const ownPart = (name: string) => name.replace(/^COPPICE_/, '');
  const [best] = known
    .map((one) => ({ one, score: likeness(ownPart(one), ownPart(name)) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score);
  return best?.one;
}
