/** Verifying a page on the site, with the day of the next review. */
import { dayOf } from '#core/model/date-words.ts';
import { dayMs } from '#core/model/iso-time.ts';
import { pageLink, pageUrl } from '#web/components.ts';
import { checkbox, errorSummary, field } from '#web/form-fields.ts';
import { html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import { say } from '#words/say.ts';
import { readVerification, verifyPage } from './operations.ts';

/** The next review is proposed for then. */
const usualDays = 365;

export const web: readonly OperationPage[] = [
  {
    url: '/verify/*',
    followsMoves: true,
    reads: [readVerification],
    forms: {
      verify: formOf(verifyPage, {
        fields: (form) => ({
          reviewBy: form.text('reviewBy').trim() || null,
          isResponsible: form.has('isResponsible'),
        }),
        notice: 'verified',
        leadsTo: ({ page }) => pageUrl(page.path),
      }),
    },
    async show({ carry, path, visit, refused: { form, errors = [], message } }) {
      const { page, responsibleName } = await carry(readVerification, { path });
      const next = form?.text('reviewBy') ?? dayOf(visit.now + usualDays * dayMs);
      const main = html`<div class="plain">
<p class="above">${pageLink(page)}</p>
<h1>${say('freshness.verifyThisPage')}</h1>
<p class="lede">${say('freshness.youSayThatThePageIsRight')}</p>
${errorSummary(message)}
<form method="post" action="/verify${pageUrl(page.path)}" class="narrow-form">
${field('reviewBy', say('freshness.reviewItAgainFrom'), html`type="date" value="${next}"`, { errors, hint: say('freshness.leaveEmptyIfItNeedNotBe') })}
${
  (page.content.responsible ?? page.owner.id) === visit.actor?.memberId
    ? html`<p class="quiet">${say('freshness.youAreResponsible')}</p>`
    : html`${responsibleName !== null && html`<p class="quiet">${say('freshness.responsible', { name: html`<bdi>${responsibleName}</bdi>` })}</p>`}
${checkbox('isResponsible', 'yes', form?.has('isResponsible') === true, say('freshness.iAmResponsible'))}`
}
<div class="buttons"><button type="submit" class="button" name="verify" value="yes">${say('freshness.verified')}</button> <a href="${pageUrl(page.path)}">${say('freshness.cancel')}</a></div>
</form></div>`;
      return { title: say('freshness.verifyTitle', { title: page.title }), kind: 'verify', main };
    },
  },
];
