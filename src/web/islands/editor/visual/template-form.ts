/** The form of a template: one labelled field for each parameter, required ones first, ending with Done. */
import type { Attrs, Node } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import { ask } from '../../ask.ts';
import { element } from '../../element.ts';
import { cardField, openCard, textArea } from './card.ts';

export interface Param {
  name: string;
  value: string;
  positional: boolean;
}

interface TemplateForm {
  view: EditorView;
  node: Node;
  anchor: { left: number; top: number; bottom: number };
  change(attrs: Attrs): void;
  remove(): void;
}

/** Parameters that the template's page uses. */
interface KnownParameter {
  name: string;
  isRequired: boolean;
  default: string;
}

export async function openTemplateForm({ view, node, anchor, change, remove }: TemplateForm): Promise<void> {
  const given = node.attrs.params as Param[];
  const known = await parametersOf(String(node.attrs.name));
  const names = new Set(given.map(({ name }) => name));
  const fields = [
    ...given.map((param) => ({
      param,
      label: param.name,
      hint: hintOf(known.find(({ name }) => name === param.name)),
    })),
    ...known
      .filter(({ name }) => !names.has(name))
      .map((one) => ({
        param: { name: one.name, value: '', positional: /^\d+$/.test(one.name) },
        label: one.name,
        hint: hintOf(one),
      })),
  ].map((one) => ({
    ...one,
    field: textArea(one.param.value.trim(), { rows: Math.min(6, one.param.value.split('\n').length) }),
  }));
  const name = String(node.attrs.name);
  openCard({
    title: `Template ${name}`,
    anchor,
    content: [
      ...fields.map(({ label, hint, field }) =>
        cardField(/^\d+$/.test(label) ? `Part ${label}` : label, field, hint),
      ),
      fields.length === 0 ? element('p', { class: 'hint' }, 'This template takes no parameters.') : undefined,
      element(
        'p',
        { class: 'hint' },
        element(
          'a',
          { href: `/search?text=${encodeURIComponent(name)}`, target: '_blank' },
          'Find the template’s page',
        ),
      ),
    ],
    others: [{ words: 'Remove', run: remove }],
    done() {
      const params = fields
        .map(({ param, field }) => ({ ...param, value: withSpace(param.value, field.value) }))
        .filter((param) => param.value !== '' || names.has(param.name));
      const isChanged =
        params.length !== given.length || params.some(({ value }, index) => value !== given[index]?.value);
      if (isChanged) change({ params });
      return true;
    },
    closed: () => view.focus(),
  });
  fields[0]?.field.focus();
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
  if (known.isRequired) return 'Required';
  return known.default.trim() === '' ? undefined : `Otherwise: ${known.default.trim().slice(0, 80)}`;
}

async function parametersOf(name: string): Promise<KnownParameter[]> {
  const path = name.startsWith('/') ? name : await pathOf(name);
  if (path === undefined) return [];
  const found = await ask<{ parameters: KnownParameter[] }>(
    `/search/parameters?path=${encodeURIComponent(path)}`,
  );
  return found?.parameters ?? [];
}

async function pathOf(name: string): Promise<string | undefined> {
  const query = new URLSearchParams({ type: 'Template', title: name, limit: '10', history: 'none' });
  const found = await ask<{ title: string; path: string }[]>(`/v1/pages?${query}`);
  const wanted = name.replace(/^template:/i, '').toLowerCase();
  return found?.find(({ title }) => title.replace(/^template:/i, '').toLowerCase() === wanted)?.path;
}
