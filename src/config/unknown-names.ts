/** Variables with a name that no setting has: probably mistyped, and otherwise ignored silently. */

import { likeness } from '#domain/search/likeness.ts';
import { providerPrefix } from './providers.ts';
import { settings } from './settings.ts';

/** Names less alike than this are other names. */
const least = 0.5;
const longestName = 100;

/** A sentence for each `COPPICE_…` that is set and no setting, with the one that may be meant. */
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
      return `${name.slice(0, longestName)} is no setting and counts for nothing.${nearest ? ` Is ${nearest} meant?` : ''}`;
    });
}

/** The common prefix does not tell which setting is meant, and some begin otherwise. */
function nearestTo(name: string, known: string[]): string | undefined {
  const ownPart = (name: string) => name.replace(/^COPPICE_/, '');
  const [best] = known
    .map((one) => ({ one, score: likeness(ownPart(one), ownPart(name)) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score);
  return best?.one;
}
