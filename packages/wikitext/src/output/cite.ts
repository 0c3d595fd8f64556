/**
 * Notes: `<ref>` in the text, `<references/>` where they are listed.
 *
 *   a<ref name="x">b</ref>      a<sup id="cite_ref-x_1-0"><a href="#cite_note-x-1">[1]</a></sup>, and in the list
 *                               <li id="cite_note-x-1">↑ b</li>
 *
 *   c<ref name="x" details="page 7"/>   [1.1], and in the list within the note x: ↑ page 7
 *   c<ref extends="x">page 7</ref>      the same
 *
 * Numbers follow the text; in the groups `lower-alpha`, `upper-roman` and their like they are letters and Roman numbers. A named note
 * may be used again with `<ref name="x"/>` and may be written within `<references>…</references>`. Groups are numbered and listed apart. What is left over is listed at the end of the page.
 */
import { romanNumeral } from '../functions/numerals.ts';
import { escapeHtml, escapeText } from '../html.ts';
import { inlineText } from '../text.ts';
import type { ExtensionNode, Node } from '../tree.ts';
import { attributeProblem, code, error, extensionProblem, isEmpty, problemOf } from './cite-problems.ts';

type Note = {
  key: number;
  name: string | undefined;
  number: number;
  uses: number;
  content: string | undefined;
  /** Source, to tell whether two definitions differ. */
  plain: string;
  errors: string;
  direction: string | undefined;
  /** Notes on parts of this one, such as its pages, by their text: numbered 1.1, 1.2 and listed within it. */
  parts: Map<string, Note>;
  whole: Note | undefined;
  /** A continuation whose beginning is missing: listed without a number. */
  isLoose: boolean;
};

const listed = code('references');

type Group = { notes: Note[]; named: Map<string, Note>; count: number };

/** A list as long as this is set in columns where there is room, as in MediaWiki. */
const longList = 11;

export class Citations {
  readonly #html: (nodes: readonly Node[]) => string;
  readonly #groups = new Map<string, Group>();
  readonly #done = new Map<ExtensionNode, string>();
  #keys = 0;

  constructor(html: (nodes: readonly Node[]) => string) {
    this.#html = html;
  }

  /** The mark that stands in the text for a note. */
  mark(node: ExtensionNode): string {
    const done = this.#done.get(node);
    if (done !== undefined) return done;
    this.#done.set(node, '');
    // Notes within the note come first.
    const content = this.#content(node);
    const html = this.#mark(node, content);
    this.#done.set(node, html);
    return html;
  }

