/**
 * Parameters of a template, as its source uses them: `{{{name}}}` needs an argument, `{{{name|default}}}` does not.
 *
 *   {{{1}}} of {{{kind|wood}}}   →   1, required; kind, with the default "wood"
 *
 * Only text that an including page receives counts, so uses in `<noinclude>`, comments and `<nowiki>` are ignored.
 */
import { scan } from './scan.ts';

/** A parameter of a template. */
export interface Parameter {
  /** For a positional argument, its number. */
  name: string;
  /** Whether no use of the parameter has a default. */
  isRequired: boolean;
  /** Default as written in the source; empty if there is none. */
  default: string;
}

/** Maximum number of parameters, more than any real template has. Others are left out. */
const maxParameters = 200;

/** Returns the parameters in order of first use. Computed names are left out. */
export function parameters(source: string): Parameter[] {
  const found = new Map<string, Parameter>();
  const elements = scan(source, { isIncluded: true, hasTemplates: true, hasLooseNotes: false });
  for (const { kind, parts } of elements) {
    const [first, fallback] = parts;
    if (kind !== 'argument' || !first) continue;
    const name = source.slice(first.start, first.end).trim();
    if (name === '' || name.length > 100 || /[{}[\]<>|=\n]/.test(name)) continue;
    const known = found.get(name);
    if (!known && found.size >= maxParameters) continue;
    const one = known ?? { name, isRequired: true, default: '' };
    // One use with a default, as in a condition, makes the argument optional in all uses.
    if (fallback && one.isRequired) {
      one.isRequired = false;
      one.default = source.slice(fallback.start, fallback.end).trim();
    }
    found.set(name, one);
  }
  return [...found.values()];
}

/** An argument of a call, positional ones by their number. */
export interface Argument {
  name: string;
  value: string;
}

/**
 * Returns the arguments of the calls in a source, in order, of those whose name as it is written `isCalled` accepts. Calls
 * in comments and `<nowiki>` are none.
 *
 *   {{Tree|oak|height=20 m}}   →   1, "oak"; height, "20 m"
 */
export function callArguments(source: string, isCalled: (name: string) => boolean): Argument[] {
  const found: Argument[] = [];
  const elements = scan(source, { isIncluded: false, hasTemplates: true, hasLooseNotes: false });
  for (const { kind, parts } of elements) {
    const [first, ...given] = parts;
    if (kind !== 'template' || !first || !isCalled(source.slice(first.start, first.end))) continue;
    let position = 0;
    for (const { start, end, equals } of given) {
      const name = equals < 0 ? String(++position) : source.slice(start, equals).trim();
      found.push({ name, value: source.slice(equals < 0 ? start : equals + 1, end).trim() });
    }
  }
  return found;
}
