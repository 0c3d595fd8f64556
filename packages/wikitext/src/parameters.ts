/**
 * Parameters of a template, as its source uses them: `{{{name}}}` needs an argument, `{{{name|default}}}` does not.
 *
 *   {{{1}}} of {{{kind|wood}}}   →   1, required; kind, with the default "wood"
 *
 * Only what an including page gets counts: not what stands in `<noinclude>`, in comments or in `<nowiki>`.
 */
import { scan } from './scan.ts';

export interface Parameter {
  /** A number for an argument by position. */
  name: string;
  /** It has no default wherever it is used. */
  isRequired: boolean;
  /** Default as written in the source; `''` if there is none. */
  default: string;
}

/** More than any template has; what is beyond them is left out. */
const maxParameters = 200;

/** In the order in which they are first used. Names that are computed are left out. */
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
    // A use with a default, as in a condition, makes the argument optional everywhere.
    if (fallback && one.isRequired) {
      one.isRequired = false;
      one.default = source.slice(fallback.start, fallback.end).trim();
    }
    found.set(name, one);
  }
  return [...found.values()];
}
