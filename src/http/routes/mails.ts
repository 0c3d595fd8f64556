/** Unsent mail, for administrators. */

import { Type } from 'typebox';
import {
  discardMail,
  handOverMail,
  listMails,
  maxListedMails,
  retryMail,
} from '#core/mail/administer-mails.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { component, count, idField, text, textOrNull, time, timeOrNull } from '#core/operations/fields.ts';
import type { QueuedMail } from '#core/ports/mail.ts';
import { siteLanguageOf } from '#words/languages.ts';
import { textOf } from '#words/say.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const tags = ['Mail'];
const mailId = idField('ID of the mail.', 7);
const params = Type.Object({ id: mailId });

const WaitingMail = component('Mail', 'A mail that has not been sent yet or could not be sent.', {
  id: mailId,
  kind: text('Kind of the mail.', 'passphrase-forgotten'),
  to: text('Address of the recipient.', 'ada@example.org'),
  createdAt: time('When it was queued'),
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

const HandedMail = component(
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

export async function mailRoutes(server: Server, service: Service, settings: HttpSettings): Promise<void> {
  const { store, secrets, clock } = service;
  const wiki = {
    get name() {
      return store.settings.current().name;
    },
    get language() {
      return siteLanguageOf(store.settings.current().language);
    },
    url: settings.baseUrl,
  };
  const writer = { store, secrets, wiki };

  server.get(
    '/v1/mails',
    {
      config: { access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'listMails',
        tags,
        summary: 'List unsent mail',
        description: `Mail that waits, is tried again, or is not tried again, latest first; at most ${maxListedMails}. For administrators.`,
        response: { 200: Type.Array(WaitingMail, { description: 'Unsent mail.' }) },
        problems: ['administrators-only'],
      },
    },
    async (request) => (await listMails(store, request.actor)).map(jsonOf),
  );

  server.post(
    '/v1/mails/:id/link',
    {
      config: {
        audit: ['link-handed-over'],
        access: 'required',
        scope: 'members',
        subtree: 'refused',
        answersSecret: true,
      },
      schema: {
        operationId: 'handOverMail',
        tags,
        summary: 'Pass on a mail',
        description:
          'Returns the link that the mail would contain; the mail itself is then not sent. Intended for a wiki without a mail server. For administrators whose token comes from a sign-in with passphrase within the last five minutes.',
        params,
        response: { 200: HandedMail },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async (request) => {
      const by = { actor: request.actor, signedInAt: request.signedIn?.claims.signedInAt };
      const { to, language, subject, link } = await handOverMail(writer, by, request.params.id, clock());
      return { to: to.address, subject: textOf(subject, language), url: link?.url ?? '' };
    },
  );

  server.post(
    '/v1/mails/:id/retry',
    {
      config: { audit: [], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'retryMail',
        tags,
        summary: 'Try a mail again',
        description: 'The mail is sent as soon as possible. For administrators.',
        params,
        others: { 204: 'The mail will be sent as soon as possible.' },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async (request) => retryMail(store, request.actor, request.params.id, clock()),
  );

  server.delete(
    '/v1/mails/:id',
    {
      config: { audit: [], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'discardMail',
        tags,
        summary: 'Discard a mail',
        description: 'The mail will not be sent. For administrators.',
        params,
        others: { 204: 'The mail has been discarded.' },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async (request) => discardMail(store, request.actor, request.params.id),
  );
}

function jsonOf({ id, mail, createdAt, dueAt, attempts, error }: QueuedMail) {
  return {
    id,
    kind: mail.kind,
    to: mail.address,
    createdAt: isoTime(createdAt),
    nextAttemptAt: isoTime(dueAt),
    attempts,
    error,
  };
}
