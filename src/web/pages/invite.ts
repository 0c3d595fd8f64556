/** Joining by a one-time link; the first one creates the first administrator. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { acceptInvitation, findInvitation } from '#core/members/invite-member.ts';
import type { Role } from '#core/model/member.ts';
import type { FieldError } from '#core/model/problem.ts';
import type { Settings } from '#core/model/settings.ts';
import { say } from '#words/say.ts';
import {
  errorSummary,
  field,
  memberEmailField,
  memberNameField,
  newPassphraseFields,
  readNewPassphrase,
} from '../form-fields.ts';
import { type ByToken, formRoutes, type RefusedForm } from '../form-routes.ts';
import { type Form, formFrom } from '../forms.ts';
import { type HtmlValue, html, type Words } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { providerButtons } from '../providers.ts';
import { welcome } from '../sign-in.ts';
import type { Site } from '../site.ts';
import { sendSpent } from './words.ts';

export function inviteRoutes(server: FastifyInstance, site: Site): void {
  const { store, passphrases, secrets } = site.service;

  for (const kind of ['invite', 'setup'] as const) {
    server.get<{ Params: ByToken }>(`/${kind}/:token`, async ({ params }, reply) =>
      sendInvitation(site, reply, kind, params),
    );

    const onForm = formRoutes<ByToken>(server, site, (_site, reply, refused, params) =>
      sendInvitation(site, reply, kind, params, refused),
    );
    onForm(`/${kind}/:token`, ['member-joined', 'signed-in'], async (form, request, reply) => {
      const { token } = request.params;
      const [email, name] = [form.text('email'), form.text('name')];
      await site.limits.countInvitation(request);
      const pass = readNewPassphrase(form);
      const settings = kind === 'setup' ? answersOf(site, form) : {};
      const input = { token, email, name, pass, settings };
      await acceptInvitation(store, passphrases, secrets, input, request.visit.now);
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
  site: Site,
  reply: FastifyReply,
  kind: 'invite' | 'setup',
  { token }: ByToken,
  { form = formFrom([]), errors = [], message, status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { store, secrets } = site.service;
  const invitation = await findInvitation(store, secrets, token, reply.request.visit.now);
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
${kind === 'setup' && questions(site, form, errors)}
<div class="buttons"><button type="submit" class="button">${say('invite.createAccount')}</button></div>
</form>
${providerButtons(site, { intent: 'join', token })}
</div>`;
  const title = kind === 'setup' ? say('invite.setUp', { wiki: name }) : say('invite.yourInvitation');
  return sendLayout(site, reply, { title, kind: 'invite', main, status });
}

/** Three questions of the first start; those that the environment decides are not asked. */
function questions({ service: { store } }: Site, form: Form, errors: FieldError[]): HtmlValue[] {
  const { fixed, current } = store.settings;
  const settings = current();
  const choice = (value: string, words: Words, isChosen: boolean) =>
    html`<label class="choice"><input type="radio" name="private" value="${value}"${isChosen && html` checked`}> ${words}</label>`;
  const isPrivate = form.text('private') === 'yes';
  const ask = (name: 'name' | 'language', label: Words, hint: Words) =>
    fixed[name] === undefined &&
    field(`wiki-${name}`, label, html`dir="auto" value="${form.text(`wiki-${name}`) || settings[name]}"`, {
      errors,
      hint,
    });
  return [
    html`<h2>${say('invite.theWiki')}</h2>`,
    ask('name', say('invite.nameOfTheWiki'), say('invite.shownOnEveryPage')),
    ask('language', say('invite.languageOfItsTexts'), say('invite.aTagSuchAsEnDeOrPtBr')),
    fixed.private === undefined &&
      html`<fieldset class="field"><legend>${say('invite.whoMayReadThisWiki')}</legend>
${choice('no', say('invite.everybodyWithinThe'), !isPrivate)}
${choice('yes', say('invite.onlyMembersOthersMustSignIn'), isPrivate)}
<p class="hint">${say('invite.youCanChangeAllOfThisLaterIn')}</p></fieldset>`,
  ];
}

/** Answers to these questions. A form without a question leaves its setting as it is. */
function answersOf({ service: { store } }: Site, form: Form): Partial<Settings> {
  const { fixed } = store.settings;
  const answers: Partial<Settings> = {
    ...(form.has('wiki-name') ? { name: form.text('wiki-name') } : {}),
    ...(form.has('wiki-language') ? { language: form.text('wiki-language') } : {}),
    ...(form.text('private') === 'yes' ? { private: true } : {}),
  };
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !Object.hasOwn(fixed, name)));
}
