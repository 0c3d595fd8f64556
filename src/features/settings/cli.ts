/** `coppice setting`: settings of the site. */
import { commandOf } from '#cli/command/arguments.ts';
import { inWiki } from '#cli/command/in-wiki.ts';
import { invalid } from '#core/model/problem.ts';
import { settingFields } from '#core/model/settings.ts';
import { changeSettings, readSettings } from './operations.ts';

const help = `Usage: coppice setting <what> [arguments]

  list                                All settings, as JSON.
  set NAME VALUE                      Changes one, such as: set private on. It counts at once.

The wiki may be running or not.
`;

export const run = commandOf('setting', help, {
  list: inWiki(
    [],
    {},
    () =>
      async ({ carry }) =>
        JSON.stringify(await carry(readSettings, {}), null, 2),
  ),
  set: inWiki(['NAME', 'VALUE'], {}, ([name, value]) => async ({ carry }) => {
    if (!Object.hasOwn(settingFields, name))
      throw invalid('/name', `There is no setting “${name}”: ${Object.keys(settingFields).join(', ')}.`);
    const given = value === 'on' ? true : value === 'off' ? false : undefined;
    if (given === undefined) throw invalid('/value', `The setting “${name}” is on or off.`);
    const settings = await carry(changeSettings, { [name]: given });
    return JSON.stringify(settings, null, 2);
  }),
});
