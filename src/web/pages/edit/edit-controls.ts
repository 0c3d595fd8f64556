/** Controls of the edit form. */
import type { Format, WholePage } from '#core/model/page.ts';
import { maxTitleLength } from '#core/model/page-fields.ts';
import type { FieldError } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { choices, described, field, mistake, selectField } from '../../form-fields.ts';
import { sizeWords } from '../../format.ts';
import type { Form, PendingFile } from '../../forms.ts';
import { type Html, html, type Words } from '../../html.ts';
import { languageChoices } from '../../setup-questions.ts';

export const hints: Record<Format, Html> = {
  wikitext: html`${say('editForm.codeLinksToAPageCode2Code3', {
    code: html`<code>[[Page]]</code>`,
    code2: html`<code>'''bold'''</code>`,
    code3: html`<code>''italic''</code>`,
    code4: html`<code>== Heading ==</code>`,
    code5: html`<code>* list</code>`,
    code6: html`<code>[[File:name.jpg]]</code>`,
    code7: html`<code>[[Season:summer]]</code>`,
  })}`,
  markdown: html`${say('editForm.codeLinksToAPageCode2Code32', {
    code: html`<code>[[Page]]</code>`,
    code2: html`<code>**bold**</code>`,
    code3: html`<code>*italic*</code>`,
    code4: html`<code>## Heading</code>`,
    code5: html`<code>- list</code>`,
    code6: html`<code>[[File:name.jpg]]</code>`,
    code7: html`<code>[[Season:summer]]</code>`,
  })}`,
};

/** `isFirst`: whether writing begins with the title, unless it is given already. */
export function titleField(form: Form, errors: FieldError[], isFirst: boolean): Html {
  const hasFocus = isFirst && form.text('title') === '';
  return html`<div class="field title-field"><label for="title">${say(
    'editForm.title',
  )}</label><input id="title" name="title" required maxlength="${maxTitleLength}" value="${form.text('title')}" dir="auto"${
    hasFocus && html` autofocus`
  }${described(errors, 'title')}>${mistake(errors, 'title')}</div>`;
}

/** Files sent with this form before, to which it refers until it is saved. */
export function pendingFiles(files: PendingFile[]): Html {
  return html`<div class="wide" id="sent-files"><p class="hint">${say('editForm.theseFilesHaveBeenUploaded')}</p>
<ul class="file-names">${files.map(
    ({ filename, sizeBytes, reference }) =>
      html`<li><input type="hidden" name="pending-file" value="${reference}"><code dir="auto">${say(
        'editForm.fileFilename2',
        { filename },
      )}</code> <span class="quiet">${sizeWords(sizeBytes)}</span> <label class="choice"><input type="checkbox" name="drop-file" value="${reference}"> ${say(
        'editForm.leaveOutFilename',
        { filename, span: (words) => html`<span class="unseen">${words}</span>` },
      )}</label> <button type="button" class="script-only" data-insert-file="${filename}">${say('editForm.insert')}</button></li>`,
  )}</ul></div>`;
}

export function place(form: Form, errors: FieldError[]): Html {
  const choice = form.text('place') || 'text';
  const option = (value: string, words: Words) =>
    html`<label class="choice"><input type="radio" name="place" value="${value}"${choice === value && html` checked`}> ${words}</label>`;
  return html`<fieldset class="field wide place-field"${described(errors, 'location')}><legend>${say('common.place')}</legend>
${option('text', say('editForm.asInTheText'))}${option('given', say('editForm.here'))}
<span class="lat-lon"><label>${say('editForm.latitude')} <input name="lat" id="lat" inputmode="decimal" size="10" value="${form.text('lat')}" placeholder="52.5163"></label> <label>${say(
    'editForm.longitude',
  )} <input name="lon" id="lon" inputmode="decimal" size="10" value="${form.text('lon')}" placeholder="13.3777"></label></span>
${option('none', say('editForm.nowhere'))}
<div id="place-map" data-map="pick"></div>${mistake(errors, 'location')}</fieldset>`;
}

/** Optional, and without choices, if something stands in its place. */
export function languageField(form: Form, errors: FieldError[], otherwise?: Words): Html {
  const asked = otherwise ? html`placeholder="${otherwise}"` : html`required list="languages"`;
  const attributes = html`value="${form.text('language')}" ${asked} maxlength="35" autocomplete="off" spellcheck="false"`;
  return html`${field('language', say('editForm.language'), attributes, {
    errors,
    hint: html`${say('editForm.aTagSuchAsCodeCode2OrCode3', { code: html`<code>en</code>`, code2: html`<code>de</code>`, code3: html`<code>pt-BR</code>` })}`,
  })}${!otherwise && languageChoices}`;
}

/** With its errors under the name that the API has for it. */
export function templateField(form: Form, errors: FieldError[]): Html {
  const own = errors.filter(({ pointer }) => pointer === '/defaults/template');
  const attributes = html`value="${form.text('default-template')}" placeholder="${say('editForm.asAboveDecide')}" autocomplete="off"`;
  return field('default-template', say('editForm.templateOfNewPagesBeneath'), attributes, {
    errors: own.map((error) => ({ ...error, pointer: '/default-template' })),
    hint: html`${say('editForm.addressOfAPageOfTheTypeCode', { code: html`<code>Page template</code>` })}`,
  });
}

/** Warns that opening a page also reveals its earlier versions, which its owner may have forgotten. */
export function historyShown(page: WholePage, form: Form): Html {
  const all = say('editForm.wholeHistoryForEveryoneWho');
  const offered: [string, Words][] = [
    ['', page.historyFrom === 0 ? all : say('editForm.fromALaterChangeOnAsBefore')],
    ['from now', say('editForm.fromThisChangeOn')],
    ...(page.historyFrom > 0 ? [['all', all] as [string, Words]] : []),
  ];
  return selectField('history', say('editForm.itsHistory'), choices(offered, form.text('history')), {
    id: 'history-shown',
    isWide: true,
    hint: html`${say('editForm.whoeverMayReadThePageMayAlso', { strong: (words) => html`<strong>${words}</strong>` })}`,
  });
}

export function movesBanner({ to, pages }: { to: string; pages: { from: string; to: string }[] }): Html {
  return html`<div class="banner" role="alert"><p>${say('editForm.savingMoves', { count: pages.length })}</p>
<ul class="moves">${pages.slice(0, 20).map(({ from, to }) => html`<li><code dir="auto">${from}</code> → <code dir="auto">${to}</code></li>`)}${
    pages.length > 20 && html`<li>${say('common.andMore', { count: pages.length - 20 })}</li>`
  }</ul>
<input type="hidden" name="move-seen" value="${to}"></div>`;
}
