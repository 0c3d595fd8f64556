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
import { pageLink } from '#web/components.ts';
import { checkbox, choices, described, errorSummary, field, mistake, selectField } from '#web/form-fields.ts';
import { count } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { type Html, html } from '#web/html.ts';
import { isSafe } from '#web/layout.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { changeSettings, listPublicPages, readSettings } from './operations.ts';

type PictureName = (typeof pictureNames)[number];
type PublicPages = Awaited<ReturnType<typeof listPublicPages.run>>;

const url = '/settings';

/** A form that changes these settings. */
const section = (fields: (form: Form) => Partial<Record<SettingName, unknown>>) =>
  formOf(changeSettings, { notice: 'settings-saved', fields });

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
        accent: form.has('usual-accent') ? null : form.text('accent'),
        font: form.text('font'),
        css: form.text('css'),
      })),
      pictures: section((form) => Object.fromEntries(pictureNames.flatMap((name) => pictureOf(form, name)))),
      links: section((form) => ({
        menu: linksOf(form, 'menu'),
        footer: linksOf(form, 'footer'),
        imprint: form.text('imprint').trim() || null,
        privacy: form.text('privacy').trim() || null,
        licence: licenceOf(form),
      })),
      announcement: section((form) => ({ announcement: announcementOf(form) })),
      writing: section((form) => ({ format: form.text('format'), signUp: form.text('signUp') })),
      pause: section(() => ({ readOnly: 'true' })),
      resume: section(() => ({ readOnly: 'false' })),
      close: section(() => ({ private: 'true' })),
      open: formOf(changeSettings, {
        notice: 'settings-saved',
        fields: async (form, { carry }) => {
          const { total } = await carry(listPublicPages, {});
          if (form.text('seen') !== String(total))
            throw invalid('/seen', 'Read the list of pages that become public, and confirm that you have.');
          return { private: 'false' };
        },
      }),
    },
    async show(call) {
      const publicPages = await call.carry(listPublicPages, {});
      const { fixed, ...settings } = await call.carry(readSettings, {});
      const shown = shownSettings(call, settings as Settings, fixed as SettingName[]);
      const main = html`<div class="plain settings">
<p class="above"><a href="/members">Members</a></p>
<h1>Settings</h1>
${errorSummary(call.refused.message)}
<p>Changes take effect at once. Settings defined by environment variables are shown, but cannot be changed here.</p>
<nav class="sections" aria-label="Sections"><a href="#basics">Basics</a> <a href="#readers">Who may read</a> <a href="#look">Look</a> <a href="#pictures">Logo and icon</a> <a href="#links">Links</a> <a href="#announcement">Announcement</a> <a href="#writing">Writing and members</a> <a href="#read-only">Read-only mode</a></nav>
${sectionForm(shown, 'basics', 'Basics', basics(shown))}
<section id="readers"><h2>Who may read</h2>${whoMayRead(shown, publicPages)}</section>
${sectionForm(shown, 'look', 'Look', look(shown))}
${sectionForm(shown, 'pictures', 'Logo and icon', pictures(shown), 'multipart/form-data')}
${sectionForm(shown, 'links', 'Links', links(shown))}
${sectionForm(shown, 'announcement', 'Announcement', announcement(shown))}
${sectionForm(shown, 'writing', 'Writing and members', writing(shown))}
${readOnlyMode(shown)}
</div>`;
      return { title: 'Settings', kind: 'members', main };
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
}

function shownSettings({ visit, refused }: PageCall, settings: Settings, fixed: SettingName[]): Shown {
  const { form, errors = [] } = refused;
  const action = isSafe(visit) ? `${url}?safe=1` : url;
  const asked = new URL(visit.url, 'http://here.invalid').searchParams;
  return { settings, fixed, form, errors, action, asked };
}

function sectionForm(
  { action }: Shown,
  name: string,
  title: string,
  fields: Html,
  type = 'application/x-www-form-urlencoded',
): Html {
  return html`<section id="${name}"><h2>${title}</h2><form method="post" action="${action}" enctype="${type}">
${fields}
<div class="buttons"><button type="submit" class="button" name="what" value="${name}">Save</button></div></form></section>`;
}

/** Value of a field: as it was sent, if its form was refused. */
function filledIn({ form }: Shown, name: string, current: string): string {
  return form?.has(name) ? form.text(name) : current;
}

/** Attributes and hint of a field; of a fixed one, the variable that decides it. */
function fieldOf(shown: Shown, name: SettingName, hint?: string): { attributes: Html; hint: Html } {
  const isFixed = shown.fixed.includes(name);
  return {
    // Disabled fields are not sent.
    attributes: isFixed ? html` readonly` : html``,
    hint: isFixed ? html`The setting <code>${settingVariables[name]}</code> decides this.` : html`${hint}`,
  };
}

function textField(
  shown: Shown,
  name: 'name' | 'language' | 'home' | 'imprint' | 'privacy',
  label: string,
  hint: string,
): Html {
  const own = fieldOf(shown, name, hint);
  const value = filledIn(shown, name, shown.settings[name] ?? '');
  return field(name, label, html`value="${value}" dir="auto"${own.attributes}`, {
    errors: shown.errors,
    hint: own.hint,
  });
}

