/**
 * Changes of a source: each replaces a range with a text. All are made against one tree; `edit` applies them together, and
 * bytes outside the ranges stay as they are.
 */
import { guardCell, guardLabel, guardParameter, guardText, guardTitle, type Place } from './guard.ts';
import type {
  CellNode,
  ExternalLinkNode,
  HeadingNode,
  LinkNode,
  SourceNode,
  SourceTree,
  TemplateNode,
} from './nodes.ts';
import type { SourceSection } from './queries.ts';
import { parameter } from './queries.ts';

/** Replaces the range between two offsets of the source. */
export type Change = { start: number; end: number; text: string };

/** Returns the source with all changes applied, given in any order. Throws if changes overlap. */
export function edit(tree: SourceTree, changes: readonly (Change | readonly Change[])[]): string {
  const { source } = tree;
  const order = changes.flat().sort((left, right) => left.start - right.start || left.end - right.end);
  let out = '';
  let at = 0;
  for (const { start, end, text } of order) {
    if (start < at)
      throw new RangeError(
        `Two changes touch "${source.slice(start, Math.min(end, start + 40))}". Make one, read its result, and make the other there.`,
      );
    if (end < start || end > source.length)
      throw new RangeError(
        'A change lies outside of the source. Make it from the tree that it is given with.',
      );
    out += source.slice(at, start) + text;
    at = end;
  }
  return out + source.slice(at);
}

/** Replaces the source of a node. The text is not escaped. */
export function replaceNode(node: SourceNode | SourceSection, text: string): Change {
  return { start: node.start, end: node.end, text };
}

/**
 * Sets a parameter to a value in wikitext, adding it at the end if it is missing; undefined removes all parameters of that
 * name, and unnamed ones after it get their number as name, so that they do not move up. White space around a named value stays. If an unnamed value contains `=`, its number is written before it if it is the
 * last parameter; otherwise the sign is escaped.
 */
export function setParameter(
  tree: SourceTree,
  template: TemplateNode,
  name: string,
  value: string | undefined,
): Change | Change[] {
  const { source } = tree;
  const place = placeOf(tree, template);
  const found = parameter(template, name);
  const positional = template.parameters.filter((one) => one.isPositional);
  if (value === undefined) {
    const gone = template.parameters.filter((one) => one.name === name);
    const unnamed = gone.find((one) => one.isPositional);
    const later = unnamed ? positional.filter((one) => one.start > unnamed.start) : [];
    return [
      ...gone.map((one) => ({ start: one.start - 1, end: one.end, text: '' })),
      ...later.map((one) => ({ start: one.start, end: one.start, text: `${one.name}=` })),
    ];
  }
  if (!found) {
    const isNext = name === String(positional.length + 1);
    const text = isNext
      ? positionalText(value, name, true, place)
      : `${checkedName(name)}=${guardParameter(value, false, place)}`;
    return addition(source, template, text, isNext);
  }
  const { start, end } = found.valueRange;
  if (!found.isPositional) return { start, end, text: guardParameter(value, false, place) };
  return {
    start,
    end,
    text: positionalText(value, name, found === positional[positional.length - 1], place),
  };
}

function positionalText(value: string, name: string, isLast: boolean, place: Place): string {
  const text = guardParameter(value, true, place);
  const named = guardParameter(value, false, place);
  return isLast && text !== named && value === value.trim() ? `${name}=${named}` : text;
}

/** Returns the tags around a part of the source that hide their content. */
function placeOf({ page, rules }: SourceTree, { start, end }: { start: number; end: number }): Place {
  const inside: string[] = [];
  let node: SourceNode | undefined = page;
  while (node && 'children' in node) {
    if (node.type === 'extension') inside.push(node.name);
    if (node.type === 'include-only') inside.push('includeonly');
    node = node.children.find((child) => child.start <= start && child.end >= end && child.end > start);
  }
  return { rules, inside };
}

function checkedName(name: string): string {
  if (name !== name.trim() || /[{}[\]<>|=\n]/.test(name))
    throw new RangeError(
      `"${name}" cannot name a parameter. Leave out white space around it, line ends and the signs {}[]<>|=.`,
    );
  return name;
}

/** Formats a new parameter like those before it: on a separate line if they are. */
function addition(source: string, template: TemplateNode, text: string, isPositional: boolean): Change {
  const last = template.parameters[template.parameters.length - 1];
  if (!last || isPositional) return { start: template.end - 2, end: template.end - 2, text: `|${text}` };
  const space = source.slice(last.isPositional ? last.end : last.valueRange.end, last.end);
  const before = /\n[ \t]*\|[ \t]*$/.exec(
    source.slice(Math.max(template.start, last.start - 200), last.start),
  )?.[0];
  // `\n| name = value\n}}`: the line end before the braces stays there.
  if (before && space.includes('\n') && !last.isPositional) {
    const key = source.slice(last.start, last.valueRange.start);
    const isSpaced = / =\s/.test(key);
    const indent = /^\s*/.exec(key)?.[0] ?? '';
    const line = indent + (isSpaced ? text.replace('=', ' = ') : text);
    return { start: last.valueRange.end, end: last.valueRange.end, text: `${before}${line}` };
  }
  if (last.isPositional) return { start: last.end, end: last.end, text: `|${text}` };
  const key = source.slice(last.start, last.valueRange.start);
  const lead = /^[ \t]*/.exec(key)?.[0] ?? '';
  const sign = key.slice(key.slice(0, key.lastIndexOf('=')).trimEnd().length);
  const written =
    lead + text.replace('=', /^[ \t]*=[ \t]*$/.test(sign) ? sign : '=') + (space.includes('\n') ? '' : space);
  return { start: last.end, end: last.end, text: `|${written}` };
}

