/** Proposals on the site: the list, one proposal with its differences, reviews and conflicts, and proposing from the editor. */
import { StoredBytes } from '#core/model/file.ts';
import { parseId } from '#core/model/id.ts';
import { isModerator } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { proposalStates } from '#core/ports/proposal-store.ts';
import { pageUrl, paging, readRange, writerWords } from '#web/components.ts';
import { errorSummary, field } from '#web/form-fields.ts';
import { momentOf, sizeWords, timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html, type Words } from '#web/html.ts';
import type { PageLayout } from '#web/layout.ts';
import { type FormCall, formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { inputOf } from '#web/pages/edit/edit-fields.ts';
import type { Visit } from '#web/site.ts';
import { say, textOf } from '#words/say.ts';
import type { JudgedChange } from './judge-changes.ts';
import {
  changeProposal,
  listProposals,
  mergeTheProposal,
  propose,
  readProposal,
  reviewProposal,
  showProposal,
} from './operations.ts';
import { approvalsOf } from './proposals.ts';
import { isMergeable, type ProposalSeen } from './schemas.ts';
import type { ShownChange } from './show-changes.ts';
import {
  conflictForm,
  differenceOf,
  invitedForm,
  linksSection,
  neededWords,
  publishForm,
  reviewList,
  urlOfProposal,
} from './web-sections.ts';
import { actionWords, stateWords } from './words.ts';

const leadsTo = ({ proposal }: ProposalSeen) => urlOfProposal(proposal.id);

const proposing = (state: 'open' | 'draft') =>
  formOf(propose, {
    fields: (form) => ({ ...proposed(form), state }),
    notice: state === 'open' ? 'proposed' : 'draft-saved',
    leadsTo,
  });
const becoming = (state: 'open' | 'withdrawn') =>
  formOf(changeProposal, { fields: (_form, call) => ({ id: idOf(call), state }), leadsTo });
const reviewing = (verdict: 'approve' | 'reject' | 'comment') =>
  formOf(reviewProposal, {
    fields: (form, call) => ({
      id: idOf(call),
      verdict,
      text: form.text('text'),
      on: form.has('on') ? { path: form.text('on'), quote: form.text('quote') } : undefined,
    }),
    leadsTo,
  });

const inviting = (arrange: (invited: (number | string)[], form: Form) => (number | string)[]) =>
  formOf(changeProposal, {
    async fields(form, call) {
      const { proposal } = await call.carry(readProposal, { id: idOf(call) });
      return { id: idOf(call), invited: arrange(proposal.invited, form) };
    },
    notice: 'proposal-saved',
    leadsTo,
  });

export const web: readonly OperationPage[] = [
  {
    url: '/proposals',
    keepsFiles: true,
    reads: [listProposals],
    forms: { propose: proposing('open'), draft: proposing('draft') },
    show: async (call) => (call.refused.form ? againPage(call, call.refused.form) : listPage(call)),
  },
  {
    url: '/proposals/:id',
    reads: [showProposal, readProposal],
    forms: {
      approve: reviewing('approve'),
      reject: reviewing('reject'),
      comment: reviewing('comment'),
      open: becoming('open'),
      withdraw: becoming('withdrawn'),
      merge: formOf(mergeTheProposal, {
        fields: (_form, call) => ({ id: idOf(call) }),
        notice: 'proposal-merged',
        leadsTo: (_answer, call) => urlOfProposal(idOf(call)),
      }),
      solve: formOf(changeProposal, { fields: solved, notice: 'proposal-saved', leadsTo }),
      invite: inviting((invited, form) => [...invited, form.text('name').trim()]),
      uninvite: inviting((invited, form) => invited.filter((id) => String(id) !== form.text('uninvite'))),
      publish: formOf(changeProposal, {
        fields: (form, call) => ({ id: idOf(call), publishAt: timeIn(form) }),
        notice: 'proposal-saved',
        leadsTo,
      }),
      unpublish: formOf(changeProposal, {
        fields: (_form, call) => ({ id: idOf(call), publishAt: null }),
        notice: 'proposal-saved',
        leadsTo,
      }),
    },
    show: proposalPage,
  },
];

function idOf({ params }: Pick<FormCall, 'params'>): number {
  return parseId(params.id ?? '') ?? 0;
}

/** A change from the form of the editor. */
function proposed(form: Form) {
  if (form.tooLarge.length > 0)
    throw new Problem('too-large', say('proposals.filesAreTooLarge', { names: form.tooLarge.join(', ') }));
  const files = form.files.map(({ file: { filename: name, blob } }) => ({
    file: { name, data: new StoredBytes(blob) },
  }));
  if (form.text('section') !== '') throw invalid('/section', say('proposals.editTheWholePageToProposeA'));
  const path = form.text('path-was');
  const {
    files: _,
    defaults: __,
    responsible: _____,
    path: to,
    msg = '',
    ...fields
  } = inputOf(form, undefined);
  const title = String(fields.title ?? '').trim();
  const words =
    String(msg).trim() ||
    (path === '' ? say('proposals.newPageTitle', { title }) : say('proposals.editTitle', { title }));
  const base = parseId(form.text('base'));
  const { parent, permissions: ___, group: ____, ...others } = fields;
  const change =
    path === ''
      ? { action: 'create', ...fields, ...(to ? { path: to } : {}) }
      : {
          action: 'edit',
          path,
          ...(base === undefined ? {} : { base }),
          ...others,
          ...(to === undefined ? {} : { to }),
          ...(form.text('parent') === form.text('parent-was') ? {} : { parent }),
        };
  return {
    title: textOf(words, 'en').slice(0, 255),
    changes: [{ ...change, ...(msg ? { msg } : {}), ...(files.length > 0 ? { files } : {}) }],
  };
}

/** All changes, with the texts of the form in place of those that conflicted. */
async function solved(form: Form, call: FormCall) {
  const { changes } = await call.carry(readProposal, { id: idOf(call) });
  const given = changes.map((change) => {
    const { action, path, base, fields: { path: to, ...fields } = {}, n, files } = change;
    const body = form.has(`body-${n}`) ? { body: form.text(`body-${n}`) } : {};
    const chosen = parseId(form.text(`base-${n}`)) ?? base;
    return {
      action,
      path: change.page?.path ?? path,
      ...fields,
      ...body,
      ...(action === 'create' || to === undefined ? {} : { to }),
      ...(chosen === null ? {} : { base: chosen }),
      ...(files.length === 0 ? {} : { files: files.map(({ filename: name }) => ({ file: { name } })) }),
    };
  });
  return { id: idOf(call), changes: given };
}

const limit = 20;

async function listPage({ carry, visit }: PageCall): Promise<PageLayout> {
  const { url, range } = readRange(visit, limit);
  const given = url.searchParams;
  const state = proposalStates.find((one) => one === given.get('state'));
  const path = given.get('path') ?? undefined;
  const isMine = given.get('author') === 'me';
  const filter = {
    ...(state ? { state } : isMine || path ? {} : { state: 'open' as const }),
    ...(isMine ? { author: 'me' as const } : {}),
    ...(path ? { path } : {}),
  };
  const { items, total } = await carry(listProposals, { ...filter, ...range });
  const tab = (words: Words, query: string) =>
    html`<li><a href="/proposals${query}"${url.search === query && html` aria-current="page"`}>${words}</a></li>`;
  const main = html`<div class="plain">
<h1>${say('proposals.proposals')}</h1>
<p class="lede">${say('proposals.changesThatMembersPropose')}</p>
<ul class="proposal-tabs">${tab(say('proposals.open'), '')} ${tab(say('proposals.mine'), '?author=me')} ${tab(
    say('proposals.myDrafts'),
    '?author=me&state=draft',
  )} ${tab(say('proposals.merged'), '?state=merged')}</ul>
${path !== undefined && html`<p>${say('proposals.forThePageAtPathShowAll', { path: html`<a href="${pageUrl(path)}">${path}</a>`, link: (words) => html`<a href="/proposals">${words}</a>` })}</p>`}
${items.length === 0 ? html`<p class="empty">${say('proposals.thereAreNoProposalsHereEditA')}</p>` : html`<ul class="rows-list proposal-list">${items.map((one) => row(one, visit))}</ul>`}
${paging(url, range, total)}
</div>`;
  return { title: say('proposals.proposals'), kind: 'proposals', main };
}

function row({ proposal, changes, ...seen }: ProposalSeen, { now }: Visit): Html {
  const { id, title, state, updatedAt } = proposal;
  const isStuck = state === 'open' && !isMergeable({ proposal, changes });
  return html`<li><a href="${urlOfProposal(id)}" dir="auto">${title}</a> <span class="quiet">${stateWords[state]} · ${say(
    'proposals.changesBy',
    { count: changes.length, name: html`<bdi>${writerWords(proposal)}</bdi>` },
  )} · ${timeAgo(updatedAt, now)}${
    seen.reviews.length > 0 && html` · ${say('count.reviews', { count: seen.reviews.length })}`
  }${isStuck && html` · ${say('proposals.conflicts')}`}</span></li>`;
}

async function proposalPage(call: PageCall): Promise<PageLayout> {
  const { carry, visit, id, refused } = call;
  const seen = await carry(showProposal, { id });
  const { proposal, changes, reviews, isOwn, shown, needed, mayMerge } = seen;
  const { title, text, state, author, revision, mergedAt, mergedBy, publishAt, publishProblem } = proposal;
  const isUnfinished = state === 'open' || state === 'draft';
  const approved = approvalsOf(proposal, reviews).length;
  const isWaiting = needed.some(({ approvals, isOwn }) => !isOwn && approved < approvals);
  const mayWithdraw = isUnfinished && (isOwn || isModerator(visit.actor));
  const sections: Html[] = [];
  for (const [place, one] of shown.entries()) {
    // Other requests have a turn: the markup of a difference can have a megabyte.
    await new Promise((resolve) => setImmediate(resolve));
    sections.push(changeSection({ ...one, place }, call, seen, isUnfinished ? id : undefined));
  }
  const main = html`<div class="plain diff-page proposal-page">
<p class="above"><a href="/proposals">${say('proposals.proposals')}</a></p>
<h1 dir="auto">${title}</h1>
<p class="quiet">${stateWords[state]} · ${say('proposals.numberBy', {
    id: String(id),
    name:
      proposal.stranger === null
        ? html`<a href="/members/${author.id}" dir="auto">${author.name}</a>`
        : writerWords(proposal),
    time: momentOf(proposal.createdAt),
  })}${
    mergedAt !== null &&
    html` · ${say('proposals.mergedBy', { name: html`<bdi>${mergedBy?.name ?? ''}</bdi>`, time: momentOf(mergedAt) })}`
  }${publishAt !== null && html` · ${say('proposals.mergesByItself', { time: momentOf(publishAt) })}`}</p>
${errorSummary(refused.message)}
${isOwn && publishProblem !== null && html`<div class="banner" role="note"><p>${say('proposals.mergingAtTheChosenTimeWas', { publishProblem })}</p></div>`}
${text !== '' && html`<p class="proposal-text" dir="auto">${text}</p>`}
${sections}
${isUnfinished && linksSection(seen.links)}
${isOwn && isUnfinished && conflictForm(id, changes)}
<h2>${say('proposals.reviews')}</h2>
${
  reviews.length === 0
    ? html`<p class="quiet">${say('proposals.nobodyHasReviewedItYet')}</p>`
    : reviewList(
        reviews.filter(({ on }) => !changes.some(({ path }) => path === on?.path)),
        revision,
        visit,
      )
}
${
  isUnfinished &&
  html`<form method="post" action="${urlOfProposal(id)}" class="narrow-form">
<label class="field" for="review-text"><span>${
    isOwn ? say('proposals.yourComment') : say('proposals.yourReview')
  }</span><textarea id="review-text" name="text" rows="3" maxlength="10000" dir="auto">${refused.form?.text('text') ?? ''}</textarea></label>
<div class="buttons">${
    !isOwn &&
    html`<button type="submit" name="approve" value="yes" class="button">${say(
      'proposals.approve',
    )}</button> <button type="submit" name="reject" value="yes" class="quiet-button">${say('proposals.reject')}</button> `
  }<button type="submit" name="comment" value="yes" class="quiet-button">${isOwn ? say('proposals.comment') : say('proposals.onlyComment')}</button></div></form>
<h2>${say('proposals.merge')}</h2>
${needed.map(neededWords)}
<form method="post" action="${urlOfProposal(id)}"><div class="buttons">
${
  !isMergeable(seen)
    ? html`<p>${say('proposals.someChangesConflictWithThe')}</p>`
    : isWaiting || !mayMerge
      ? !mayMerge && html`<p>${say('proposals.whoCanEditMergesIt')}</p>`
      : html`<button type="submit" name="merge" value="yes" class="button">${say('proposals.mergeChange', { count: changes.length })}</button>`
}
${isOwn && state === 'draft' && html`<button type="submit" name="open" value="yes" class="button">${say('proposals.openForReview')}</button>`}
${mayWithdraw && html`<button type="submit" name="withdraw" value="yes" class="quiet-button">${say('proposals.withdraw')}</button>`}</div></form>`
}
${isOwn && mayMerge && state === 'open' && publishForm(proposal, refused.errors)}
${isOwn && isUnfinished && invitedForm(seen, refused)}
${
  isOwn &&
  state === 'withdrawn' &&
  html`<form method="post" action="${urlOfProposal(id)}"><button type="submit" name="open" value="yes" class="button">${say('proposals.openItAgain')}</button></form>`
}
</div>`;
  return { title, kind: 'proposal', main, ...(isUnfinished ? { scripts: ['proposal'] } : {}) };
}

function timeIn(form: Form): string {
  const time = form.text('publishAt').trim();
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time))
    throw invalid('/publishAt', say('proposals.chooseADateAndATime'), 'required');
  return `${time.slice(0, 16)}:00Z`;
}

