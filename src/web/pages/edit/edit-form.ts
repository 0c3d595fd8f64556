/**
 * The edit form. It works without scripts, which rely on these stable hooks:
 *
 *   form#page-form            `data-page-id`, `data-path` (both empty on a new page), `data-base` (change that it starts from),
 *                             `data-section`, `data-permissions` and `data-group` (access where the form states none),
 *                             `data-grants` (grants that hold besides), `data-open-access` (pages above decide where it states none),
 *                             `data-preview-url` (POST {body, path, title, format} → {markup, …}),
 *                             `data-checkpath-url` (GET + path), `data-complete-url` (GET ?text=), `data-max-upload`,
 *                             `data-style-nonce` (for style sheets of the editor)
 *   inputs by name            title, body, description, type, parent, path, permissions, group, place
 *                             (text | given | none), lat, lon, responsible, image, format, data, default-template, file (multiple), msg;
 *                             hidden: base, path-was, parent-was, responsible-was, section, from, move-seen
 *   textarea#body             the source; #preview the rendered text; #source-pane and #preview-pane around them
 *   [data-hint-of]            a few words on each language, those on the page's own shown
 *   #mistake-summary          what went wrong; `<field>-mistake` beside each field
 *   #description-count        for a counter of 280; #path-check for the live check of the address
 *   #place-map                where a map may stand to be clicked; #upload-list for progress; [data-insert-file] buttons
 *   #sent-files               files that came with the form before: `pending-file` references, `drop-file` to leave one out
 *   button[name=intent]       value `save` or `preview`; #save-means says what saving will do
 *   button[name=use-path]     saves at the next free address, its value, where the address is taken
 */

import type { FastifyReply } from 'fastify';
import type { SourceSection } from '#core/content/page-sections.ts';
import type { Preview } from '#core/content/preview-page.ts';
import { namesOfGroups } from '#core/members/groups.ts';
import { languageOf } from '#core/model/language-tag.ts';
import type { Format } from '#core/model/page.ts';
import { maxDescriptionLength, maxMessageLength } from '#core/model/page-fields.ts';
import { shownGroup } from '#core/model/page-group.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { writeGrants } from '../../chosen-access.ts';
import { languageOfText, pageLink, pageUrl } from '../../components.ts';
import { choices, described, errorSummary, field, mistake, selectField } from '../../form-fields.ts';
import { permissionCode, sizeWords } from '../../format.ts';
import { freePathButton } from '../../free-path.ts';
import { type Html, html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { previewed } from '../../markup.ts';
import type { Site, Visit } from '../../site.ts';
import { responsibleField, withShownMember } from '../responsible-field.ts';
import { choicesOfConflicts, type OtherAuthors } from './conflict-choices.ts';
import {
  type AccessShown,
  accessAt,
  accessKept,
  mayChangeAccess,
  permissions,
  saveMeans,
} from './edit-access.ts';
import {
  hints,
  languageField,
  movesBanner,
  pendingFiles,
  place,
  templateField,
  titleField,
} from './edit-controls.ts';
import { commenterNames } from './edit-fields.ts';
import { pageTemplates, templateChoice } from './template-choice.ts';

export interface EditPage extends AccessShown {
  section?: SourceSection | undefined;
  message?: Words;
  preview?: Preview;
  /** The next free address, if the address is taken. */
  freePath?: string | undefined;
  /** Pages that saving would move. */
  moves?: { to: string; pages: { id: number; from: string; to: string }[] };
  /** Shown above the form after an edit conflict. */
  conflict?: Html;
  /** Name of the member who wrote the other version of a conflict. */
  otherAuthors?: OtherAuthors;
  /** Defaults to 200. */
  status?: number;
}

export async function sendEditPage(site: Site, reply: FastifyReply, given: EditPage): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { page, section } = given;
  const shown: EditPage = {
    ...given,
    form: await withShownMember(site.service.store, given.form),
    groups: await namesOfGroups(site.service.store, visit.actor),
    ...(await accessAt(site, reply.request, given)),
  };
  const templates = page ? [] : await pageTemplates(reply.request.reader);
  const choices =
    page &&
    (await choicesOfConflicts({ site, request: reply.request }, page, given.form, given.otherAuthors));
  const heading = shown.conflict
    ? say('editForm.mergeBothVersions')
    : section
      ? say('editForm.editTitle', { title: section.title })
      : page
        ? say('editForm.editTitle', { title: page.title })
        : say('editForm.newPage');
  const main = html`<div class="edit-page">
${page && html`<p class="above">${pageLink(page)}${section && html` · <a href="${urlOf('/edit', page.path)}">${say('editForm.editTheWholePage')}</a>`}</p>`}
${isNewTranslation(shown) && html`<p class="above">${say('editForm.translationOf')} <a href="${pageUrl(given.form.text('translationOf'))}" dir="auto">${given.form.text('translationOf')}</a></p>`}
<h1 dir="auto">${heading}</h1>
${templateChoice(visit, templates, given.form.text('from'))}
<div id="mistake-summary">${errorSummary(shown.message)}</div>
${shown.conflict}
${choices}
${form(site, visit, shown)}
</div>`;
  return sendLayout(site, reply, {
    title: heading,
    kind: 'edit',
    main,
    scripts: ['editor'],
    makesStyles: true,
    status: given.status,
  });
}

