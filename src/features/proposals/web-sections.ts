/** Sections of the page of a proposal. */
import { maxPairs, mergeWithMarks } from '#core/content/merge-bodies.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { MemberName } from '#core/model/page.ts';
import type { FieldError } from '#core/model/problem.ts';
import type { ProposalRow, Review } from '#core/ports/proposal-store.ts';
import { pageLink, pageUrl } from '#web/components.ts';
import { field } from '#web/form-fields.ts';
import { timeAgo } from '#web/format.ts';
import { type Html, html } from '#web/html.ts';
import type { PageCall } from '#web/operation-pages.ts';
import { comparedContents } from '#web/pages/diff.ts';
import type { Visit } from '#web/site.ts';
import { say } from '#words/say.ts';
import type { JudgedChange } from './judge-changes.ts';
import type { LinkEffects } from './link-effects.ts';
import type { NeededApprovals } from './needed-approvals.ts';
import type { ProposalSeen } from './schemas.ts';
import type { ShownChange } from './show-changes.ts';

export const urlOfProposal = (id: number) => `/proposals/${id}`;

/** The difference by fields and words, or that there is none to show. */
export function differenceOf(
  { change: { action }, difference }: ShownChange,
  visit: Visit,
): Html | undefined {
  if (action === 'delete') return undefined;
  if (!difference) return html`<p class="quiet">${say('proposals.theTextIsTooLongToBeCompared')}</p>`;
  const fields = difference.fields.filter(
    ({ field }) => field !== 'path' && (action !== 'create' || field !== 'title'),
  );
  const { hunks, linesLeftOut } = difference.body;
  if (fields.length + hunks.length + linesLeftOut === 0) return undefined;
  return comparedContents({ ...difference, fields }, true, { wiki: visit, members: new Map() });
}

export function linksSection({ wanted, dead }: LinkEffects): Html | undefined {
  if (wanted.length + dead.length === 0) return undefined;
  const missing = wanted.map(({ target, page }) => {
    const from = html`<a href="${pageUrl(page)}" dir="auto">${page}</a>`;
    return html`<li>${say('proposals.wouldLinkTo', { page: from, target: html`<bdi>${target}</bdi>` })}</li>`;
  });
  const broken = dead.map(({ target, page }) => {
    const to = html`<code dir="auto">${target}</code>`;
    return html`<li>${say('proposals.linksToDeleted', { page: pageLink(page), target: to })}</li>`;
  });
  return html`<h2>${say('proposals.linksWithoutAPage')}</h2>
<ul class="markup">${missing}${broken}</ul>`;
}

export function neededWords({ approvals, approvers, isOwn }: NeededApprovals): Html {
  return html`<p>${say('proposals.aRuleAsks', { count: approvals, approvers })}${isOwn && html` ${say('proposals.youAreOneOfThem')}`}</p>`;
}

export function publishForm({ id, publishAt }: ProposalRow, errors: readonly FieldError[] = []): Html {
  const value = publishAt === null ? '' : isoTime(publishAt).slice(0, 16);
  const own = errors.filter(({ pointer }) => pointer === '/publishAt');
  return html`<h2>${say('proposals.mergeAtATime')}</h2>
<form method="post" action="${urlOfProposal(id)}" class="narrow-form">
${field('publishAt', say('proposals.itMergesByItselfAt'), html`type="datetime-local" value="${value}"`, { errors: own, hint: say('proposals.inUtcItMergesWithYourRights') })}
<div class="buttons"><button type="submit" name="publish" value="yes" class="button">${say('proposals.setTheTime')}</button>${
    publishAt !== null &&
    html` <button type="submit" name="unpublish" value="yes" class="quiet-button">${say('proposals.doNotMergeByItself')}</button>`
  }</div></form>`;
}

/** Members who can read a draft; once it is open, all who may read its pages can. */
export function invitedForm(
  { proposal: { id, state }, invited }: ProposalSeen & { invited: MemberName[] },
  { form, errors = [] }: PageCall['refused'],
): Html | undefined {
  if (state !== 'draft') return undefined;
  const own = errors.filter(({ pointer }) => pointer.startsWith('/invited'));
  const attributes = html`required maxlength="255" dir="auto" value="${form?.text('name') ?? ''}" autocomplete="off"`;
  return html`<h2>${say('proposals.whoElseCanReadThisDraft')}</h2>
${invited.length === 0 && html`<p class="quiet">${say('proposals.onlyYouInviteMembersToRead')}</p>`}
<form method="post" action="${urlOfProposal(id)}"><ul class="access-list">${invited.map(
    (member) =>
      html`<li><a href="/members/${member.id}" dir="auto">${member.name}</a> <span class="row-actions"><button type="submit" name="uninvite" value="${member.id}" aria-label="${say(
        'proposals.removeName',
        { name: member.name },
      )}">${say('proposals.remove')}</button></span></li>`,
  )}</ul></form>
<form method="post" action="${urlOfProposal(id)}" class="narrow-form">
${field('name', say('proposals.nameOfAMember'), attributes, { id: 'invite-name', errors: own.map((error) => ({ ...error, pointer: '/name' })) })}
<div class="buttons"><button type="submit" name="invite" value="yes" class="quiet-button">${say('proposals.invite')}</button></div></form>`;
}

const verdictWords = {
  approve: say('proposals.approved'),
  reject: say('proposals.rejected'),
  comment: say('proposals.commented'),
} as const;

export function reviewList(reviews: readonly Review[], revision: number, { now }: Visit): Html {
  return html`<ul class="rows-list">${reviews.map(
    ({ verdict, member, at, text, on, ...review }) =>
      html`<li><strong>${verdictWords[verdict]}</strong> <span class="quiet">${say('proposals.reviewBy', { name: html`<bdi>${member.name}</bdi>`, time: timeAgo(at, now) })}${
        review.revision !== revision && html` · ${say('proposals.aboutEarlierChanges')}`
      }</span>${on?.quote && html`<blockquote class="quote" dir="auto">${on.quote}</blockquote>`}${text !== '' && html`<br><span class="proposal-text" dir="auto">${text}</span>`}</li>`,
  )}</ul>`;
}

/** Texts of both sides for each edit that conflicts in its text, to be solved by its author. */
export function conflictForm(id: number, changes: readonly JudgedChange[]): Html | false {
  const budget = { pairs: maxPairs };
  const solvable = changes.flatMap(({ n, path, versions, fields }) => {
    const { base, theirs, yours } = versions ?? {};
    if (!theirs || !yours || !('content' in yours) || fields?.body === undefined) return [];
    const { body } = theirs.content;
    const { text } = mergeWithMarks(yours.content.body, base?.content.body ?? body, body, budget);
    return [{ n, path, text, change: theirs.change }];
  });
  if (solvable.length === 0) return false;
  return html`<h2>${say('proposals.solveConflicts')}</h2>
<p>${say('proposals.bothVersionsOfEachConflict', { code: html`<code>&lt;&lt;&lt;&lt;&lt;&lt;&lt; yours</code>`, code2: html`<code>&gt;&gt;&gt;&gt;&gt;&gt;&gt; theirs</code>` })}</p>
<form method="post" action="${urlOfProposal(id)}">${solvable.map(
    ({ n, path, text, change }) =>
      html`<input type="hidden" name="base-${n}" value="${change}"><label class="field" for="body-${n}"><span>${path}</span><textarea id="body-${n}" name="body-${n}" rows="16"
class="source" dir="auto">\n${text}</textarea></label>`,
  )}
<div class="buttons"><button type="submit" name="solve" value="yes" class="button">${say('proposals.saveTheSolvedTexts')}</button></div></form>`;
}
