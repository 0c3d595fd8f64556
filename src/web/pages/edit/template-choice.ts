/** Page templates that a new page may begin with, above its form. */
import { pageTemplateType } from '#core/content/page-template.ts';
import type { PageOutline } from '#core/model/page.ts';
import type { PageInput } from '#core/model/page-input.ts';
import { templateBeneath } from '#core/pages/access-beneath.ts';
import { fieldsOfTemplate, findPageTemplate, getPageTemplate } from '#core/pages/begin-page.ts';
import type { Reader } from '#core/ports/reader.ts';
import { findPages } from '#core/search/search-pages.ts';
import { say } from '#words/say.ts';
import { urlOfVisit } from '../../components.ts';
import { type Form, formWith } from '../../forms.ts';
import { type Html, html, type Words } from '../../html.ts';
import type { Visit } from '../../site.ts';
import { entriesOf } from './edit-fields.ts';

const mostOffered = 50;
/** Fields of the form that a template fills. */
const filled = ['body', 'format', 'image', 'data', 'place', 'lat', 'lon'];

/** The form with the text of the page template that it names. Refuses `invalid` for one that the reader cannot see. */
export async function begunForm(reader: Reader, form: Form): Promise<Form> {
  const from = form.text('from');
  if (from === '' || form.text('body') !== '') return form;
  const template = await getPageTemplate(reader, from);
  const fields = new Map(entriesOf({ ...template.content, ...fieldsOfTemplate(template, reader) }));
  const values = filled.map((name) => [name, fields.get(name) ?? '']);
  return formWith(form, { ...Object.fromEntries(values), from: template.path });
}

/** The form with the template of new pages there, if its address names none, not even an empty one. */
export async function withDefaultTemplate(reader: Reader, query: URLSearchParams, form: Form): Promise<Form> {
  if (query.has('from') || form.text('body') !== '') return form;
  const path = await templateBeneath(reader, form.text('parent'));
  const template = path === undefined ? undefined : await findPageTemplate(reader, path);
  return template ? formWith(form, { from: template.path }) : form;
}

/** Input of the form for a new page, with the files of its template. */
export function withTemplate(form: Form, input: PageInput): PageInput & { from: string } {
  return { ...input, from: form.text('from') };
}

/** At most 50 page templates that the reader sees, by title. */
export async function pageTemplates(reader: Reader): Promise<PageOutline[]> {
  const wanted = { type: pageTemplateType, order: 'alphabetical', limit: mostOffered, offset: 0 };
  const { ids } = await findPages(reader, wanted);
  return reader.pages.outlines(ids);
}

/** Links that begin the page anew with another text; nothing in a wiki without page templates. */
export function templateChoice(
  visit: Visit,
  templates: readonly PageOutline[],
  chosen: string,
): Html | undefined {
  if (templates.length === 0) return undefined;
  const choice = (from: string, title: Words, description: string) => {
    const url = urlOfVisit(visit);
    url.searchParams.set('from', from);
    const here = from === chosen && html` aria-current="true"`;
    return html`<li><a href="${`/new${url.search}`}"${here} dir="auto">${title}</a>${description !== '' && html` <span class="quiet" dir="auto">${description}</span>`}</li>`;
  };
  const now = templates.find(({ path }) => path === chosen);
  return html`<details class="template-choice"${chosen === '' && html` open`}><summary>${say(
    'templateChoice.beginWithATemplateTitle',
    { title: html`<span class="quiet" dir="auto">${now?.title}</span>` },
  )}</summary>
<ul>${choice('', say('templateChoice.emptyPage'), '')}${templates.map(({ path, title, description }) => choice(path, title, description))}</ul></details>`;
}
