/** Changes of a call: its name and its parameters, in the style of the parameters that it has. */
import { type Change, repeatable } from './apply.ts';
import { guardParameter, holdsBars, type Place, placeOf } from './guard.ts';
import type { ParameterNode, SourceNode, SourceTree, TemplateNode } from './nodes.ts';
import { ancestors, parameter } from './queries.ts';

/**
 * Sets a parameter to a value in wikitext, adding it at the end if it is missing; undefined removes all parameters of that
 * name, and unnamed ones after it get their number as name, so that they do not move up. White space around a named value stays.
 * If an unnamed value contains `=`, its number is written before it if it is the last parameter; otherwise the sign is escaped.
 */
export function setParameter(
  tree: SourceTree,
  template: TemplateNode,
  name: string,
  value: string | undefined,
): Change[] {
  const found = parameter(template, name);
  const changes =
    value === undefined
      ? removal(template, new Set([name]))
      : found
        ? valueChange(tree, template, found, value)
        : addition(tree, template, name, value);
  const make = (later: SourceTree, node: TemplateNode) => setParameter(later, node, name, value);
  return repeatable(changes, template, make, value === undefined || !found);
}

/** Changes the name of a call. White space and comments around it and `subst:` before it stay. */
export function renameTemplate(tree: SourceTree, template: TemplateNode, name: string): Change[] {
  if (name.trim() === '' || /[{}[\]<>|\n]/.test(name))
    throw new RangeError(`"${name}" cannot name a template. Leave out line ends and the signs {}[]<>|.`);
  const { start, end } = template.nameRange;
  const written = tree.source.slice(start, end);
  const before =
    /^(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:(?:safesubst|subst|msgnw|msg|raw):\s*)?/i.exec(written)?.[0] ?? '';
  const after = spaceAndCommentsAtEnd(written.slice(before.length));
  const change = { start: start + before.length, end: end - after.length, text: name };
  return repeatable(change, template, (later, node) => renameTemplate(later, node, name));
}

/**
 * Changes the name of a parameter; its value and the white space around both stay. An unnamed one gets the name, and those
 * after it their numbers.
 */
export function renameParameter(
  tree: SourceTree,
  template: TemplateNode,
  name: string,
  newName: string,
): Change[] {
  const found = parameter(template, name);
  if (!found) throw new RangeError(`The call has no parameter "${name}".`);
  const text = checkedName(newName);
  const changes: Change[] = [];
  if (found.isPositional) {
    changes.push(
      { start: found.start, end: found.start, text: `${text}=`, isInside: true },
      ...numbers(template, found.end + 1),
    );
  } else {
    const { beforeName, afterName } = styleOf(tree.source, found);
    const sign = tree.source.slice(found.start, found.valueRange.start).lastIndexOf('=');
    const start = found.start + beforeName.length;
    changes.push({ start, end: found.start + sign - afterName.length, text });
  }
  const make = (later: SourceTree, node: TemplateNode) => renameParameter(later, node, name, newName);
  return repeatable(changes, template, make, true);
}

/** Names the unnamed parameters from an offset on, so that they keep their numbers when one before them counts no more. */
function numbers(template: TemplateNode, from: number): Change[] {
  const later = template.parameters.filter((one) => one.isPositional && one.start >= from);
  return later.map(numbered);
}

function numbered({ start, name }: ParameterNode): Change {
  // The bar is replaced, so that a second change of the same parameter touches this one.
  return { start: start - 1, end: start, text: `|${name}=` };
}

/** Adds what keeps an equals sign in changed text from naming the unnamed parameter around it: its number as name. */
export function inNumbered(tree: SourceTree, node: SourceNode, changes: Change[]): Change[] {
  if (!changes.some(({ text }) => text.includes('='))) return changes;
  const around = ancestors(tree, node);
  const at = around.findLastIndex(
    (one) => one.type === 'parameter' || one.type === 'argument' || holdsBars(one),
  );
  const [call, found] = [around[at - 1], around[at]];
  if (holdsBars(node) || found?.type !== 'parameter' || !found.isPositional || call?.type !== 'template')
    return changes;
  return [...changes, ...numbers(call, found.start)];
}

/** Removes all parameters of several names, in one step. Unnamed ones that stay keep their numbers. */
export function removeParameters(template: TemplateNode, names: ReadonlySet<string>): Change[] {
  const make = (_later: SourceTree, node: TemplateNode) => removeParameters(node, names);
  return repeatable(removal(template, names), template, make, true);
}

function removal({ parameters }: TemplateNode, names: ReadonlySet<string>): Change[] {
  const isGone = (one: ParameterNode) => names.has(one.name);
  const firstUnnamed = parameters.findIndex((one) => one.isPositional && isGone(one));
  return parameters.flatMap((one, at) => {
    if (isGone(one)) return [{ start: one.start - 1, end: one.end, text: '' }];
    const isNumbered = one.isPositional && firstUnnamed >= 0 && at > firstUnnamed;
    return isNumbered ? [numbered(one)] : [];
  });
}

function valueChange(tree: SourceTree, template: TemplateNode, found: ParameterNode, value: string): Change {
  const place = placeOf(tree, template);
  const { start, end } = found.valueRange;
  if (!found.isPositional) return { start, end, text: guardParameter(value, false, place) };
  const isLast = found === template.parameters.findLast((one) => one.isPositional);
  return { start, end, text: positionalText(value, found.name, isLast, place) };
}

