/**
 * Converts Confluence's storage format (XHTML with custom elements) to Markdown. Links refer to pages by title and to files by
 * name.
 */
import { isBlockNamed } from '@coppice/markdown/from-html';
import type { Element, ElementContent, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { SaxesParser } from 'saxes';
import { shownInStorageFormat } from '../comparison/confluence-source.ts';
import type { Shown } from '../comparison/shown.ts';
import { all, htmlToMarkdown, markdownOf, refuseDepth, textOf } from '../documents/html.ts';
import type { Approximation } from '../source.ts';
import { clean, element, emoticonOf, kindOf, type Macro, pictureOf, raw, targetOf, text } from './macros.ts';

const xmlEntity = /^&(?:amp|lt|gt|quot|apos);$/;

/** Returns the name of a member by key. */
type NameOf = (key: string) => string | undefined;

export function storageToMarkdown(
  storage: string,
  nameOf: NameOf,
  pictures: readonly string[] = [],
): { text: string; approximated: Approximation[]; shown?: Shown | undefined } {
  const approximated: Approximation[] = [];
  // The export escapes the end of CDATA sections like this.
  const root = treeOf(storage.replaceAll(']] >', ']]>'));
  // Malformed XML is parsed as HTML.
  if (!root)
    return { text: htmlToMarkdown(storage).text, approximated: [approximation('markup', storage, '')] };
  refuseDepth(root);
  const shown = shownInStorageFormat(root);
  const replaced = new Replacer(nameOf, approximated, pictures).document(root);
  const { text, approximated: flattened } = markdownOf({ type: 'root', children: replaced });
  return { text, approximated: [...approximated, ...flattened], shown };
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
  readonly #pictures: readonly string[];

  constructor(nameOf: NameOf, approximated: Approximation[], pictures: readonly string[]) {
    this.#pictures = pictures;
    this.#nameOf = nameOf;
    this.#approximated = approximated;
  }

  document(root: Root): ElementContent[] {
    return this.#blocks(root.children as ElementContent[]);
  }

  children(nodes: readonly ElementContent[]): ElementContent[] {
    return nodes.flatMap((node) => (node.type === 'element' ? this.#element(node) : [node]));
  }

  /** Macros that stand between blocks are blocks, even if they only show words. */
  #blocks(nodes: readonly ElementContent[]): ElementContent[] {
    return nodes.flatMap((node) => {
      const shown = this.children([node]);
      const isMacro = node.type === 'element' && /^ac:(?:structured-)?macro$/.test(node.tagName);
      return isMacro && shown.length > 0 && !shown.some((one) => isBlock(one) || isRaw(one))
        ? [element('p', shown)]
        : shown;
    });
  }

  #element(node: Element): ElementContent[] {
    switch (node.tagName) {
      case 'ac:structured-macro':
      case 'ac:macro':
        return this.#macro(node);
      case 'ac:link':
        return [
          raw(this.#link(node)),
          // A link of this wiki has words, so its pictures stand beside it.
          ...all(node, ({ tagName }) => tagName === 'ac:image').flatMap((image) => this.#image(image)),
        ];
      case 'ac:image':
        return this.#image(node);
      case 'ac:emoticon':
        return [text(attribute(node, 'ac:emoji-fallback') || emoticonOf(attribute(node, 'ac:name')))];
      case 'ac:task-list':
        return [this.#tasks(node)];
      case 'ac:placeholder':
      // The same content again, for programs that do not know the element before it.
      case 'ac:adf-fallback':
      case 'ac:adf-attribute':
        return [];
      case 'time':
        return [text(attribute(node, 'datetime') || textOf(node))];
      case 'ac:adf-content':
        return [element('div', this.children(node.children))];
      default:
        if (/^(?:ac|ri):/.test(node.tagName)) return this.#blocks(node.children);
        return [withBlocks({ ...node, children: this.children(node.children) })];
    }
  }

  #macro(node: Element): ElementContent[] {
    const name = attribute(node, 'ac:name');
    const own = node.children.filter((child): child is Element => child.type === 'element');
    const parameters = own.filter(({ tagName }) => tagName === 'ac:parameter');
    const body = childOf(node, 'ac:rich-text-body');
    const plain = textOf(childOf(node, 'ac:plain-text-body'));
    const named = (tagName: string, key: string) =>
      parameters
        .flatMap((parameter) => all(parameter, (one) => one.tagName === tagName))
        .map((one) => attribute(one, key))
        .filter((value) => value !== '');
    const macro: Macro = {
      name,
      plain,
      pictures: this.#pictures,
      parameter: (key) => textOf(parameters.find((one) => attribute(one, 'ac:name') === key)).trim(),
      inside: body && (hasWords(body) ? this.children(body.children) : this.#blocks(body.children)),
      files: named('ri:attachment', 'ri:filename'),
      pages: parameters
        .flatMap((parameter) => all(parameter, isPageReference))
        .map(pageNamed)
        .filter((target) => target !== ''),
      addresses: named('ri:url', 'ri:value').filter((value) => /^(?:https?|mailto):/i.test(value)),
    };
    const kind = kindOf(name);
    const written = kind?.write(macro) ?? macro.inside ?? unknown(macro);
    if (!kind || kind.isApproximate) {
      const words = written.map(textOf).join(' ').trim();
      this.#approximated.push(approximation(`macro ${name}`, `{${name}} ${plain}`, words));
    }
    return written;
  }

  #link(node: Element): string {
    const page = childOf(node, 'ri:page') ?? childOf(node, 'ri:blog-post');
    const entity = childOf(node, 'ri:content-entity');
    const file = childOf(node, 'ri:attachment');
    const user = childOf(node, 'ri:user');
    const linkText = textOf(childOf(node, 'ac:link-body') ?? childOf(node, 'ac:plain-text-link-body'));
    const label = linkText
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
    const target = page && pageNamed(page);
    if (entity) {
      const id = attribute(entity, 'ri:content-id').replace(/\D/g, '');
      return `[${label || id}](/pages/viewpage.action?pageId=${id})`;
    }
    if (file) {
      const name = clean(attribute(file, 'ri:filename'));
      const holder = childOf(file, 'ri:page');
      if (!holder) return `[[Media:${name}|${label || name}]]`;
      return `[[Media:${pageNamed(holder)}/${name}|${label || name}]]`;
    }
    if (title && target && anchor) return `[[${target}#${anchor}|${label || title}]]`;
    if (title && target) return `[[${target}${label || target !== title ? `|${label || title}` : ''}]]`;
    if (anchor) return `[[#${anchor}|${label || anchor}]]`;
    const [space, shortcut] = [childOf(node, 'ri:space'), childOf(node, 'ri:shortcut')];
    return (
      label ||
      clean(
        (space && attribute(space, 'ri:space-key')) ||
          (shortcut && attribute(shortcut, 'ri:parameter')) ||
          '',
      )
    );
  }

  #image(node: Element): ElementContent[] {
    const file = childOf(node, 'ri:attachment');
    const url = childOf(node, 'ri:url');
    const width = /^\d{1,5}/.exec(attribute(node, 'ac:width'))?.[0];
    const alt = attribute(node, 'ac:alt');
    const caption = childOf(node, 'ac:caption');
    const below = caption ? [element('p', [element('em', this.children(caption.children))])] : [];
    const holder = file && childOf(file, 'ri:page');
    const name = file ? clean(attribute(file, 'ri:filename')) : '';
    if (holder) {
      const sizes = [clean(alt), width].filter((part) => part).map((part) => `|${part}`);
      return [raw(`![[${pageNamed(holder)}/${name}${sizes.join('')}]]`), ...below];
    }
    const target = name || (url ? attribute(url, 'ri:value') : '');
    return target === '' ? below : [raw(pictureOf(target, alt, width)), ...below];
  }

  #tasks(list: Element): Element {
    // Tasks within a task belong to its body.
    const tasks = list.children.filter(
      (child): child is Element => child.type === 'element' && child.tagName === 'ac:task',
    );
    return element(
      'ul',
      tasks.map((task) => this.#task(task)),
    );
  }

  #task(task: Element): Element {
    const isDone = textOf(childOf(task, 'ac:task-status')).trim() === 'complete';
    const body = this.children(childOf(task, 'ac:task-body')?.children ?? []);
    const box = { ...element('input', []), properties: { type: 'checkbox', checked: isDone } };
    return element('li', [box, ...body]);
  }
}

/** Macros make blocks within paragraphs, which stand between its words then. */
function withBlocks(node: Element): Element {
  return node.tagName === 'p' && node.children.some(isBlock) ? { ...node, tagName: 'div' } : node;
}

function isBlock(node: ElementContent): boolean {
  return node.type === 'element' && isBlockNamed(node.tagName);
}

function isRaw(node: ElementContent): boolean {
  return node.type === 'element' && node.tagName === 'x-raw';
}

function hasWords({ children }: Element): boolean {
  return children.some((child) => child.type === 'text' && child.value.trim() !== '');
}

function isPageReference({ tagName }: Element): boolean {
  return tagName === 'ri:page' || tagName === 'ri:blog-post';
}

/** Target of a link: the title, with the key of its space if it names one, because spaces share titles. */
function pageNamed(reference: Element): string {
  const [title, space] = ['ri:content-title', 'ri:space-key'].map((name) => attribute(reference, name));
  return title ? targetOf(title, space) : '';
}

/** An unknown macro shows its body, else what its parameters refer to, else its name. */
function unknown({ name, plain, files, pages, addresses }: Macro): ElementContent[] {
  if (plain !== '') return [text(plain)];
  const references = [
    ...files.map((file) => `[[Media:${clean(file)}|${clean(file)}]]`),
    ...pages.map((target) => `[[${target}]]`),
    ...addresses.map((address) => `<${address.replace(/[<>\s]/g, '')}>`),
  ];
  return references.length > 0 ? references.map((one) => element('p', [raw(one)])) : [text(`[${name}]`)];
}

function childOf(node: Element, name: string): Element | undefined {
  return node.children.find((child): child is Element => child.type === 'element' && child.tagName === name);
}

function attribute(node: Element, name: string): string {
  const value = node.properties[name];
  return typeof value === 'string' ? value : '';
}

function approximation(construct: string, before: string, after: string): Approximation {
  return { construct, before: before.slice(0, 500), after: after.slice(0, 500) };
}
