/** Signing up without an invitation, and the waiting list that administrators look through. */
import { Type } from 'typebox';
import { approveSignUp, listSignUps, refuseSignUp } from '#core/members/approve-sign-up.ts';
import { confirmSignUp, refuseUnlessOpen, signUp } from '#core/members/sign-up.ts';
import { mayStrangers } from '#core/members/strangers.ts';
import { actorOf, type Role } from '#core/model/member.ts';
import { component, idField, oneOf, text, time } from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import type { SignUp } from '#core/ports/sign-up-store.ts';
import type { Limits } from '../limits.ts';
import { pagingHeaders, setPaging } from '../lists.ts';
import { RoleField } from '../schemas/member.ts';
import type { Server, Service } from '../service.ts';
import { Me, meJson } from './members.ts';

const tags = ['Members'];
const params = Type.Object({ id: idField('ID of the request.', 12) });

const Challenge = component(
  'Challenge',
  'Proof of work to solve before signing up, or submitting something without an account. It can be used once, within an hour.',
  {
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Parameters of the challenge, ALTCHA version 2. `data.expires` is its expiry time.',
      examples: [
        {
          algorithm: 'PBKDF2/SHA-256',
          cost: 5000,
          data: { expires: 1773483999589 },
          keyLength: 32,
          keyPrefix: '00',
          nonce: '5a1c8f6be2d94c0b',
          salt: '1f0e2d3c4b5a6978',
        },
      ],
    }),
    signature: text('Signature of the parameters.', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'),
  },
);

const NewSignUp = component('NewSignUp', 'The account that a person asks for.', {
  email: text('E-mail address for signing in. Other members never see it.', 'ada@example.org'),
  name: text('Display name.', 'Ada Lovelace'),
  pass: text('Passphrase of at least 12 characters.', 'correct horse battery staple'),
  proof: text(
    'The solved challenge, as the widget of ALTCHA sends it: base64 of the JSON `{challenge, solution}`.',
    'eyJjaGFsbGVuZ2UiOnsicGFyYW1ldGVycyI6e319fQ==',
  ),
});

const SignedUp = component('SignedUp', 'The next step, which is the same for every address.', {
  next: oneOf(
    ['confirm', 'wait', 'sign-in'],
    '`confirm`: open the link that is mailed to the address. `wait`: an administrator decides. `sign-in`: the account is ready. It follows only from the settings of the wiki.',
    'confirm',
  ),
});

const WaitingSignUp = component('WaitingSignUp', 'A person who asks for an account.', {
  id: idField('ID of the request.', 12),
  email: text('E-mail address of the person.', 'ada@example.org'),
  name: text('Display name.', 'Ada Lovelace'),
  waitingSince: time('When the person began to wait'),
  expiresAt: time('When the request expires', '2026-04-13T09:26:53.589Z'),
});

export async function signUpRoutes(server: Server, service: Service, limits: Limits): Promise<void> {
  const { store, proofsOfWork, signUp: rules, clock } = service;

  server.get(
    '/v1/members/challenge',
    {
      config: { access: 'none' },
      schema: {
        operationId: 'challenge',
        tags,
        summary: 'Get a proof of work',
        description:
          'Required before signing up, and before commenting or proposing without an account: find a number whose derived key begins with the prefix, as the libraries of ALTCHA do. Refused if members of the wiki need an invitation and people without an account may not comment.',
        response: { 200: Challenge },
        problems: ['sign-up-closed'],
      },
    },
    async (_request, reply) => {
      // Strangers who comment need one, too.
      if (!mayStrangers(store, 'comment')) refuseUnlessOpen(rules);
      reply.header('cache-control', 'no-store');
      return proofsOfWork.challenge(clock());
    },
  );

  server.post(
    '/v1/members',
    {
      config: { audit: ['signed-up'], access: 'none' },
      schema: {
        operationId: 'signUp',
        tags,
        summary: 'Sign up',
        description:
          'Only if the wiki allows people to sign up. The response and its time are the same for every address: if the address belongs to a member, that member gets a mail about it, or nothing happens. Limited to thirty attempts in an hour for each client address.',
        body: NewSignUp,
        response: { 202: SignedUp },
        problems: ['sign-up-closed'],
      },
    },
    async (request, reply) => {
      await limits.countSignUp(request);
      const next = await signUp({ store, now: clock() }, service, rules, request.body);
      return reply.code(202).header('cache-control', 'no-store').send({ next });
    },
  );

  server.post(
    '/v1/members/confirm',
    {
      config: { audit: ['signed-up'], access: 'none' },
      schema: {
        operationId: 'confirmSignUp',
        tags,
        summary: 'Confirm a sign-up',
        description:
          'Requires the token of the mailed link and the chosen passphrase. Returns 200 with the new member, or 202 if an administrator has to approve the request first.',
        body: component('ConfirmSignUp', 'Link and passphrase.', {
          token: text('The one-time token.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
          pass: text('The chosen passphrase.', 'correct horse battery staple'),
        }),
        response: { 200: Me, 202: SignedUp },
        problems: ['sign-up-closed'],
      },
    },
    async (request, reply) => {
      await limits.countInvitation(request);
      const member = await confirmSignUp({ store, now: clock() }, service, rules, request.body);
      if (!member) return reply.code(202).send({ next: 'wait' as const });
      return reply.send(meJson(actorOf(member, clock())));
    },
  );

  server.get(
    '/v1/sign-ups',
    {
      config: { access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'signUps',
        tags,
        summary: 'List sign-up requests',
        description:
          'For administrators: oldest first, at most 1,000. A request expires after 30 days without a decision.',
        querystring: Type.Object(rangeFields(100)),
        response: { 200: Type.Array(WaitingSignUp, { description: 'The sign-up requests.' }) },
        headersOut: pagingHeaders,
        problems: ['administrators-only'],
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 100);
      const { signUps, total } = await listSignUps(store, request.actor, range, clock());
      setPaging({ request, reply }, range, signUps.length, total);
      return signUps.map(signUpJson);
    },
  );

  server.post(
    '/v1/sign-ups/:id/approve',
    {
      config: { audit: ['sign-up-approved'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'approveSignUp',
        tags,
        summary: 'Approve a sign-up request',
        description:
          'For administrators. The new member gets this role, or the role that the wiki gives to members who sign up, and is informed by mail.',
        params,
        body: component('ApproveSignUp', 'The role of the new member.', { role: Type.Optional(RoleField) }),
        response: { 200: Me },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async (request) => {
      const role: Role = request.body.role ?? rules.role;
      const { id } = request.params;
      return meJson(actorOf(await approveSignUp(store, request.actor, { id, role }, clock()), clock()));
    },
  );

  server.delete(
    '/v1/sign-ups/:id',
    {
      config: { audit: ['sign-up-refused'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'refuseSignUp',
        tags,
        summary: 'Refuse a sign-up request',
        description: 'For administrators. The person is informed by mail, and their data is deleted.',
        params,
        others: { 204: 'The request has been deleted.' },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async (request) => refuseSignUp(store, request.actor, request.params.id, clock()),
  );
}

function signUpJson({ id, email, name, waitingSince, createdAt, expiresAt }: SignUp) {
  return {
    id,
    email,
    name,
    waitingSince: new Date(waitingSince ?? createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
