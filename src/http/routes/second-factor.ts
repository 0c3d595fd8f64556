/** A member's second factor: one-time passwords beside the passphrase. */
import { Type } from 'typebox';
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
} from '#core/members/second-factor.ts';
import { component, count, flag, idField, text } from '#core/operations/fields.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Members'];
const url = '/v1/members/me/second-factor';
const again = 'Requires a token from a sign-in within the last five minutes.';

const RecoveryCodes = component('RecoveryCodes', 'Recovery codes, for the case that the app is lost.', {
  recoveryCodes: Type.Array(Type.String({ examples: ['k7wq-m2xd-9ftp-h4ca'] }), {
    description: 'Each works once in place of a code of the app. They are shown only once.',
    examples: [['k7wq-m2xd-9ftp-h4ca']],
  }),
});

export async function secondFactorRoutes(server: Server, service: Service): Promise<void> {
  const { store, oneTimePasswords, clock } = service;

  server.get(
    url,
    {
      config: { access: 'required' },
      schema: {
        operationId: 'secondFactor',
        tags,
        summary: 'Read the state of my second factor',
        description: 'Whether signing in with the passphrase requires a code.',
        response: {
          200: component('SecondFactor', 'State of the second factor.', {
            isOn: flag('Whether a code is required.', true),
            recoveryCodesLeft: count('Number of unused recovery codes.', 9),
          }),
        },
      },
    },
    async (request) => {
      const { isOn, codesLeft } = await getSecondFactor(store, request.actor);
      return { isOn, recoveryCodesLeft: codesLeft };
    },
  );

  server.post(
    url,
    {
      config: { audit: [], access: 'required', answersSecret: true },
      schema: {
        operationId: 'beginSecondFactor',
        tags,
        summary: 'Start adding a second factor',
        description: `Returns a key for an authenticator app (RFC 6238: six digits, 30 seconds, SHA-1). The second factor is required as soon as one of its codes has been confirmed. ${again}`,
        response: {
          200: component('SecondFactorKey', 'Key for the authenticator app.', {
            secret: text('The key, base32.', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
            url: text(
              'The same as the text of a QR code.',
              'otpauth://totp/Wiki:ada%40example.org?issuer=Wiki&secret=JBSWY3DPEHPK3PXP',
            ),
          }),
        },
      },
    },
    async (request) => beginSecondFactor(store, oneTimePasswords, request.signedIn, clock()),
  );

  server.post(
    `${url}/confirm`,
    {
      config: { audit: ['second-factor-added'], access: 'required', answersSecret: true },
      schema: {
        operationId: 'confirmSecondFactor',
        tags,
        summary: 'Turn the second factor on',
        description: `Requires a code of the app. From then on \`POST /v1/members/auth\` needs \`code\` in addition to the passphrase. ${again}`,
        body: component('ConfirmSecondFactor', 'The code.', {
          code: text('Code that the app shows.', '492039'),
        }),
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => {
      const recoveryCodes = await confirmSecondFactor(
        { store, now: clock() },
        service,
        request.signedIn,
        request.body.code,
      );
      return { recoveryCodes };
    },
  );

  server.post(
    `${url}/recovery-codes`,
    {
      config: { audit: ['recovery-codes-made'], access: 'required', answersSecret: true },
      schema: {
        operationId: 'renewRecoveryCodes',
        tags,
        summary: 'Make new recovery codes',
        description: `Earlier recovery codes stop working. ${again}`,
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => ({
      recoveryCodes: await renewRecoveryCodes(store, service, request.signedIn, clock()),
    }),
  );

  server.delete(
    url,
    {
      config: { audit: ['second-factor-ended'], access: 'required' },
      schema: {
        operationId: 'endSecondFactor',
        tags,
        summary: 'Turn my second factor off',
        description: `After that the passphrase is enough to sign in. ${again}`,
        others: { 204: 'The second factor has been turned off.' },
        problems: ['not-found'],
      },
    },
    async (request) => endSecondFactor(store, request.signedIn, clock()),
  );

  server.delete(
    '/v1/members/:id/second-factor',
    {
      config: { audit: ['second-factor-ended', 'sessions-ended'], access: 'required' },
      schema: {
        operationId: 'resetSecondFactor',
        tags,
        summary: 'Reset the second factor of a member',
        description: `For a member who has lost app, recovery codes and devices. For administrators. Second factor and passkeys are removed, every session and reset link ends, and the member is informed by mail. ${again}`,
        params: Type.Object({ id: idField('ID of the member.', 3) }),
        others: { 204: 'Second factor and passkeys have been removed.' },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async (request) => {
      const by = { actor: request.actor, signedInAt: request.signedIn?.claims.signedInAt };
      await resetSecondFactor(store, by, request.params.id, clock());
    },
  );
}
