/**
 * Settings that administrators change while the site runs. A change counts at once, in all processes, and stands in the audit log.
 */
import { type Static, Type } from 'typebox';
import {
  changedSettings,
  isPicture,
  pictureNames,
  type SettingName,
  type Settings,
  settingNames,
  shortSetting,
  signUpModes,
  siteFonts,
  siteFormats,
  strangerModes,
} from '#core/model/settings.ts';
import { pictureBytes } from '#core/model/site-picture.ts';
import {
  component,
  count,
  flag,
  idField,
  object,
  objects,
  oneOf,
  orNull,
  text,
} from '#core/operations/fields.ts';
import { operation } from '#core/operations/operation.ts';

const link = { label: text('Text of the link.', 'Handbook'), to: text('Page or address.', '/handbook') };

const namedPage =
  'On the site everybody can read the page while all members can read it, also in a private wiki.';

const fields = {
  name: text('Name of the wiki.', 'Alder Valley'),
  language: text('Language of the wiki’s texts, BCP 47.', 'en'),
  private: flag(
    'Whether only members can read anything. If so, the third digit of every page’s permissions counts as 0, and new pages get 770.',
    false,
  ),
  readOnly: flag(
    'Whether the wiki is read-only: reads go on, and every write but a change of settings gets 503 with `Retry-After`.',
    false,
  ),
  home: text('Path of the page shown at `/`.', '/home'),
  format: oneOf(siteFormats, 'Format of new pages that do not give one.', 'wikitext'),
  signUp: oneOf(
    signUpModes,
    'How people become members: by `invitation` only, also by signing up with the `approval` of an administrator, or `open` to everybody who signs up.',
    'invitation',
  ),
  strangers: oneOf(
    strangerModes,
    'Submissions of people without an account, which moderators approve: none (`off`), `comments`, or comments and `proposals`. A private wiki takes none.',
    'off',
  ),
  accent: orNull(
    Type.String(),
    'Colour of links and buttons, as `#` and six hexadecimal digits. The site darkens or lightens it where it would be unreadable. Null for the default colour.',
    '#1d6b4f',
  ),
  font: oneOf(
    siteFonts,
    'Font of texts and headings: a bundled font, or the font of the reader’s device.',
    'serif',
  ),
  css: text(
    'Style sheet that the site adds to its own. Pages with `?safe=1` leave it out.',
    '.markup h2 { font-weight: 400 }',
  ),
  menu: objects('Links in the header, at most 20.', link),
  footer: objects('Links in the footer, at most 20.', link),
  licence: orNull(
    object('Its name and address.', {
      name: text('Name.', 'CC BY-SA 4.0'),
      url: text('Address.', 'https://creativecommons.org/licenses/by-sa/4.0/'),
    }),
    'Licence of the contents. Null for none.',
    null,
  ),
  imprint: orNull(Type.String(), `Page or address with the imprint. ${namedPage} Null for none.`, '/imprint'),
  privacy: orNull(
    Type.String(),
    `Page or address with the privacy policy. ${namedPage} Null for none.`,
    '/privacy',
  ),
  announcement: orNull(
    object('Text and end of the announcement.', {
      text: text('The announcement, plain text.', 'The wiki moves on Saturday.'),
      until: Type.Optional(
        orNull(Type.String(), 'Time at which the announcement disappears, ISO 8601. Null if it stays.', null),
      ),
    }),
    'Announcement shown on every page. Null for none.',
    null,
  ),
  statistics: flag(
    'Whether the reports count how often the site shows each page, and searches that find nothing. Nothing is kept of readers.',
    false,
  ),
  synonyms: Type.Array(Type.String(), {
    description:
      'Synonyms, at most 500 groups, each 2 to 10 words or phrases that mean the same, separated by commas. A search for one of a group also finds the others, unless it is in double quotes. A word can have at most 60 characters.',
    examples: [['car, automobile, motor vehicle']],
  }),
  checkLinks: flag('Whether links to other sites are checked for the reports, each once a week.', false),
};

const fixed = Type.Array(Type.String(), {
  description: 'Names of settings that environment variables define, so that they cannot be changed here.',
  examples: [['private']],
});

const picture = (description: string) =>
  orNull(
    object('The picture.', {
      type: text('Media type, detected from the bytes.', 'image/png'),
      bytes: count('Size.', 3120),
      url: text('Address of the current picture.', '/assets/site/now/logo'),
    }),
    description,
    null,
  );
