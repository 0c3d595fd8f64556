/** Calls of templates as nodes: their name and parameters, and changes of these in the source. */
import {
  edit,
  readSource,
  removeParameters,
  renameParameter,
  renameTemplate,
  setParameter,
  templates,
} from '../../edit/index.ts';
import type { SourceTree, TemplateNode } from '../../edit/nodes.ts';
import type { Rules } from '../../options.ts';
import { coppiceRules } from '../../rules.ts';
import type { Attributes } from '../nodes.ts';

export type CallParameter = { name: string; value: string; positional: boolean };

/** Longer calls are shown as their source. */
const maxLength = 200_000;

/** Undefined for functions, variables and arguments, which are no calls of a page. */
export function attributesOfCall(written: string, rules?: Rules): Attributes | undefined {
  if (!written.startsWith('{{') || written.startsWith('{{{') || written.length > maxLength) return undefined;
  const call = callIn(readSource(written, rules ? { rules } : {}), written);
  if (!call) return undefined;
  const params = call.parameters.map(
    ({ name, value, isPositional }): CallParameter => ({ name, value, positional: isPositional }),
  );
  return { name: call.name, params };
}

function callIn(tree: SourceTree, written: string): TemplateNode | undefined {
  const [call] = templates(tree);
  return call && call.start === 0 && call.end === written.length && call.target !== undefined
    ? call
    : undefined;
}

/** Parameters as they are read once they are written: a pipe that somebody wrote into a form becomes `{{!}}`. */
export function parametersAsRead(attrs: Attributes): readonly unknown[] {
  if (!Array.isArray(attrs.params)) return [];
  return attrs.params.map((given: unknown, index) => {
    const [one] = parametersOf({ params: [given] });
    if (!one || !/[|={}[\]<]/.test(one.value)) return given;
    const name = one.positional ? '1' : 'x';
    const read = attributesOfCall(writeCall({ name: 'x', params: [{ ...one, name }] }))?.params;
    const [only, ...others] = (read ?? []) as CallParameter[];
    if (!only || others.length > 0 || only.name !== name) return given;
    return {
      ...one,
      name: one.positional ? String(index + 1) : one.name,
      value: only.value,
      positional: only.positional,
    };
  });
}

function parametersOf(attrs: Attributes): CallParameter[] {
  const given = Array.isArray(attrs.params) ? (attrs.params as Partial<CallParameter>[]) : [];
  return given.slice(0, 1000).map(({ name, value, positional }, index) => ({
    name: String(name ?? index + 1),
    value: String(value ?? ''),
    positional: positional === true,
  }));
}

/** Changes the name and the parameters of a call in its source. */
export function changeCall(written: string, attrs: Attributes, rules: Rules = coppiceRules): string {
  let source = written;
  const read = (text: string): { tree: SourceTree; call: TemplateNode } | undefined => {
    const tree = readSource(text, { rules });
    const call = callIn(tree, text);
    return call && { tree, call };
  };
  const first = read(source);
  if (!first) return writeCall(attrs);
  const name = String(attrs.name ?? '');
  if (first.call.name !== name) source = edit(first.tree, [renameTemplate(first.tree, first.call, name)]);
  const wanted = parametersOf(attrs);
  const old = new Set(first.call.parameters.map((one) => one.name));
  const names = new Set(wanted.map((one) => one.name));
  // One value may have been renamed, if everything else is the same.
  const removed = new Set([...old].filter((one) => !names.has(one)));
  const added = wanted.filter((one) => !old.has(one.name));
  const [from] = removed;
  const [to] = added;
  let now = read(source);
  if (!now) return source;
  if (removed.size === 1 && added.length === 1 && from !== undefined && to && !to.positional)
    source = edit(now.tree, [renameParameter(now.tree, now.call, from, to.name)]);
  else source = edit(now.tree, [removeParameters(now.call, removed)]);
  now = read(source);
  if (!now) return source;
  const { tree, call } = now;
  const values = new Map(call.parameters.map((one) => [one.name, one.value]));
  const changed = wanted.filter(({ name: one, value }) => values.has(one) && values.get(one) !== value);
  source = edit(
    tree,
    changed.map(({ name: one, value }) => setParameter(tree, call, one, value)),
  );
  const isMissing = ({ name: one, value }: CallParameter) => !values.has(one) && value !== '';
  return withAdded(source, wanted.filter(isMissing), read);
}

