/** Edit conflicts: base, theirs and yours side by side, and a merged text. */

import type { FastifyRequest } from 'fastify';
import type { Comparison } from '#core/content/diff.ts';
import type { Language } from '#core/content/language.ts';
import { mergeWithMarks } from '#core/content/merge-bodies.ts';
import type { Change, Content, WholePage } from '#core/model/page.ts';
import { Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { urlOf } from '#http/page-paths.ts';
import { listOf, say } from '#words/say.ts';
import { groupNamed } from '../chosen-access.ts';
import { table } from '../components.ts';
import { timeAgo } from '../format.ts';
import { type Form, formFrom } from '../forms.ts';
import { type Html, type HtmlValue, html, type Words } from '../html.ts';
import type { Visit } from '../site.ts';
import { compared } from './diff.ts';
import { entriesOf, fieldName, fieldValue, keyEntries, type ValueContext } from './edit/edit-fields.ts';
import type { EditPage } from './edit/edit-form.ts';
import { membersIn } from './responsible-field.ts';

/** Changes whose authors are named in a conflict. */
const changesNamed = 20;

interface Sides {
  fields: string[];
  base: { change: number; content: Content } | null;
  theirs: { change: number; content: Content };
  yours: { content: Content };
}

/** Differences of each side from the base; undefined if equal to the base, or too long to compare and shown whole. */
interface Compared {
  theirs: Comparison | undefined;
  yours: Comparison | undefined;
}

/** The form to continue with, based on their change. `language`: of the caller. */
export async function mergedForm(
  { reader, visit }: FastifyRequest,
  page: WholePage,
  { sent, problem }: { sent: Form; problem: Problem },
  { language, store }: { language: Language; store: Pick<Store, 'grants'> },
): Promise<EditPage> {
  const { base, theirs, fields, ...refused } = problem.details as unknown as Sides;
  const from = base?.content ?? theirs.content;
  // The refusal does not contain the group as it was typed.
  const { group: kept, ...content } = refused.yours.content;
  const group = sent.has('group') ? groupNamed(sent.text('group')) : kept;
  const yours = { content: group ? { ...content, group } : content };
  const merged = mergeWithMarks(yours.content.body, from.body, theirs.content.body);
  const theirEntries = new Map(entriesOf(theirs.content));
  const baseEntries = new Map(entriesOf(from));
  const yourEntries = new Map(entriesOf(yours.content));
  const entries: [string, string][] = [...keyEntries(page)];
  for (const [name, theirValue] of theirEntries) {
    const yourValue = yourEntries.get(name) ?? '';
    // Fields that only they changed keep their value; fields that you changed keep yours.
    entries.push([name, yourValue === baseEntries.get(name) ? theirValue : yourValue]);
  }
  entries.push(['body', merged.text], ['base', String(theirs.change)]);
  for (const name of ['msg', 'history']) entries.push([name, sent.text(name)]);
  // A new path typed with the edit still applies.
  if (sent.text('path') !== sent.text('path-was')) entries.push(['path', sent.text('path')]);
  if (sent.text('parent') !== sent.text('parent-was')) entries.push(['parent', sent.text('parent')]);
  const form = formFrom(entries);
  const compare = (side: Content) => (side === from ? undefined : comparedWith(language, from, side));
  const [theirsCompared, yoursCompared, latest, members] = await Promise.all([
    compare(theirs.content),
    compare(yours.content),
    reader.changes.list(page, { limit: changesNamed, offset: 0 }),
    membersIn(store, [theirs.content, yours.content]),
  ]);
  const them = authorsOf(
    latest.changes.filter(({ id }) => id > (base?.change ?? 0)),
    visit,
  );
  const sides = { theirs: theirsCompared, yours: yoursCompared };
  return {
    page,
    form: { ...form, pendingFiles: sent.pendingFiles, leftFiles: sent.leftFiles },
    otherAuthors: { names: them.short ?? them.names, time: timeAgo(page.updatedAt, visit.now) },
    conflict: conflict(
      page,
      { fields, base, theirs, yours },
      { from, conflicts: merged.conflicts },
      { ...sides, them, now: visit.now, context: { wiki: visit, members } },
    ),
  };
}

async function comparedWith(
  language: Language,
  from: Content,
  side: Content,
): Promise<Comparison | undefined> {
  try {
    return await language.compare(from.body, side.body);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function conflict(
  page: WholePage,
  { fields, base, theirs, yours }: Sides,
  { from, conflicts }: { from: Content; conflicts: number },
  sides: Compared & { them: Authors; now: number; context: ValueContext },
): Html {
  const { them, now, context } = sides;
  const names = listOf(fields.map(fieldName));
  const touched = fields.filter(
    (field): field is 'title' => field !== 'body' && field !== 'base' && field in theirs.content,
  );
  const row = (field: 'title') =>
    html`<tr><th scope="row">${fieldName(field)}</th><td>${fieldValue(field, theirs.content, context)}</td><td>${fieldValue(field, yours.content, context)}</td></tr>`;
  const pane = (title: HtmlValue, content: Content, id: string, comparison?: Comparison) =>
    html`<section class="pane"><h2 id="${id}">${title}</h2>${
      comparison === undefined
        ? html`<pre class="source" tabindex="0" aria-labelledby="${id}" dir="auto">${content.body}</pre>`
        : html`<div class="merge-diff" tabindex="0" role="region" aria-labelledby="${id}">${compared(comparison, true)}</div>`
    }</section>`;
  return html`<div class="conflict" role="alert" data-them="${them.short ?? say('merge.they')}">
<p>${say(base ? 'merge.alsoChanged' : 'merge.alsoSaved', { names: html`<bdi>${them.names}</bdi>`, time: timeAgo(page.updatedAt, now), fields: names })}</p>
${
  conflicts > 0 &&
  html`<p class="conflict-advice">${say('merge.conflictsAreMarked', {
    count: conflicts,
    yours: html`<code>&lt;&lt;&lt;&lt;&lt;&lt;&lt; yours</code>`,
    theirs: html`<code>&gt;&gt;&gt;&gt;&gt;&gt;&gt; theirs</code>`,
  })}</p>`
}
</div>
<details class="merge-panes" open><summary>${say('merge.conflicts')}</summary><div class="panel"><div class="three-panes">
${base && pane(say('merge.beforeBoth'), from, 'pane-base')}
${pane(say('merge.changedBy', { names: html`<bdi>${them.names}</bdi>` }), theirs.content, 'pane-theirs', sides.theirs)}
${pane(say('merge.yourChanges'), yours.content, 'pane-yours', sides.yours)}
</div>
${touched.length > 0 && table('diff-fields diff', [say('merge.field'), them.short ?? say('merge.theirs'), say('merge.yours')], touched.map(row))}
<p><a href="${urlOf('/history', page.path)}">${say('merge.showTheChangesInTheHistory')}</a></p>
</div></details>`;
}

interface Authors {
  names: Words;
  /** Subject of a sentence; undefined for several authors. */
  short: Words | undefined;
}

/** Authors of changes, given newest first. */
function authorsOf(changes: Change[], { actor }: Visit): Authors {
  const editors = changes.map(({ editor }) => editor);
  if (actor && editors.every(({ id }) => id === actor.memberId))
    return { names: say('merge.youInAnotherWindow'), short: say('merge.yourOtherWindow') };
  const names = [...new Set(editors.map(({ name }) => name))].reverse();
  return {
    names: listOf(names),
    short: names.length === 1 ? names[0] : undefined,
  };
}
