/** Protection of a page, for moderators: level, with or without subtree, and end. */
import { isoTime } from '#core/model/iso-time.ts';
import { invalid } from '#core/model/problem.ts';
import { pageLink, pageUrl } from '#web/components.ts';
import { checkbox, choices, errorSummary, field, selectField } from '#web/form-fields.ts';
import { exactTime } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { html, type Words } from '#web/html.ts';
import { type FormCall, formOf, type OperationPage } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { say } from '#words/say.ts';
import { protectPage, readProtection } from './operations.ts';

const levels = [
  ['', say('protection.asItsPermissionsAllow')],
  ['moderators', say('protection.moderatorsAndAdministrators')],
  ['administrators', say('common.administratorsOnly')],
] as const;
const hourMs = 3_600_000;
const spans: [hours: number, words: Words][] = [
  [0, say('protection.untilSomebodyLiftsIt')],
  ...[1, 7, 30].map((days) => [days * 24, say('common.forDays', { days })] as [number, Words]),
];

export const web: readonly OperationPage[] = [
  {
    url: '/protect/*',
    followsMoves: true,
    reads: [readProtection],
    forms: {
      '': formOf(protectPage, {
        fields: inputOf,
        notice: 'protection-saved',
        leadsTo: ({ page }) => pageUrl(page.path),
      }),
    },
    async show({ carry, visit, path, refused: { message } }) {
      const { page } = await carry(readProtection, { path });
      const { protection } = page;
      const until = protection?.until ?? 0;
      const kept =
        until > visit.now &&
        html`<option value="@${until}">${say('protection.untilTime', { time: exactTime(until) })}</option>`;
      const main = html`<div class="plain">
<p class="above">${pageLink(page)}</p>
<h1>${say('protection.protectThisPage')}</h1>
<p class="lede">${say('protection.nobodyElseCanEditMoveOr')}</p>
${errorSummary(message)}
<form method="post" action="${urlOf('/protect', page.path)}" class="narrow-form">
${selectField('level', say('protection.whoMayChangeIt'), choices(levels, protection?.level ?? ''), { id: 'protect-level' })}
${checkbox('subtree', 'yes', protection?.subtree ?? false, say('protection.withAllPagesBeneathIt'))}
${field('reason', say('protection.reason'), html`maxlength="500" value="${protection?.reason ?? ''}"`, { id: 'protect-reason' })}
${selectField('hours', say('protection.howLong'), [kept, choices(spans)], { id: 'protect-hours' })}
<div class="buttons"><button type="submit" class="button">${say('protection.save')}</button> <a href="${pageUrl(page.path)}">${say('protection.cancel')}</a></div></form>
</div>`;
      return { title: say('protection.protectTitle', { title: page.title }), kind: 'delete', main };
    },
  },
];

function inputOf(form: Form, { visit }: FormCall) {
  const level = levels.find(([one]) => one === form.text('level'))?.[0];
  const span = form.text('hours');
  const hours = spans.find(([one]) => String(one) === span)?.[0];
  // End of protection as the form showed it.
  const kept = /^@(\d{1,15})$/.exec(span)?.[1];
  if (level === undefined || (hours === undefined && kept === undefined))
    throw invalid('/level', say('protection.chooseAnOptionFromTheList'));
  return {
    level: level === '' ? null : level,
    subtree: form.text('subtree') === 'yes',
    reason: form.text('reason'),
    until: hours === 0 ? null : isoTime(hours === undefined ? Number(kept) : visit.now + hours * hourMs),
  };
}
