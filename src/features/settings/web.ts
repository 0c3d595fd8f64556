/** Settings of the site on the site, for administrators: a form for each section. */
import { accentOf } from '#core/model/accent.ts';
import { type FieldError, invalid } from '#core/model/problem.ts';
import {
  maxLinks,
  pictureNames,
  type SettingName,
  type Settings,
  type SiteLink,
  settingVariables,
} from '#core/model/settings.ts';
import { maxPictureBytes } from '#core/model/site-picture.ts';
import { checkbox, choices, described, errorSummary, field, mistake, selectField } from '#web/form-fields.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html, type Words } from '#web/html.ts';
import { isSafe } from '#web/layout.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { settingWords } from '#web/setting-words.ts';
import { say } from '#words/say.ts';
import { changeSettings, listPublicPages, readSettings } from './operations.ts';

import { closing, opening, type PublicPages } from './web-privacy.ts';

type PictureName = (typeof pictureNames)[number];

const url = '/settings';

/** A form that changes these settings. */
const section = (fields: (form: Form, call: PageCall) => Partial<Record<SettingName, unknown>>) =>
  formOf(changeSettings, { notice: 'settings-saved', fields });

/** People copy addresses of pages from the browser, which are paths for the settings. */
function withoutOrigin(text: string, origin: string): string {
  const target = text.trim();
  return target.startsWith(`${origin}/`) ? target.slice(origin.length) : target;
}

export const web: readonly OperationPage[] = [
  {
    url,
    reads: [readSettings, listPublicPages],
    forms: {
      basics: section((form) => ({
        name: form.text('name'),
        language: form.text('language'),
        home: form.text('home'),
      })),
      look: section((form) => ({
        accent: form.has('usual-accent') || form.text('accent') === usualColour ? null : form.text('accent'),
        font: form.text('font'),
        css: form.text('css'),
      })),
      pictures: section((form) => Object.fromEntries(pictureNames.flatMap((name) => pictureOf(form, name)))),
      links: section((form, { visit }) => ({
        menu: linksOf(form, 'menu'),
        footer: linksOf(form, 'footer'),
        imprint: withoutOrigin(form.text('imprint'), visit.origin) || null,
        privacy: withoutOrigin(form.text('privacy'), visit.origin) || null,
        licence: licenceOf(form),
      })),
      announcement: section((form) => ({ announcement: announcementOf(form) })),
      writing: section((form) => ({
        format: form.text('format'),
        signUp: form.text('signUp'),
        strangers: form.text('strangers'),
      })),
      search: section((form) => ({
        synonyms: form
          .text('synonyms')
          .split('\n')
          .filter((line) => line.trim() !== ''),
      })),
      reports: section((form) => ({
        statistics: String(form.has('statistics')),
        checkLinks: String(form.has('checkLinks')),
      })),
      pause: section(() => ({ readOnly: 'true' })),
      resume: section(() => ({ readOnly: 'false' })),
      close: section(() => ({ private: 'true' })),
      open: formOf(changeSettings, {
        notice: 'settings-saved',
        fields: async (form, { carry }) => {
          const { total } = await carry(listPublicPages, {});
          if (form.text('seen') !== String(total))
            throw invalid('/seen', say('settings.readTheListOfPagesThatBecome'));
          return { private: 'false' };
        },
      }),
    },
    async show(call) {
      const publicPages = await call.carry(listPublicPages, {});
      const { fixed, ...settings } = await call.carry(readSettings, {});
      const shown = shownSettings(call, settings as Settings, fixed as SettingName[]);
      const main = html`<div class="plain settings">
<p class="above"><a href="/members">${say('settings.members')}</a></p>
<h1>${say('settings.settings')}</h1>
${errorSummary(call.refused.message)}
<p class="lede">${say('settings.changesTakeEffectAtOnce')}</p>
<nav class="sections" aria-label="${say('settings.sections')}"><a href="#basics">${say('settings.basics')}</a> <a href="#readers">${say(
        'settings.whoMayRead',
      )}</a> <a href="#look">${say('settings.look')}</a> <a href="#pictures">${say(
        'settings.logoAndIcon',
      )}</a> <a href="#links">${say('settings.links')}</a> <a href="#announcement">${say(
        'settings.announcement',
      )}</a> <a href="#writing">${say(
        'settings.writingAndMembers',
      )}</a> <a href="#search">${say('search.search')}</a> <a href="#reports">${say('layout.reports')}</a> <a href="#read-only">${say('settings.readOnlyMode')}</a></nav>
${sectionForm(shown, { name: 'basics', title: say('settings.basics') }, basics(shown))}
<section id="readers"><h2>${say('settings.whoMayRead')}</h2>${whoMayRead(shown, publicPages)}</section>
${sectionForm(shown, { name: 'look', title: say('settings.look') }, look(shown))}
${sectionForm(shown, { name: 'pictures', title: say('settings.logoAndIcon') }, pictures(shown), 'multipart/form-data')}
${sectionForm(shown, { name: 'links', title: say('settings.links') }, links(shown))}
${sectionForm(shown, { name: 'announcement', title: say('settings.announcement') }, announcement(shown))}
${sectionForm(shown, { name: 'writing', title: say('settings.writingAndMembers') }, writing(shown))}
${sectionForm(shown, { name: 'search', title: say('search.search') }, synonyms(shown))}
${sectionForm(shown, { name: 'reports', title: say('layout.reports') }, reports(shown))}
${readOnlyMode(shown)}
</div>`;
      return { title: say('settings.settings'), kind: 'members', main };
    },
  },
];

