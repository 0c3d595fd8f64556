/**
 * Conflicts of an edit as they look: both versions of each place beside each other, with one choice. The choices are sent with
 * the form, and replace the marks in its text. The editor takes them over at once (`islands/editor/conflict-choices.ts`).
 */
import type { FastifyRequest } from 'fastify';
import {
  conflictChoices,
  conflictKey,
  markedConflicts,
  solveConflicts,
} from '#core/content/conflict-marks.ts';
import { type ShownSide, showConflicts } from '#core/content/show-conflicts.ts';
import type { WholePage } from '#core/model/page.ts';
import { say } from '#words/say.ts';
import { type Form, formWith } from '../../forms.ts';
import { type Html, type HtmlValue, html, type Words } from '../../html.ts';
import { readable } from '../../markup.ts';
import type { Site } from '../../site.ts';
import { readFormat } from './edit-fields.ts';

/** Authors of the other version, and when they saved it. */
export interface OtherAuthors {
  names: Words;
  time: HtmlValue;
}

/** Undefined if the text has no conflicts. `them`: unknown when a form is shown again. */
export async function choicesOfConflicts(
  { site, request }: { site: Site; request: FastifyRequest },
  page: WholePage,
  form: Form,
  them: OtherAuthors | undefined,
): Promise<Html | undefined> {
  const body = bodyOf(form);
  if (markedConflicts(body).length === 0) return undefined;
  const renderer = site.costs.rendererFor(request, request.visit.actor, true);
  const format = readFormat(form.text('format')) ?? page.content.format;
  const text = { body, format, path: page.path, title: page.title };
  const shown = await showConflicts(request.reader, renderer, text, request.visit.now);
  const side = (given: ShownSide) => {
    if ('source' in given && given.source !== '')
      return html`<pre class="source" dir="auto">${given.source}</pre>`;
    if ('source' in given || given.markup === '')
      return html`<p class="quiet">${say('merge.nothingHere')}</p>`;
    return html`<div class="markup shown-diff">${readable(given.markup, request.visit.now)}</div>`;
  };
  const yours = say('merge.youWrote');
  const theirs = them
    ? say('merge.theyWrote', { names: html`<bdi>${them.names}</bdi>`, time: them.time })
    : say('merge.othersWrote');
  return html`<section class="conflict-choices" aria-labelledby="conflict-choices"><h2 id="conflict-choices">${say('merge.chooseWhatToKeep', { count: shown.length })}</h2>
<input type="hidden" name="solving" value="yes" form="page-form">
${shown.map((conflict, index) => {
  const name = nameOf(conflict.key);
  const option = (value: string, words: Words) =>
    html`<label class="choice"><input type="radio" form="page-form" name="${name}" value="${value}"${form.text(name) === value && html` checked`}> ${words}</label>`;
  return html`<fieldset class="conflict-choice"><legend>${say('merge.place', { number: index + 1, count: shown.length })}</legend>
<div class="conflict-sides"><div class="conflict-side">${option('yours', say('editorConflictMarks.keepYours'))}<p class="quiet">${yours}</p>${side(conflict.yours)}</div>
<div class="conflict-side">${option('theirs', say('editorConflictMarks.keepTheirs'))}<p class="quiet">${theirs}</p>${side(conflict.theirs)}</div></div>
${option('both', say('merge.keepBothInTurn'))}
<span class="by-hand">${option('text', say('merge.asIWriteItInTheText'))}</span></fieldset>`;
})}
</section>`;
}

/** The form with the chosen sides in its text. */
export function withChosenSides(form: Form): Form {
  if (!form.has('solving')) return form;
  const { text } = solveConflicts(bodyOf(form), (conflict) => {
    const chosen = form.text(nameOf(conflictKey(conflict)));
    return conflictChoices.find((choice) => choice === chosen);
  });
  return formWith(form, { body: text });
}

/** Conflicts that a form still has although it was to solve them. */
export function unsolvedConflicts(form: Form): number {
  return form.has('solving') ? markedConflicts(bodyOf(form)).length : 0;
}

function bodyOf(form: Form): string {
  return form.text('body').replace(/\r\n?/g, '\n');
}

function nameOf(key: string): string {
  return `keep-${key}`;
}
