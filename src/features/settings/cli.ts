/** `coppice setting` and `coppice read-only`: settings of the site. */
import { commandOf } from '#cli/command/arguments.ts';
import { inWiki } from '#cli/command/in-wiki.ts';
import { invalid } from '#core/model/problem.ts';
import { initialSettings, type SettingName, settingNames } from '#core/model/settings.ts';
import { changeSettings, readSettings } from './operations.ts';

const help = `Usage: coppice setting <what> [arguments]

  list                                Prints all settings as JSON.
  set NAME VALUE                      Changes a setting at once, such as: set private on, or: set name "Alder Valley".
                                      Lists and objects are written as JSON, and null removes a value:
                                      set menu '[{"label":"Handbook","to":"/handbook"}]'

The wiki may be running or not.
`;

const helpOfReadOnly = `Usage: coppice read-only on|off

While the wiki is read-only, everybody can read it. A server saves only changes of settings, answers all other writes
with 503, and lets only administrators sign in. All processes of the wiki follow at once. Commands can still change the
wiki.
`;

const listed: readonly SettingName[] = ['menu', 'footer', 'licence', 'announcement', 'synonyms'];

export const run = commandOf('setting', help, {
  list: inWiki(
    [],
    {},
    () =>
      async ({ carry }) =>
        JSON.stringify(await carry(readSettings, {}), null, 2),
  ),
  set: inWiki(['NAME', 'VALUE'], {}, ([name, value]) => async ({ carry }) => {
    const known = settingNames.find((known) => known === name);
    if (!known)
      throw invalid('/name', `There is no setting “${name}”. Settings are: ${settingNames.join(', ')}.`);
    const settings = await carry(changeSettings, { [known]: settingOf(known, value) });
    return JSON.stringify(settings, null, 2);
  }),
});

const turn = (readOnly: boolean) =>
  inWiki([], {}, () => async ({ carry }) => {
    await carry(changeSettings, { readOnly });
    return readOnly ? 'The wiki is read-only now.' : 'Changes are saved again.';
  });

export const runReadOnly = commandOf('read-only', helpOfReadOnly, { on: turn(true), off: turn(false) });

function settingOf(name: SettingName, text: string): unknown {
  if (typeof initialSettings[name] === 'boolean') {
    if (text !== 'on' && text !== 'off') throw invalid('/value', `The setting “${name}” can be on or off.`);
    return text === 'on';
  }
  if (text === 'null') return null;
  if (!listed.includes(name)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('/value', `The value of “${name}” must be JSON. See coppice setting --help.`);
  }
}