  #content(node: ExtensionNode): string | undefined {
    return node.children && this.#text(node.children);
  }

  #text(nodes: readonly Node[]): string {
    return this.#html(nodes).replace(/\n+$/, '');
  }

  #mark(node: ExtensionNode, content: string | undefined): string {
    const { attributes } = node;
    const name = attributes.name || undefined;
    const groupName = attributes.group ?? '';
    const group = this.#group(groupName);
    const problem = problemOf(node, content) ?? extensionProblem(group.named, attributes);
    if (problem !== undefined) return error(problem);
    const hasContent = content !== undefined && !isEmpty(content);
    if (attributes.follow) return this.#continue(group, attributes.follow, content ?? '');
    const note = attributes.extends
      ? this.#partNamed(group, attributes.extends, name)
      : this.#noteNamed(group, name);
    if (hasContent) define(note, node, content);
    const used = node.details ? this.#part(note, node.details) : note;
    used.uses++;
    const id = useId(used, used.uses - 1);
    const label = labelOf(used, groupName);
    return `<sup id="${escapeHtml(id)}" class="reference"><a href="#${escapeHtml(noteId(used))}">&#91;${escapeText(label)}&#93;</a></sup>`;
  }

  #noteNamed(group: Group, name: string | undefined): Note {
    let note = name === undefined ? undefined : group.named.get(name);
    if (!note) {
      note = this.#add(group, name);
      note.number = ++group.count;
    }
    return note;
  }

  /** The part of a note that has these details: equal ones are one. */
  #part(whole: Note, details: readonly Node[]): Note {
    const plain = inlineText(details).trim();
    const known = whole.parts.get(plain);
    if (known) return known;
    const part = this.#make(undefined);
    part.whole = whole;
    part.content = this.#text(details);
    part.plain = plain;
    whole.parts.set(plain, part);
    part.number = whole.parts.size;
    return part;
  }

  /** A note of its own that belongs to another one, which may follow later. */
  #partNamed(group: Group, wholeName: string, name: string | undefined): Note {
    const known = name === undefined ? undefined : group.named.get(name);
    if (known) return known;
    const whole = this.#noteNamed(group, wholeName);
    const part = this.#make(name);
    part.whole = whole;
    whole.parts.set(`\n${part.key}`, part);
    part.number = whole.parts.size;
    if (name !== undefined) group.named.set(name, part);
    return part;
  }

  #continue(group: Group, name: string, content: string): string {
    const note = group.named.get(name);
    if (note) {
      note.content = `${note.content ?? ''} ${content}`;
      note.plain += ` ${content}`;
      return '';
    }
    const loose = this.#add(group, undefined);
    loose.name = name;
    loose.isLoose = true;
    loose.content = content;
    return '';
  }

  /** The list of the notes so far of one group. */
  list(node: ExtensionNode): string {
    const groupName = node.attributes.group ?? '';
    const problems: string[] = [];
    for (const child of node.children ?? []) {
      if (child.type !== 'extension') continue;
      if (child.name === 'references')
        for (const inner of child.children ?? []) this.#defineListed(inner, groupName, problems);
      else this.#defineListed(child, groupName, problems);
    }
    if (Object.keys(node.attributes).some((name) => name !== 'group' && name !== 'responsive')) {
      return `<p>${error(`Invalid ${listed} tag; parameter "group" is allowed only. Use <code>&lt;references /&gt;</code>, or <code>&lt;references group="..." /&gt;</code>`)}</p>`;
    }
    const isWrapped = node.attributes.responsive !== '0';
    const html = this.#listHtml(groupName, isWrapped);
    if (problems.length === 0) return html;
    return `${html}<p>${problems.map(error).join('<br>\n')}</p>`;
  }

  #defineListed(node: Node, groupName: string, problems: string[]): void {
    if (node.type !== 'extension' || node.name !== 'ref') return;
    const { name, group: own } = node.attributes;
    const problem = attributeProblem(node.attributes);
    if (problem !== undefined) {
      problems.push(problem);
      return;
    }
    const content = this.#content(node);
    const group = this.#groups.get(groupName);
    const ref = code('ref');
    if (own !== undefined && own !== groupName) {
      problems.push(`${ref} tag in ${listed} has conflicting group attribute "${escapeText(own)}".`);
    } else if (!name) problems.push(`${ref} tag defined in ${listed} has no name attribute.`);
    else if (content === undefined || isEmpty(content)) {
      problems.push(`${ref} tag defined in ${listed} with name "${escapeText(name)}" has no content.`);
    } else if (!group) {
      problems.push(
        `${ref} tag defined in ${listed} has group attribute "${escapeText(groupName)}" which does not appear in prior text.`,
      );
    } else {
      const note = group.named.get(name);
      if (note) define(note, node, content);
      else
        problems.push(
          `${ref} tag with name "${escapeText(name)}" defined in ${listed} is not used in prior text.`,
        );
    }
  }

  /** The complaint that no `<references/>` lists the group, if it has notes. */
  unlisted(groupName: string): string {
    if (!this.#groups.get(groupName)?.notes.length) return '';
    this.#groups.delete(groupName);
    const name = escapeText(groupName);
    return `<br>${error(
      `${code('ref')} tags exist for a group named "${name}", but no corresponding <code>&lt;references group="${name}"/&gt;</code> tag was found`,
    )}`;
  }

  /** Notes that no list in the tree shows: those without a group, and a complaint for each group. */
  rest(): string {
    const html = this.#listHtml('');
    const errors = [...this.#groups.keys()].map((name) => this.unlisted(name)).filter((text) => text !== '');
    return errors.length === 0 ? html : `${html}<p>${errors.join('\n')}\n</p>`;
  }

  #listHtml(groupName: string, isWrapped = true): string {
    const group = this.#groups.get(groupName);
    if (!group || group.notes.length === 0) return '';
    // Continuations without a beginning come first.
    const notes = [
      ...group.notes.filter(({ isLoose }) => isLoose),
      ...group.notes.filter(({ isLoose }) => !isLoose),
    ];
    const items = notes.map(noteHtml).join('\n');
    this.#groups.set(groupName, newGroup());
    const style = Object.hasOwn(numerals, groupName) ? ` style="list-style-type: ${groupName}"` : '';
    const list = `<ol class="references"${style}>\n${items}\n</ol>`;
    const columns = group.notes.length >= longList ? ' mw-references-columns' : '';
    return isWrapped ? `<div class="mw-references-wrap${columns}">${list}</div>` : list;
  }

  #group(name: string): Group {
    let group = this.#groups.get(name);
    if (!group) {
      group = newGroup();
      this.#groups.set(name, group);
    }
    return group;
  }

  #add(group: Group, name: string | undefined): Note {
    const note = this.#make(name);
    group.notes.push(note);
    if (name !== undefined) group.named.set(name, note);
    return note;
  }

  #make(name: string | undefined): Note {
    return {
      key: ++this.#keys,
      name,
      number: 0,
      uses: 0,
      content: undefined,
      plain: '',
      errors: '',
      direction: undefined,
      parts: new Map(),
      whole: undefined,
      isLoose: false,
    };
  }
}

