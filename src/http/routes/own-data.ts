/** Export of all data about the caller, as one file. */

import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ownDataExport } from '#core/members/account-operations.ts';
import type { Carry } from '#core/operations/carry-out.ts';
import {
  component,
  exampleTime,
  flag,
  idOrNull,
  integer,
  object,
  orNull,
  text,
  textOrNull,
} from '#core/operations/fields.ts';
import type { Limits } from '../limits.ts';
import { inTurns } from '../long-text.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { PageName } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

const listOf = (description: string, fields: Record<string, TSchema>) =>
  Type.Array(object('One of the ways to sign in.', fields), { description });

const OwnData = component('OwnData', 'Everything that the wiki knows about a member.', {
  exportedAt: text('Time of the export, ISO 8601 in UTC, like all times here.', exampleTime),
  profile: object('The account.', {
    id: integer('Member ID.', 3),
    name: text('Name.', 'Ada Lovelace'),
    email: text('E-mail address.', 'ada@example.org'),
    role: text('Role.', 'writer'),
    isAdmin: flag('Whether the member is an administrator.', false),
    createdAt: text('When the member joined.', exampleTime),
    language: textOrNull(
      'Language of the site and of mail, BCP 47. Null if the browser and the wiki decide.',
      'de',
    ),
    hasPassphrase: flag('Whether the account has a passphrase.', true),
    hasSecondFactor: flag('Whether signing in with the passphrase requires a code.', false),
    block: orNull(
      Type.Object({
        at: text('When.', exampleTime),
        until: textOrNull('When the block ends by itself.', exampleTime),
        reason: text('Why.', 'Advertising'),
      }),
      'The latest block of the account, which may be over.',
      null,
    ),
  }),
  groups: listOf('Groups of the member.', {
    id: integer('Group ID.', 2),
    name: text('Name.', 'editors'),
  }),
  identities: listOf('Linked accounts at providers.', {
    provider: text('Provider.', 'github'),
    issuer: text('Issuer of the identity.', 'https://github.com'),
    subject: text('ID of the account there.', '583231'),
    account: textOrNull('E-mail address or user name at the provider.', 'ada'),
    linkedAt: text('When the account was linked.', exampleTime),
  }),
  passkeys: listOf('Passkeys, without their keys.', {
    id: integer('ID of the passkey.', 2),
    name: text('Name.', 'Phone'),
    isSynced: flag('Whether copies are kept on other devices.', true),
    createdAt: text('When the passkey was added.', exampleTime),
    lastUsedAt: textOrNull('When the passkey was last used to sign in.', exampleTime),
  }),
  sessions: listOf('Active sign-ins.', {
    id: text(
      'ID of the session. It cannot be used to sign in.',
      'mJ4sRZC0pXkq3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHf',
    ),
    method: text('How the member signed in.', 'passphrase'),
    provider: textOrNull('Provider, if one was used.', null),
    isBrowser: flag('Whether the session belongs to a browser on the site.', true),
    userAgent: textOrNull('Name of the client.', 'Mozilla/5.0'),
    createdAt: text('When the session started.', exampleTime),
    lastSeenAt: text('When the session was last used.', exampleTime),
  }),
  tokens: listOf('API tokens, without their secrets.', {
    id: integer('ID of the token.', 7),
    name: text('Name.', 'Bird bot'),
    scopes: Type.Array(Type.String(), { description: 'Rights.', examples: [['read']] }),
    ancestor: idOrNull('ID of the page that the token is limited to.', null),
    createdAt: text('When the token was made.', exampleTime),
    expiresAt: textOrNull('When the token expires.', null),
    lastUsedAt: textOrNull('When the token was last used.', exampleTime),
    lastUsedFrom: textOrNull('Client address of the last use.', '203.0.113.7'),
  }),
  watches: listOf('Watched pages, tags and searches.', {
    id: integer('ID of the watch.', 4),
    kind: text('`page`, `subtree`, `tag` or `search`.', 'page'),
    target: text('ID of the page, the tag, or the query.', '12'),
    page: orNull(PageName, 'The page, if the member can read it now.', null),
    mail: text('`off`, `now`, `daily` or `weekly`.', 'daily'),
    createdAt: text('When the member began to watch.', exampleTime),
  }),
  likes: listOf('Liked pages that the member may read.', {
    page: PageName,
    at: text('When the member liked the page.', exampleTime),
  }),
  favourites: listOf('Starred pages that the member may read.', {
    page: PageName,
    at: text('When the member starred the page.', exampleTime),
  }),
  contributions: listOf('Changes by the member of pages that they may currently read, latest first.', {
    id: integer('Change ID.', 41),
    timestamp: text('When.', exampleTime),
    msg: text('Commit message.', 'More about pruning'),
    page: PageName,
    isErased: flag('Whether the content of the change was erased.', false),
    body: textOrNull('Text of the page after the change. Null if it was erased.', 'Roses need sun.'),
  }),
  drafts: listOf('Texts in the editor that the member has not saved, latest first.', {
    id: text('ID of the draft.', 'mdx1c2-17-42'),
    key: text('Form in which the draft was written.', 'page 7 '),
    pageId: idOrNull('ID of the page that is edited.', 7),
    title: text('Title.', 'Roses'),
    url: text('Address of the editor.', '/edit/garden/roses'),
    base: text('Change that the form started from.', '41'),
    fields: Type.Array(
      Type.Object({ name: text('Name.', 'body'), value: text('Value.', 'Roses need sun.') }),
      { description: 'Fields of the form.' },
    ),
    updatedAt: text('When the draft was last kept.', exampleTime),
  }),
  comments: listOf('Comments by the member on pages that they can read now, oldest first.', {
    id: integer('ID of the comment.', 18),
    page: PageName,
    body: text('Text as Markdown.', 'Which year?'),
    quote: textOrNull('Words that the comment is about.', 'planted in 1912'),
    replyTo: idOrNull('First comment of the thread.', null),
    at: text('When.', exampleTime),
    editedAt: textOrNull('When the text was last changed.', null),
  }),
  proposals: listOf('Proposals by the member, newest first.', {
    id: integer('ID of the proposal.', 3),
    title: text('Title.', 'Prune the roses'),
    text: text('Reason.', 'In March.'),
    state: text('`draft`, `open`, `withdrawn` or `merged`.', 'open'),
    createdAt: text('When the proposal was made.', exampleTime),
    changes: Type.Array(
      Type.Object({
        action: text('`create`, `edit`, `move` or `delete`.', 'edit'),
        path: text('Path of the page.', '/garden/roses'),
        fields: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Fields of the page as the member gave them.',
          examples: [{ body: 'Prune in March.' }],
        }),
      }),
      { description: 'Changes of the proposal.' },
    ),
  }),
  audit: listOf('Entries of the audit log about the member’s actions and account, latest first.', {
    id: integer('ID of the entry.', 417),
    at: text('When.', exampleTime),
    kind: text('Kind of the action.', 'signed-in'),
    actor: orNull(
      Type.Object({ id: integer('Member ID.', 3), name: text('Name.', 'Ada Lovelace') }),
      'The member who acted.',
      { id: 3, name: 'Ada Lovelace' },
    ),
    subject: orNull(
      Type.Object({
        kind: text('`member`, `page` …', 'member'),
        id: idOrNull('Its ID.', null),
        name: text('Its name.', 'Ada Lovelace'),
      }),
      'Thing that was acted on.',
      { kind: 'member', id: 3, name: 'Ada Lovelace' },
    ),
    via: text('Interface that was used.', 'site'),
    from: textOrNull('Client address, if the actor was the member or was not signed in.', '203.0.113.7'),
    token: idOrNull('ID of the API token that was used.', null),
    note: text('Further details, as text.', 'by passphrase'),
    times: integer('Number of actions that the entry stands for.', 1),
    lastAt: text('Time of the latest of these actions.', exampleTime),
  }),
});

export async function ownDataRoutes(server: Server, service: Service, limits: Limits): Promise<void> {
  server.get(
    '/v1/members/me/export',
    {
      config: limitsOf(ownDataExport),
      schema: {
        ...descriptionOf(ownDataExport),
        tags: ['Members'],
        response: { 200: OwnData },
        headersOut: {
          'Content-Disposition': {
            description: 'Name for the file.',
            example: 'attachment; filename="my-data.json"',
          },
        },
      },
    },
    async (request, reply) => {
      await limits.countDataExport(request);
      return (await sendOwnData(carryFor(service, request), reply as FastifyReply)) as never;
    },
  );
}

/** Shared by the API and the site. */
export async function sendOwnData(carry: Carry, reply: FastifyReply): Promise<FastifyReply> {
  reply
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-disposition', contentDisposition('my-data.json'));
  if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(Readable.from(inTurns(await carry(ownDataExport, {}))));
}