interface Shown {
  settings: Settings;
  fixed: readonly SettingName[];
  /** The form that was refused, which is shown again. */
  form: Form | undefined;
  errors: FieldError[];
  /** Address of the forms: it keeps a visitor without own style sheets. */
  action: string;
  /** Colour and font that the visitor asks to see before saving them. */
  asked: URLSearchParams;
  now: number;
}

function shownSettings({ visit, refused }: PageCall, settings: Settings, fixed: SettingName[]): Shown {
  const { form, errors = [] } = refused;
  const action = isSafe(visit) ? `${url}?safe=1` : url;
  const asked = new URL(visit.url, 'http://here.invalid').searchParams;
  return { settings, fixed, form, errors, action, asked, now: visit.now };
}

function sectionForm(
  { action }: Shown,
  { name, title }: { name: string; title: Words },
  fields: Html,
  type = 'application/x-www-form-urlencoded',
): Html {
  return html`<section id="${name}"><h2>${title}</h2><form method="post" action="${action}" enctype="${type}">
${fields}
<div class="buttons"><button type="submit" class="button" name="what" value="${name}">${say('settings.save')}</button></div></form></section>`;
}

/** Value of a field: as it was sent, if its form was refused. */
function filledIn({ form }: Shown, name: string, current: string): string {
  return form?.has(name) ? form.text(name) : current;
}

/** Attributes and hint of a field; of a fixed one, the variable that decides it. */
function fieldOf(shown: Shown, name: SettingName, hint?: Words): { attributes: Html; hint: Html } {
  const isFixed = shown.fixed.includes(name);
  return {
    // Disabled fields are not sent.
    attributes: isFixed ? html` readonly` : html``,
    hint: isFixed
      ? html`${say('settings.theSettingValueDecidesThis', { value: html`<code>${settingVariables[name]}</code>` })}`
      : html`${hint}`,
  };
}

function textField(
  shown: Shown,
  name: 'name' | 'language' | 'home' | 'imprint' | 'privacy',
  hint: Words,
): Html {
  const own = fieldOf(shown, name, hint);
  const value = filledIn(shown, name, shown.settings[name] ?? '');
  return field(name, settingWords[name], html`value="${value}" dir="auto"${own.attributes}`, {
    errors: shown.errors,
    hint: own.hint,
  });
}

function select<V extends string>(
  shown: Shown,
  name: 'format' | 'signUp' | 'strangers' | 'font',
  words: Record<V, Words>,
): Html {
  const { hint } = fieldOf(shown, name);
  const all = Object.entries<Words>(words);
  const { [name]: current } = shown.settings;
  // A select cannot be read-only, so a fixed one has no other choice.
  const offered = shown.fixed.includes(name) ? all.filter(([value]) => value === current) : all;
  return selectField(name, settingWords[name], choices(offered, filledIn(shown, name, current)), {
    errors: shown.errors,
    ...(hint.isEmpty ? {} : { hint }),
  });
}

function basics(shown: Shown): Html {
  return html`${textField(shown, 'name', say('settings.shownOnEveryPageAndInMail'))}
${textField(shown, 'language', say('settings.aTagSuchAsEnDeOrPtBrAfterA'))}
${textField(shown, 'home', say('settings.pathOfThePageThatIsShownAt'))}`;
}

/** Chosen in the form, it is the default again. */
const usualColour = '#1d6b4f';

