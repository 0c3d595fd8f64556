/** Form fields with labels, hints and errors. */
import { minPassphraseLength } from '#core/members/manage-members.ts';
import { type FieldError, invalid } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import type { Form } from './forms.ts';
import { type Html, type HtmlValue, html, type Words } from './html.ts';

interface FieldOptions {
  /** ID of the control; defaults to its name. */
  id?: string | undefined;
  /** Errors of the whole form; the field shows only its own. */
  errors?: FieldError[] | undefined;
  hint?: HtmlValue;
  /** Whether the field spans all columns. */
  isWide?: boolean;
}

/** A text input with its label. `attributes`: attributes of the input besides `id` and `name`. */
export function field(name: string, label: HtmlValue, attributes: Html, options: FieldOptions = {}): Html {
  const inside = html`${idAndName(name, options)} ${attributes}${describedBy(name, options)}`;
  return labelled(name, label, html`<input ${inside}>`, options);
}

export function selectField(
  name: string,
  label: HtmlValue,
  choices: HtmlValue,
  options: FieldOptions = {},
): Html {
  const inside = html`${idAndName(name, options)}${describedBy(name, options)}`;
  return labelled(name, label, html`<select ${inside}>${choices}</select>`, options);
}

function idAndName(name: string, { id = name }: FieldOptions): Html {
  return html`id="${id}" name="${name}"`;
}

function describedBy(name: string, { errors = [], hint }: FieldOptions): Html {
  return described(errors, name, hint ? `${name}-hint` : undefined);
}

function labelled(name: string, label: HtmlValue, control: Html, options: FieldOptions): Html {
  const { id = name, hint, errors = [], isWide } = options;
  return html`<div class="field${isWide && ' wide'}"><label for="${id}">${label}</label>${control}${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${mistake(errors, name)}</div>`;
}

/** Attributes of an input whose text scripts complete to names of members (`islands/member-names.ts`). */
export const completesMembers = html`data-member-names="/v1/access" autocomplete="off" dir="auto"`;

/** Options of a select: values and labels. */
export function choices(
  all: Iterable<readonly [value: string | number, words: Words]>,
  chosen?: string | number,
): Html[] {
  return Array.from(
    all,
    ([value, words]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  );
}

export function checkbox(name: string, value: string, isChecked: boolean, words: HtmlValue): Html {
  return html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}> ${words}</label>`;
}

/** Field for the path of a page to which something is limited, including its descendants. */
export function ancestorField(form: Form | undefined, errors: FieldError[], hint: Words): Html {
  const attributes = html`value="${form?.text('ancestor') ?? ''}" placeholder="/birds" dir="auto"`;
  return field('ancestor', say('formFields.onlyThisPageAndWhatLies'), attributes, { errors, hint });
}

/** Name field for a new member. */
export function memberNameField(value: string, errors: FieldError[]): Html {
  const attributes = html`autocomplete="name" required value="${value}" dir="auto"`;
  return field('name', say('common.name'), attributes, {
    errors,
    hint: say('formFields.shownBesideWhatYouWrite'),
  });
}

/** E-mail field for a new member, who signs in with this address. */
export function memberEmailField(value: string, errors: FieldError[]): Html {
  const attributes = html`type="email" autocomplete="username" required value="${value}"`;
  const hint = say('formFields.toSignInWithNeverShownTo');
  return field('email', say('account.eMail'), attributes, { errors, hint });
}

/** Attributes of a field for an existing passphrase. */
export const currentPassphrase = html`type="password" autocomplete="current-password" required`;

/** Hidden name of the account for password managers, needed beside passphrase fields. */
export function accountName(email: string): Html {
  return html`<input type="text" name="username" autocomplete="username" value="${email}" hidden>`;
}

/** Field for a code of an authenticator app, or a recovery code. */
export function codeField(label: HtmlValue, attributes?: Html, name = 'code'): Html {
  const own = html`autocomplete="one-time-code" autocapitalize="none" spellcheck="false"${attributes && html` ${attributes}`}`;
  return field(name, label, own);
}

/** Fields for a new passphrase, typed twice. */
export function newPassphraseFields(label: Words, errors: FieldError[], isFirst = false): Html {
  const kept = html`type="password" autocomplete="new-password" required`;
  const first = html`${kept}${isFirst && html` autofocus`} minlength="${minPassphraseLength}"`;
  const hint = say('formFields.passphraseHint', { count: minPassphraseLength });
  return html`${field('pass', label, first, { errors, hint })}
${field('pass-again', say('formFields.again', { label }), kept, { errors })}`;
}

/** Returns the new passphrase. Refuses with `invalid` if the two inputs differ. */
export function readNewPassphrase(form: Form): string {
  const pass = form.text('pass');
  if (pass === form.text('pass-again')) return pass;
  throw invalid('/pass-again', say('formFields.thePassphrasesDoNotMatch'));
}

/** Errors of one field, to be shown next to it. The field's `aria-describedby` refers to the ID. */
export function mistake(errors: FieldError[], field: string): Html | undefined {
  const found = errors.filter(({ pointer }) => pointer.replace(/^[/?]/, '').split('/')[0] === field);
  if (found.length === 0) return undefined;
  return html`<p class="mistake" id="${field}-mistake">${found.map(({ detail, words = detail }, index) => html`${index > 0 && ' '}${words}`)}</p>`;
}

/** ARIA attributes that connect a field with its error and hint. */
export function described(errors: FieldError[], field: string, hint?: Words): Html {
  const isWrong = mistake(errors, field) !== undefined;
  const ids = [isWrong && `${field}-mistake`, hint].filter(Boolean).join(' ');
  return html`${isWrong && html` aria-invalid="true"`}${ids !== '' && html` aria-describedby="${ids}"`}`;
}

/** Error message at the top of a form; screen readers announce it. */
export function errorSummary(message: Words | undefined): Html | undefined {
  return message === undefined
    ? undefined
    : html`<div class="error-summary" role="alert" tabindex="-1" autofocus><p>${message}</p></div>`;
}