function select<V extends string>(
  shown: Shown,
  name: 'format' | 'signUp' | 'font',
  label: string,
  words: Record<V, string>,
): Html {
  const { hint } = fieldOf(shown, name);
  const all = Object.entries<string>(words);
  const { [name]: current } = shown.settings;
  // A select cannot be read-only, so a fixed one has no other choice.
  const offered = shown.fixed.includes(name) ? all.filter(([value]) => value === current) : all;
  return selectField(name, label, choices(offered, filledIn(shown, name, current)), {
    errors: shown.errors,
    ...(hint.text === '' ? {} : { hint }),
  });
}

function basics(shown: Shown): Html {
  return html`${textField(shown, 'name', 'Name of the wiki', 'Shown on every page and in mail.')}
${textField(shown, 'language', 'Language of its texts', 'A tag such as en, de or pt-BR. After a change run coppice rebuild, so that existing texts are read again with the new names.')}
${textField(shown, 'home', 'Front page', 'Path of the page that is shown at the root of the site.')}`;
}

function look(shown: Shown): Html {
  const { settings, asked } = shown;
  const accent = asked.get('accent') ?? settings.accent;
  const colour = accent !== null && /^#[\da-f]{6}$/i.test(accent) ? accent : '#1d6b4f';
  const isUsual = asked.has('accent') ? asked.has('usual-accent') : accent === null;
  const font = asked.get('font') ?? settings.font;
  return html`${field('accent', 'Colour of links and buttons', html`type="color" value="${filledIn(shown, 'accent', colour)}"`, { errors: shown.errors, hint: 'It is darkened or lightened where it would be unreadable.' })}
${checkbox('usual-accent', 'yes', isUsual, 'Use the default colour instead')}
${select({ ...shown, settings: { ...settings, font: font as Settings['font'] } }, 'font', 'Font of texts and headings', { serif: 'Source Serif', sans: 'Source Sans', device: 'The font of the reader’s device' })}
<div class="accent-previews" aria-label="Preview">${accentPreview(isUsual ? undefined : colour)}</div>
<p><button type="submit" class="quiet-button" formmethod="get" formaction="${url}#look" name="preview" value="1">Preview the colour</button></p>
<div class="field wide"><label for="css">Own style sheet</label><textarea id="css" name="css" rows="8" class="code" spellcheck="false"${described(shown.errors, 'css', 'css-hint')}>
${filledIn(shown, 'css', settings.css)}</textarea><p class="hint" id="css-hint">CSS rules after those of Coppice. If they make the site unusable, open <a href="${url}?safe=1#look">${url}?safe=1</a>, which leaves them out.</p>${mistake(shown.errors, 'css')}</div>`;
}

function pictures({ settings, errors }: Shown): Html {
  const words = { logo: 'Logo', logoDark: 'Logo in the dark theme', icon: 'Icon of browser tabs' };
  return html`${pictureNames.map((name) => {
    const picture = settings[name] as (Settings[typeof name] & { url: string }) | null;
    return html`<div class="field site-picture"><label for="${name}">${words[name]}</label>
${picture && html`<p><img src="${picture.url}" alt="" height="32"> ${checkbox(`no-${name}`, 'yes', false, 'Remove it')}</p>`}
<input type="file" id="${name}" name="${name}" accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml"${described(errors, name)}>${mistake(errors, name)}</div>`;
  })}<p class="hint">PNG, JPEG, WebP, GIF or SVG of at most ${maxPictureBytes / 1000} kB. Logos are shown 32 pixels high.</p>`;
}

/** A chosen file, or null to remove the picture; nothing to keep it. */
function pictureOf(form: Form, name: PictureName): [PictureName, unknown][] {
  const data = form.smallFiles.get(name);
  if (data !== undefined) return [[name, { data }]];
  if (form.tooLarge.length > 0)
    throw invalid(`/${name}`, `A picture can have at most ${maxPictureBytes / 1000} kB.`);
  return form.has(`no-${name}`) ? [[name, null]] : [];
}

function accentPreview(accent: string | undefined): Html[] {
  const { light, dark } = accent === undefined ? { light: '', dark: '' } : accentOf(accent);
  return (['light', 'dark'] as const).map((theme) => {
    const colour = { light, dark }[theme];
    const style = `color-scheme: ${theme}${colour === '' ? '' : `; --link: ${colour}`}`;
    return html`<div class="accent-preview" style="${style}"><p>A text with <a href="#look">a link</a></p><p><span class="button">Button</span></p><p class="quiet">${theme === 'light' ? 'Light theme' : 'Dark theme'}</p></div>`;
  });
}

function links(shown: Shown): Html {
  const { settings } = shown;
  const { name = '', url: address = '' } = settings.licence ?? {};
  return html`${linkRows(shown, 'menu', 'Links in the header')}