/** The box for the default colour is left out while it is the colour, so that choosing another one is enough. */
function look(shown: Shown): Html {
  const { settings, asked, form } = shown;
  const given = form ?? asked;
  const typed = form?.text('accent') ?? asked.get('accent') ?? settings.accent;
  const isColour = !given.has('usual-accent') && typed !== null && /^#[\da-f]{6}$/i.test(typed);
  const colour = isColour ? typed : usualColour;
  const isUsual = colour === usualColour;
  const font = asked.get('font') ?? settings.font;
  return html`${field('accent', settingWords.accent, html`type="color" value="${colour}"`, {
    errors: shown.errors,
    hint: say('settings.itIsDarkenedOrLightenedWhere'),
  })}
${!isUsual && checkbox('usual-accent', 'yes', false, say('settings.useTheDefaultColourInstead'))}
${select({ ...shown, settings: { ...settings, font: font as Settings['font'] } }, 'font', {
  serif: say('settings.sourceSerif'),
  sans: say('settings.sourceSans'),
  device: say('settings.theFontOfTheReadersDevice'),
})}
<div class="accent-previews" aria-label="${say('settings.preview')}">${accentPreview(isUsual ? undefined : colour)}</div>
<p><button type="submit" class="quiet-button" formmethod="get" formaction="${url}#look" name="preview" value="1">${say('settings.previewTheColour')}</button></p>
<div class="field wide"><label for="css">${settingWords.css}</label><textarea id="css" name="css" rows="8" class="code" spellcheck="false"${described(shown.errors, 'css', 'css-hint')}>
${filledIn(shown, 'css', settings.css)}</textarea><p class="hint" id="css-hint">${say(
    'settings.cssRulesAfterThoseOfCoppice',
    { url, link: (words) => html`<a href="${url}?safe=1#look">${words}</a>` },
  )}</p>${mistake(shown.errors, 'css')}</div>`;
}

function pictures({ settings, errors }: Shown): Html {
  return html`${pictureNames.map((name) => {
    const picture = settings[name] as (Settings[typeof name] & { url: string }) | null;
    return html`<div class="field site-picture"><label for="${name}">${settingWords[name]}</label>
${picture && html`<p><img src="${picture.url}" alt="" height="32"> ${checkbox(`no-${name}`, 'yes', false, say('settings.removeIt'))}</p>`}
<input type="file" id="${name}" name="${name}" accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml"${described(errors, name)}>${mistake(errors, name)}</div>`;
  })}<p class="hint">${say('settings.pictureHint', { kilobytes: maxPictureBytes / 1000 })}</p>`;
}

/** A chosen file, or null to remove the picture; nothing to keep it. */
function pictureOf(form: Form, name: PictureName): [PictureName, unknown][] {
  const data = form.smallFiles.get(name);
  if (data !== undefined) return [[name, { data }]];
  if (form.tooLarge.length > 0)
    throw invalid(`/${name}`, say('settings.pictureTooLarge', { kilobytes: maxPictureBytes / 1000 }));
  return form.has(`no-${name}`) ? [[name, null]] : [];
}

function accentPreview(accent: string | undefined): Html[] {
  const { light, dark } = accent === undefined ? { light: '', dark: '' } : accentOf(accent);
  return (['light', 'dark'] as const).map((theme) => {
    const colour = { light, dark }[theme];
    const style = `color-scheme: ${theme}${colour === '' ? '' : `; --link: ${colour}`}`;
    return html`<div class="accent-preview" style="${style}"><p>${say('settings.aTextWithALink', {
      link: (words) => html`<a href="#look">${words}</a>`,
    })}</p><p><span class="button">${say('settings.button')}</span></p><p class="quiet">${
      theme === 'light' ? say('settings.lightTheme') : say('settings.darkTheme')
    }</p></div>`;
  });
}

function links(shown: Shown): Html {
  const { settings } = shown;
  const { name = '', url: address = '' } = settings.licence ?? {};
  return html`${linkRows(shown, 'menu')}
${linkRows(shown, 'footer')}
${textField(shown, 'imprint', say('settings.pageOrAddressWithTheImprint'))}
${textField(shown, 'privacy', say('settings.pageOrAddressWithThePrivacy'))}
<p class="hint">${say('settings.everybodyReadsTheseTwoPages')}</p>
<fieldset class="field link-rows"><legend>${say(
    'settings.licenceOfTheContents',
  )}</legend><div><input name="licence-name" aria-label="${say('settings.nameOfTheLicence')}" placeholder="${say('settings.ccBySa40')}" value="${filledIn(
    shown,
    'licence-name',
    name,
  )}"> <input name="licence-url" dir="ltr" aria-label="${say('settings.addressOfTheLicence')}" placeholder="${say(
    'settings.httpsCreativecommonsOrg',
  )}" value="${filledIn(shown, 'licence-url', address)}"></div>${mistake(
    shown.errors,
    'licence',
  )}</fieldset>`;
}

function linkRows({ settings, form, errors }: Shown, name: 'menu' | 'footer'): Html {
  const given = form?.has(`${name}-label`) ? linksOf(form, name) : settings[name];
  const rows = [...given, ...Array.from({ length: Math.min(3, maxLinks - given.length) }, () => undefined)];
  return html`<fieldset class="field link-rows"><legend>${settingWords[name]}</legend>