function newGroup(): Group {
  return { notes: [], named: new Map(), count: 0 };
}

function define(note: Note, node: ExtensionNode, content: string): void {
  const plain = (node.body ?? '').trim();
  if (note.content === undefined) {
    note.content = content;
    note.plain = plain;
    note.direction = node.attributes.dir?.toLowerCase();
  } else if (note.plain.trim() !== plain && note.errors === '') {
    note.errors = ` ${error(`Invalid ${code('ref')} tag; name "${escapeText(note.name ?? '')}" defined multiple times with different content`)}`;
  }
}

function noteHtml(note: Note): string {
  const text = `<span class="reference-text">${note.content ?? ''}${note.errors}</span>`;
  if (note.isLoose) return `<p id="${escapeHtml(`cite_note-${idOf(note.name ?? '')}`)}">${text}\n</p>`;
  const direction = note.direction ? ` class="mw-cite-dir-${note.direction}"` : '';
  // Nothing leads to a note of which only parts are cited, so it leads nowhere back.
  const back = note.uses === 0 ? '' : `<span class="mw-cite-backlink">${backLinks(note)}</span> `;
  const open = `<li id="${escapeHtml(noteId(note))}"${direction}>${back}`;
  const parts =
    note.parts.size === 0
      ? ''
      : `\n<ol class="mw-subreference-list">\n${[...note.parts.values()].map(noteHtml).join('\n')}\n</ol>`;
  if (note.content !== undefined) return `${open}${text}${parts}\n</li>`;
  const named = escapeText(note.name ?? '');
  return `${open}${error(`Invalid ${code('ref')} tag; no text was provided for refs named <code>${named}</code>`)}${parts}</li>`;
}

function backLinks(note: Note): string {
  const digits = String(note.uses - 1).length;
  const href = (use: number) => `#${escapeHtml(useId(note, use))}`;
  if (note.uses <= 1) return `<a href="${href(0)}">↑</a>`;
  let links = '';
  for (let use = 0; use < note.uses; use++)
    links += ` <sup><a href="${href(use)}">${numberOf(note)}.${String(use).padStart(digits, '0')}</a></sup>`;
  return `↑${links}`;
}

function noteId(note: Note): string {
  return note.name === undefined ? `cite_note-${note.key}` : `cite_note-${idOf(note.name)}-${note.key}`;
}

/** Number of a use of a note, counted from 0. */
function useId({ name, key }: Note, use: number): string {
  if (name !== undefined) return `cite_ref-${idOf(name)}_${key}-${use}`;
  return use === 0 ? `cite_ref-${key}` : `cite_ref-${key}-${use}`;
}

function numberOf({ whole, number }: Note): string {
  return whole ? `${whole.number}.${number}` : `${number}`;
}

/** How the numbers of some groups look, by the names that wikis give such groups. */
const numerals: Readonly<Record<string, (number: number) => string>> = {
  decimal: String,
  'lower-alpha': (number) => letters(number, 'abcdefghijklmnopqrstuvwxyz'),
  'upper-alpha': (number) => letters(number, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
  'lower-greek': (number) => letters(number, 'αβγδεζηθικλμνξοπρστυφχψω'),
  'lower-roman': (number) => romanNumeral(String(number)).toLowerCase(),
  'upper-roman': (number) => romanNumeral(String(number)),
};

/** a … z, aa, ab … */
function letters(number: number, alphabet: string): string {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / alphabet.length))
    text = (alphabet[(rest - 1) % alphabet.length] ?? '') + text;
  return text;
}

function labelOf(note: Note, groupName: string): string {
  const numeral = Object.hasOwn(numerals, groupName) ? numerals[groupName] : undefined;
  if (!numeral) return groupName === '' ? numberOf(note) : `${groupName} ${numberOf(note)}`;
  return note.whole ? `${numeral(note.whole.number)}.${note.number}` : numeral(note.number);
}

/** ID as links to it write it: runs of spaces and underscores are one. */
function idOf(name: string): string {
  return name.replace(/[\s_]+/g, '_');
}
