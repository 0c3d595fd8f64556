/**
 * Commenting and proposing without an account on the site, and the list of what waits, for moderators. The script of the sign-up form
 * does the proof of work; without scripts only reading is possible.
 */
import { differenceOf } from '#src/features/proposals/web-sections.ts';
import { actionWords } from '#src/features/proposals/words.ts';
import { pageLink, pageUrl, paging, readRange, urlOfVisit } from '#web/components.ts';
import { errorSummary, field } from '#web/form-fields.ts';
import { chosenId } from '#web/form-routes.ts';
import { timeAgo } from '#web/format.ts';
import { type Html, html, type Words } from '#web/html.ts';
import type { PageLayout } from '#web/layout.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import type { Visit } from '#web/site.ts';
import { say } from '#words/say.ts';
import {
  approveSubmission,
  eraseStranger,
  offerToStrangers,
  refuseSubmissions,
  type ShownSubmission,
  showSubmissions,
  submitComment,
  submitProposal,
} from './operations.ts';

const address = '/members/submissions';
const listed = 20;

export const web: readonly OperationPage[] = [
  {
    url: '/login/comment/*',
    reads: [offerToStrangers],
    forms: {
      '': formOf(submitComment, {
        fields: (form, { path }) => ({
          page: path,
          quote:
            form.text('quote') === ''
              ? undefined
              : { text: form.text('quote'), before: form.text('before'), after: form.text('after') },
        }),
        notice: 'submitted',
        leadsTo: (_, { path }) => pageUrl(path),
      }),
    },
    show: commentPage,
  },
  {
    url: '/login/propose/*',
    reads: [offerToStrangers],
    forms: {
      '': formOf(submitProposal, {
        fields: (form, { path }) => ({
          changes: [
            {
              action: 'edit',
              path,
              base: chosenId(form, 'base'),
              title: form.text('page-title'),
              body: form.text('body'),
            },
          ],
        }),
        notice: 'submitted',
        leadsTo: (_, { path }) => pageUrl(path),
      }),
    },
    show: proposePage,
  },
  {
    url: address,
    reads: [showSubmissions],
    forms: {
      approve: formOf(approveSubmission, {
        fields: (form) => ({ id: chosenId(form, 'approve') }),
        notice: 'submission-approved',
        leadsTo: address,
      }),
      refuse: formOf(refuseSubmissions, {
        fields: (form) => ({ ids: [chosenId(form, 'refuse')] }),
        notice: 'submissions-refused',
        leadsTo: address,
      }),
      from: formOf(refuseSubmissions, { notice: 'submissions-refused', leadsTo: address }),
      marked: formOf(refuseSubmissions, {
        fields: (form) => ({ ids: form.all('id').map(Number) }),
        notice: 'submissions-refused',
        leadsTo: address,
      }),
      erase: formOf(eraseStranger),
    },
    show: submissionsPage,
  },
];

async function commentPage(call: PageCall): Promise<PageLayout> {
  const { carry, visit, path, refused } = call;
  const offer = await carry(offerToStrangers, { path, kind: 'comment' });
  const asked = urlOfVisit(visit).searchParams;
  const given = (name: string) => refused.form?.text(name) ?? asked.get(name) ?? '';
  const quote = given('quote');
  const fields = html`<input type="hidden" name="quote" value="${quote}"><input type="hidden" name="before" value="${given('before')}"><input type="hidden" name="after" value="${given('after')}">
${quote !== '' && html`<blockquote class="quote" dir="auto">${quote}</blockquote>`}
${textArea('body', say('comments.yourComment'), given('body'), html`rows="6" maxlength="10000"`)}`;
  const title = say('strangers.commentWithoutAnAccount');
  return form(call, offer, { title, next: urlOf('/comments', offer.page.path) }, fields);
}

async function proposePage(call: PageCall): Promise<PageLayout> {
  const { carry, path, refused } = call;
  const offer = await carry(offerToStrangers, { path, kind: 'proposal' });
  const { page } = offer;
  const given = (name: string, usual = '') => refused.form?.text(name) ?? usual;
  const { errors } = refused;
  const base = given('base', String(page.changeId));
  const fields = html`<input type="hidden" name="base" value="${base}">
${field('page-title', say('proposals.titleOfThePage'), html`value="${given('page-title', page.title)}" dir="auto" required`, { errors })}
${textArea('body', say('proposals.text'), given('body', page.content.body), html`rows="20" class="source"`)}
${field('title', say('proposals.whatTheProposalIsAbout'), html`value="${given('title')}" maxlength="255" dir="auto" required`, { errors })}`;
  const title = say('strangers.proposeWithoutAnAccount');
  return form(call, offer, { title, next: urlOf('/edit', page.path) }, fields);
}

