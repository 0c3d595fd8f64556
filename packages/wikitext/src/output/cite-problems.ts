/** Notes that cannot be: what is wrong with a `<ref>`, in the words of MediaWiki's extension Cite. */
import { escapeText } from '../html.ts';
import type { Attributes, ExtensionNode } from '../tree.ts';

const refAttributes = new Set(['name', 'group', 'follow', 'dir', 'details', 'extends']);
const tags = /<(\/?)(nowiki|pre|code|syntaxhighlight|source|ref)\b[^<>]*(?<!\/)>/gi;

type NamedNote = { name: string | undefined; whole: NamedNote | undefined };

function invalid(reason: string): string {
  return `Invalid ${code('ref')} tag; ${reason}`;
}

/** `content`: HTML of the note. */
export function problemOf(
  { attributes, body }: ExtensionNode,
  content: string | undefined,
): string | undefined {
  const problem = attributeProblem(attributes);
  if (problem !== undefined) return problem;
  if (attributes.details && !attributes.name)
    return invalid('<code>details</code> need the name of the reference that they are about');
  if (!attributes.name && content === undefined)
    return `The opening ${code('ref')} tag is malformed or has a bad name`;
  if (!attributes.name && content !== undefined && isEmpty(content))
    return invalid('refs with no name must have content');
  if (body !== undefined && !/<\/ref\b/i.test(body) && opensNote(body))
    return `Closing <code>&lt;/ref&gt;</code> missing for ${code('ref')} tag`;
  return undefined;
}

/** Problems of a note's attributes, wherever it stands. */
export function attributeProblem(attributes: Attributes): string | undefined {
  const { name, follow, dir, extends: whole } = attributes;
  const names = Object.keys(attributes);
  if (names.some((name) => !refAttributes.has(name))) return invalid('invalid names, e.g. too many');
  if ([name, follow, whole].some((name) => name && /^\d+$/.test(name)))
    return invalid('name cannot be a simple integer. Use a descriptive title');
  if (follow && (name || whole)) return invalid('invalid names, e.g. too many');
  if (dir !== undefined && !/^(?:ltr|rtl)$/i.test(dir))
    return `Invalid <code>dir="${escapeText(dir)}"</code>, must be <code>ltr</code> or <code>rtl</code>`;
  return undefined;
}

/** Parts have no parts, and a note that stands for itself does not become one. */
export function extensionProblem(
  named: ReadonlyMap<string, NamedNote>,
  { name, extends: whole }: Attributes,
): string | undefined {
  if (!whole) return undefined;
  const own = name ? named.get(name) : undefined;
  if (own && !own.whole)
    return invalid(`name "${escapeText(own.name ?? '')}" defined multiple times with different content`);
  return named.get(whole)?.whole || name === whole
    ? invalid(`<code>extends="${escapeText(whole)}"</code> names a reference that is a part of another one`)
    : undefined;
}

/** Whether a note is opened within a note; what stands in tags for code may name tags. */
function opensNote(body: string): boolean {
  let within: string | undefined;
  let isPending = false;
  for (const [, slash, name = ''] of body.matchAll(tags)) {
    const tag = name.toLowerCase();
    if (within === undefined) {
      if (slash === '' && tag === 'ref') return true;
      if (slash === '') within = tag;
    } else if (slash === '') isPending ||= tag === 'ref';
    else if (tag === within) {
      within = undefined;
      isPending = false;
    }
  }
  return isPending;
}

export function isEmpty(content: string): boolean {
  // A fixed space is something to see.
  return !/[^ \t\n\r]/.test(content);
}

export function code(name: string): string {
  return `<code>&lt;${name}&gt;</code>`;
}

export function error(html: string): string {
  return `<span class="error mw-ext-cite-error" lang="en" dir="ltr">Cite error: ${html}</span>`;
}
