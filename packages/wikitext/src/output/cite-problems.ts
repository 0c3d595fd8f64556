/** Errors in `<ref>` tags, in the words of MediaWiki's extension Cite. */
import type { Listing, OpenNotes } from '../context.ts';
import { escapeText } from '../html.ts';
import type { Attributes, ExtensionNode } from '../tree.ts';

const refAttributes = new Set(['name', 'group', 'follow', 'dir', 'details', 'extends']);

type NamedNote = { name: string | undefined; whole: NamedNote | undefined };

function invalid(reason: string): string {
  return `Invalid ${code('ref')} tag; ${reason}`;
}

/** `mayNest`: whether notes may contain notes. */
export function problemOf(node: ExtensionNode, mayNest: boolean): string | undefined {
  const { attributes, body, notesWithin } = node;
  const problem = namesProblem(attributes) ?? attributeProblem(attributes);
  if (problem !== undefined) return problem;
  if (attributes.details && !attributes.name)
    return invalid('<code>details</code> need the name of the reference that they are about');
  if (!attributes.name && body === undefined)
    return `The opening ${code('ref')} tag is malformed or has a bad name`;
  if (!attributes.name && isEmpty(node)) return invalid('refs with no name must have content');
  if (body !== undefined && notesWithin !== 'later' && opensNote(body, mayNest || notesWithin === 'earlier'))
    return `Closing <code>&lt;/ref&gt;</code> missing for ${code('ref')} tag`;
  return undefined;
}

function namesProblem(attributes: Attributes): string | undefined {
  return Object.keys(attributes).some((name) => !refAttributes.has(name))
    ? invalid('invalid names, e.g. too many')
    : undefined;
}

function attributeProblem({ name, follow, dir, extends: whole }: Attributes): string | undefined {
  if ([name, follow, whole].some((name) => name && /^\d+$/.test(name)))
    return invalid('name cannot be a simple integer. Use a descriptive title');
  if (follow && (name || whole)) return invalid('invalid names, e.g. too many');
  if (dir !== undefined && !/^(?:ltr|rtl)$/i.test(dir))
    return `Invalid <code>dir="${escapeText(dir)}"</code>, must be <code>ltr</code> or <code>rtl</code>`;
  return undefined;
}

/** Adds a note defined inside a `<references>`, or its error. `open`: names by group. */
export function addListed(
  { group, notes, problems }: Omit<Listing, 'isOfTag'>,
  note: ExtensionNode,
  open: { get(group: string): { has(name: string): boolean } | undefined },
): void {
  const names = namesProblem(note.attributes);
  if (names !== undefined) problems.push(error(names));
  const problem = attributeProblem(note.attributes) ?? listingProblem(group, note, open);
  if (problem !== undefined) problems.push(error(problem));
  notes.push({ note, isDefined: problem === undefined && names === undefined });
}

function listingProblem(
  group: string,
  note: ExtensionNode,
  open: { get(group: string): { has(name: string): boolean } | undefined },
): string | undefined {
  const { name, group: own } = note.attributes;
  const ref = code('ref');
  const listed = code('references');
  if (own !== undefined && own !== group)
    return `${ref} tag in ${listed} has conflicting group attribute "${escapeText(own)}".`;
  if (!name) return `${ref} tag defined in ${listed} has no name attribute.`;
  if (isEmpty(note)) return `${ref} tag defined in ${listed} with name "${escapeText(name)}" has no content.`;
  const names = open.get(group);
  if (!names)
    return `${ref} tag defined in ${listed} has group attribute "${escapeText(group)}" which does not appear in prior text.`;
  return names.has(name)
    ? undefined
    : `${ref} tag with name "${escapeText(name)}" defined in ${listed} is not used in prior text.`;
}

/** Records a note that must be listed. */
export function openNote(open: OpenNotes, { group = '', name, extends: whole }: Attributes): void {
  let names = open.get(group);
  if (!names) {
    names = new Set();
    open.set(group, names);
  }
  if (name) names.add(name);
  if (whole) names.add(whole);
}

/** Returns the error of a `<references>`: `responsive` is the only attribute allowed besides the group. */
export function listProblem(attributes: Attributes): string | undefined {
  return Object.keys(attributes).some((name) => name !== 'group' && name !== 'responsive')
    ? error(`Invalid parameter in ${code('references')} tag`)
    : undefined;
}

/** Error for a list inside a list. */
export const nestedList = error(`Closing tag missing for ${code('references')}`);

/** A part of a note cannot have parts, and a note that is not a part cannot become one. */
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

/** Whether a note begins inside a note. Other tags with an end tag are skipped together with their content. */
function opensNote(body: string, skipsUses: boolean): boolean {
  if (!/<ref/i.test(body)) return false;
  const tag = /<(\w+)\b[^<>]*>|<!--/g;
  const ends = new Map<string, { start: number; end: number }>();
  for (let found = tag.exec(body); found; found = tag.exec(body)) {
    const [written, name = ''] = found;
    let close = ends.get(name);
    // Each end tag is searched once; otherwise every tag without one would scan the whole note.
    if (!close || close.start < found.index) close = endOf(name, body, tag.lastIndex);
    ends.set(name, close);
    if (close.end > 0) tag.lastIndex = close.end;
    else if (/^ref(?:erences)?$/i.test(name) && !(skipsUses && written.endsWith('/>'))) return true;
  }
  return false;
}

/**
 * Returns the position of the next end tag, or of the end of a comment if the name is empty; beyond the text if there is none.
 */
function endOf(name: string, body: string, from: number): { start: number; end: number } {
  const close = new RegExp(name === '' ? '-->' : `</${name}\\s*>`, 'g');
  close.lastIndex = from;
  const found = close.exec(body);
  return found ? { start: found.index, end: close.lastIndex } : { start: Infinity, end: 0 };
}

/** Whether a note shows nothing. */
export function isEmpty({ body, children }: ExtensionNode): boolean {
  // A no-break space is visible.
  return (
    !/[^ \t\n\r\v]/.test(body ?? '') &&
    !children?.some((child) => child.type !== 'text' || /\S/.test(child.value))
  );
}

/** Returns the HTML of a tag's name in a message. `name` must be safe. */
export function code(name: string): string {
  return `<code>&lt;${name}&gt;</code>`;
}

/** Returns the HTML of a message as MediaWiki's extension Cite shows it. `html` must be safe. */
export function error(html: string): string {
  return `<span class="error mw-ext-cite-error" lang="en" dir="ltr">Cite error: ${html}</span>`;
}
