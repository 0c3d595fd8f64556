/** A member's own account: name, passphrase and e-mail address. */
import { changeOwnName, changeOwnPassphrase, getOwnAccount } from '#core/members/change-account.ts';
import { askForAddress, confirmAddress } from '#core/members/change-address.ts';
import { askForPassphrase } from '#core/members/forgotten-passphrase.ts';
import { leave } from '#core/members/leave.ts';
import { actorOf } from '#core/model/member.ts';
import { component, oneOf, optionalText, text } from '#core/operations/fields.ts';
import type { Limits } from '../limits.ts';
import type { Server, Service } from '../service.ts';
import type { SignInLimits } from '../sign-in-limits.ts';
import { Me, meJson } from './members.ts';

const tags = ['Members'];
const email = text('E-mail address.', 'ada@example.org');

export async function accountRoutes(
  server: Server,
  service: Service,
  limits: Limits,
  signIns: SignInLimits,
): Promise<void> {
  const { store, passphrases, secrets, clock } = service;

  server.post(
    '/v1/members/forgot',
    {
      config: { audit: [], access: 'none' },
      schema: {
        operationId: 'forgotPassphrase',
        tags,
        summary: 'Ask for a new passphrase',
        description:
          'If somebody has this address, a link to choose a new passphrase is mailed there; it works once and for an hour. The answer and its time are the same for every address. Without a mail server administrators find the request and hand the link on.',
        body: component('ForgotPassphrase', 'Whose passphrase it is.', { email }),
        others: { 202: 'The request is noted.' },
      },
    },
    async (request, reply) => {
      await limits.countInvitation(request);
      await askForPassphrase(store, request.body.email, clock());
      return reply.code(202).send();
    },
  );

  server.patch(
    '/v1/members/me',
    {
      config: { audit: ['member-renamed'], access: 'required' },
      schema: {
        operationId: 'changeName',
        tags,
        summary: 'Change my name',
        description: 'Pages show the new name as owner and editor.',
        body: component('ChangeName', 'The new name.', { name: text('Name to be shown.', 'Ada Lovelace') }),
        response: { 200: Me },
      },
    },
    async (request) => {
      const member = await changeOwnName(store, request.actor, request.body.name);
      return meJson(actorOf(member, clock()));
    },
  );

  server.post(
    '/v1/members/me/passphrase',
    {
      config: { audit: ['passphrase-changed', 'sign-in-failed'], access: 'required' },
      schema: {
        operationId: 'changePassphrase',
        tags,
        summary: 'Change my passphrase',
        description:
          'Ends every session of the member, this one too, and revokes every handle. Members without a passphrase leave `current` out and must have signed in within the last five minutes.',
        body: component('ChangePassphrase', 'The old and the new passphrase.', {
          current: optionalText('The passphrase until now.', 'correct horse battery staple'),
          pass: text('Passphrase of at least 12 characters.', 'nine owls share one barn'),
        }),
        others: { 204: 'It is changed.' },
      },
    },
    async (request, reply) => {
      const { email } = await getOwnAccount(store, request.actor);
      const { current = '', pass } = request.body;
      const input = { current, pass, signedInAt: request.signedIn?.claims.signedInAt };
      await signIns.try(request, reply, { email }, () =>
        changeOwnPassphrase(store, passphrases, request.actor, input, clock()),
      );
    },
  );

  server.post(
    '/v1/members/me/email',
    {
      config: { audit: [], access: 'required' },
      schema: {
        operationId: 'changeEmail',
        tags,
        summary: 'Change my e-mail address',
        description:
          'Mails a link to the new address, which works once and for a day; the address changes when it is confirmed. Needs a token that comes from a passphrase shown within the last five minutes.',
        body: component('ChangeEmail', 'The new address.', { email }),
        others: { 202: 'The link is on its way.' },
      },
    },
    async (request, reply) => {
      await limits.countInvitation(request);
      const input = { email: request.body.email, signedInAt: request.signedIn?.claims.signedInAt };
      await askForAddress(store, request.actor, input, clock());
      return reply.code(202).send();
    },
  );

  server.post(
    '/v1/members/email',
    {
      config: { audit: ['address-changed'], access: 'none' },
      schema: {
        operationId: 'confirmEmail',
        tags,
        summary: 'Confirm a new e-mail address',
        description: 'By the token of the link that was mailed to it. The old address is told.',
        body: component('ConfirmEmail', 'The link.', {
          token: text('The one-time token.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
        }),
        response: { 200: Me },
      },
    },
    async (request) => {
      await limits.countInvitation(request);
      const member = await confirmAddress(store, secrets, request.body.token, clock());
      return meJson(actorOf(member, clock()));
    },
  );
  server.post(
    '/v1/members/me/leave',
    {
      config: { audit: ['member-left'], access: 'required' },
      schema: {
        operationId: 'leave',
        tags,
        summary: 'Leave the wiki',
        description:
          'Removes my account for good: address, passphrase, second factor, linked accounts, sessions, API tokens, watches and notifications. Pages and changes stay, under the name or as by a former member; administrators look after the pages. The last active administrator cannot leave. Needs a token that comes from a sign-in within the last five minutes.',
        body: component('Leave', 'Choice whether the name stays with what the member wrote.', {
          name: oneOf(
            ['keep', 'remove'],
            'Whether what I wrote keeps my name, or is shown as by a former member.',
            'remove',
          ),
        }),
        others: { 204: 'The account is gone.' },
      },
    },
    async (request) => leave(store, request.signedIn, { keepsName: request.body.name === 'keep' }, clock()),
  );
}