function positionalText(value: string, name: string, isLast: boolean, place: Place): string {
  const text = guardParameter(value, true, place);
  const named = guardParameter(value, false, place);
  // A named value that ends with a brace gets a space, which alone is no reason for a name.
  return isLast && text !== named.trimEnd() && value === value.trim() ? `${name}=${named}` : text;
}

function checkedName(name: string): string {
  if (name !== name.trim() || /[{}[\]<>|=\n]/.test(name))
    throw new RangeError(
      `"${name}" cannot name a parameter. Leave out white space around it, line ends and the signs {}[]<>|=.`,
    );
  return name;
}

// Style -------------------------------------------------------------------------------------------------------------

function addition(tree: SourceTree, template: TemplateNode, name: string, value: string): Change {
  const { source } = tree;
  const place = placeOf(tree, template);
  const { parameters } = template;
  const last = parameters[parameters.length - 1];
  const named = parameters.filter((one) => !one.isPositional);
  const end = template.end - 2;
  const closing = spaceAtEnd(source.slice(template.start, end));
  const isOnLines = closing.includes('\n');
  const isNext = name === String(parameters.length - named.length + 1);
  if (isNext && (named.length === 0 || !isOnLines)) {
    // White space belongs to an unnamed value, so only line ends that the others have are added.
    const text = positionalText(value, name, true, place);
    return { start: end, end, text: `|${text}${isOnLines && !text.endsWith('\n') ? closing : ''}` };
  }
  const styles = named.map((one) => styleOf(source, one));
  const before = most(styles.map((one) => one.beforeName)) ?? '';
  const valueSpace = most(styles.map((one) => one.beforeValue)) ?? '';
  const width = alignedWidth(named, styles);
  const afterName =
    width === undefined
      ? (most(styles.map((one) => one.afterName)) ?? '')
      : ' '.repeat(Math.max(width - name.length, /\s$/.test(valueSpace) ? 1 : 0));
  const text = `|${before}${checkedName(name)}${afterName}=${valueSpace}${guardParameter(value, false, place)}`;
  // Behind an unnamed value, whose white space is its own, and behind a name.
  if (!last || last.isPositional) return { start: end, end, text: text + (isOnLines ? closing : '') };
  // The space before the braces stays there.
  const at = lastValueEnd(source, last);
  const separator = separatorOf(source, template);
  // An empty value has the space already.
  const hasSpace = last.value === '' && /[ \t]/.test(source[at - 1] ?? '');
  return { start: at, end: at, text: (hasSpace ? separator.replace(/^[ \t]+/, '') : separator) + text };
}

type Style = { beforeName: string; afterName: string; beforeValue: string };

function styleOf(source: string, { start, valueRange, end, value }: ParameterNode): Style {
  const written = source.slice(start, valueRange.start);
  const sign = written.lastIndexOf('=');
  const key = written.slice(0, sign);
  const space = value === '' ? source.slice(start + sign + 1, end) : written.slice(sign + 1);
  // The line end behind an empty value separates it from the next parameter.
  const newline = value === '' ? space.indexOf('\n') : -1;
  return {
    beforeName: /^\s*/.exec(key)?.[0] ?? '',
    afterName: spaceAtEnd(key),
    beforeValue: newline < 0 ? space : space.slice(0, newline),
  };
}

/** Number of characters of names and the spaces behind them, if `=` is in one column. */
function alignedWidth(named: readonly ParameterNode[], styles: readonly Style[]): number | undefined {
  const widths = styles.map(({ afterName }, at) => (named[at]?.name.length ?? 0) + afterName.length);
  const [first] = widths;
  const hasNames = new Set(named.map((one) => one.name.length)).size > 1;
  return hasNames && widths.every((width) => width === first) ? first : undefined;
}

/** White space before the next `|`: that before most others, on lines if the call ends on a line of its own. */
function separatorOf(source: string, template: TemplateNode): string {
  const spaces = template.parameters.map((one) => spaceAtEnd(source.slice(template.start, one.start - 1)));
  const isOnLines = spaceAtEnd(source.slice(template.start, template.end - 2)).includes('\n');
  const lines = isOnLines ? spaces.filter((space) => space.includes('\n')) : [];
  return most(lines.length > 0 ? lines : spaces) ?? '';
}

/** End of the last value without the white space behind it, or the end of the first line of an empty one. */
function lastValueEnd(source: string, { value, valueRange, start, end }: ParameterNode): number {
  if (value !== '') return valueRange.end;
  const sign = source.slice(start, end).lastIndexOf('=');
  const newline = source.indexOf('\n', start + sign);
  return newline >= 0 && newline < end ? newline : end;
}

function spaceAtEnd(text: string): string {
  return text.slice(text.trimEnd().length);
}

/** White space and comments at the end of a text. Each comment is read once, from the end. */
function spaceAndCommentsAtEnd(text: string): string {
  let start = text.trimEnd().length;
  while (text.startsWith('-->', start - 3)) {
    const open = text.lastIndexOf('<!--', start - 3);
    if (open < 0) break;
    start = text.slice(0, open).trimEnd().length;
  }
  return text.slice(start);
}

/** The most frequent value; of several, the last one. */
function most(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  let best: string | undefined;
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (best === undefined || count >= (counts.get(best) ?? 0)) best = value;
  }
  return best;
}
