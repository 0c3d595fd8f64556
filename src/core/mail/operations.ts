/** Unsent mail, for administrators. */
import { Type } from 'typebox';
import { isoTime } from '../model/iso-time.ts';
import { component, count, idField, text, textOrNull, time, timeOrNull } from '../operations/fields.ts';
import { answer, converted, nothing, operation } from '../operations/operation.ts';
import type { Letter, QueuedMail } from '../ports/mail.ts';
import { discardMail, handOverMail, listMails, maxListedMails, retryMail } from './administer-mails.ts';
import type { LetterWriter } from './letter-writer.ts';

const id = idField('ID of the mail.', 7);

const WaitingMail = component('Mail', 'A mail that has not been sent yet or could not be sent.', {
  id,
  kind: text('Kind of the mail.', 'passphrase-forgotten'),
  to: text('Address of the recipient.', 'ada@example.org'),
  createdAt: time('When the mail was queued'),
  nextAttemptAt: timeOrNull(
    'Time of the next attempt, ISO 8601 in UTC. Null if there is none.',
    '2026-03-14T09:31:53.589Z',
  ),
  attempts: count('Number of attempts.', 2),
  error: textOrNull(
    'Reply of the mail server to the latest attempt. Null if there was none.',
    '550 5.1.1 No such user',
  ),
});

/** The API shows a letter by this. */
export const HandedMail = component(
  'HandedMail',
  'A mail that an administrator passes on. Its link is shown only once.',
  {
    to: text('E-mail address of the person to whom to pass on the link.', 'ada@example.org'),
    subject: text('Subject of the mail.', 'Choose a new passphrase for Coppice'),
    url: text(
      'The link.',
      'https://wiki.example.org/login/reset/pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM',
    ),
  },
);

export const mailJson = ({ id, mail, createdAt, dueAt, attempts, error }: QueuedMail) => ({
  id,
  kind: mail.kind,
  to: mail.address,
  createdAt: isoTime(createdAt),
  nextAttemptAt: isoTime(dueAt),
  attempts,
  error,
});

const administering = { access: 'administrator', scope: 'members' } as const;

export const mailList = operation({
  ...administering,
  name: 'listMails',
  summary: 'List unsent mail',
  description: `Mail that waits, is tried again, or is not tried again, latest first; at most ${maxListedMails}. For administrators.`,
  input: Type.Object({}),
  output: converted(Type.Array(WaitingMail, { description: 'Unsent mail.' }), (mails: QueuedMail[]) =>
    mails.map(mailJson),
  ),
  ports: ['store'],
  run: ({ store }) => listMails(store),
});

export const mailHandover = operation({
  ...administering,
  name: 'handOverMail',
  summary: 'Pass on a mail',
  description:
    'Returns the link that the mail would contain; the mail itself is then not sent. Intended for a wiki without a mail server. For administrators whose token comes from a sign-in with passphrase within the last five minutes.',
  recentSignInFor: 'Showing the link of a mail',
  input: Type.Object({ id, wiki: Type.Unsafe<LetterWriter['wiki']>({}) }),
  output: answer<Letter>(),
  problems: ['not-found'],
  answersSecret: true,
  writes: 'itself',
  audit: ['link-handed-over'],
  ports: ['store', 'secrets'],
  run: ({ store, secrets }, { input: { id, wiki }, now }) => handOverMail({ store, secrets, wiki }, id, now),
});

export const mailRetry = operation({
  ...administering,
  name: 'retryMail',
  summary: 'Try a mail again',
  description: 'The mail is sent as soon as possible. For administrators.',
  input: Type.Object({ id }),
  output: nothing('The mail will be sent as soon as possible.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: [],
  ports: ['store'],
  run: ({ store }, { input, now }) => retryMail(store, input.id, now),
});

export const mailDiscarding = operation({
  ...administering,
  name: 'discardMail',
  summary: 'Discard a mail',
  description: 'The mail will not be sent. For administrators.',
  input: Type.Object({ id }),
  output: nothing('The mail has been discarded.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: [],
  ports: ['store'],
  run: ({ store }, { input }) => discardMail(store, input.id),
});
