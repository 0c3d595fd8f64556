/** A member's passkeys, and signing in by passkey. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  maxPasskeyNameLength,
  maxPasskeys,
  passkeyRequest,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from '#core/members/passkeys.ts';
import {
  component,
  exampleTime,
  flag,
  idField,
  integer,
  text,
  time,
  timeOrNull,
} from '#core/operations/fields.ts';
import type { Passkey } from '#core/ports/passkeys.ts';
import type { Limits } from '../limits.ts';
import type { HttpSettings, Server, Service } from '../service.ts';
import type { SignInLimits } from '../sign-in-limits.ts';
import { sendToken, Token } from './members.ts';

const tags = ['Members'];
const url = '/v1/members/me/passkeys';
const signInUrl = '/v1/members/auth/passkey';

const PasskeyObject = component('Passkey', 'A key on a device of the member.', {
  id: integer('ID of the passkey.', 2, { minimum: 1 }),
  name: text('How the member calls it.', 'Phone'),
  isSynced: flag('Whether its device keeps copies on others, so that it is not lost with one.', true),
  createdAt: time('When it was added'),
  lastUsedAt: timeOrNull('When somebody last signed in with it, ISO 8601 in UTC; null: never.', exampleTime),
});

const Options = component('PasskeyOptions', 'Options of WebAuthn.', {
  options: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Options for the browser, in the JSON form of WebAuthn Level 3. Their challenge can be answered once, within five minutes.',
    examples: [{ challenge: 'ZXlKaGJHY2lPaUprYVhJ', rpId: 'wiki.example.org', userVerification: 'required' }],
  }),
});

const credentialField = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The browser’s `PublicKeyCredential`, by its `toJSON()`.',
  examples: [{ id: 'q2xhc3M', rawId: 'q2xhc3M', type: 'public-key', response: {} }],
});
const nameField = text(`How to call it, up to ${maxPasskeyNameLength} characters.`, 'Phone');
const params = Type.Object({ id: idField('ID of the passkey.', 2) });

export async function passkeyRoutes(
  server: Server,
  service: Service,
  settings: Pick<HttpSettings, 'baseUrl'>,
  limits: Limits,
  signIns: SignInLimits,
): Promise<void> {
  const { store, passkeys, sessions, tokens, clock } = service;
  const addressOf = ({ protocol, host }: FastifyRequest) => settings.baseUrl || `${protocol}://${host}`;

  server.get(
    url,
    {
      config: { access: 'required' },
      schema: {
        operationId: 'listPasskeys',
        tags,
        summary: 'List my passkeys',
        description: 'In the order in which they were added.',
        response: { 200: Type.Array(PasskeyObject, { description: `At most ${maxPasskeys}.` }) },
      },
    },
    async (request) => (await listPasskeys(store, request.actor)).map(passkeyJson),
  );

  server.post(
    `${url}/options`,
    {
      config: { audit: [], access: 'required', answersSecret: true },
      schema: {
        operationId: 'beginPasskey',
        tags,
        summary: 'Begin a passkey',
        description:
          'Options for `PublicKeyCredential.parseCreationOptionsFromJSON()` and `navigator.credentials.create()`. Needs a token that comes from a sign-in within the last five minutes. Passkeys belong to the name in `COPPICE_URL`: without one, or with the number of a machine in it, this is refused, except on `localhost`.',
        response: { 200: Options },
      },
    },
    async (request) => {
      const { signedIn } = request;
      return { options: await beginPasskey(store, passkeys, signedIn, addressOf(request), clock()) };
    },
  );

  server.post(
    url,
    {
      config: { audit: ['passkey-added'], access: 'required' },
      schema: {
        operationId: 'addPasskey',
        tags,
        summary: 'Add a passkey',
        description:
          'By the answer of the browser. The member is told by mail. Needs a token that comes from a sign-in within the last five minutes.',
        body: component('NewPasskey', 'The answer, and a name.', {
          credential: credentialField,
          name: Type.Optional(nameField),
        }),
        response: { 200: PasskeyObject },
      },
    },
    async (request) => {
      const { credential, name = '' } = request.body;
      const input = { credential, name };
      return passkeyJson(
        await addPasskey(store, passkeys, request.signedIn, input, addressOf(request), clock()),
      );
    },
  );

  server.patch(
    `${url}/:id`,
    {
      config: { audit: [], access: 'required' },
      schema: {
        operationId: 'renamePasskey',
        tags,
        summary: 'Rename a passkey',
        description: 'The name is for the member alone.',
        params,
        body: component('PasskeyName', 'The new name.', { name: nameField }),
        others: { 204: 'It has the name.' },
        problems: ['not-found'],
      },
    },
    async (request) => renamePasskey(store, request.actor, request.params.id, request.body.name),
  );

  server.delete(
    `${url}/:id`,
    {
      config: { audit: ['passkey-removed'], access: 'required' },
      schema: {
        operationId: 'removePasskey',
        tags,
        summary: 'Remove a passkey',
        description:
          'It signs nobody in any more, and sessions that it began end. The member is told by mail. The only way into an account cannot be removed.',
        params,
        others: { 204: 'It is removed.' },
        problems: ['not-found'],
      },
    },
    async (request) => removePasskey(store, request.actor, request.params.id, clock()),
  );

  server.post(
    `${signInUrl}/options`,
    {
      config: { audit: [], access: 'none' },
      schema: {
        operationId: 'beginPasskeySignIn',
        tags,
        summary: 'Begin to sign in by passkey',
        description:
          'Options for `PublicKeyCredential.parseRequestOptionsFromJSON()` and `navigator.credentials.get()`. They name nobody: the browser offers what passkeys of this wiki it has.',
        response: { 200: Options },
      },
    },
    async (request) => ({ options: await passkeyRequest(passkeys, addressOf(request)) }),
  );

  server.post(
    signInUrl,
    {
      config: { audit: ['signed-in', 'sign-in-failed'], access: 'none' },
      schema: {
        operationId: 'authenticateByPasskey',
        tags,
        summary: 'Authenticate by passkey',
        description:
          'Begins a session by the answer of the browser. It counts as both factors: no code is asked for. What is wrong with a wrong answer is never said.',
        body: component('PasskeySignIn', 'The answer.', { credential: credentialField }),
        response: { 200: Token },
        contentType: 'text/plain',
        problems: ['bad-credentials'],
      },
    },
    async (request, reply) => {
      await limits.countSignIn(request);
      const device = { userAgent: request.headers['user-agent'], isBrowser: false };
      const { credential } = request.body;
      const claims = await signIns.tryUnnamed(request, reply, () =>
        signInByPasskey(store, { passkeys, sessions }, credential, addressOf(request), device, clock()),
      );
      return sendToken(reply as FastifyReply, await tokens.issue(claims));
    },
  );
}

function passkeyJson({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): Static<typeof PasskeyObject> {
  const timeOf = (at: number) => new Date(at).toISOString();
  return {
    ...{ id, name, isSynced, createdAt: timeOf(createdAt) },
    lastUsedAt: lastUsedAt === null ? null : timeOf(lastUsedAt),
  };
}