/** `place`: among those that are shown. `id`: ID of the proposal, if the wiki can be shown with it. */
function changeSection(
  { change, difference, place }: ShownChange & { place: number },
  { visit, refused: { form } }: PageCall,
  { reviews, proposal }: ProposalSeen,
  id: number | undefined,
): Html {
  const { action, path, page, conflict } = change;
  const own = reviews.filter(({ on }) => on?.path === path);
  const kept = form?.text('on') === path ? form : undefined;
  const name = page
    ? html`<a href="${pageUrl(page.path)}" dir="auto">${page.title}</a>`
    : html`<code dir="auto">${path}</code>`;
  const target = change.fields?.path;
  const isShown = id !== undefined && action !== 'delete' && conflict === false;
  return html`<section class="proposal-change"><h2>${actionWords[action]}: ${name}</h2>
${conflict !== false && html`<p class="banner" role="note">${say('proposals.thisChangeConflictsWithThe')}</p>`}
${action !== 'create' && target && html`<p>${say('proposals.newAddressTarget', { target: html`<code dir="auto">${target}</code>` })}</p>`}
${change.files.length > 0 && html`<p>${say('proposals.files')}: ${filesOf(change)}</p>`}
${isShown && html`<p><a href="${pageUrl(target ?? page?.path ?? path)}?proposal=${id}">${say('proposals.showThePage')}</a></p>`}
${differenceOf({ change, difference }, visit)}
${own.length > 0 && reviewList(own, proposal.revision, visit)}
${
  id !== undefined &&
  html`<details${kept && html` open`}><summary>${say(
    'proposals.commentOnThisChange',
  )}</summary><form method="post" action="${urlOfProposal(id)}" class="narrow-form"><input type="hidden" name="on" value="${path}"><label class="field" for="quote-${place}"><span>${say(
    'proposals.wordsOfTheNewText',
  )}</span><textarea id="quote-${place}" name="quote" rows="2" maxlength="2000" dir="auto">${
    kept?.text('quote') ?? ''
  }</textarea></label> <label class="field" for="comment-${place}"><span>${say(
    'proposals.yourComment',
  )}</span><textarea id="comment-${place}" name="text" rows="3" maxlength="10000" required dir="auto">${
    kept?.text('text') ?? ''
  }</textarea></label><div class="buttons"><button type="submit" name="comment" value="yes" class="quiet-button">${say('proposals.comment')}</button></div></form></details>`
}
</section>`;
}