/** Sends the form to the proposals instead. */
function proposeButtons({ isProposal = false }: EditPage): Html {
  const button = (name: 'propose' | 'draft', words: Words, isMain: boolean) =>
    html`<button type="submit" name="${name}" value="yes" class="button${!isMain && ' quiet-button'}" formaction="/proposals" data-propose>${words}</button>`;
  const both = html`${button('propose', say('editForm.propose'), isProposal)} ${button('draft', say('editForm.saveAsDraft'), false)}`;
  return isProposal
    ? both
    : html`<details class="save-ways" data-sheet><summary class="button quiet-button" aria-label="${say('editForm.otherWaysToSave')}">⋯</summary><div class="menu">${both}</div></details>`;
}

const formats: Format[] = ['wikitext', 'markdown'];
const formatNames: Record<Format, Words> = {
  wikitext: say('common.wikitext'),
  markdown: say('common.markdown'),
};

function form(site: Site, visit: Visit, shown: EditPage): Html {
  const { page, form, errors = [], preview, section } = shown;
  const action = page ? urlOf('/edit', page.path) : '/new';
  // The form of a section has no such field.
  const format = form.text('format') || page?.content.format;
  const fields = section ? html`` : details(site, visit, shown);
  const kept = accessKept(shown, visit);
  const inLanguage = languageOfText(languageIn(shown), site.look().settings.language);
  const hidden = [
    'base',
    'path-was',
    'parent-was',
    'translation-of-was',
    'responsible-was',
    'section',
    'from',
  ].filter((name) => form.text(name) !== '');
  return html`<form id="page-form" class="page-form" method="post" action="${action}" enctype="multipart/form-data"
data-page-id="${page?.id ?? ''}" data-path="${page?.path ?? ''}" data-base="${form.text('base')}" data-section="${form.text('section')}"
data-permissions="${permissionCode(kept.permissions)}" data-group="${shownGroup(kept.group)}" data-grants="${writeGrants(shown.grants ?? {})}"
${visit.isPrivate && html`data-private-wiki`}${shown.isOpen && html` data-open-access`} data-preview-url="/v1/preview" data-checkpath-url="/v1/checkpath" data-complete-url="/search/titles"
data-max-upload="${site.settings.maxUploadBytes}" data-style-nonce="${visit.nonce}">
${hidden.map((name) => html`<input type="hidden" name="${name}" value="${form.text(name)}">`)}
${shown.moves && movesBanner(shown.moves)}
${section ? html`<input type="hidden" name="title" value="${form.text('title')}">` : titleField(form, errors, !page && errors.length === 0)}
${isNewTranslation(shown) && html`<div class="first-field">${languageField(form, errors)}</div>`}
${shown.preview && html`<p class="jump"><a href="#preview">${say('editForm.goToThePreview')}</a></p>`}
<div class="panes${preview ? ' has-preview' : ''}">
<section class="pane" id="source-pane" aria-label="${say('editForm.text')}">
<label for="body">${say('editForm.text')}</label>
<textarea id="body" name="body" rows="24" spellcheck="true"${inLanguage} data-format="${format}"${described(errors, 'body', 'body-hint')}>
${form.text('body')}</textarea>
${mistake(errors, 'body')}
<p class="hint" id="body-hint">${formats.map((one) => html`<span data-hint-of="${one}"${one !== format && html` hidden`}>${hints[one]}</span>`)}</p>
</section>
<section class="pane" id="preview-pane" aria-label="${say('editForm.preview')}"${preview ? undefined : html` hidden`}>
<p class="pane-title">${say('editForm.preview')}</p>
<div id="preview" class="markup"${inLanguage} tabindex="-1">${
    preview &&
    previewed(
      preview.markup,
      shown.form.pendingFiles.map(({ filename }) => filename),
      fields,
    )
  }</div>
${preview && preview.notices.length > 0 && html`<ul class="writers-notices">${preview.notices.map((notice) => html`<li>${notice}</li>`)}</ul>`}
</section>
</div>
${fields}
<div class="save-bar">
${field('msg', say('editForm.whatDidYouChange'), html`maxlength="${maxMessageLength}" value="${form.text('msg')}" placeholder="${say('editForm.aFewWordsForTheHistory')}" dir="auto"`, { errors })}
<p class="hint" id="save-means">${saveMeans(shown, visit)}</p>
<div class="buttons">
${
  !shown.isProposal &&
  html`<button type="submit" name="intent" value="save" class="button">${shown.moves ? say('editForm.saveAndMove', { count: shown.moves.pages.length }) : say('editForm.savePage')}</button>`
}
${!section && proposeButtons(shown)}
${freePathButton(shown.freePath, say('editForm.saveAt'))}
<button type="submit" name="intent" value="preview" class="button quiet-button" formaction="${action}#preview" formnovalidate>${say('editForm.preview')}</button>
<a href="${page ? pageUrl(page.path) : '/'}">${say('editForm.cancel')}</a>
</div>
</div>
</form>`;
}

