/**
 * Notes: `<ref>` in the text, and `<references/>`, which lists them.
 *
 *   a<ref name="x">b</ref>      a<sup id="cite_ref-x_1-0"><a href="#cite_note-x-1">[1]</a></sup>, and in the list
 *                               <li id="cite_note-x-1">↑ b</li>
 *
 *   c<ref name="x" details="page 7"/>   [1.1], and in the list within the note x: ↑ page 7
 *   c<ref extends="x">page 7</ref>      the same
 *
 * Numbers follow the text; in the groups `lower-alpha`, `upper-roman` and similar, they are letters and Roman numerals. A named
 * note may be reused with `<ref name="x"/>` and may be defined within `<references>…</references>`. Groups are numbered and
 * listed separately. Notes that the page does not list are listed at its end.
 */
import { romanNumeral } from '../functions/numerals.ts';
import { escapeHtml, escapeText } from '../html.ts';
import { inlineText } from '../text.ts';
import type { ExtensionNode, ListedNote, Node } from '../tree.ts';
import { addListed, code, error, extensionProblem, isEmpty, problemOf } from './cite-problems.ts';

type Note = {
  key: number;
  name: string | undefined;
  number: number;
  uses: number;
  /** Text of the note and its continuations, as nodes, or as HTML if it contains notes that come before this one. */
  content: (string | readonly Node[])[] | undefined;
  /** Source, to detect whether two definitions differ. */
  plain: string;
  errors: string;
  direction: string | undefined;
  /** Notes on parts of this one, such as its pages, keyed by their text. Numbered 1.1, 1.2 and listed inside this note. */
  parts: Map<string, Note>;
  whole: Note | undefined;
  /** Whether this is a continuation of a missing note, which is listed without a number. */
  isLoose: boolean;
};

type Group = { notes: Note[]; named: Map<string, Note>; count: number };

/** The list being rendered, which collects the notes inside its notes. */
type WrittenList = { group: string; notes: ListedNote[]; problems: string[] };

/** Minimum length of a list that may be set in columns, as in MediaWiki. */
const longList = 11;

export class Citations {
  readonly #html: (nodes: readonly Node[]) => string;
  readonly #mayNest: boolean;
  readonly #hasRoom: (length: number) => boolean;
  readonly #groups = new Map<string, Group>();
  readonly #done = new Map<ExtensionNode, string>();
  #list: WrittenList | undefined;
  #keys = 0;

  /**
   * `mayNest`: notes may contain notes, which come before them. In MediaWiki's order, they come when their list is written.
   * `hasRoom`: counts characters, and returns false once the page has too many.
   */
  constructor(
    html: (nodes: readonly Node[]) => string,
    mayNest: boolean,
    hasRoom: (length: number) => boolean,
  ) {
    this.#html = html;
    this.#mayNest = mayNest;
    this.#hasRoom = hasRoom;
  }

  /** Returns the mark of a note in the text. */
  mark(node: ExtensionNode): string {
    const done = this.#done.get(node);
    if (done !== undefined) return done;
    this.#done.set(node, '');
    const content = this.#content(node);
    let html = '';
    if (this.#list) addListed(this.#list, node, { get: (name) => this.#groups.get(name)?.named });
    else html = this.#mark(node, content);
    this.#done.set(node, html);
    return html;
  }

  #content(node: ExtensionNode): string | readonly Node[] {
    const { children = [], notesWithin } = node;
    return this.#mayNest || notesWithin === 'earlier' ? this.#text(children) : children;
  }

