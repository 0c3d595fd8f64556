/** Joining by a one-time link; the first one creates the first administrator. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { invitationAcceptance, invitationByLink } from '#core/joining/invitation-operations.ts';
import type { Role } from '#core/model/member.ts';
import { signingIn } from '#core/sign-in/session-operations.ts';
import { say } from '#words/say.ts';
import {
  errorSummary,
  memberEmailField,
  memberNameField,
  newPassphraseFields,
  readNewPassphrase,
} from '../../form-fields.ts';
import { type ByToken, formRoutes, type RefusedForm } from '../../form-routes.ts';
import { formFrom } from '../../forms.ts';
import { html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import { providerButtons } from '../../providers.ts';
import { setupAnswers, setupQuestions } from '../../setup-questions.ts';
import { welcome } from '../../sign-in.ts';
import type { Site } from '../../site.ts';
import { sendSpent } from './notice-page.ts';

export function inviteRoutes(server: FastifyInstance, site: Site): void {
  for (const kind of ['invite', 'setup'] as const) {
    server.get<{ Params: ByToken }>(`/${kind}/:token`, reads(invitationByLink), async ({ params }, reply) =>
      sendInvitation({ site, reply }, kind, params),
    );

    const onForm = formRoutes<ByToken>(server, site, (_site, reply, refused, params) =>
      sendInvitation({ site, reply }, kind, params, refused),
    );
    onForm(`/${kind}/:token`, [invitationAcceptance, signingIn], async (form, request, reply) => {
      const { token } = request.params;
      const [email, name] = [form.text('email'), form.text('name')];
      await site.limits.countInvitation(request);
      const pass = readNewPassphrase(form);
      const input = { token, email, name, pass, settings: setupAnswers(site, form) };
      await carryFor(site, request)(invitationAcceptance, input);
      return welcome(site, reply, email, pass);
    });
  }
}

const invitedAs = {
  guest: say('invite.youAreInvitedAsAGuestChooseA'),
  reader: say('invite.youAreInvitedChooseANameAndA'),
  writer: say('invite.youAreInvitedChooseANameAndA2'),
  moderator: say('invite.youAreInvitedAsAModerator'),
  administrator: say('invite.youAreInvitedAsAn'),
} as const satisfies Record<Role, Words>;

const spentWords = {
  setup: say('invite.eitherTheFirstAdministrator'),
  invite: say('invite.itWasAlreadyUsedOrRevokedIs'),
};

async function sendInvitation(
  { site, reply }: { site: Site; reply: FastifyReply },
  kind: 'invite' | 'setup',
  { token }: ByToken,
  { form = formFrom([]), errors = [], message, status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const invitation = await carryFor(site, reply.request)(invitationByLink, { token });
  if (!invitation) return sendSpent(site, reply, html`${spentWords[kind]}`);
  const { name } = site.settings;
  const main = html`<div class="plain">
<h1>${kind === 'setup' ? html`${say('invite.setUpName', { name })}` : html`${say('invite.welcomeToName', { name })}`}</h1>
<p class="lede">${kind === 'setup' ? say('invite.youAreTheFirstMemberThis') : invitedAs[invitation.role]}</p>
${errorSummary(message)}
<form method="post" class="narrow-form">
${memberNameField(form.text('name'), errors)}
${memberEmailField(form.text('email'), errors)}
${newPassphraseFields(say('common.passphrase'), errors)}
${setupQuestions(site, visit, invitation, { form, errors })}
<div class="buttons"><button type="submit" class="button">${say('invite.createAccount')}</button></div>
</form>
${providerButtons(site, { intent: 'join', token })}
</div>`;
  const title = kind === 'setup' ? say('invite.setUp', { wiki: name }) : say('invite.yourInvitation');
  return sendLayout(site, reply, { title, kind: 'invite', main, status });
}
