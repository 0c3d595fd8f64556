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
        summary: 'Request a new passphrase',
        description:
          'If a member has this address, a link to choose a new passphrase is mailed there. It works once, within an hour. The response and its time are the same for every address. Without a mail server, administrators see the request and pass on the link.',
        body: component('ForgotPassphrase', 'E-mail address of the member.', { email }),
        others: { 202: 'The request has been received.' },
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
        description: 'Pages show the new name for owner and editors.',
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
          'Ends every session of the member, including this one, and revokes every handle. Members without a passphrase leave out `current` and must have signed in within the last five minutes.',
        body: component('ChangePassphrase', 'The old and the new passphrase.', {
          current: optionalText('The current passphrase.', 'correct horse battery staple'),
          pass: text('Passphrase of at least 12 characters.', 'nine owls share one barn'),
        }),
        others: { 204: 'The passphrase has been changed.' },
      },
    },
    async (request, reply) => {
      const { email } = await getOwnAccount(store, request.actor);
      const { current = '', pass } = request.body;
      const input = { current, pass, signedInAt: request.signedIn?.claims.signedInAt };
      await signIns.try(request, reply, { email }, () =>
        changeOwnPassphrase({ store, passphrases, actor: request.actor, now: clock() }, input),
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
          'Mails a link to the new address. The link works once, within a day; the address changes when the link is confirmed. Requires a token from a sign-in with passphrase within the last five minutes.',
        body: component('ChangeEmail', 'The new address.', { email }),
        others: { 202: 'The link will be mailed.' },
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
        description:
          'Requires the token of the link that was mailed to the new address. A notice is mailed to the old address.',
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
        summary: 'Delete my account',
        description:
          'Deletes my account permanently: address, passphrase, second factor, linked accounts, sessions, API tokens, watches and notifications. Pages and changes remain, under the name or as those of a former member; administrators take over the pages. The last active administrator cannot do this. Requires a token from a sign-in within the last five minutes.',
        body: component('Leave', 'Choice whether the member’s contributions keep the name.', {
          name: oneOf(
            ['keep', 'remove'],
            'Whether my contributions keep my name. Otherwise they are shown as those of a former member.',
            'remove',
          ),
        }),
        others: { 204: 'The account has been deleted.' },
      },
    },
    async (request) => leave(store, request.signedIn, { keepsName: request.body.name === 'keep' }, clock()),
  );
}
