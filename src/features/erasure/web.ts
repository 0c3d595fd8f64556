/** Permanent erasure of versions and files of a page, or of a member's identity, for administrators. */
import { parseId } from '#core/model/id.ts';
import type { AttachedFile, Change } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { pageLink, pageUrl, paging, readRange } from '#web/components.ts';
import { reasonAndButton } from '#web/erase-form.ts';
import { errorSummary } from '#web/form-fields.ts';
import { momentOf, sizeWords, timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html } from '#web/html.ts';
import type { PageLayout } from '#web/layout.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { listOf, say } from '#words/say.ts';
import type { Erased } from './erasure.ts';
import { erasableContent, erasure } from './operations.ts';

const shown = 100;

export const web: readonly OperationPage[] = [
  {
    url: '/erase/*',
    reads: [erasableContent],
    forms: {
      '': formOf(erasure, {
        fields: (form, { path }) => ({
          path,
          changes: form.all('change').flatMap((id) => parseId(id) ?? []),
          files: form.all('file-name'),
          reason: reasonIfSure(form),
        }),
      }),
    },
    async show(call) {
      const erased = call.answerTo(erasure);
      return erased ? report(erased) : choose(call);
    },
  },
  {
    url: '/members/:id/erase',
    isOnOtherPage: true,
    reads: [],
    forms: {
      '': formOf(erasure, {
        fields: (form, { params }) => ({
          id: undefined,
          member: parseId(params.id ?? '') ?? 0,
          reason: reasonIfSure(form),
        }),
      }),
    },
    show: async ({ answerTo }) => report(answerTo(erasure) as Erased),
  },
];

function reasonIfSure(form: Form): string {
  if (!form.has('sure')) throw invalid('/sure', say('erase.confirmThatThisCannotBe'));
  return form.text('reason');
}

async function choose({ carry, visit, path, refused: { form, message } }: PageCall): Promise<PageLayout> {
  const { url, range } = readRange(visit, shown);
  const { page, changes, total, files } = await carry(erasableContent, { path, ...range });
  const isPicked = (name: string, value: string) => form?.all(name).includes(value) ?? false;
  const main = html`<div class="plain erase">
<p class="above">${pageLink(page)}</p>
<h1>${say('erase.erasePermanently')}</h1>
<p class="lede">${say('erase.forContentThatMustNotBeKept')}</p>
${errorSummary(message)}
<form method="post">
<fieldset><legend>${say('erase.versions')}</legend>
<p class="quiet">${say('erase.ifYouEraseTheCurrentVersion')}</p>
<ul class="erase-list">${changes.map((change) => changeChoice(change, page.path, visit.now, isPicked('change', String(change.id))))}</ul>
${paging(url, range, total)}</fieldset>
${
  files.length > 0 &&
  html`<fieldset><legend>${say('erase.files')}</legend><ul class="erase-list">${files.map((file) => fileChoice(file, visit.now, isPicked('file-name', file.name)))}</ul></fieldset>`
}
${reasonAndButton(form?.text('reason') ?? '')}
</form></div>`;
  return { title: say('erase.eraseTitle', { title: page.title }), kind: 'history', main };
}

function changeChoice(
  { id, at, editor, content }: Change,
  path: string,
  now: number,
  isPicked: boolean,
): Html {
  if (content.erasedAt !== undefined)
    return html`<li class="quiet">${say('erase.erasedVersion', { time: timeAgo(at, now), name: html`<bdi>${editor.name}</bdi>` })}</li>`;
  return html`<li><label><input type="checkbox" name="change" value="${id}"${isPicked && html` checked`}> ${say('erase.version', { time: timeAgo(at, now), name: html`<bdi>${editor.name}</bdi>` })}${
    content.msg !== '' && html`: <bdi>${content.msg}</bdi>`
  }</label> <a href="${pageUrl(path)}?version=${id}">${say('erase.lookAtVersionId', { id, span: (words) => html`<span class="unseen">${words}</span>` })}</a></li>`;
}

function fileChoice(
  { name, filename, sizeBytes, uploadedAt }: AttachedFile,
  now: number,
  isPicked: boolean,
): Html {
  return html`<li><label><input type="checkbox" name="file-name" value="${name}"${
    isPicked && html` checked`
  }> <bdi>${filename}</bdi> <span class="quiet">${sizeWords(sizeBytes)}, ${timeAgo(uploadedAt, now)}</span></label> <a href="${fileUrl(name)}">${say(
    'erase.openFilename',
    { filename, span: (words) => html`<span class="unseen">${words}</span>` },
  )}</a></li>`;
}

function report({ erased, page, backups, left, pending }: Erased): PageLayout {
  const words = [
    erased.changes.length > 0 && say('count.versions', { count: erased.changes.length }),
    erased.files.length > 0 && say('count.files', { count: erased.files.length }),
    erased.member !== null && say('erase.aMembersNameAddressAnd'),
  ].filter((one) => one !== false);
  const main = html`<div class="plain"><h1>${say('erase.erased')}</h1>
<p class="lede">${listOf(words)}.</p>
${pending && html`<p>${say('erase.nobodyCanSeeItAnyMoreButThe', { value: say('auditKind.erasure-finished'), link: (words) => html`<a href="/members/audit">${words}</a>` })}</p>`}
${
  backups.length > 0 &&
  html`<section><h2>${say('erase.theseBackupsStillContainIt')}</h2><p>${say('erase.deleteThemAndMakeANewBackup')}</p><ul>${backups.map(
    ({ at, place }) => html`<li><code>${place || say('erase.aBackup')}</code>, ${momentOf(at)}</li>`,
  )}</ul></section>`
}
${left.length > 0 && html`<section><h2>${say('erase.placesThatMayStillContain')}</h2><ul>${left.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`}
<p><a href="${page ? pageUrl(page.path) : '/members'}">${say('erase.goOn')}</a></p></div>`;
  return { title: say('erase.erased'), kind: 'history', main };
}
