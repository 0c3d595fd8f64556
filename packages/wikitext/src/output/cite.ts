/**
 * Notes: `<ref>` in the text, `<references/>` where they are listed.
 *
 *   a<ref name="x">b</ref>      a<sup id="cite_ref-x_1-0"><a href="#cite_note-x-1">[1]</a></sup>, and in the list
 *                               <li id="cite_note-x-1">↑ b</li>
 *
 * Numbers follow the text. A named note may be used again with `<ref name="x"/>` and may be written within
 * `<references>…</references>`. Groups are numbered and listed apart. What is left over is listed at the end of the page.
 */
import { escapeHtml, escapeText } from '../html.ts';
import { inlineText } from '../text.ts';
import type { ExtensionNode, Node } from '../tree.ts';

type Note = {
  key: number;
  name: string | undefined;
  number: number;
  uses: number;
  content: string | undefined;
  /** To tell whether two definitions differ. */
  plain: string;
  errors: string;
  direction: string | undefined;
  /** A continuation whose beginning is missing: listed without a number. */
  isLoose: boolean;
};

const listed = code('references');

type Group = { notes: Note[]; named: Map<string, Note>; count: number };

const refAttributes = new Set(['name', 'group', 'follow', 'dir', 'details']);

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
    return node.children && this.#html(node.children).replace(/\n+$/, '');
  }

  #mark(node: ExtensionNode, content: string | undefined): string {
    const { attributes } = node;
    const problem = problemOf(node, content);
    if (problem !== undefined) return error(problem);
    const name = attributes.name || undefined;
    const groupName = attributes.group ?? '';
    const group = this.#group(groupName);
    const hasContent = content !== undefined && !isEmpty(content);
    if (attributes.follow) return this.#continue(group, attributes.follow, content ?? '');
    let note = name === undefined ? undefined : group.named.get(name);
    if (!note) {
      note = this.#add(group, name);
      note.number = ++group.count;
    }
    if (hasContent) define(note, node, content);
    note.uses++;
    const id =
      name === undefined ? `cite_ref-${note.key}` : `cite_ref-${idOf(name)}_${note.key}-${note.uses - 1}`;
    const label = groupName === '' ? `${note.number}` : `${groupName} ${note.number}`;
    return `<sup id="${escapeHtml(id)}" class="reference"><a href="#${escapeHtml(noteId(note))}">&#91;${escapeText(label)}&#93;</a></sup>`;
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

  /** What the tree says nothing about: notes without a group, and a complaint for each group. */
  rest(): string {
    const html = this.#listHtml('');
    const errors = [...this.#groups.keys()].map((name) => this.unlisted(name)).filter((text) => text !== '');
    return errors.length === 0 ? html : `${html}<p>${errors.join('\n')}\n</p>`;
  }

  #listHtml(groupName: string, isWrapped = true): string {
    const group = this.#groups.get(groupName);
    if (!group || group.notes.length === 0) return '';
    const items = group.notes.map(noteHtml).join('\n');
    this.#groups.set(groupName, { notes: [], named: new Map(), count: 0 });
    const list = `<ol class="references">\n${items}\n</ol>`;
    return isWrapped ? `<div class="mw-references-wrap">${list}</div>` : list;
  }

  #group(name: string): Group {
    let group = this.#groups.get(name);
    if (!group) {
      group = { notes: [], named: new Map(), count: 0 };
      this.#groups.set(name, group);
    }
    return group;
  }

  #add(group: Group, name: string | undefined): Note {
    const note: Note = {
      key: ++this.#keys,
      name,
      number: 0,
      uses: 0,
      content: undefined,
      plain: '',
      errors: '',
      direction: undefined,
      isLoose: false,
    };
    group.notes.push(note);
    if (name !== undefined) group.named.set(name, note);
    return note;
  }
}

function problemOf(node: ExtensionNode, content: string | undefined): string | undefined {
  const { attributes } = node;
  const bad = (reason: string) => `Invalid ${code('ref')} tag; ${reason}`;
  const names = Object.keys(attributes);
  if ((attributes.name && attributes.follow) || names.some((name) => !refAttributes.has(name))) {
    return bad('invalid names, e.g. too many');
  }
  if (attributes.dir !== undefined && attributes.dir !== 'ltr' && attributes.dir !== 'rtl') {
    return `Invalid <code>dir="${escapeText(attributes.dir)}"</code>, must be <code>ltr</code> or <code>rtl</code>`;
  }
  if (!attributes.name && content === undefined) {
    return `The opening ${code('ref')} tag is malformed or has a bad name`;
  }
  if (
    node.body !== undefined &&
    /<ref(?:\s[^<>]*)?(?<!\/)>/i.test(node.body) &&
    !/<\/ref\b/i.test(node.body)
  ) {
    return `Closing <code>&lt;/ref&gt;</code> missing for ${code('ref')} tag`;
  }
  if (!attributes.name && content !== undefined && isEmpty(content))
    return bad('refs with no name must have content');
  if (attributes.name && /^\d+$/.test(attributes.name)) {
    return bad('name cannot be a simple integer. Use a descriptive title');
  }
  return undefined;
}

function isEmpty(content: string): boolean {
  // A fixed space is something to see.
  return !/[^ \t\n\r]/.test(content);
}

function define(note: Note, node: ExtensionNode, content: string): void {
  const plain = inlineText(node.children ?? []).trim();
  if (note.content === undefined) {
    note.content = content;
    note.plain = plain;
    note.direction = node.attributes.dir;
  } else if (note.plain.trim() !== plain && note.errors === '') {
    note.errors = ` ${error(`Invalid ${code('ref')} tag; name "${escapeText(note.name ?? '')}" defined multiple times with different content`)}`;
  }
}

function noteHtml(note: Note): string {
  const text = `<span class="reference-text">${note.content ?? ''}${note.errors}</span>`;
  if (note.isLoose) return `<p id="${escapeHtml(`cite_note-${idOf(note.name ?? '')}`)}">${text}\n</p>`;
  const direction = note.direction ? ` class="mw-cite-dir-${note.direction}"` : '';
  const open = `<li id="${escapeHtml(noteId(note))}"${direction}><span class="mw-cite-backlink">${backLinks(note)}</span> `;
  if (note.content !== undefined) return `${open}${text}\n</li>`;
  const named = escapeText(note.name ?? '');
  return `${open}${error(`Invalid ${code('ref')} tag; no text was provided for refs named <code>${named}</code>`)}</li>`;
}

function backLinks(note: Note): string {
  if (note.name === undefined) return `<a href="#cite_ref-${note.key}">↑</a>`;
  const href = (use: number) => `#${escapeHtml(`cite_ref-${idOf(note.name ?? '')}_${note.key}-${use}`)}`;
  if (note.uses <= 1) return `<a href="${href(0)}">↑</a>`;
  let links = '';
  for (let use = 0; use < note.uses; use++)
    links += ` <sup><a href="${href(use)}">${note.number}.${use}</a></sup>`;
  return `↑${links}`;
}

function noteId(note: Note): string {
  return note.name === undefined ? `cite_note-${note.key}` : `cite_note-${idOf(note.name)}-${note.key}`;
}

function idOf(name: string): string {
  return name.replace(/\s+/g, '_');
}

function code(name: string): string {
  return `<code>&lt;${name}&gt;</code>`;
}

function error(html: string): string {
  return `<span class="error mw-ext-cite-error" lang="en" dir="ltr">Cite error: ${html}</span>`;
}
