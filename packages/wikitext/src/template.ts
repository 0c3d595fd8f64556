/**
 * call ::= '{{' name ('|' argument)* '}}'        argument ::= (name '=')? value
 *
 *   {{Infobox|name=Oak|height=20 m}}        the page Infobox, with its {{{name}}} and {{{height}}} filled in
 *
 * In the tree of a page's unexpanded source, a call is a node with parsed arguments, so that links and markers in them are
 * found.
 */

import { type Element, type Fragment, firstFrom } from './elements.ts';
import { sectionCall } from './functions/section.ts';
import type { Reader } from './reader.ts';
import type { Node, TemplateArgument, TemplateNode } from './tree.ts';
import { isBuiltIn } from './words.ts';

/** Returns the node of the call or argument at `index` of the fragment's elements, with the content of its parts parsed. */
export function templateNode(reader: Reader, fragment: Fragment, element: Element, index: number): Node {
  const { text, elements, base } = fragment;
  const node: TemplateNode = {
    type: 'template',
    name: undefined,
    arguments: [],
    start: base + element.start,
    end: base + element.end,
  };
  const isCall = element.kind === 'template';
  let next = index + 1;
  for (const [position, part] of element.parts.entries()) {
    // The default of `{{{a|b=c}}}` is all of `b=c`.
    const equals = isCall ? part.equals : -1;
    const start = equals < 0 ? part.start : equals + 1;
    next = firstFrom(elements, start, next);
    if (position === 0) {
      if (isCall) Object.assign(node, called(reader, fragment, element, index));
      // For `{{{a}}}` no part of the name is shown; for `{{#if:…` the text after the colon is kept.
      if (node.name !== undefined || !isCall) continue;
    }
    const argument: TemplateArgument = {
      name: equals < 0 ? undefined : text.slice(part.start, equals).trim(),
      start: base + part.start,
      end: base + part.end,
      valueStart: base + start,
      children: start < part.end ? reader.range(start, part.end, next) : [],
    };
    node.arguments.push(argument);
  }
  return node;
}

const moduleCall = /^#invoke:(.+)$/is;

/**
 * Returns the name of the page that the call includes, or of the module that it runs; neither for built-in words and computed
 * names.
 */
function called(
  reader: Reader,
  fragment: Fragment,
  element: Element,
  index: number,
): Pick<TemplateNode, 'name' | 'module'> {
  const name = readName(fragment, element, index);
  if (name === undefined) return { name };
  const { rules, path } = reader.context;
  const ofSection = sectionCall.exec(name)?.[1]?.trim();
  if (ofSection !== undefined) return { name: rules.template(`:${ofSection}`, path) };
  const module = moduleCall.exec(name)?.[1]?.trim();
  if (module) return { name: undefined, module };
  if (name.includes('\n') || isBuiltIn(name, element.parts.length > 1, rules)) return { name: undefined };
  return { name: rules.template(name.replace(/^(?:safesubst|subst|msgnw|msg|raw):/i, ''), path) };
}

/** Returns the text before the first bar, without comments; undefined if part of it is computed. */
function readName(fragment: Fragment, element: Element, index: number): string | undefined {
  const part = element.parts[0];
  if (!part) return undefined;
  let name = '';
  let from = part.start;
  for (let next = index + 1; next < element.next; ) {
    const inner = fragment.elements[next];
    if (!inner || inner.start >= part.end) break;
    if (inner.kind !== 'comment' && inner.kind !== 'skip') return undefined;
    name += fragment.text.slice(from, inner.start);
    from = inner.end;
    next = inner.next;
  }
  return (name + fragment.text.slice(from, part.end)).trim();
}