${rows.map(
  (link, index) =>
    html`<div><input name="${name}-label" aria-label="${say('settings.textOfLink', {
      number: index + 1,
    })}\" placeholder="${say('settings.handbook')}" dir="auto" value="${link?.label ?? ''}"> <input name="${name}-to" aria-label="${say(
      'settings.addressOfLink',
      { number: index + 1 },
    )}\" placeholder="${say('settings.handbook2')}" dir="ltr" value="${link?.to ?? ''}"></div>`,
)}
<p class="hint">${say('settings.textAndPageOrAddressEmpty')}</p>${mistake(errors, name)}</fieldset>`;
}

function linksOf(form: Form, name: 'menu' | 'footer'): SiteLink[] {
  const targets = form.all(`${name}-to`);
  const all = form.all(`${name}-label`).map((label, index) => ({ label, to: targets[index] ?? '' }));
  return all.filter(({ label, to }) => label.trim() !== '' || to.trim() !== '');
}

function licenceOf(form: Form): Settings['licence'] {
  const [name, url] = [form.text('licence-name').trim(), form.text('licence-url').trim()];
  return name === '' && url === '' ? null : { name, url };
}

function announcement(shown: Shown): Html {
  const { text = '', until = null } = shown.settings.announcement ?? {};
  const hasEnded = until !== null && Date.parse(until) <= shown.now;
  const attributes = html`maxlength="500" dir="auto" value="${filledIn(shown, 'text', text)}"`;
  const end = html`type="datetime-local" value="${filledIn(shown, 'until', until?.slice(0, 16) ?? '')}"`;
  return html`${field('text', say('settings.shownOnEveryPage'), attributes, { hint: say('settings.plainTextLeaveEmptyForNone') })}${mistake(shown.errors, 'announcement')}
${hasEnded && html`<p class="hint">${say('settings.ended')}</p>`}
${field('until', say('settings.ends'), end, { hint: say('settings.inUtcLeaveEmptyForNoEnd') })}`;
}

function announcementOf(form: Form): Settings['announcement'] {
  const [text, until] = [form.text('text').trim(), form.text('until').trim()];
  return text === '' ? null : { text, until: until === '' ? null : `${until.slice(0, 16)}:00Z` };
}

function writing(shown: Shown): Html {
  return html`${select(shown, 'format', { wikitext: say('common.wikitext'), markdown: say('common.markdown') })}
${select(shown, 'signUp', {
  invitation: say('settings.byInvitationOnly'),
  approval: say('settings.theySignUpAndAnAdministrator'),
  open: say('settings.theySignUpAndBecomeMembersAt'),
})}
${select(shown, 'strangers', {
  off: say('settings.strangersOnlyRead'),
  comments: say('settings.strangersComment'),
  proposals: say('settings.strangersPropose'),
})}`;
}

function synonyms(shown: Shown): Html {
  const { settings, errors } = shown;
  const lines = settings.synonyms.join('\n');
  return html`<div class="field wide"><label for="synonyms">${settingWords.synonyms}</label><textarea id="synonyms" name="synonyms" rows="6" dir="auto"${described(
    errors,
    'synonyms',
    'synonyms-hint',
  )}>
${filledIn(shown, 'synonyms', lines)}</textarea><p class="hint" id="synonyms-hint">${say('settings.synonymsHint')}</p>${mistake(errors, 'synonyms')}</div>`;
}

function reports({ settings }: Shown): Html {
  return html`<p>${say('settings.reportsShow', { link: (words) => html`<a href="/settings/reports">${words}</a>` })}</p>
${checkbox('statistics', 'yes', settings.statistics, settingWords.statistics)}
${checkbox('checkLinks', 'yes', settings.checkLinks, settingWords.checkLinks)}`;
}

function readOnlyMode({ settings, action }: Shown): Html {
  const [words, what, label] = settings.readOnly
    ? [say('settings.thisWikiIsReadOnlyNobodyCan'), 'resume', say('settings.allowChangesAgain')]
    : [say('settings.whileYouMoveOrRepairTheWiki'), 'pause', say('settings.makeTheWikiReadOnly')];
  return html`<section id="read-only"><h2>${say('settings.readOnlyMode')}</h2><form method="post" action="${action}">
<p>${words}</p>
<div class="buttons"><button type="submit" class="button" name="what" value="${what}">${label}</button></div></form></section>`;
}

function whoMayRead({ settings, fixed, action }: Shown, publicPages: PublicPages): Html {
  const isFixed = fixed.includes('private');
  return html`<p>${
    settings.private
      ? say('settings.thisWikiIsPrivateOnlySigned')
      : say('settings.thisWikiIsPublicEverybodyCan')
  }</p>
${
  isFixed
    ? html`<p class="quiet">${say('settings.theSettingPrivateDecidesThis', { private: html`<code>${settingVariables.private}</code>` })}</p>`
    : settings.private
      ? opening(action, publicPages)
      : closing(action, publicPages)
}`;
}
