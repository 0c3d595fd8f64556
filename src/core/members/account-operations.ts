/** A member's own account: name, language, passphrase and e-mail address, leaving, and everything that the wiki knows about them. */
import { Type } from 'typebox';
import type { Member } from '../model/member.ts';
import { component, oneOf, optionalText, text } from '../operations/fields.ts';
import { MadeMember, Me, oneTimeToken } from '../operations/member-fields.ts';
import { type AnswerTo, answer, nothing, operation } from '../operations/operation.ts';
import { countOf, limitField, rangeFields, rangeOf } from '../operations/paging.ts';
import { listEditedPages, listOwnPages } from '../pages/list-own-pages.ts';
import { changeOwnLanguage, changeOwnName, changeOwnPassphrase, getOwnAccount } from './change-account.ts';
import { askForAddress, confirmAddress, findAddressChange } from './change-address.ts';
import { leave } from './leave.ts';
import { exportOwnData } from './own-data.ts';

const email = text('E-mail address.', 'ada@example.org');
/** For members who signed in: API tokens give no access to the account. */
const own = { access: 'self', scope: 'none' } as const;

export const whoAmI = operation({
  name: 'me',
  summary: 'Read the member of the token',
  action: 'see your account',
  description: 'The member to whom the token belongs.',
  access: 'self',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({}),
  output: Me,
  ports: [],
  run: async (_ports, { by }) => by,
});

export const ownAccount = operation({
  ...own,
  name: 'readAccount',
  summary: 'Read my account',
  description: 'The caller’s account, with address and settings.',
  input: Type.Object({}),
  output: answer<Member>(),
  ports: ['store'],
  run: ({ store }, { by }) => getOwnAccount(store, by),
});

export const ownPages = operation({
  ...own,
  name: 'listOwnPages',
  summary: 'List my pages',
  description: 'Pages that the caller created and can read now, most recently changed first.',
  input: Type.Object(rangeFields(50)),
  output: answer<AnswerTo<typeof listOwnPages>>(),
  ports: ['reader'],
  run: ({ reader }, { input }) => listOwnPages(reader, rangeOf(input, 50)),
});

export const editedPages = operation({
  ...own,
  name: 'listEditedPages',
  summary: 'List pages that I edited',
  action: 'list pages that you edited',
  description: 'Pages that the caller edited and can read now, those edited last first.',
  input: Type.Object({ limit: limitField(50, 25) }),
  output: answer<AnswerTo<typeof listEditedPages>>(),
  ports: ['reader'],
  run: ({ reader }, { input }) => listEditedPages(reader, countOf(input.limit, 50)),
});

export const nameChange = operation({
  ...own,
  name: 'changeName',
  summary: 'Change my name',
  description: 'Pages show the new name for owner and editors.',
  refusesBlocked: true,
  input: component('ChangeName', 'The new name.', { name: text('Name to be shown.', 'Ada Lovelace') }),
  output: MadeMember,
  writes: 'itself',
  audit: ['member-renamed'],
  ports: ['store'],
  run: async ({ store }, { input, by, now }) => ({
    member: await changeOwnName(store, by, input.name),
    now,
  }),
});

export const languageChange = operation({
  ...own,
  name: 'changeLanguage',
  summary: 'Change the language of the site',
  description: 'Language in which the site and mail address the caller. Null lets the browser decide.',
  input: Type.Object({ language: Type.Unsafe<string | null>({}) }),
  output: nothing('The language has been changed.'),
  writes: 'itself',
  audit: [],
  ports: ['store'],
  run: ({ store }, { input, by }) => changeOwnLanguage(store, by, input.language),
});

export const NewPassphrase = component('ChangePassphrase', 'The old and the new passphrase.', {
  current: optionalText('The current passphrase.', 'correct horse battery staple'),
  pass: text('Passphrase of at least 12 characters.', 'nine owls share one barn'),
});