${linkRows(shown, 'footer', 'Links in the footer')}
${textField(shown, 'imprint', 'Imprint', 'Page or address with the imprint, such as /imprint.')}
${textField(shown, 'privacy', 'Privacy', 'Page or address with the privacy policy.')}
<fieldset class="field link-rows"><legend>Licence of the contents</legend><div><input name="licence-name" aria-label="Name of the licence" placeholder="CC BY-SA 4.0" value="${filledIn(shown, 'licence-name', name)}"> <input name="licence-url" aria-label="Address of the licence" placeholder="https://creativecommons.org/licenses/by-sa/4.0/" value="${filledIn(shown, 'licence-url', address)}"></div>${mistake(shown.errors, 'licence')}</fieldset>`;
}

function linkRows({ settings, form, errors }: Shown, name: 'menu' | 'footer', title: string): Html {
  const given = form?.has(`${name}-label`) ? linksOf(form, name) : settings[name];
  const rows = [...given, ...Array.from({ length: Math.min(3, maxLinks - given.length) }, () => undefined)];
  return html`<fieldset class="field link-rows"><legend>${title}</legend>
${rows.map((link, index) => html`<div><input name="${name}-label" aria-label="Text of link ${index + 1}" placeholder="Handbook" dir="auto" value="${link?.label ?? ''}"> <input name="${name}-to" aria-label="Page or address of link ${index + 1}" placeholder="/handbook" value="${link?.to ?? ''}"></div>`)}
<p class="hint">Text, and page or address. Empty rows are ignored; save to get more rows.</p>${mistake(errors, name)}</fieldset>`;
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
  const attributes = html`maxlength="500" dir="auto" value="${filledIn(shown, 'text', text)}"`;
  const end = html`type="datetime-local" value="${filledIn(shown, 'until', until?.slice(0, 16) ?? '')}"`;
  return html`${field('text', 'Shown on every page', attributes, { hint: 'Leave empty for none.' })}${mistake(shown.errors, 'announcement')}
${field('until', 'Ends', end, { hint: 'In UTC. Leave empty for no end.' })}`;
}

function announcementOf(form: Form): Settings['announcement'] {
  const [text, until] = [form.text('text').trim(), form.text('until').trim()];
  return text === '' ? null : { text, until: until === '' ? null : `${until.slice(0, 16)}:00Z` };
}

function writing(shown: Shown): Html {
  return html`${select(shown, 'format', 'Format of new pages', { wikitext: 'Wikitext', markdown: 'Markdown' })}
${select(shown, 'signUp', 'How people become members', { invitation: 'By invitation only', approval: 'They sign up, and an administrator approves', open: 'They sign up and become members at once' })}`;
}

function readOnlyMode({ settings, action }: Shown): Html {
  const [words, what, label] = settings.readOnly
    ? ['This wiki is read-only: nobody can save anything but settings.', 'resume', 'Allow changes again']
    : [
        'While you move or repair the wiki, you can pause all changes. Everybody can go on reading. Until you allow changes again, nothing can be saved but settings, and only administrators can sign in.',
        'pause',
        'Make the wiki read-only',
      ];
  return html`<section id="read-only"><h2>Read-only mode</h2><form method="post" action="${action}">
<p>${words}</p>
<div class="buttons"><button type="submit" class="button" name="what" value="${what}">${label}</button></div></form></section>`;
}

function whoMayRead({ settings, fixed, action }: Shown, publicPages: PublicPages): Html {
  const isFixed = fixed.includes('private');
  return html`<p>${
    settings.private
      ? 'This wiki is private: only signed-in members can read it.'
      : 'This wiki is public: everybody can read the pages whose permissions allow it.'
  }</p>
${isFixed ? html`<p class="quiet">The setting <code>${settingVariables.private}</code> decides this.</p>` : settings.private ? opening(action, publicPages) : closing(action, publicPages)}`;
}

function closing(action: string, { total, isMore }: PublicPages): Html {
  return html`<form method="post" action="${action}">
<p>In a private wiki, people who are not signed in see only the sign-in form. ${total > 0 && `${isMore ? 'More than ' : ''}${count(total, 'page', 'pages')} that everybody can read now ${total === 1 ? 'becomes' : 'become'} visible to members only.`} New pages can be read and edited by members.</p>
<div class="buttons"><button type="submit" class="button" name="what" value="close">Make the wiki private</button></div></form>`;
}

function opening(action: string, { total, pages, isMore }: PublicPages): Html {
  return html`<details><summary>Make the wiki public…</summary><form method="post" action="${action}">
${
  total === 0
    ? html`<p>No page becomes public, because no page’s permissions let everybody read it.</p><input type="hidden" name="seen" value="0">`
    : html`<p><strong>${isMore && 'More than '}${count(total, 'page becomes', 'pages become')} public</strong>, because ${total === 1 ? 'its' : 'their'} permissions let everybody read:</p>
<ul class="public-pages">${pages.map((page) => html`<li>${pageLink(page)}</li>`)}${total > pages.length && html`<li>and ${isMore && 'more than '}${count(total - pages.length, 'more page', 'more pages')}</li>`}</ul>
${checkbox('seen', String(total), false, 'I have read this list')}`
}
<div class="buttons"><button type="submit" class="button grave" name="what" value="open">Make the wiki public</button></div></form></details>`;
}