  #text(nodes: readonly Node[]): string {
    // The lookbehind keeps it from trying each of many line ends.
    return this.#html(nodes).replace(/(?<!\n)\n+$/, '');
  }

  #mark(node: ExtensionNode, content: string | readonly Node[]): string {
    const { attributes } = node;
    const name = attributes.name || undefined;
    const groupName = attributes.group ?? '';
    const problem = problemOf(node, this.#mayNest);
    if (problem !== undefined) return error(problem);
    const group = this.#group(groupName);
    const extension = extensionProblem(group.named, attributes);
    if (extension !== undefined) return error(extension);
    if (attributes.follow) return this.#continue(group, attributes.follow, node, content);
    const note = attributes.extends
      ? this.#partNamed(group, attributes.extends, name)
      : this.#noteNamed(group, name);
    if (note.uses === 0) note.direction = attributes.dir;
    if (!isEmpty(node)) define(note, node, content, attributes.dir);
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

  /** Returns the part of a note that has these details. Equal details share a part. */
  #part(whole: Note, details: readonly Node[]): Note {
    const plain = inlineText(details).trim();
    const known = whole.parts.get(plain);
    if (known) return known;
    const part = this.#make(undefined);
    part.whole = whole;
    part.content = [details];
    part.plain = plain;
    whole.parts.set(plain, part);
    part.number = whole.parts.size;
    return part;
  }

  /** Returns a named part of a note, which may be defined later. */
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

  #continue(
    group: Group,
    name: string,
    { body = '' }: ExtensionNode,
    content: string | readonly Node[],
  ): string {
    const note = group.named.get(name);
    if (note) {
      note.content ??= [''];
      note.content.push(content);
      note.plain += ` ${body.trim()}`;
      return '';
    }
    const loose = this.#add(group, undefined);
    loose.name = name;
    loose.isLoose = true;
    loose.content = [content];
    return '';
  }

  /** Returns the list of one group's notes so far. */
  list(node: ExtensionNode): string {
    this.#define(node);
    const group = node.attributes.group ?? '';
    const list: WrittenList = { group, notes: [], problems: [] };
    // In a list appended because the page lacks one, notes inside notes are handled like others.
    const isWritten = node.start < node.end;
    if (!this.#mayNest && isWritten) this.#list = list;
    const html = this.#listHtml(group, node.attributes.responsive !== '0');
    this.#list = undefined;
    return list.problems.length === 0 ? html : `${html}<p>${list.problems.join('<br>\n')}</p>`;
  }

  /** Returns the errors of notes defined in a list. */
  problems(node: ExtensionNode): string {
    if (node.listed?.length) this.#define(node);
    // A list inside a list is not shown, but uses up the notes that it lists.
    else this.#html(node.children ?? []);
    return (node.problems ?? []).join('<br>\n');
  }

  #define({ attributes, listed = [], notesWithin }: ExtensionNode): void {
    for (const { note, isDefined } of listed) {
      const { name, group = '' } = note.attributes;
      // The note was counted separately before the list around it was known, so it uses up a key.
      if (notesWithin === 'earlier' && !(name && this.#groups.get(group)?.named.has(name))) this.#keys++;
      const known = name ? this.#groups.get(attributes.group ?? '')?.named.get(name) : undefined;
      if (isDefined && known) define(known, note, this.#content(note), known.direction);
    }
  }

  /** Returns an error if the group has notes but no `<references/>` lists it. */
  unlisted(groupName: string): string {
    if (!this.#groups.get(groupName)?.notes.length) return '';
    this.#groups.delete(groupName);
    const name = escapeText(groupName);
    return `<br>${error(
      `${code('ref')} tags exist for a group named "${name}", but no corresponding <code>&lt;references group="${name}"/&gt;</code> tag was found`,
    )}`;
  }

  /** Returns the notes without a group that no list in the tree shows, and an error for each other group. */
  rest(): string {
    const html = this.#listHtml('');
    const errors = [...this.#groups.keys()].map((name) => this.unlisted(name)).filter((text) => text !== '');
    return errors.length === 0 ? html : `${html}<p>${errors.join('\n')}\n</p>`;
  }

  #listHtml(groupName: string, isWrapped = true): string {
    const group = this.#groups.get(groupName);
    if (!group || group.notes.length === 0) return '';
    // Continuations of missing notes come first.
    const notes = [
      ...group.notes.filter(({ isLoose }) => isLoose),
      ...group.notes.filter(({ isLoose }) => !isLoose),
    ];
    this.#groups.delete(groupName);
    const items: string[] = [];
    for (const note of notes) {
      const item = this.#noteHtml(note);
      items.push(item);
      if (!this.#hasRoom(item.length)) break;
    }
    const style = Object.hasOwn(numerals, groupName) ? ` style="list-style-type: ${groupName}"` : '';
    const list = `<ol class="references"${style}>\n${items.join('\n')}\n</ol>`;
    const columns = group.notes.length >= longList ? ' mw-references-columns' : '';
    return isWrapped ? `<div class="mw-references-wrap${columns}">${list}</div>` : list;
  }

  #noteHtml(note: Note): string {
    const content = note.content
      ?.map((part) => (typeof part === 'string' ? part : this.#text(part)))
      .join(' ');
    const text = `<span class="reference-text">${content ?? ''}${note.errors}</span>`;
    if (note.isLoose) return `<p id="${escapeHtml(`cite_note-${idOf(note.name ?? '')}`)}">${text}\n</p>`;
    const direction = note.direction ? ` class="mw-cite-dir-${note.direction.toLowerCase()}"` : '';
    // A note of which only parts are cited has no marks in the text to link back to.
    const back = note.uses === 0 ? '' : `<span class="mw-cite-backlink">${backLinks(note)}</span> `;
    const open = `<li id="${escapeHtml(noteId(note))}"${direction}>${back}`;
    const parts =
      note.parts.size === 0
        ? ''
        : `\n<ol class="mw-subreference-list">\n${[...note.parts.values()].map((part) => this.#noteHtml(part)).join('\n')}\n</ol>`;
    if (content !== undefined) return `${open}${text}${parts}\n</li>`;
    const named = escapeText(note.name ?? '');
    return `${open}${error(`Invalid ${code('ref')} tag; no text was provided for refs named <code>${named}</code>`)}${parts}</li>`;
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

function define(
  note: Note,
  node: ExtensionNode,
  content: string | readonly Node[],
  direction: string | undefined,
): void {
  const plain = (node.body ?? '').trim();
  if (note.content === undefined) {
    note.content = [content];
    note.plain = plain;
    note.direction = direction;
  } else if (note.plain.trim() !== plain && note.errors === '') {
    note.errors = ` ${error(`Invalid ${code('ref')} tag; name "${escapeText(note.name ?? '')}" defined multiple times with different content`)}`;
  }
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
  return idOf(note.name === undefined ? `cite_note-${note.key}` : `cite_note-${note.name}-${note.key}`);
}

/** Returns the ID of the mark for a use of a note; uses count from 0. */
function useId({ name, key }: Note, use: number): string {
  if (name !== undefined) return idOf(`cite_ref-${name}_${key}-${use}`);
  return use === 0 ? `cite_ref-${key}` : `cite_ref-${key}-${use}`;
}

function numberOf({ whole, number }: Note): string {
  return whole ? `${whole.number}.${number}` : `${number}`;
}

/** Numerals of the groups whose names request them. */
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

/**
 * Returns an ID as links write it: runs of spaces and underscores become one underscore, and `%` is encoded where it would be
 * decoded.
 */
function idOf(name: string): string {
  return name.replace(/[\s_]+/g, '_').replace(/%(?=[\da-f]{2})/gi, '%25');
}
