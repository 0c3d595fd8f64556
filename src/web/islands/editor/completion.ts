/**
 * Completion after `[[` and `{{`: readable pages by title or path (and last a page to be created), files, tag keys and values,
 * templates.
 */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
  snippet,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { fold } from '#core/model/fold.ts';
import { ask } from '../ask.ts';
import { say } from '../words.ts';
import { vocabulary, wordsLike } from './vocabulary.ts';

export interface CompletionSources {
  /** `/search/titles` */
  titlesUrl: string;
  /** Names of files that the page has or gets with the next save. */
  fileNames(): string[];
}

interface FoundPage {
  title: string;
  path: string;
  type: string | null;
}

const shown = 10;

export function completion(sources: CompletionSources): Extension {
  return autocompletion({
    override: [
      (context) => linkCompletion(context, sources),
      (context) => templateCompletion(context, sources),
    ],
    icons: false,
    activateOnTypingDelay: 60,
    // Short, because a single key after the list appears shows that the user follows it.
    interactionDelay: 30,
    maxRenderedOptions: 40,
    optionClass: ({ type }) => (type === 'new' ? 'is-new' : ''),
  });
}

async function linkCompletion(
  context: CompletionContext,
  sources: CompletionSources,
): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/\[\[[^[\]|\n]*/);
  if (!typed) return null;
  const text = typed.text.slice(2);
  const from = typed.from + 2;
  const colon = text.indexOf(':');
  if (colon > 0 && !text.startsWith('/')) {
    const key = text.slice(0, colon).trim().toLowerCase();
    if (key === 'file' || key === 'image')
      return files(from + colon + 1, text.slice(colon + 1), sources.fileNames());
    return tagValues(context, from + colon + 1, key, text.slice(colon + 1));
  }
  const wanted = text.trim();
  if (wanted === '' && !context.explicit) {
    // Before anything is typed: what the page could link to immediately.
    return {
      from,
      filter: false,
      options: [...(await tagKeys(context, '')), ...fileHint(sources.fileNames())],
    };
  }
  const [pages, keys] = await Promise.all([
    findPages(context, `${sources.titlesUrl}?text=${encodeURIComponent(wanted)}`),
    tagKeys(context, wanted),
  ]);
  const titles = new Map<string, number>();
  for (const { title } of pages) titles.set(title.toLowerCase(), (titles.get(title.toLowerCase()) ?? 0) + 1);
  const options: Completion[] = pages.map((page) => ({
    label: page.title,
    detail: page.path,
    type: 'page',
    apply: closing(linkText(page, (titles.get(page.title.toLowerCase()) ?? 0) > 1, wanted.startsWith('/'))),
  }));
  options.push(...keys);
  const isKnown = pages.some(
    ({ title, path }) => title.toLowerCase() === wanted.toLowerCase() || path === wanted,
  );
  if (!isKnown && !/[#<>{}]/.test(wanted))
    options.push({
      label: wanted,
      type: 'new',
      detail: say('editorCompletion.createNew'),
      apply: closing(wanted),
    });
  return { from, filter: false, options };
}

/** An ambiguous title, or one that would be parsed as something else, is written as a path with a label. */
function linkText({ title, path }: FoundPage, isShared: boolean, byPath: boolean): string {
  if (byPath) return path;
  const isPlain = !/[|#[\]{}<>\n]/.test(title) && !title.startsWith('/') && !title.startsWith('.');
  if (isShared || !isPlain) return `${path}|${title.replace(/[|[\]]/g, ' ')}`;
  return title.includes(':') ? `:${title}` : title;
}

async function tagKeys(context: CompletionContext, typed: string): Promise<Completion[]> {
  const { tags } = await vocabulary();
  const begun = fold(typed);
  const usual = [...new Set(['type', 'location', ...tags.map(({ key }) => key)])]
    .filter((key) => fold(key).startsWith(begun))
    .map((word) => ({ word, detail: '' }));
  // An address cannot be a tag.
  const keys = typed.startsWith('/') ? [] : await wordsLike(typed, usual, abortOf(context));
  return keys.slice(0, typed === '' ? shown : 4).map(({ word }) => ({
    label: `${capital(word)}:`,
    detail: 'tag',
    type: 'tag',
    apply: chain(`${capital(word)}:`),
  }));
}

async function tagValues(
  context: CompletionContext,
  from: number,
  key: string,
  typed: string,
): Promise<CompletionResult | null> {
  const { tags, types } = await vocabulary();
  const usual = (
    key === 'type'
      ? types.map(({ type: value, count }) => ({ value, count }))
      : tags.filter((tag) => tag.key === key)
  ).map((one) => ({ word: one.value, detail: say('count.pages', { count: one.count }) }));
  const found = await wordsLike(`${key}:${typed.trimStart()}`, usual, abortOf(context));
  const options = found.slice(0, 30).map(({ word, detail }) => ({
    label: word,
    ...(detail === '' ? {} : { detail }),
    type: 'tag',
    apply: closing(word),
  }));
  return options.length > 0 ? { from, filter: false, options } : null;
}

function files(from: number, typed: string, names: string[]): CompletionResult | null {
  const options = names
    .filter((name) => fold(name).includes(fold(typed.trim())))
    .map((name) => ({ label: name, type: 'file', apply: closing(name) }));
  return options.length > 0 ? { from, filter: false, options } : null;
}

function fileHint(names: string[]): Completion[] {
  return names.length > 0
    ? [{ label: 'File:', detail: say('editorCompletion.ofThisPage'), type: 'file', apply: chain('File:') }]
    : [];
}

/** Templates by type first, then other pages with matching names, because any page can be a template. */
async function templateCompletion(
  context: CompletionContext,
  { titlesUrl }: CompletionSources,
): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/\{\{[^{}|\n]*/);
  if (!typed || context.state.sliceDoc(typed.from - 1, typed.from) === '{') return null;
  const text = typed.text.slice(2).trim();
  const query = new URLSearchParams({
    type: 'Template',
    limit: String(shown),
    history: 'none',
    order: 'alphabetical',
  });
  if (text !== '') query.set('title', text);
  const [templates, others] = await Promise.all([
    findPages(context, `/v1/pages?${query}`),
    text === '' ? [] : findPages(context, `${titlesUrl}?text=${encodeURIComponent(text)}`),
  ]);
  const titles = new Set(templates.map(({ title }) => title.toLowerCase()));
  const options = [...templates, ...others.filter(({ title }) => !titles.has(title.toLowerCase()))].map(
    ({ title, path }): Completion => ({
      label: title,
      detail: path,
      type: 'template',
      // A title that would be parsed as something else is written as a path.
      apply: template(/^[./]|[|#[\]{}<>:\n]/.test(title) ? path : title, path),
    }),
  );
  return { from: typed.from + 2, filter: false, options };
}

async function findPages(context: CompletionContext, url: string): Promise<FoundPage[]> {
  const signal = abortOf(context);
  const found = (await ask<FoundPage[] | { pages: FoundPage[] }>(url, { signal })) ?? [];
  return (Array.isArray(found) ? found : found.pages).slice(0, shown);
}

function abortOf(context: CompletionContext): AbortSignal {
  const stop = new AbortController();
  context.addEventListener('abort', () => stop.abort());
  return stop.signal;
}

/** Inserts the text and closing brackets, unless they are there already. */
function closing(text: string, close = ']]') {
  return (view: EditorView, picked: Completion, from: number, to: number) => {
    const isClosed = view.state.sliceDoc(to, to + close.length) === close;
    const spec = insertCompletionText(view.state, isClosed ? text : text + close, from, to);
    view.dispatch({
      ...spec,
      selection: { anchor: from + text.length + close.length },
      annotations: pickedCompletion.of(picked),
    });
  };
}

interface Parameter {
  name: string;
  isRequired: boolean;
  default: string;
}

/** Inserts the name and, once they are known, the template's parameters as snippet fields for Tab. */
function template(name: string, path: string) {
  return (view: EditorView, picked: Completion, from: number, to: number) => {
    closing(name, '}}')(view, picked, from, to);
    const written = view.state;
    const url = `/search/parameters?path=${encodeURIComponent(path)}`;
    void ask<{ parameters: Parameter[] }>(url).then((found) => {
      const fields = templateFields(found?.parameters ?? []);
      // Not if the user has continued writing meanwhile.
      const isLeft = view.state.doc !== written.doc || !view.state.selection.eq(written.selection);
      if (fields !== '' && !isLeft) snippet(fields)(view, null, from + name.length, from + name.length + 2);
    });
  };
}

/**
 * A snippet from after the name to the closing braces. Tab goes to required parameters first; short defaults are filled in.
 * Optional parameters with longer defaults are omitted, because an empty argument would replace the default.
 */
export function templateFields(parameters: Parameter[]): string {
  const isPosition = ({ name }: Parameter) => /^[1-9]\d?$/.test(name);
  const required = parameters.filter(({ isRequired }) => isRequired);
  const optional = parameters.filter((one) => !one.isRequired && /^[^{}|=\n<[]{0,60}$/.test(one.default));
  const steps = [...required, ...optional];
  const field = (one: Parameter) => `\${${steps.indexOf(one) + 1}:${one.default}}`;
  // Positional parameters in order, up to the first missing one.
  const positions: Parameter[] = [];
  for (let at = 1; ; at++) {
    const one = steps.find((step) => step.name === String(at));
    if (!one) break;
    positions.push(one);
  }
  const named = steps.filter((one) => !isPosition(one));
  if (positions.length + named.length === 0) return '';
  const isLong = named.length > 3;
  const parts = [
    ...positions.map((one) => `|${field(one)}`),
    ...named.map((one) => `${isLong ? '\n' : ''}|${one.name}=${field(one)}`),
  ];
  return `${parts.join('')}${isLong ? '\n' : ''}\\}\\}\${${steps.length + 1}}`;
}

/** Inserts a key and immediately completes its values. */
function chain(text: string) {
  return (view: EditorView, _picked: Completion, from: number, to: number) => {
    view.dispatch({ ...insertCompletionText(view.state, text, from, to), userEvent: 'input.type' });
  };
}

function capital(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}
