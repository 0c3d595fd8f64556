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

const PasskeyObject = component('Passkey', 'A passkey of the member.', {
  id: integer('ID of the passkey.', 2, { minimum: 1 }),
  name: text('Name that the member gave the passkey.', 'Phone'),
  isSynced: flag(
    'Whether copies of the passkey are kept on other devices, so that it survives the loss of one.',
    true,
  ),
  createdAt: time('When it was added'),
  lastUsedAt: timeOrNull(
    'When the passkey was last used to sign in, ISO 8601 in UTC. Null if never.',
    exampleTime,
  ),
});

const Options = component('PasskeyOptions', 'Options for WebAuthn.', {
  options: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Options for the browser, in the JSON form of WebAuthn Level 3. Their challenge can be answered once, within five minutes.',
    examples: [{ challenge: 'ZXlKaGJHY2lPaUprYVhJ', rpId: 'wiki.example.org', userVerification: 'required' }],
  }),
});

const credentialField = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The browser’s `PublicKeyCredential`, as its `toJSON()` returns it.',
  examples: [{ id: 'q2xhc3M', rawId: 'q2xhc3M', type: 'public-key', response: {} }],
});
const nameField = text(`Name of the passkey, up to ${maxPasskeyNameLength} characters.`, 'Phone');
const params = Type.Object({ id: idField('ID of the passkey.', 2) });

export async function passkeyRoutes(
  server: Server,
  service: Service,
  settings: Pick<HttpSettings, 'baseUrl'>,
  { limits, signIns }: { limits: Limits; signIns: SignInLimits },
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
        description: 'In order of adding.',
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
        summary: 'Start adding a passkey',
        description:
          'Options for `PublicKeyCredential.parseCreationOptionsFromJSON()` and `navigator.credentials.create()`. Requires a token from a sign-in within the last five minutes. Passkeys belong to the host name in `COPPICE_URL`. If it is not set or contains an IP address, this is refused, except on `localhost`.',
        response: { 200: Options },
      },
    },
    async (request) => {
      const { signedIn } = request;
      return { options: await beginPasskey({ store, passkeys, now: clock() }, signedIn, addressOf(request)) };
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
          'Takes the response of the browser. The member is informed by mail. Requires a token from a sign-in within the last five minutes.',
        body: component('NewPasskey', 'The response of the browser, and a name.', {
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
        await addPasskey({ store, passkeys, now: clock() }, request.signedIn, input, addressOf(request)),
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
        description: 'Only the member sees the name.',
        params,
        body: component('PasskeyName', 'The new name.', { name: nameField }),
        others: { 204: 'The passkey has been renamed.' },
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
          'The passkey can no longer be used to sign in, and sessions that were started with it end. The member is informed by mail. The only way to sign in to an account cannot be removed.',
        params,
        others: { 204: 'The passkey has been removed.' },
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
        summary: 'Start signing in with a passkey',
        description:
          'Options for `PublicKeyCredential.parseRequestOptionsFromJSON()` and `navigator.credentials.get()`. They contain no account name: the browser offers its own passkeys of this wiki.',
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
        summary: 'Sign in with a passkey',
        description:
          'Starts a session with the response of the browser. A passkey counts as both factors, so no code is required. The response never says what was wrong.',
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
        signInByPasskey(
          { store, address: addressOf(request), device, now: clock() },
          { passkeys, sessions },
          credential,
        ),
      );
      return sendToken(reply as FastifyReply, await tokens.issue(claims));
    },
  );
}

function passkeyJson({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): Static<typeof PasskeyObject> {
  const timeOf = (at: number) => new Date(at).toISOString();
  return {
    id,
    name,
    isSynced,
    createdAt: timeOf(createdAt),
    lastUsedAt: lastUsedAt === null ? null : timeOf(lastUsedAt),
  };
}