export const passphraseChange = operation({
  ...own,
  name: 'changePassphrase',
  summary: 'Change my passphrase',
  description:
    'Ends every session of the member, including this one, and revokes every handle. Members without a passphrase leave out `current` and must have signed in within the last five minutes.',
  input: NewPassphrase,
  output: nothing('The passphrase has been changed.'),
  writes: 'itself',
  audit: ['passphrase-changed', 'sign-in-failed'],
  ports: ['store', 'credentials'],
  async run({ store, credentials: { passphrases } }, { input: { current = '', pass }, by, signIn, now }) {
    const input = { current, pass, signedInAt: signIn?.signedInAt };
    await changeOwnPassphrase({ store, passphrases, actor: by, now }, input);
  },
});

export const addressChange = operation({
  ...own,
  name: 'changeEmail',
  summary: 'Change my e-mail address',
  description:
    'Mails a link to the new address. The link works once, within a day; the address changes when the link is confirmed. Requires a token from a sign-in with passphrase within the last five minutes.',
  recentSignInFor: 'Changing your e-mail address',
  input: component('ChangeEmail', 'The new address.', { email }),
  output: nothing('The link will be mailed.'),
  writes: 'itself',
  audit: [],
  ports: ['store'],
  run: ({ store }, { input: { email }, by, signIn, now }) =>
    askForAddress(store, by, { email, signedInAt: signIn?.signedInAt }, now),
});

export const addressChangeByLink = operation({
  name: 'readAddressChange',
  summary: 'Read a change of address',
  description: 'The change of address of a mailed link, if it can still be confirmed.',
  access: 'unidentified',
  scope: 'none',
  input: Type.Object({ token: oneTimeToken }),
  output: answer<AnswerTo<typeof findAddressChange>>(),
  ports: ['store', 'secrets'],
  run: ({ store, secrets }, { input: { token }, now }) => findAddressChange(store, secrets, token, now),
});

export const addressConfirmation = operation({
  name: 'confirmEmail',
  summary: 'Confirm a new e-mail address',
  description:
    'Requires the token of the link that was mailed to the new address. A notice is mailed to the old address.',
  access: 'unidentified',
  scope: 'none',
  input: component('ConfirmEmail', 'The link.', { token: oneTimeToken }),
  output: MadeMember,
  writes: 'itself',
  audit: ['address-changed'],
  ports: ['store', 'secrets'],
  run: async ({ store, secrets }, { input: { token }, now }) => ({
    member: await confirmAddress(store, secrets, token, now),
    now,
  }),
});

export const leaving = operation({
  ...own,
  name: 'leave',
  summary: 'Delete my account',
  description:
    'Deletes my account permanently: address, passphrase, second factor, linked accounts, sessions, API tokens, watches and notifications. Pages and changes remain, under the name or as those of a former member; administrators take over the pages. The last active administrator cannot do this. Requires a token from a sign-in within the last five minutes.',
  recentSignInFor: 'Leaving',
  input: component('Leave', 'Choice whether the member’s contributions keep the name.', {
    name: oneOf(
      ['keep', 'remove'],
      'Whether my contributions keep my name. Otherwise they are shown as those of a former member.',
      'remove',
    ),
  }),
  output: nothing('The account has been deleted.'),
  writes: 'itself',
  audit: ['member-left'],
  ports: ['store'],
  run: ({ store }, { input: { name }, signedIn, now }) =>
    leave(store, signedIn, { keepsName: name === 'keep' }, now),
});

/** Answers pieces of the text of one JSON object. */
export const ownDataExport = operation({
  name: 'exportOwnData',
  summary: 'Export my data',
  description:
    'Everything that the wiki knows about the caller, as one JSON object that is sent while it is made: account, sign-ins, tokens without secrets, linked accounts, groups, watches, likes, favourites, changes with those texts that the caller can still read, unsaved drafts, comments, proposals, and entries of the audit log. A response that breaks off is not valid JSON. Limited to five exports in ten minutes for each address.',
  access: 'self',
  scope: 'none',
  input: Type.Object({}),
  output: answer<AsyncIterable<string>>(),
  problems: ['too-many-requests'],
  writes: 'itself',
  audit: ['data-exported'],
  ports: ['store'],
  run: async ({ store }, { by, now }) => exportOwnData(store, await getOwnAccount(store, by), now),
});
