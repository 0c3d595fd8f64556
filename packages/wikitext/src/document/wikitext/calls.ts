/** Calls of templates as nodes: their name and parameters, and changes of these in the source. */
import {
  edit,
  readSource,
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
  const again = (): { tree: SourceTree; call: TemplateNode } | undefined => {
    const tree = readSource(source, { rules });
    const call = callIn(tree, source);
    return call && { tree, call };
  };
  const first = again();
  if (!first) return writeCall(attrs);
  const name = String(attrs.name ?? '');
  if (first.call.name !== name) source = edit(first.tree, [renameTemplate(first.tree, first.call, name)]);
  const wanted = parametersOf(attrs);
  const old = first.call.parameters;
  // One value may have been renamed, if everything else is the same.
  const removed = old.filter((one) => !wanted.some((other) => other.name === one.name));
  const added = wanted.filter((one) => !old.some((other) => other.name === one.name));
  const [from] = removed;
  const [to] = added;
  if (removed.length === 1 && added.length === 1 && from && to && !to.positional) {
    const now = again();
    if (now) source = edit(now.tree, [renameParameter(now.tree, now.call, from.name, to.name)]);
  } else {
    for (const { name: one } of removed.toReversed()) {
      const now = again();
      if (now) source = edit(now.tree, [setParameter(now.tree, now.call, one, undefined)]);
    }
  }
  // The call is read again only after a change: most edits change one of many parameters.
  let now = again();
  for (const { name: one, value } of wanted) {
    const is = now?.call.parameters.findLast((other) => other.name === one);
    if (!now || (is ? is.value === value : value === '')) continue;
    source = edit(now.tree, [setParameter(now.tree, now.call, one, value)]);
    now = again();
  }
  return source;
}

/** A new call; several parameters are written on lines of their own if they have names. */
export function writeCall(attrs: Attributes): string {
  const parameters = parametersOf(attrs);
  const name = String(attrs.name ?? '').replace(/[{}|[\]<>\n]/g, '');
  let source = `{{${name}}}`;
  if (parameters.length === 0) return source;
  const isTall = attrs.display === 'block' && parameters.filter(({ positional }) => !positional).length > 1;
  let position = 0;
  for (const { name: one, value, positional } of parameters) {
    const tree = readSource(source);
    const call = templates(tree)[0];
    if (!call) break;
    const key = positional ? String(++position) : one;
    source = edit(tree, [setParameter(tree, call, key, value)]);
  }
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
