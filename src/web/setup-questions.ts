/** Three questions of the first start, with what follows from each answer: name, language, and who may read. */
import { isSetup } from '#core/joining/invite-member.ts';
import { languageOf } from '#core/model/language-tag.ts';
import type { Invitation } from '#core/model/one-time-links.ts';
import type { FieldError } from '#core/model/problem.ts';
import type { Settings } from '#core/model/settings.ts';
import { languagesWithStems } from '#core/model/stems.ts';
import { siteLanguages } from '#words/languages.ts';
import { say } from '#words/say.ts';
import { field } from './form-fields.ts';
import type { Form } from './forms.ts';
import { type HtmlValue, html, type Words } from './html.ts';
import type { Site, Visit } from './site.ts';

/** Fields of a form by which the first administrator joins, and nothing for other invitations. What the environment decides is not asked. */
export function setupQuestions(
  { service: { store } }: Site,
  { language }: Visit,
  invitation: Invitation,
  { form, errors }: { form: Form; errors: FieldError[] },
): HtmlValue[] {
  if (!isSetup(invitation)) return [];
  const { fixed, current } = store.settings;
  const isPrivate = form.text('private') === 'yes';
  const choice = (value: string, isChosen: boolean, label: Words, follows: Words) =>
    html`<label class="choice"><input type="radio" name="private" value="${value}"${isChosen && html` checked`} aria-describedby="private-${value}"> ${label}</label>
<p class="hint" id="private-${value}">${follows}</p>`;
  const ask = (
    name: string,
    value: string,
    { label, hint }: { label: Words; hint: Words },
    more?: HtmlValue,
  ) =>
    field(`wiki-${name}`, label, html`dir="auto" value="${form.text(`wiki-${name}`) || value}"${more}`, {
      errors,
      hint,
    });
  return [
    html`<h2>${say('invite.theWiki')}</h2>`,
    fixed.name === undefined &&
      ask('name', current().name, {
        label: say('invite.nameOfTheWiki'),
        hint: say('invite.shownOnEveryPage'),
      }),
    fixed.language === undefined && [
      // Owners usually write in the language in which they read the site.
      ask(
        'language',
        language,
        { label: say('invite.languageOfItsTexts'), hint: say('invite.languageFollows') },
        html` list="languages"`,
      ),
      languageChoices,
    ],
    fixed.private === undefined &&
      html`<fieldset class="field"><legend>${say('invite.whoMayReadThisWiki')}</legend>
${choice('no', !isPrivate, say('invite.everybody'), say('invite.everybodyFollows'))}
${choice('yes', isPrivate, say('invite.onlyMembers'), say('invite.onlyMembersFollows'))}</fieldset>`,
    html`<p class="hint">${say('invite.youCanChangeAllOfThisLaterIn')}</p>`,
  ];
}

/** Languages of the site, and those whose words searches find by their stems, under their own names. */
const offeredLanguages = [...new Set([...siteLanguages.map(({ tag }) => tag), ...languagesWithStems])]
  .map((tag) => ({ tag, name: new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag }))
  .sort((one, other) => (one.name < other.name ? -1 : 1));

/** For fields with `list="languages"`. */
export const languageChoices = html`<datalist id="languages">${offeredLanguages.map(({ tag, name }) => html`<option value="${tag}" lang="${tag}">${name}</option>`)}</datalist>`;

/** Answers to these questions. A form without a question leaves its setting as it is. */
export function setupAnswers({ service: { store } }: Site, form: Form): Partial<Settings> {
  const { fixed } = store.settings;
  const language = form.text('wiki-language');
  const answers: Partial<Settings> = {
    ...(form.has('wiki-name') ? { name: form.text('wiki-name') } : {}),
    ...(form.has('wiki-language') ? { language: languageOf(language) ?? named(language) } : {}),
    ...(form.text('private') === 'yes' ? { private: true } : {}),
  };
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !Object.hasOwn(fixed, name)));
}

/** The tag of an offered language whose name somebody typed; otherwise the text, which is refused. */
function named(text: string): string {
  const wanted = text.trim().toLowerCase();
  return offeredLanguages.find(({ name }) => name.toLowerCase() === wanted)?.tag ?? text;
}
