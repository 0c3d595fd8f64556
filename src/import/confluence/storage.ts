/**
 * Converts Confluence's storage format (XHTML with custom elements) to Markdown. Links refer to pages by title and to files by
 * name.
 */
import type { Element, ElementContent, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { SaxesParser } from 'saxes';
import { all, find, htmlToMarkdown, markdownOf, refuseDepth, textOf } from '../documents/html.ts';
import type { Approximation } from '../source.ts';

const boxes: Readonly<Record<string, string>> = {
  ...{ info: 'info', note: 'warning', tip: 'tip', warning: 'danger', panel: 'note', success: 'tip' },
};
/** Macros that only affect layout. */
const isPlain = /^(?:section|column|excerpt|div|details|html-wrap)$/;
const xmlEntity = /^&(?:amp|lt|gt|quot|apos);$/;

/** Returns the name of a member by key. */
type NameOf = (key: string) => string | undefined;

export function storageToMarkdown(
  storage: string,
  nameOf: NameOf,
): { text: string; approximated: Approximation[] } {
  const approximated: Approximation[] = [];
  // The export escapes the end of CDATA sections like this.
  const root = treeOf(storage.replaceAll(']] >', ']]>'));
  // Malformed XML is parsed as HTML.
  if (!root) return { text: htmlToMarkdown(storage).text, approximated: [told('markup', storage, '')] };
  refuseDepth(root);
  const replaced = new Replacer(nameOf, approximated).children(root.children as ElementContent[]);
  const { text, approximated: flattened } = markdownOf({ type: 'root', children: replaced });
  return { text, approximated: [...approximated, ...flattened] };
}

function treeOf(storage: string): Root | undefined {
  const root: Root = { type: 'root', children: [] };
  const open: (Root | Element)[] = [root];
  const parser = new SaxesParser({ fragment: true });
  let isDamaged = false;
  const add = (child: ElementContent) => (open.at(-1) as Element).children.push(child);
  parser.on('opentag', ({ name, attributes }) => {
    const child = { ...element(name, []), properties: { ...attributes } as Element['properties'] };
    add(child);
    open.push(child);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', (value) => add({ type: 'text', value }));
  parser.on('cdata', (value) => add({ type: 'text', value }));
  parser.on('error', () => {
    isDamaged = true;
  });
  parser
    .write(
      storage.replace(/&[a-z]{2,30}\d{0,2};/gi, (entity) =>
        xmlEntity.test(entity) ? entity : decoded(entity),
      ),
    )
    .close();
  return isDamaged ? undefined : root;
}

function decoded(entity: string): string {
  return textOf(fromHtml(entity, { fragment: true }))
    .replaceAll('<', '&lt;')
    .replaceAll('&', '&amp;');
}

class Replacer {
  readonly #nameOf: NameOf;
  readonly #approximated: Approximation[];

  constructor(nameOf: NameOf, approximated: Approximation[]) {
    this.#nameOf = nameOf;
    this.#approximated = approximated;
  }

  children(nodes: readonly ElementContent[]): ElementContent[] {
    return nodes.flatMap((node) => (node.type === 'element' ? this.#element(node) : [node]));
  }

  #element(node: Element): ElementContent[] {
    switch (node.tagName) {
      case 'ac:structured-macro':
      case 'ac:macro':
        return this.#macro(node);
      case 'ac:link':
        return [raw(this.#link(node))];
      case 'ac:image':
        return this.#image(node);
      case 'ac:emoticon':
        return [text(attribute(node, 'ac:emoji-fallback') || `(${attribute(node, 'ac:name')})`)];
      case 'ac:task-list':
        return [this.#tasks(node)];
      case 'ac:placeholder':
        return [];
      case 'time':
        return [text(attribute(node, 'datetime') || textOf(node))];
      default:
        if (/^(?:ac|ri):/.test(node.tagName)) return this.children(node.children);
        return [{ ...node, children: this.children(node.children) }];
    }
  }

  #macro(node: Element): ElementContent[] {
    const name = attribute(node, 'ac:name');
    const parameter = (key: string) =>
      textOf(find(node, (one) => one.tagName === 'ac:parameter' && attribute(one, 'ac:name') === key)).trim();
    const body = childOf(node, 'ac:rich-text-body');
    const plain = textOf(childOf(node, 'ac:plain-text-body'));
    if (name === 'code' || name === 'noformat') {
      const language = parameter('language').replace(/[^\w+#-]/g, '');
      const properties = language ? { className: [`language-${language}`] } : {};
      return [element('pre', [{ ...element('code', [text(`${plain}\n`)]), properties }])];
    }
    const box = boxes[name];
    const inside = body ? this.children(body.children) : [];
    if (box) {
      const title = parameter('title').replace(/\s+/g, ' ');
      return [
        element('blockquote', [element('p', [raw(`[!${box}]${title ? ` ${title}` : ''}`)]), ...inside]),
      ];
    }
    if (name === 'toc') return [element('p', [raw('[TOC]')])];
    if (name === 'children' || name === 'pagetree') return [element('p', [raw('{{Children}}')])];
    if (name === 'anchor') return [];
    if (name === 'status') return [element('strong', [text(parameter('title'))])];
    if (name === 'expand') {
      const title = parameter('title') || 'More';
      return [element('p', [element('strong', [text(title)])]), ...inside];
    }
    if (isPlain.test(name)) return inside;
    const shown = body ? inside : [text(plain || `[${name}]`)];
    this.#approximated.push(
      told(`macro ${name}`, `{${name}} ${plain}`, body ? textOf(body) : plain || `[${name}]`),
    );
    return shown;
  }

  #link(node: Element): string {
    const page = childOf(node, 'ri:page') ?? childOf(node, 'ri:blog-post');
    const file = childOf(node, 'ri:attachment');
    const user = childOf(node, 'ri:user');
    const said = textOf(childOf(node, 'ac:link-body') ?? childOf(node, 'ac:plain-text-link-body'));
    const label = said
      .replace(/[[\]|]/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (user) {
      const key =
        attribute(user, 'ri:userkey') || attribute(user, 'ri:account-id') || attribute(user, 'ri:username');
      return `@${(this.#nameOf(key) ?? key).replace(/[[\]|*_`]/g, '')}`;
    }
    const anchor = attribute(node, 'ac:anchor').replace(/[[\]|#\n]/g, '');
    const title = page && clean(attribute(page, 'ri:content-title'));
    if (file) {
      const name = clean(attribute(file, 'ri:filename'));
      const holder = childOf(file, 'ri:page');
      if (!holder) return `[[Media:${name}|${label || name}]]`;
      const other = clean(attribute(holder, 'ri:content-title'));
      this.#approximated.push(told('link to a file of another page', `${other}/${name}`, `[[${other}]]`));
      return `[[${other}|${label || name}]]`;
    }
    if (title && anchor) return `[[${title}#${anchor}|${label || title}]]`;
    if (title) return `[[${title}${label ? `|${label}` : ''}]]`;
    if (anchor) return `[[#${anchor}|${label || anchor}]]`;
    return label;
  }

  #image(node: Element): ElementContent[] {
    const file = childOf(node, 'ri:attachment');
    const url = childOf(node, 'ri:url');
    const width = /^\d{1,5}/.exec(attribute(node, 'ac:width'))?.[0];
    const alt = attribute(node, 'ac:alt').replace(/[[\]|\n]/g, ' ');
    const target = file ? clean(attribute(file, 'ri:filename')) : url ? attribute(url, 'ri:value') : '';
    if (target === '') return [];
    return [raw(`![${alt}${width ? `|${width}` : ''}](<${target.replace(/[<>\n]/g, '')}>)`)];
  }

  #tasks(list: Element): Element {
    const tasks = all(list, ({ tagName }) => tagName === 'ac:task');
    return element(
      'ul',
      tasks.map((task) => this.#task(task)),
    );
  }

  #task(task: Element): Element {
    const isDone = textOf(childOf(task, 'ac:task-status')).trim() === 'complete';
    const body = this.children(childOf(task, 'ac:task-body')?.children ?? []);
    return element('li', [raw(isDone ? '[x] ' : '[ ] '), ...body]);
  }
}

/** Inserts text unchanged into the Markdown. */
function raw(value: string): Element {
  return element('x-raw', [text(value)]);
}

function element(tagName: string, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: {}, children };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}

function childOf(node: Element, name: string): Element | undefined {
  return node.children.find((child): child is Element => child.type === 'element' && child.tagName === name);
}

function attribute(node: Element, name: string): string {
  const value = node.properties[name];
  return typeof value === 'string' ? value : '';
}

function clean(name: string): string {
  return name.replace(/[[\]|\n]/g, ' ').trim();
}

function told(construct: string, before: string, after: string): Approximation {
  return { construct, before: before.slice(0, 500), after: after.slice(0, 500) };
}