/** `next`: where a member does the same. */
function form(
  { refused, visit }: PageCall,
  { page, challenge }: { page: { path: string; title: string }; challenge: object },
  { title, next }: { title: Words; next: string },
  fields: Html,
): PageLayout {
  const { errors, message } = refused;
  const given = (name: string) => refused.form?.text(name) ?? '';
  const action = urlOfVisit(visit).pathname;
  const main = html`<div class="plain">
<p class="above">${pageLink(page)}</p>
<h1>${title}</h1>
<p class="lede">${say('strangers.aModeratorLooksFirst', { link: (words) => html`<a href="/login?next=${encodeURIComponent(next)}">${words}</a>` })}</p>
${errorSummary(message)}
<noscript><p class="banner">${say('strangers.needsJavascript')}</p></noscript>
<form method="post" action="${action}" id="without-account" class="stranger-form" data-challenge="${JSON.stringify(challenge)}">
<input type="hidden" name="proof" value="">
${fields}
${field('name', say('strangers.yourName'), html`value="${given('name')}" maxlength="100" autocomplete="name" dir="auto" required`, { errors })}
${field('email', say('strangers.yourEmail'), html`type="email" value="${given('email')}" autocomplete="email"`, { errors, hint: say('strangers.optional') })}
<div class="buttons"><button type="submit" class="button">${say('strangers.send')}</button></div>
<p class="quiet" role="status" data-work></p>
</form></div>`;
  return { title, kind: 'plain', main, scripts: ['sign-up'] };
}

function textArea(name: string, label: Words, value: string, attributes: Html): Html {
  return html`<div class="field wide"><label for="submitted-${name}">${label}</label><textarea id="submitted-${name}" name="${name}" required dir="auto" ${attributes}>
${value}</textarea></div>`;
}

async function submissionsPage({ carry, visit, refused, answerTo }: PageCall): Promise<PageLayout> {
  const { url, range } = readRange(visit, listed);
  const { items, total } = await carry(showSubmissions, range);
  const erased = answerTo(eraseStranger);
  const main = html`<div class="plain submissions">
<p class="above"><a href="/account/notifications">${say('watches.notifications')}</a></p>
<h1>${say('strangers.submissions')}</h1>
${errorSummary(refused.message)}
${erased && html`<p class="banner" role="status">${say('strangers.erased', { submissions: erased.submissions, comments: erased.comments, proposals: erased.proposals })}</p>`}
${
  total === 0
    ? html`<p class="empty">${say('strangers.nothingWaits')}</p>`
    : html`<p class="lede">${say('strangers.waiting', { count: total })}</p>
<form method="post" action="${address}" id="marked"></form>
${items.map((one) => submission(one, visit))}
${items.length > 1 && html`<p class="buttons"><button type="submit" form="marked" name="what" value="marked" class="quiet-button">${say('strangers.refuseMarked')}</button></p>`}`
}
${paging(url, range, total)}
${
  visit.actor?.isAdmin &&
  html`<section><details class="narrow-form"><summary>${say('strangers.eraseHeading')}</summary><form method="post" action="${address}">
${field('name', say('strangers.nameTheyGave'), html`dir="auto" autocomplete="off" required`, { hint: say('strangers.eraseHint') })}
<div class="buttons"><button type="submit" name="what" value="erase" class="quiet-button">${say('strangers.erase')}</button></div></form></details></section>`
}
</div>`;
  return { title: say('strangers.submissions'), kind: 'members', main };
}

function submission({ contents, ...one }: ShownSubmission, visit: Visit): Html {
  const { id, page, stranger, email, sender, ofSender, at, shown } = one;
  const by = { name: html`<strong dir="auto">${stranger}</strong>`, time: timeAgo(at, visit.now) };
  const isProposal = 'change' in contents;
  const text = isProposal
    ? proposalOf(contents, shown && differenceOf(shown, visit))
    : html`${contents.quote && html`<blockquote class="quote" dir="auto">${contents.quote.text}</blockquote>`}
<p class="proposal-text" dir="auto">${contents.body}</p>`;
  return html`<section class="submission" id="submission-${id}">
<p class="comment-head"><label class="choice"><input type="checkbox" name="id" value="${id}" form="marked" aria-label="${say('strangers.mark')}"></label> ${
    isProposal ? say('strangers.proposalBy', by) : say('strangers.commentBy', by)
  } · ${page ? pageLink(page) : say('strangers.newRootPage')}${email !== null && html` · <a href="mailto:${email}">${email}</a>`}</p>
${text}
<form method="post" action="${address}" class="buttons"><input type="hidden" name="from" value="${sender}"><button type="submit" name="approve" value="${id}" class="button">${say(
    'strangers.approve',
  )}</button> <button type="submit" name="refuse" value="${id}" class="quiet-button">${say('strangers.refuse')}</button>${
    ofSender > 1 &&
    html` <button type="submit" name="what" value="from" class="quiet-button">${say('strangers.refuseAllFromHere', { count: ofSender })}</button>`
  }</form>
</section>`;
}

function proposalOf(
  { title, text, change }: Extract<ShownSubmission['contents'], { change: unknown }>,
  difference: Html | undefined,
): Html {
  const { action, path, fields } = change;
  return html`<p><strong dir="auto">${title}</strong> ${actionWords[action]}: <code dir="auto">${path}</code></p>
${action === 'move' && fields.path !== undefined && html`<p>${say('proposals.newAddressTarget', { target: html`<code dir="auto">${fields.path}</code>` })}</p>`}
${text !== '' && html`<p class="proposal-text" dir="auto">${text}</p>`}
${difference}
${fields.body !== undefined && html`<details><summary>${say('strangers.theWholeProposedText')}</summary><pre class="proposed-source" dir="auto">${fields.body}</pre></details>`}`;
}
