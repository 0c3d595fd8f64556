/** The form of a template: one labelled field for each parameter, required ones first, ending with Done. */
import type { Attrs, Node } from 'prosemirror-model';
import { fold } from '#core/model/fold.ts';
import { ask } from '../../ask.ts';
import { Combobox, suggestPages } from '../../combobox.ts';
import { element } from '../../element.ts';
import { say } from '../../words.ts';
import { cardField, openCard, textArea } from './card.ts';

interface Param {
  name: string;
  value: string;
  positional: boolean;
}

interface TemplateForm {
  node: Node;
  anchor: { left: number; top: number; bottom: number };
  change(attrs: Attrs): void;
  remove(): void;
  closed(isDone: boolean): void;
}

/** Parameters that the template's page describes or uses. */
interface KnownParameter {
  name: string;
  isRequired: boolean;
  default: string;
  isSuggested?: boolean;
  label?: string;
  description?: string;
  type?: string;
  example?: string;
  /** Values that other calls give it, those of most calls first. */
  values?: { value: string; count: number }[];
}

/** Types whose values are one line, with the keyboard that a phone shows for them. */
const oneLine: Record<string, string> = {
  line: 'text',
  number: 'decimal',
  date: 'text',
  url: 'url',
  'wiki-page-name': 'text',
  'wiki-user-name': 'text',
  'wiki-file-name': 'text',
};

export async function openTemplateForm({
  node,
  anchor,
  change,
  remove,
  closed,
}: TemplateForm): Promise<void> {
  const given = node.attrs.params as Param[];
  const name = String(node.attrs.name);
  const path = await pathOf(name);
  const known = path === undefined ? [] : await parametersOf(path);
  const names = new Set(given.map(({ name }) => name));
  const fields = [
    ...given.map((param) => ({ param, known: known.find(({ name }) => name === param.name) })),
    ...known
      .filter(({ name }) => !names.has(name))
      .map((one) => ({
        param: { name: one.name, value: '', positional: /^\d+$/.test(one.name) },
        known: one,
      })),
  ].map((one) => ({ ...one, field: fieldFor(one.param.value, one.known) }));
  const place = ({ known }: (typeof fields)[number]) =>
    known?.isRequired ? 0 : known?.isSuggested || known === undefined ? 1 : 2;
  openCard({
    title: say('visualTemplateForm.templateNamed', { name }),
    anchor,
    content: [
      ...fields
        .toSorted((one, other) => place(one) - place(other))
        .map(({ param, known, field }) => cardField(labelOf(param, known), field, hintOf(known))),
      path === undefined
        ? element(
            'p',
            { class: 'hint' },
            `${say('visualTemplateForm.doesNotExist')} `,
            element(
              'a',
              { href: newTemplate(name, given), target: '_blank' },
              say('visualTemplateForm.writeIt'),
            ),
          )
        : undefined,
      path !== undefined && fields.length === 0
        ? element('p', { class: 'hint' }, say('visualTemplateForm.thisTemplateTakesNo'))
        : undefined,
      path === undefined
        ? undefined
        : element(
            'p',
            { class: 'hint' },
            element(
              'a',
              { href: `/edit${encodeURI(path)}`, target: '_blank' },
              say('visualTemplateForm.editTheTemplate'),
            ),
          ),
    ],
    others: [{ words: say('visualTemplateForm.remove'), run: remove }],
    done() {
      const params = fields
        .map(({ param, field }) => ({ ...param, value: withSpace(param.value, field.value) }))
        .filter((param) => param.value !== '' || names.has(param.name));
      const isChanged =
        params.length !== given.length || params.some(({ value }, index) => value !== given[index]?.value);
      if (isChanged) change({ params });
      return true;
    },
    closed,
  });
  for (const { field, known } of fields) complete(field, known);
  fields.toSorted((one, other) => place(one) - place(other))[0]?.field.focus();
}

/** Completes titles of pages where those are asked for, and otherwise values in use: before anything is typed, those of several calls. */
function complete(field: HTMLInputElement | HTMLTextAreaElement, known: KnownParameter | undefined): void {
  const { type, values = [] } = known ?? {};
  const isOfPages = type === 'wiki-page-name';
  if (!isOfPages && values.length === 0) return;
  const shared = values.filter(({ count }) => count > 1);
  new Combobox(field, {
    opensEmpty: shared.length > 0 && !isOfPages,
    async suggest(text, signal) {
      if (isOfPages)
        return (await suggestPages('/search/titles', text, signal)).map(({ label }) => ({ label }));
      const typed = fold(text);
      const found = typed === '' ? shared : values.filter(({ value }) => fold(value).includes(typed));
      return found.filter(({ value }) => value !== text).map(({ value }) => ({ label: value }));
    },
    onPick: () => field.focus(),
  }).connect();
}

/** A new value with the spaces and line ends around the former one. */
function withSpace(before: string, value: string): string {
  if (before.trim() === value.trim()) return before;
  const [start = '', end = ''] = [
    /^\s*/.exec(before)?.[0],
    before.trim() === '' ? '' : /\s*$/.exec(before)?.[0],
  ];
  return start + value.trim() + end;
}

function hintOf(known: KnownParameter | undefined): string | undefined {
  if (!known) return undefined;
  const { description = '', example = '', isRequired } = known;
  const otherwise = known.default.trim().slice(0, 80);
  const parts = [
    isRequired ? say('visualTemplateForm.required') : '',
    description,
    example === '' ? '' : say('visualTemplateForm.example', { example }),
    isRequired || otherwise === '' ? '' : say('visualTemplateForm.otherwise', { otherwise }),
  ];
  return parts.filter((part) => part !== '').join('. ') || undefined;
}

function labelOf({ name }: Param, known: KnownParameter | undefined): string {
  return known?.label ?? (/^\d+$/.test(name) ? say('visualTemplateForm.part', { name }) : name);
}

function fieldFor(value: string, known: KnownParameter | undefined): HTMLInputElement | HTMLTextAreaElement {
  const shown = value.trim();
  const keyboard = oneLine[known?.type ?? ''];
  if (keyboard === undefined || shown.includes('\n'))
    return textArea(shown, { rows: Math.min(6, value.split('\n').length) });
  return element('input', { value: shown, inputmode: keyboard, dir: 'auto', autocomplete: 'off' });
}

/** A new template with the parameters that the call gives it. */
function newTemplate(name: string, given: Param[]): string {
  const query = new URLSearchParams({
    title: `Template:${name.replace(/^template:/i, '')}`,
    body: given.map((param) => `{{{${param.name}|}}}`).join('\n'),
  });
  return `/new?${query}`;
}

async function parametersOf(path: string): Promise<KnownParameter[]> {
  const found = await ask<{ parameters: KnownParameter[] }>(
    `/search/parameters?path=${encodeURIComponent(path)}&values=on`,
  );
  return found?.parameters ?? [];
}

/** A call of `Note` means the template `Note`, or the page `Template:Note` or `Note`. */
async function pathOf(name: string): Promise<string | undefined> {
  if (name.startsWith('/')) return name;
  const title = name.replace(/^template:|^:/i, '');
  const find = async (criteria: Record<string, string>) => {
    const query = new URLSearchParams({ ...criteria, title, limit: '50', fields: 'title,path' });
    const found = await ask<{ title: string; path: string }[]>(`/v1/pages?${query}`);
    const wanted = title.toLowerCase();
    return found?.find((page) => page.title.replace(/^template:/i, '').toLowerCase() === wanted)?.path;
  };
  return (await find({ type: 'Template' })) ?? (await find({}));
}
