/** Serializes a tidied tree as wikitext with the language's converter. */
import { type HtmlElement, type HtmlNode, treeToWikitext } from '@coppice/wikitext/html-tree';
import type { Element, Root, RootContent } from 'hast';
import { isTag, textOf } from './elements.ts';
import { pageOf } from './page-link.ts';

export function toWikitext(root: Root): string {
  return treeToWikitext(nodesOf(root), {
    layout: 'airy',
    keepsAddresses: true,
    target: pageOf,
    fileName: (name) => name,
  });
}

function nodesOf(parent: Root | Element): HtmlNode[] {
  return parent.children.flatMap((node: RootContent): HtmlNode[] => {
    if (node.type === 'element') return elementOf(node);
    return node.type === 'text' ? [node] : [];
  });
}

function elementOf(node: Element): HtmlNode[] {
  const { tagName: name, properties, children } = node;
  const inside = nodesOf(node);
  if (/^[uod]l$/.test(name)) return listOf(name, inside as HtmlElement[]);
  if (name === 'table') return [element(name, { class: 'wikitable' }, inside)];
  if (name === 'x-formula') return [formula(node)];
  if (name === 'img') return [file(node, String(properties.src))];
  if (name === 'a') {
    const href = String(properties.href);
    // Wikitext cannot link to a path that is no page.
    if (href.startsWith('/') && pageOf(href) === undefined) return inside;
    const [only, ...others] = children;
    if (isTag(only, 'img') && others.length === 0) return [file(only, href)];
  }
  return [element(name, attributesOf(node), inside)];
}

/** An item is one line, followed by its inner lists; tables follow the whole list. */
function listOf(name: string, items: readonly HtmlElement[]): HtmlNode[] {
  const tables: HtmlNode[] = [];
  const lines = items.map((item) => {
    const [own, lists]: [HtmlNode[], HtmlNode[]] = [[], []];
    for (const child of item.children) {
      if (child.type !== 'element') own.push(child);
      else if (child.name === 'table') tables.push(child);
      else if (/^[uod]l$/.test(child.name)) lists.push(child);
      else own.push(/^h\d$/.test(child.name) ? { ...child, name: 'p' } : child);
    }
    return { ...item, children: [...own, ...lists] };
  });
  return [element(name, {}, lines), ...tables];
}

/** A linked picture as MediaWiki writes it; a link to the file itself is the default of `[[File:…]]`. */
function file(picture: Element, href: string): HtmlNode {
  const img = element('img', attributesOf(picture), []);
  return element('span', { typeof: 'mw:File' }, [element('a', { href }, [img])]);
}

/** A formula as Parsoid describes it. */
function formula(node: Element): HtmlNode {
  const display = node.properties.display ? { display: 'block' } : {};
  const description = { name: 'math', attrs: display, body: { extsrc: textOf(node) } };
  return element('span', { typeof: 'mw:Extension/math', 'data-mw': JSON.stringify(description) }, []);
}

function attributesOf({ properties }: Element): Record<string, string> {
  const entries = Object.entries(properties);
  return Object.fromEntries(
    entries.map(([name, value]) => [name === 'className' ? 'class' : name.toLowerCase(), String(value)]),
  );
}

function element(name: string, attributes: Record<string, string>, children: HtmlNode[]): HtmlElement {
  return { type: 'element', name, attributes, children };
}
