/**
 * Comments of a page on the site: threads with their forms, which work without scripts. With scripts the page shows the same threads
 * beside its text (`src/web/islands/page/comments.ts`). `/comments` lists comments of many pages.
 */
import type { Quote } from '#core/ports/comment-store.ts';
import { pageLink, paging, readRange, urlOfVisit, writerWords } from '#web/components.ts';
import { errorSummary } from '#web/form-fields.ts';
import { chosenId } from '#web/form-routes.ts';
import { timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html, type Words } from '#web/html.ts';
import { readable } from '#web/markup.ts';
import { type FormCall, formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { say } from '#words/say.ts';
import { mayChange } from './comments.ts';
import {
  changeComment,
  comment,
  deleteComment,
  listComments,
  readThreads,
  type Threads,
} from './operations.ts';
import type { ShownComment } from './schemas.ts';

const listed = 50;

type Thread = Threads['comments'];

const id = (form: Form) => ({ id: chosenId(form, 'id') });
const addressOfComment = (answer: { id: number }, { path }: FormCall) =>
  `${urlOf('/comments', path)}#comment-${answer.id}`;

const ofPage: OperationPage = {
  url: '/comments/*',
  followsMoves: true,
  reads: [readThreads],
  forms: {
    '': formOf(comment, {
      fields: (form, { path }) => ({
        page: path,
        quote:
          form.text('quote') === ''
            ? undefined
            : { text: form.text('quote'), before: form.text('before'), after: form.text('after') },
        replyTo: form.has('to') ? chosenId(form, 'to') : undefined,
      }),
      leadsTo: addressOfComment,
    }),
    edit: formOf(changeComment, { fields: id, leadsTo: addressOfComment }),
    resolve: formOf(changeComment, {
      fields: (form) => ({ ...id(form), body: undefined, resolved: true }),
      leadsTo: addressOfComment,
    }),
    reopen: formOf(changeComment, {
      fields: (form) => ({ ...id(form), body: undefined, resolved: false }),
      leadsTo: addressOfComment,
    }),
    delete: formOf(deleteComment, { fields: id, leadsTo: (_, { path }) => urlOf('/comments', path) }),
  },
  async show(call) {
    const { visit, carry, path } = call;
    const { url, range } = readRange(visit, listed);
    const state = stateIn(url);
    const threads = await carry(readThreads, { path, ...range, ...(state ? { state } : {}) });
    const { page, total, open } = threads;
    const main = html`<div class="plain comments-page">
<p class="above">${pageLink(page)}</p>
<h1>${say('comments.comments')}</h1>
<p class="lede">${say('count.openThreads', { count: open })}. ${stateLinks(url, state)}</p>
${threadsBox(call, threads)}
${paging(url, range, total)}
${
  visit.actor !== null &&
  html`<p><a href="/comments?author=me">${say('comments.yourComments')}</a> · <a href="/comments?mentions=me">${say(
    'comments.commentsThatMentionYou',
  )}</a> · <a href="/comments?state=open&amp;ancestor=${encodeURIComponent(page.path)}">${say(
    'comments.openCommentsOnPagesBelowThis',
  )}</a></p>`
}
</div>`;
    return { title: say('comments.commentsOn', { title: page.title }), kind: 'comments', main };
  },
};

function stateIn(url: URL): 'open' | 'resolved' | undefined {
  const state = url.searchParams.get('state');
  return state === 'open' || state === 'resolved' ? state : undefined;
}

function stateLinks({ pathname }: URL, state: string | undefined): Html {
  const link = (words: Words, query: string, isShown: boolean) =>
    isShown ? html`<strong>${words}</strong>` : html`<a href="${pathname}${query}">${words}</a>`;
  return html`${link(say('comments.all'), '', state === undefined)} · ${link(say('comments.open'), '?state=open', state === 'open')} · ${link(
    say('comments.resolved'),
    '?state=resolved',
    state === 'resolved',
  )}`;
}

function threadsBox(call: PageCall, { page, comments, mayComment }: Threads): Html {
  const { refused, visit } = call;
  const mayStranger = visit.strangers !== 'off' && page.content.comments === undefined;
  const byThread = Map.groupBy(comments, ({ id, replyTo }) => replyTo ?? id);
  const action = urlOf('/comments', page.path);
  return html`<div class="threads" data-threads>
${errorSummary(refused.message)}
${mayComment && newForm(call, page.path, comments)}
${comments.length === 0 && html`<p class="quiet">${say('comments.noCommentsHere')}</p>`}
${[...byThread.values()].map((thread) => threadOf(call, action, thread, mayComment))}
${
  !mayComment &&
  visit.actor === null &&
  html`<p><a href="/login?next=${encodeURIComponent(action)}">${say('comments.signInToComment')}</a>${
    mayStranger &&
    html` · <a href="${urlOf('/login/comment', page.path)}">${say('strangers.commentWithoutAnAccount')}</a>`
  }</p>`
}
</div>`;
}

function newForm({ visit, refused: { form } }: PageCall, path: string, comments: Thread): Html {
  const action = urlOf('/comments', path);
  const isShown = form !== undefined && !form.has('to') && !form.has('id');
  const kept = (name: string) => (isShown ? form.text(name) : '');
  return html`<form method="post" action="${action}" class="comment-form" data-new-comment>
<input type="hidden" name="quote" value="${kept('quote')}"><input type="hidden" name="before" value="${kept('before')}"><input type="hidden" name="after" value="${kept('after')}">
<blockquote class="quote" data-quoted dir="auto"${kept('quote') === '' && html` hidden`}>${kept('quote')}</blockquote>
${bodyField(path, 'new-comment', say('comments.commentOnThisPage'), kept('body'))}
<p class="hint">${howToMention(visit.actor?.memberId, comments)}</p>
<div class="buttons"><button type="submit" class="button">${say('comments.comment')}</button></div></form>`;
}

/** Names to begin with for those who write without scripts: other members who wrote here. */
function howToMention(memberId: number | undefined, comments: Thread): Words {
  const others = comments.filter(({ author, isDeleted }) => author.id !== memberId && !isDeleted);
  const names = [...new Set(others.map(({ author }) => `@${author.name}`))].slice(0, 5);
  return names.length === 0
    ? say('comments.howToMention')
    : say('comments.howToMentionThem', { names: names.join(', ') });
}

function bodyField(path: string, id: string, label: Words, value: string): Html {
  return html`<label for="${id}" class="comment-label">${label}</label><textarea id="${id}" name="body" rows="3" required maxlength="10000"
dir="auto" data-mentions="/v1/mentions?page=${encodeURIComponent(
    path,
  )}" placeholder="${say('comments.markdownNameTellsAMember')}">
${value}</textarea>`;
}

function threadOf(call: PageCall, action: string, thread: Thread, mayComment: boolean): Html {
  const [first] = thread;
  if (!first) return html``;
  const threadId = first.replyTo ?? first.id;
  const isResolved = first.resolved !== null;
  const { words } = first;
  const form = call.refused.form;
  const kept = form?.text('to') === String(threadId) ? form.text('body') : '';
  return html`<article class="thread${isResolved && ' is-resolved'}" aria-label="${say('comments.thread')}"${
    words && html` data-words="${words.text}" data-before="${words.before}" data-after="${words.after}"`
  }>
${first.quote && quoteOf(call.path, first.quote)}
${thread.map((one) => commentOf(call, action, one))}
<div class="thread-foot">
${first.resolved && html`<p class="quiet">${say('comments.resolvedByNameTime', { name: first.resolved.by.name, time: timeAgo(first.resolved.at, call.visit.now) })}</p>`}
${
  mayComment &&
  html`<details${
    kept !== '' && html` open`
  }><summary>${say('comments.answer')}</summary><form method="post" action="${action}" class="comment-form"><input type="hidden" name="to" value="${threadId}">${bodyField(
    first.page.path,
    `answer-${threadId}`,
    say('comments.yourAnswer'),
    kept,
  )}<div class="buttons"><button type="submit" class="button">${say('comments.answer')}</button></div></form></details>
${
  !first.isDeleted &&
  html`<form method="post" action="${action}"><input type="hidden" name="id" value="${threadId}"><button type="submit" name="what" value="${isResolved ? 'reopen' : 'resolve'}" class="quiet-button">${
    isResolved ? say('comments.openAgain') : say('comments.resolve')
  }</button></form>`
}`
}
</div>
</article>`;
}

function quoteOf(path: string, { text, state, goneId }: Quote): Html {
  const goneWords =
    goneId === null
      ? say('comments.theseWordsAreGone')
      : html`${say('comments.theseWordsAreGoneSinceThis', { link: (words) => html`<a href="${urlOf('/diff', path)}?to=${goneId}">${words}</a>` })}`;
  const note =
    state === 'present'
      ? undefined
      : state === 'changed'
        ? say('comments.theTextHasChangedSince')
        : goneWords;
  return html`<blockquote class="quote" dir="auto">${text}</blockquote>${note && html`<p class="quote-note">${note}</p>`}`;
}

function commentOf({ visit, refused }: PageCall, action: string, one: Thread[number]): Html {
  if (one.isDeleted)
    return html`<p class="comment quiet" id="comment-${one.id}">${say('comments.thisCommentWasDeleted')}</p>`;
  const { id, at, editedAt, body } = one;
  const kept = refused.form?.text('id') === String(id) ? refused.form.text('body') : '';
  return html`<article class="comment" id="comment-${id}">
<p class="comment-head"><span class="comment-author" dir="auto">${writerWords(one)}</span> <a href="#comment-${id}">${timeAgo(at, visit.now)}</a>${
    editedAt !== null && html` <span class="quiet">${say('comments.edited')}</span>`
  }</p>
<div class="markup comment-body" dir="auto">${readable(one.markup, visit.now)}</div>
${
  mayChange(visit.actor, one) &&
  html`<div class="comment-actions"><details${
    kept !== '' && html` open`
  }><summary>${say('comments.edit')}</summary><form method="post" action="${action}" class="comment-form"><input type="hidden" name="id" value="${id}">${bodyField(
    one.page.path,
    `edit-${id}`,
    say('comments.yourComment'),
    kept || body,
  )}<div class="buttons"><button type="submit" name="what" value="edit" class="button">${say('comments.save')}</button></div></form></details>
<details><summary>${say(
    'comments.delete',
  )}</summary><form method="post" action="${action}"><input type="hidden" name="id" value="${id}"><button type="submit" name="what" value="delete" class="quiet-button">${say(
    'comments.deleteThisCommentForGood',
  )}</button></form></details></div>`
}
</article>`;
}

const ofMany: OperationPage = {
  url: '/comments',
  reads: [listComments],
  async show({ carry, visit, settings }) {
    const url = urlOfVisit(visit);
    const asked = (name: string) => url.searchParams.get(name) ?? undefined;
    const state = stateIn(url);
    const { items, next, total } = await carry(listComments, {
      ancestor: asked('ancestor'),
      author: asked('author'),
      cursor: asked('cursor'),
      mentions: asked('mentions') === 'me' ? ('me' as const) : undefined,
      state,
      limit: listed,
    });
    const link = (words: Words, query: string) =>
      html`<a href="/comments${query}"${url.search === query && html` aria-current="page"`}>${words}</a>`;
    const onward = new URLSearchParams(url.searchParams);
    if (next !== undefined) onward.set('cursor', next);
    const main = html`<div class="plain comments-page">
<h1>${say('comments.comments')}</h1>
<p>${
      visit.actor !== null &&
      html`${link(say('comments.yours'), '?author=me')} · ${link(say('comments.mentionsOfYou'), '?mentions=me')} · `
    }${link(say('comments.openOnes'), '?state=open')} · ${link(say('comments.all'), '')}</p>
<p class="lede">${
      asked('ancestor') === undefined
        ? say('comments.oldestFirst', { count: total })
        : say('comments.beneathOldestFirst', { count: total, path: html`<code>${asked('ancestor')}</code>` })
    }</p>
<div class="threads">${items.map((one) => listedComment(one, visit.now))}</div>
${next !== undefined && html`<p><a href="/comments?${String(onward)}" rel="next">${say('comments.after')}</a></p>`}
</div>`;
    return { title: say('comments.commentsOn', { title: settings.name }), kind: 'comments', main };
  },
};

function listedComment(one: ShownComment, now: number): Html {
  const { id, page, at, quote, resolved } = one;
  return html`<section class="thread${
    resolved && ' is-resolved'
  }"><p class="comment-head">${pageLink(page)} · <span dir="auto">${writerWords(one)}</span> · <a href="${urlOf('/comments', page.path)}#comment-${id}">${timeAgo(at, now)}</a>${
    resolved && html` · <span class="quiet">${say('comments.resolvedOne')}</span>`
  }</p>
${quote && html`<blockquote class="quote" dir="auto">${quote.text}</blockquote>`}
<div class="markup comment-body" dir="auto">${readable(one.markup, now)}</div></section>`;
}

export const web: readonly OperationPage[] = [ofPage, ofMany];