/** Changes the page, file or address of a link. The label stays; a link without one shows its new target. */
export function setTarget(tree: SourceTree, link: LinkNode | ExternalLinkNode, target: string): Change {
  const { start, end } = link.targetRange;
  const isBare = link.type === 'external-link' && start === link.start;
  if (
    link.type === 'external-link'
      ? /[\s[\]<>"{}|]/.test(target) || target === ''
      : /[[\]{}|<>\n]/.test(target) || target.trim() === ''
  )
    throw new RangeError(
      `"${target}" cannot be the target of a link. Encode spaces, brackets, braces and bars as %XX.`,
    );
  const before = tree.source.slice(0, start);
  // A bare address directly after a letter would not be a link.
  if (isBare && /\w$/.test(before)) return { start, end, text: ` ${target}` };
  return { start, end, text: target };
}

/** Changes the label of a link, in wikitext; undefined removes it. */
export function setLabel(
  tree: SourceTree,
  link: LinkNode | ExternalLinkNode,
  label: string | undefined,
): Change {
  const { labelRange, targetRange } = link;
  if (link.type !== 'link' && link.type !== 'external-link')
    throw new RangeError('A file or marker has options instead of a label. Replace the node.');
  const isSingle = link.type === 'external-link' && !tree.source.startsWith('[[', link.start);
  const isBare = targetRange.start === link.start;
  if (label === undefined)
    return { start: targetRange.end, end: labelRange?.end ?? targetRange.end, text: '' };
  const guarded = guardLabel(label, placeOf(tree, link));
  const text = isSingle ? guarded.replaceAll(']', '&#93;').replaceAll('\n', ' ') : guarded;
  if (isBare)
    return { start: link.start, end: link.end, text: `[${tree.source.slice(link.start, link.end)} ${text}]` };
  if (labelRange) return { start: labelRange.start, end: labelRange.end, text };
  return { start: targetRange.end, end: targetRange.end, text: `${isSingle ? ' ' : '|'}${text}` };
}

/** Changes the content of a cell, in wikitext. Its attributes stay. */
export function setCell(tree: SourceTree, cell: CellNode, content: string): Change[] {
  const { start, end } = cell.content;
  const text = guardCell(content.trim(), cell.kind, placeOf(tree, cell));
  const before = tree.source[start - 1] ?? '';
  // A space keeps the text from forming `|-`, `|+` or `|}`; a list or a table must begin a line.
  const needsSpace = /[|!+]/.test(before) && /^[-+}|!]/.test(text);
  const space = /^(?:[*#:;]|\{\|)/.test(text) ? '\n' : needsSpace ? ' ' : '';
  const changes: Change[] = [{ start, end, text: space + text }];
  // After content of several lines, the next cell must begin a line.
  if (changes[0]?.text.includes('\n') && /^(?:\|\||!!)/.test(tree.source.slice(cell.end, cell.end + 2)))
    changes.push({ start: cell.end, end: cell.end + 2, text: cell.kind === 'th' ? '\n!' : '\n|' });
  return changes;
}

/** Changes the title of a heading, in wikitext of one line, and its level. */
export function setHeading(
  tree: SourceTree,
  heading: HeadingNode,
  { title, level }: { title?: string; level?: number },
): Change[] {
  const { titleRange } = heading;
  if (!titleRange)
    throw new RangeError('The heading is written as a tag that is never closed. Replace the node.');
  if (title?.trim() === '') throw new RangeError('A heading needs a title. To remove it, replace the node.');
  const changes: Change[] = [];
  if (title !== undefined)
    changes.push({ ...rangeOf(titleRange), text: guardTitle(title, placeOf(tree, heading)) });
  if (level === undefined || level === heading.level) return changes;
  if (!Number.isInteger(level) || level < 1 || level > 6)
    throw new RangeError('The level of a heading is 1 to 6.');
  if (tree.source[heading.start] !== '=')
    throw new RangeError('The heading is written as a tag. Replace the node to change its level.');
  const signs = '='.repeat(level);
  changes.push({ start: heading.start, end: heading.start + heading.level, text: signs });
  const close = tree.source.lastIndexOf('='.repeat(heading.level), heading.end);
  changes.push({ start: close, end: close + heading.level, text: signs });
  return changes;
}

function rangeOf({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start, end };
}

/**
 * Changes the text below the heading of a section, including its subsections. The text is made to end with a line end, so that
 * the next heading begins a line.
 */
export function setSection(tree: SourceTree, section: SourceSection, text: string): Change {
  const { bodyStart: start, end } = section;
  const guarded = guardText(text, placeOf(tree, section));
  const isLast = end === tree.source.length;
  const before = start > 0 && tree.source[start - 1] !== '\n' ? '\n' : '';
  return {
    start,
    end,
    text: before + (isLast || guarded === '' || guarded.endsWith('\n') ? guarded : `${guarded}\n`),
  };
}

/** Removes a node or a section. */
export function remove(node: SourceNode | SourceSection): Change {
  return { start: node.start, end: node.end, text: '' };
}