/**
 * Adds parameters at the end of a call, in the style of those that it has. Those that are written alike are added together: the
 * call is read a few times, however many there are.
 */
function withAdded(
  before: string,
  added: readonly CallParameter[],
  read: (source: string) => { tree: SourceTree; call: TemplateNode } | undefined,
): string {
  let source = before;
  const isNumber = ({ name }: CallParameter) => /^\d+$/.test(name);
  const isNamed = /^\s*\|\s*\d+\s*=/;
  let rest = [...added.filter(isNumber), ...added.filter((one) => !isNumber(one))];
  while (rest.length > 0) {
    const now = read(source);
    const [first] = rest;
    if (!now || !first) return source;
    const next = now.call.parameters.filter((one) => one.isPositional).length + 1;
    const [trial] = setParameter(now.tree, now.call, first.name, first.value);
    const isUnnamed = first.name === String(next) && !isNamed.test(trial?.text ?? '');
    let at: number | undefined;
    let text = '';
    let count = 0;
    for (const { name, value } of rest) {
      const isNext = name === String(next + (isUnnamed ? count : 0));
      const [change] = setParameter(now.tree, now.call, isUnnamed && isNext ? String(next) : name, value);
      const isAlike = isNext === isUnnamed && !(isUnnamed && isNamed.test(change?.text ?? ''));
      if (!change || (count > 0 && (!isAlike || change.start !== at))) break;
      at = change.start;
      text += change.text;
      count++;
      // The first that has a name sets the style of the others.
      if (!isAlike || (!isUnnamed && now.call.parameters.at(-1)?.isPositional !== false)) break;
    }
    if (at === undefined) return source;
    source = edit(now.tree, [{ start: at, end: at, text }]);
    rest = rest.slice(count);
  }
  return source;
}

/** A new call; several parameters are written on lines of their own if they have names. */
export function writeCall(attrs: Attributes): string {
  const parameters = parametersOf(attrs);
  const name = String(attrs.name ?? '').replace(/[{}|[\]<>\n]/g, '');
  const start = `{{${name}}}`;
  if (parameters.length === 0 || !templates(readSource(start))[0]) return start;
  const isTall = attrs.display === 'block' && parameters.filter(({ positional }) => !positional).length > 1;
  const values = new Map<string, string>();
  let count = 0;
  for (const { name: one, value, positional } of parameters)
    values.set(positional ? String(++count) : one, value);
  // Each parameter is written in a call of its own: reading the whole call for each would take square time.
  const tree = readSource('{{x}}');
  const [call] = templates(tree);
  if (!call) return start;
  let parts = '';
  let next = 1;
  for (const [key, value] of values) {
    const isNext = key === String(next);
    // A number that is not the next position counts as a name.
    const own = isNext ? '1' : /^\d+$/.test(key) ? 'x' : key;
    const text = setParameter(tree, call, own, value)[0]?.text ?? '';
    const isNamed = !isNext || text.startsWith('|1=');
    parts += isNamed ? `|${key}${text.slice(1 + own.length)}` : text;
    if (!isNamed) next++;
  }
  const source = `{{${name}${parts}}}`;
  return isTall ? tall(source, name) : source;
}

function tall(source: string, name: string): string {
  const call = templates(readSource(source))[0];
  if (!call) return source;
  const lines = call.parameters.map(({ start, end, isPositional, name: key, value }) =>
    isPositional ? `| ${source.slice(start, end)}` : `| ${key} = ${value}`,
  );
  return `{{${name}\n${lines.join('\n')}\n}}`;
}
