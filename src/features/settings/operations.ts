/**
 * Settings that administrators change while the site runs. A change counts at once, in all processes, and stands in the audit log.
 */
import { Type } from 'typebox';
import { type SettingName, type Settings, settingFields } from '#core/model/settings.ts';
import { component, count, flag, idField, text } from '#core/operations/fields.ts';
import { operation } from '#core/operations/operation.ts';
import { refuseFixed } from './settings.ts';

const names = Object.keys(settingFields) as SettingName[];

const isPrivate = flag(
  'Whether only members read anything. Then the third digit of every page\u2019s permissions counts as 0, and new pages are 770.',
  false,
);

const ShownSettings = component('Settings', 'Settings of the site.', {
  private: isPrivate,
  fixed: Type.Array(Type.String(), {
    description: 'Names of settings that the environment decides, which cannot be changed here.',
    examples: [['private']],
  }),
});

export const readSettings = operation({
  name: 'settings',
  summary: 'Read the settings of the site',
  description: 'Everybody may read them. `fixed` names those that cannot be changed over the API.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({}),
  output: ShownSettings,
  ports: ['settings'],
  async run({ settings }) {
    return { ...settings.current(), fixed: Object.keys(settings.fixed) };
  },
});

export const changeSettings = operation({
  name: 'changeSettings',
  summary: 'Change the settings of the site',
  description:
    'For administrators. Settings that are left out stay as they are. Making a private wiki public opens all pages whose permissions let everybody read: `GET /v1/settings/public-pages` names them.',
  access: 'administrator',
  scope: 'admin',
  input: component('SettingsInput', 'Settings to change.', { private: Type.Optional(isPrivate) }),
  output: ShownSettings,
  writes: true,
  audit: ['settings-changed'],
  ports: ['settings'],
  async run({ settings }, { input, by, now, record }) {
    refuseFixed(input, settings.fixed);
    const before = settings.current();
    const changed = Object.fromEntries(
      names.flatMap((name) =>
        input[name] === undefined || input[name] === before[name] ? [] : [[name, input[name]]],
      ),
    ) as Partial<Settings>;
    if (Object.keys(changed).length > 0) {
      await settings.write(changed, now, by === 'command line' ? null : by.memberId);
      for (const [name, value] of Object.entries(changed))
        await record({
          kind: 'settings-changed',
          subject: { kind: 'setting', name },
          note: value ? 'on' : 'off',
        });
    }
    return { ...before, ...changed, fixed: Object.keys(settings.fixed) };
  },
});

export const listPublicPages = operation({
  name: 'publicPages',
  summary: 'List pages that everybody reads in a public wiki',
  description: 'For administrators: what becomes public when a private wiki does.',
  access: 'administrator',
  scope: 'admin',
  input: Type.Object({}),
  output: Type.Object(
    {
      total: count('Number of such pages.', 2),
      pages: Type.Array(
        Type.Object({
          id: idField('Page ID.', 3),
          path: text('Its address.', '/handbook'),
          title: text('Its title.', 'Handbook'),
        }),
        { description: 'The first hundred of them by title.' },
      ),
    },
    { description: 'Pages whose permissions let everybody read.' },
  ),
  ports: ['settings'],
  run: ({ settings }) => settings.publicPages(100),
});
