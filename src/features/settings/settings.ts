/** Settings of the site: rules. Types are in `core/model/settings.ts`. */

import { invalid } from '#core/model/problem.ts';
import type { SettingName, Settings } from '#core/model/settings.ts';

/** Environment variables that decide a setting. */
export const variables: Record<SettingName, string> = { private: 'COPPICE_PRIVATE' };

/** Refuses `invalid` for settings that the environment decides, unless they are given as they are. */
export function refuseFixed(given: Partial<Settings>, fixed: Readonly<Partial<Settings>>): void {
  for (const name of Object.keys(fixed) as SettingName[])
    if (given[name] !== undefined && given[name] !== fixed[name])
      throw invalid(
        `/${name}`,
        `The environment decides this: change ${variables[name]} and start the wiki again.`,
      );
}