function filesOf({ files }: JudgedChange): Html[] {
  return files.map(
    ({ filename, name, sizeBytes }, n) =>
      html`${n > 0 && ', '}<a href="${fileUrl(name)}" dir="auto">${filename}</a> (${sizeWords(sizeBytes)})`,
  );
}

/** A refused proposal from the editor: everything that was written stays in the form. */
function againPage({ refused: { message, errors = [] } }: PageCall, form: Form): PageLayout {
  const shown = new Set(['msg', 'title', 'body', 'propose', 'draft']);
  const main = html`<div class="plain">
<h1>${say('proposals.proposeAChange')}</h1>
${errorSummary(message)}
<form method="post" action="/proposals">
${form.entries().flatMap(([name, value]) => (shown.has(name) ? [] : html`<input type="hidden" name="${name}" value="${value}">`))}
${field('msg', say('proposals.whatTheProposalIsAbout'), html`value="${form.text('msg')}" maxlength="255" dir="auto"`, { errors })}
${field('title', say('proposals.titleOfThePage'), html`value="${form.text('title')}" dir="auto"`, { errors })}
<label class="field" for="proposed-body"><span>${say('proposals.text')}</span><textarea id="proposed-body" name="body" rows="20" class="source" dir="auto">\n${form.text('body')}</textarea></label>
<div class="buttons"><button type="submit" name="propose" value="yes" class="button">${say('proposals.propose')}</button> <button type="submit" name="draft" value="yes" class="quiet-button">${say(
    'proposals.saveAsDraft',
  )}</button></div>
</form></div>`;
  return { title: say('proposals.proposeAChange'), kind: 'proposals', main };
}