/** Its language is asked at once: without one, it would be in that of its parent. */
function isNewTranslation({ page, form }: EditPage): boolean {
  return !page && form.text('translationOf').startsWith('/');
}

/** The language as typed, if it is one. The form of a section has no such field. */
function languageIn({ form, page }: EditPage): string | null {
  if (!form.has('language')) return page?.language ?? null;
  return languageOf(form.text('language').trim()) ?? null;
}

/** Further fields, collapsed unless one of them has an error or a value from the URL. */
function details(site: Site, visit: Visit, shown: EditPage): Html {
  const { page, form, errors = [] } = shown;
  const format = form.text('format') === 'markdown' ? 'markdown' : 'wikitext';
  const isWrong = errors.some(({ pointer }) => !/^\/(title|body|msg)/.test(pointer));
  return html`<div class="details">
<details${(isWrong || !page) && html` open`}><summary>${say('editForm.locationInTheTreeText', { text: html`<span class="quiet" dir="auto">${form.text('path')}</span>` })}</summary><div class="fields">
${field(
  'parent',
  say('editForm.parentPage'),
  html`value="${form.text('parent')}" placeholder="${say('editForm.atTheRoot')}" autocomplete="off"`,
  { errors, hint: html`${say('editForm.itsAddressSuchAsCode', { code: html`<code>/garden</code>` })}` },
)}
<div class="field"><label for="path">${say(
    'editForm.address',
  )}</label><input id="path" name="path" value="${form.text('path')}" placeholder="${say('editForm.madeFromParentAndTitle')}" autocomplete="off"${described(
    errors,
    'path',
    'path-hint',
  )}><p class="hint" id="path-hint">${
    page ? html`${say('editForm.anotherAddressMovesThePage')}` : say('editForm.leaveEmptyToMakeItFromThe')
  }</p><div id="path-check" aria-live="polite"></div>${mistake(errors, 'path')}${mistake(errors, 'slug')}</div>
${page && mayChangeAccess(visit, page) && templateField(form, errors)}
</div></details>
<details${isWrong && html` open`}><summary>${say('editForm.descriptionTypePlaceText', { text: html`<span class="quiet" dir="auto">${form.text('type')}</span>` })}</summary><div class="fields">
<div class="field wide"><label for="description">${say(
    'editForm.description',
  )}</label><textarea id="description" name="description" rows="2" placeholder="${say('editForm.takenFromTheTextIfLeftEmpty')}" dir="auto"${described(
    errors,
    'description',
    'description-hint',
  )}>
${form.text('description')}</textarea><p class="hint" id="description-hint">${say(
    'editForm.forSearchEnginesAndPreviews',
    { maxDescriptionLength, span: (words) => html`<span id="description-count">${words}</span>` },
  )}</p>${mistake(errors, 'description')}</div>
${field('type', say('common.type'), html`value="${form.text('type')}" placeholder="${say('editForm.typeAsInTheText')}" dir="auto"`, { errors })}
${field('reviewBy', say('editForm.reviewFrom'), html`type="date" value="${form.text('reviewBy')}"`, { errors, hint: say('editForm.fromThisDayOnThePageSaysThat') })}
${visit.actor?.role !== 'guest' && responsibleField(form, errors)}
${field('image', say('editForm.picture'), html`value="${form.text('image')}" placeholder="${say('editForm.firstPicture')}"`, { errors })}
${place(form, errors)}
</div></details>
${permissions(visit, shown)}
<details open><summary>${say('editForm.files', {
    count: html`<span class="quiet">${
      page && page.files.length > 0 && say('count.files', { count: page.files.length })
    }</span>`,
  })}</summary><div class="fields">
<div class="field wide"><label for="file">${say('editForm.addFiles')}</label><input id="file" type="file" name="file" multiple${described(
    errors,
    'files',
    'file-hint',
  )}><p class="hint" id="file-hint">${say('editForm.atMostSizeTogetherAFileWith', {
    size: sizeWords(site.settings.maxUploadBytes),
  })}</p>${mistake(errors, 'files')}${
    form.leftFiles.length > 0 &&
    html`<p class="mistake">${say('common.chooseTheseFilesAgain', { files: form.leftFiles.join(', ') })}</p>`
  }<div id="upload-list" aria-live="polite"></div></div>
${form.pendingFiles.length > 0 && pendingFiles(form.pendingFiles)}
${
  page &&
  page.files.length > 0 &&
  html`<ul class="file-names wide">${page.files.map(
    (file) =>
      html`<li><code dir="auto">${say('editForm.fileFilename', {
        filename: file.filename,
      })}</code> <span class="quiet">${sizeWords(
        file.sizeBytes,
      )}</span> <button type="button" class="script-only" data-insert-file="${file.filename}">${say('editForm.insert')}</button> <label><input type="checkbox" name="remove-file" value="${file.name}"${
        form.all('remove-file').includes(file.name) && html` checked`
      }> ${say('editForm.removeFilename', { filename: file.filename, span: (words) => html`<span class="unseen">${words}</span>` })}</label></li>`,
  )}</ul>`
}
</div></details>
<details${isWrong && html` open`}><summary>${say('editForm.languageCommentsAndDataValue', { value: html`<span class="quiet">${formatNames[format]}</span>` })}</summary><div class="fields">
${selectField('format', say('editForm.writtenIn'), choices(Object.entries(formatNames), form.text('format')))}
${!isNewTranslation(shown) && languageField(form, errors, page ? say('editForm.thatOfTheWiki') : say('editForm.asTheParentPage'))}
${field(
  'translationOf',
  say('editForm.translationOf'),
  html`value="${form.text('translationOf')}" placeholder="${say('common.none')}" autocomplete="off"`,
  { errors, hint: html`${say('editForm.addressOfTheOriginalSuchAs', { code: html`<code>/garden</code>` })}` },
)}
${selectField('comments', say('editForm.whoMayComment'), choices(Object.entries(commenterNames), form.text('comments')))}
<div class="field wide"><label for="data">${say('editForm.structuredData')}</label><textarea id="data" name="data" rows="4" spellcheck="false" placeholder="{}"${described(
    errors,
    'data',
    'data-hint',
  )}>
${form.text('data')}</textarea><p class="hint" id="data-hint">${say('editForm.oneJsonObjectForProgramsThat')}</p>${mistake(errors, 'data')}</div>
</div></details>
</div>`;
}