const givenPicture = (description: string) =>
  orNull(
    object('The picture.', { data: text('Its bytes in base64.', 'iVBORw0KGgo=') }),
    `${description} PNG, JPEG, WebP, GIF or SVG of at most 200 kB; in a multipart form a file.`,
    null,
  );
const pictures = {
  logo: 'Logo beside the name. Null for the default logo.',
  logoDark: 'Logo in the dark theme. Null for the same logo.',
  icon: 'Icon of browser tabs. Null for the default icon.',
};
const mapped = <T>(make: (description: string) => T) => ({
  logo: make(pictures.logo),
  logoDark: make(pictures.logoDark),
  icon: make(pictures.icon),
});

/** The site shows strangers of a private wiki these on the form to sign in, and nothing else. */
const shownToAll: readonly SettingName[] = [
  ...(['name', 'language', 'private', 'signUp', 'accent', 'font', 'css'] as const),
  ...(['footer', 'imprint', 'privacy', ...pictureNames] as const),
];

const ShownSettings = component('Settings', 'Settings of the site.', {
  ...Type.Partial(Type.Object({ ...fields, ...mapped(picture) })).properties,
  fixed,
});

export const readSettings = operation({
  name: 'settings',
  summary: 'Read the settings of the site',
  description:
    'Everybody may read the settings. People who are not signed in to a private wiki get only the settings that the sign-in form shows. `fixed` lists the settings that cannot be changed over the API.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({}),
  output: ShownSettings,
  ports: ['settings'],
  async run({ settings }, { by }) {
    const current = settings.current();
    const names = current.private && by === null ? shownToAll : settingNames;
    return shown(current, names, settings.fixed);
  },
});

export const changeSettings = operation({
  name: 'changeSettings',
  summary: 'Change the settings of the site',
  description:
    'For administrators. Settings that are left out stay as they are. Making a private wiki public opens all pages whose permissions let everybody read; `GET /v1/settings/public-pages` lists them. After a change of the language, run `coppice rebuild`.',
  access: 'administrator',
  scope: 'admin',
  input: component(
    'SettingsInput',
    'Settings to change.',
    Type.Partial(Type.Object({ ...fields, ...mapped(givenPicture) })).properties,
  ),
  output: ShownSettings,
  writes: true,
  worksReadOnly: true,
  audit: ['settings-changed'],
  ports: ['settings'],
  async run({ settings }, { input, by, now, record }) {
    const before = settings.current();
    const changed = changedSettings(input as Partial<Settings>, before, settings.fixed);
    if (Object.keys(changed).length > 0)
      await settings.write(changed, now, by === 'command line' ? null : by.memberId);
    for (const [name, value] of Object.entries(changed))
      await record({
        kind: 'settings-changed',
        subject: { kind: 'setting', name },
        note: shortSetting(value),
      });
    return shown({ ...before, ...changed }, settingNames, settings.fixed);
  },
});

function shown(settings: Settings, names: readonly SettingName[], fixed: Readonly<Partial<Settings>>) {
  const pairs = names.map((name) => [name, isPicture(name) ? shownPicture(name, settings) : settings[name]]);
  return {
    ...(Object.fromEntries(pairs) as Static<typeof ShownSettings>),
    fixed: Object.keys(fixed),
  };
}

function shownPicture(name: (typeof pictureNames)[number], { [name]: picture }: Settings) {
  if (picture === null) return null;
  return { type: picture.type, bytes: pictureBytes(picture), url: `/assets/site/now/${name}` };
}

export const listPublicPages = operation({
  name: 'publicPages',
  summary: 'List pages that everybody can read in a public wiki',
  description: 'For administrators: the pages that become public when a private wiki is made public.',
  access: 'administrator',
  scope: 'admin',
  input: Type.Object({}),
  output: Type.Object(
    {
      total: count('Number of such pages, at most 10,000.', 2),
      isMore: flag('Whether there are more than 10,000.', false),
      pages: Type.Array(
        Type.Object({
          id: idField('Page ID.', 3),
          path: text('Its address.', '/handbook'),
          title: text('Its title.', 'Handbook'),
        }),
        { description: 'The first hundred of these pages, by title.' },
      ),
    },
    { description: 'Pages whose permissions let everybody read.' },
  ),
  ports: ['settings'],
  run: ({ settings }) => settings.publicPages(100),
});
