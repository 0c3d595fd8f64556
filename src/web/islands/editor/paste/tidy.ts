/**
 * Reduces pasted HTML to what pages consist of: headings, paragraphs, lists, tables, links, pictures, emphasis. Handles each
 * source's quirks: Word marks lists by style, Google Docs wraps everything in a bold element that is not bold, browsers copy
 * computed styles.
 */
import type { Element, ElementContent, Root, RootContent } from 'hast';
import {
  cellsOf,
  classOf,
  hasPicture,
  isTag,
  languageOf,
  spansOf,
  styleOf,
  tag,
  text,
  textOf,
} from './elements.ts';
import { withoutOrigin } from './page-link.ts';

export interface TidyOptions {
  /** Origin of the wiki, without trailing slash. */
  origin: string;
  /** Name of the file that shows this picture in the page, if any. */
  fileName(url: string): string | undefined;
}

/** Maximum nesting; deeper content becomes text. */
const maxDepth = 100;

const dropped = new Set(
  'applet area audio base button canvas col colgroup dialog embed frame frameset head iframe input link map meta noframes noscript object option param script select source style svg template textarea title track video'.split(
    ' ',
  ),
);
const inline = new Set(
  'a b br code del em i img ins kbd mark s samp span strike strong sub sup tt u var x-formula'.split(' '),
);
const kept = new Set(
  'a blockquote br caption code dd del dl dt em h1 h2 h3 h4 h5 h6 hr img li ol p pre strong sub sup table td th tr ul x-formula'.split(
    ' ',
  ),
);
const same: Record<string, string> = {
  b: 'strong',
  i: 'em',
  s: 'del',
  strike: 'del',
  tt: 'code',
  samp: 'code',
  kbd: 'code',
};

/** Returns undefined if there is nothing but words, so that plain text is equivalent. */
export function tidied(root: Root, options: TidyOptions): Root | undefined {
  if (isSourceCode(root)) return undefined;
  const lists = withWordLists(root.children as ElementContent[]);
  const children = blocksOf(flat(lists, options, { depth: 0, isBold: false }));
  lowerHeadings(children);
  const only = children.length === 1 ? children[0] : undefined;
  if (isTag(only, 'table') && cellsOf(only).length === 1) return undefined;
  return hasStructure(children) ? { type: 'root', children } : undefined;
}

interface Around {
  depth: number;
  /** Whether everything is bold anyway, as in headings. */
  isBold: boolean;
}

/** Merges adjacent texts, so that markup characters across them are escaped. */
function flat(nodes: ElementContent[], options: TidyOptions, around: Around): ElementContent[] {
  const result: ElementContent[] = [];
  let words: string[] = [];
  const endText = () => {
    const value = words.join('').replace(/[\s\u00a0]+/g, ' ');
    if (value !== '') result.push(text(value));
    words = [];
  };
  for (const node of nodes) {
    const written = node.type === 'element' ? flatElement(node, options, around) : [node];
    for (const one of written) {
      if (one.type === 'text') words.push(one.value);
      else if (one.type === 'element') {
        endText();
        result.push(one);
      }
    }
  }
  endText();
  return result;
}

function flatElement(node: Element, options: TidyOptions, around: Around): ElementContent[] {
  const name = node.tagName.toLowerCase();
  const style = styleOf(node);
  if (dropped.has(name) || isHidden(node, style)) return [];
  if (around.depth >= maxDepth) return [text(textOf(node))];
  const isHeading = /^h[1-6]$/.test(name);
  const inner = { depth: around.depth + 1, isBold: around.isBold || isHeading || name === 'th' };
  const children = () => flat(withWordLists(node.children), options, inner);
  if (name === 'a') return link(node, options, children());
  if (name === 'x-formula') return [tag(name, [text(textOf(node))], node.properties)];
  if (name === 'img') return picture(node, options);
  if (name === 'pre') return [tag('pre', [tag('code', [text(textOf(node))], languageOf(node))])];
  if (name === 'p' && /\bMsoTitle\b/.test(classOf(node))) return [tag('h1', children())];
  const plain = same[name] ?? name;
  if (plain === 'strong' || plain === 'em') {
    // The bold wrapper of Google Docs.
    const isOff =
      plain === 'strong' ? /font-weight:\s*(normal|[1-5]00)/.test(style) : /font-style:\s*normal/.test(style);
    if (isOff || (plain === 'strong' && around.isBold)) return children();
    return phrase(
      plain,
      flat(node.children, options, { ...inner, isBold: inner.isBold || plain === 'strong' }),
    );
  }
  if (name === 'span' || name === 'font') return styled(style, options, node, inner);
  if (name === 'td' || name === 'th') return [tag(name, children(), spansOf(node))];
  // Colours of code are elements, which are dropped.
  if (plain === 'code') return phrase(plain, [text(children().map(textOf).join(''))]);
  if (/^(del|su[bp])$/.test(plain)) return phrase(plain, children());
  if (kept.has(plain)) return [tag(plain, children())];
  const inside = children();
  // Other boxes become paragraphs, unless they contain blocks.
  const isBox =
    !inline.has(name) &&
    !/^(abbr|acronym|bdi|bdo|big|cite|data|dfn|ins|label|mark|o:p|q|ruby|small|time|u|var)$/.test(name);
  const isGroup = /^(tbody|thead|tfoot|html|body)$/.test(name) || inside.some(isBlock);
  return isBox && !isGroup && inside.length > 0 ? [tag('p', inside)] : inside;
}

/** Emphasis expressed by styles. */
function styled(style: string, options: TidyOptions, node: Element, around: Around): ElementContent[] {
  const isBold = !around.isBold && /font-weight:\s*(bold|[6-9]00)/.test(style);
  let children = flat(node.children, options, { ...around, isBold: around.isBold || isBold });
  if (/vertical-align:\s*super/.test(style)) children = phrase('sup', children);
  if (/vertical-align:\s*sub(?!\w)/.test(style)) children = phrase('sub', children);
  if (/text-decoration(?:(?!text-decoration)[^;])*line-through/.test(style))
    children = phrase('del', children);
  if (/font-style:\s*italic/.test(style)) children = phrase('em', children);
  return isBold ? phrase('strong', children) : children;
}

/** An element around words: blocks are moved out of it, and spaces at its ends are moved outside. */
function phrase(
  name: string,
  children: ElementContent[],
  properties: Element['properties'] = {},
): ElementContent[] {
  if (children.some(isBlock)) return children;
  const [first, last] = [children[0], children.at(-1)];
  const before = first?.type === 'text' && first.value.startsWith(' ') ? ' ' : '';
  const after = last?.type === 'text' && last.value.endsWith(' ') ? ' ' : '';
  if (first?.type === 'text') first.value = first.value.trimStart();
  if (last?.type === 'text') last.value = last.value.trimEnd();
  const content = children.filter((one) => one.type !== 'text' || one.value !== '');
  return [text(before), ...(content.length > 0 ? [tag(name, content, properties)] : []), text(after)];
}

/** A link around pictures is applied to each of them, and to the words beside them. */
function link(node: Element, { origin }: TidyOptions, children: ElementContent[]): ElementContent[] {
  const href = String(node.properties.href ?? '').trim();
  if (!/^(https?:\/\/|mailto:|\/(?!\/))/i.test(href)) return children;
  const runs: ElementContent[][] = [];
  // A picture's own link to its file is replaced by this one.
  for (const child of children.flatMap((one) => (isTag(one, 'a') ? one.children : [one]))) {
    const last = runs.at(-1);
    if (!last || isTag(child, 'img') || isTag(last[0], 'img')) runs.push([child]);
    else last.push(child);
  }
  const shows = (one: ElementContent) => textOf(one).trim() !== '' || hasPicture(one);
  return runs.flatMap((run) =>
    run.some(shows) ? phrase('a', run, { href: withoutOrigin(href, origin) }) : run,
  );
}

/** Pictures that the page has as files; others become links, so that readers are not revealed to other servers. */
function picture(node: Element, options: TidyOptions): ElementContent[] {
  const src = String(node.properties.src ?? '').trim();
  const alt = String(node.properties.alt ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const isDot = [node.properties.width, node.properties.height].some(
    (size) => size !== undefined && Number(size) <= 2,
  );
  if (isDot) return [];
  const name = options.fileName(src);
  if (name !== undefined) return [tag('img', [], { src: name, alt })];
  if (!/^https?:\/\//i.test(src)) return alt === '' ? [] : [text(alt)];
  return [
    tag('a', [text(alt === '' ? (src.split(/[?#]/)[0]?.split('/').pop() ?? src) : alt)], { href: src }),
  ];
}

/** Inline runs between blocks become paragraphs; empty blocks are dropped. */
function blocksOf(nodes: ElementContent[]): ElementContent[] {
  const blocks: ElementContent[] = [];
  let run: ElementContent[] = [];
  const end = () => {
    const content = trimmed(run);
    if (content.length > 0) blocks.push(tag('p', content));
    run = [];
  };
  for (const node of nodes) {
    if (!isBlock(node)) {
      run.push(node);
      continue;
    }
    end();
    const block = node as Element;
    if (/^(p|h[1-6])$/.test(block.tagName)) {
      // A heading or paragraph that contains blocks is replaced by them.
      if (block.children.some(isBlock)) blocks.push(...blocksOf(block.children));
      else {
        block.children = trimmed(block.children);
        if (block.children.length > 0) blocks.push(block);
      }
    } else if (/^(li|td|th|dd|dt|caption|tr)$/.test(block.tagName)) {
      // Items or cells without their list or table, because a selection may begin anywhere.
      blocks.push(...blocksOf(block.children));
    } else {
      tidyInside(block);
      if (block.tagName === 'hr' || block.tagName === 'pre' || block.children.length > 0) blocks.push(block);
    }
  }
  end();
  return blocks;
}

function tidyInside(block: Element): void {
  if (block.tagName === 'blockquote') block.children = blocksOf(block.children);
  else if (block.tagName === 'table') {
    const caption = block.children.find((one) => isTag(one, 'caption'));
    const rows = block.children.filter((one) => isTag(one, 'tr')) as Element[];
    for (const row of rows) {
      row.children = row.children.filter((one) => isTag(one, 'td') || isTag(one, 'th'));
      for (const cell of row.children as Element[]) cell.children = contentOf(cell.children);
    }
    if (isTag(caption, 'caption'))
      caption.children = trimmed(caption.children.filter((one) => !isBlock(one)));
    block.children = [...(caption ? [caption] : []), ...rows.filter((row) => row.children.length > 0)];
  } else if (/^[uod]l$/.test(block.tagName)) {
    const items: Element[] = [];
    for (const child of block.children) {
      if (isTag(child, 'li') || isTag(child, 'dt') || isTag(child, 'dd')) {
        child.children = contentOf(child.children);
        items.push(child);
      } else if (child.type === 'element' && /^[uo]l$/.test(child.tagName)) {
        // A list directly within a list, as browsers and Google Docs write it, belongs to the item before it.
        tidyInside(child);
        const last = items.at(-1);
        if (last) last.children.push(child);
        else items.push(tag('li', [child]));
      } else if (textOf(child).trim() !== '') items.push(tag('li', contentOf([child])));
    }
    block.children = items.filter((item) => item.children.length > 0);
  }
}

/** Content of an item or cell, without the wrapper of a single paragraph. */
function contentOf(nodes: ElementContent[]): ElementContent[] {
  if (!nodes.some(isBlock)) return trimmed(nodes);
  const blocks = blocksOf(nodes);
  const [first, ...rest] = blocks;
  return isTag(first, 'p') && !rest.some((one) => isTag(one, 'p')) ? [...first.children, ...rest] : blocks;
}

/** Removes spaces and line breaks at both ends. */
function trimmed(nodes: ElementContent[]): ElementContent[] {
  const isEmpty = (node: ElementContent | undefined) =>
    node !== undefined && (isTag(node, 'br') || (node.type === 'text' && node.value.trim() === ''));
  let [from, to] = [0, nodes.length];
  while (from < to && isEmpty(nodes[from])) from++;
  while (to > from && isEmpty(nodes[to - 1])) to--;
  const content = nodes.slice(from, to);
  const [first, last] = [content[0], content.at(-1)];
  if (first?.type === 'text') first.value = first.value.trimStart();
  if (last?.type === 'text') last.value = last.value.trimEnd();
  return content.some((one) => textOf(one).trim() !== '' || hasPicture(one)) ? content : [];
}

/** Word writes a list item as a paragraph: `mso-list:l0 level2 lfo1`, with its bullet or number in a span. */
function withWordLists(nodes: ElementContent[]): ElementContent[] {
  if (!nodes.some((node) => levelOf(node) > 0)) return nodes;
  const result: ElementContent[] = [];
  let open: { level: number; list: Element }[] = [];
  for (const node of nodes) {
    const level = levelOf(node);
    if (level === 0) {
      // White space between items is skipped.
      if (node.type === 'text' && node.value.trim() === '') continue;
      if (node.type !== 'comment') open = [];
      result.push(node);
      continue;
    }
    const item = node as Element;
    const [marker, children] = withoutMarker(item.children);
    const name = /^\(?[\p{L}\d]{1,4}[.)]/u.test(marker) && !/^o$/.test(marker) ? 'ol' : 'ul';
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    let top = open.at(-1);
    if (!top || top.level < level || top.list.tagName !== name) {
      if (top && top.level === level) open.pop();
      const list = tag(name, []);
      const within = open.at(-1)?.list.children.at(-1);
      if (within?.type === 'element') within.children.push(list);
      else result.push(list);
      top = { level, list };
      open.push(top);
    }
    top.list.children.push(tag('li', children));
  }
  return result;
}

function levelOf(node: ElementContent): number {
  if (node.type !== 'element' || !/^(p|h[1-6]|div)$/.test(node.tagName)) return 0;
  return Number(/mso-list:\s*l\d+\s+level(\d)/.exec(styleOf(node))?.[1] ?? 0);
}

function withoutMarker(nodes: ElementContent[]): [string, ElementContent[]] {
  let marker = '';
  const rest = nodes.flatMap((node): ElementContent[] => {
    if (node.type !== 'element') return [node];
    if (/mso-list:\s*ignore/.test(styleOf(node))) {
      marker += textOf(node).trim();
      return [];
    }
    const [inside, children] = withoutMarker(node.children);
    marker += inside;
    return inside === '' || children.length > 0 ? [{ ...node, children }] : [];
  });
  return [marker, rest];
}

/** Level 1 is the page title, so headings in the text start at level 2. */
function lowerHeadings(nodes: ElementContent[]): void {
  const headings = nodes.filter(
    (node): node is Element => node.type === 'element' && /^h[1-6]$/.test(node.tagName),
  );
  if (!headings.some(({ tagName }) => tagName === 'h1')) return;
  for (const heading of headings) heading.tagName = `h${Math.min(6, Number(heading.tagName[1]) + 1)}`;
}

/** Returns whether the element is highlighted source code, of which only the text matters. */
function isSourceCode(root: Root): boolean {
  const isCode = (node: RootContent, depth: number): boolean => {
    if (node.type !== 'element' || depth > 4) return false;
    const style = styleOf(node);
    if (/white-space:\s*pre/.test(style) && /monospace|consolas|menlo|courier/.test(style)) return true;
    return (
      /^(html|body|div|meta)$/.test(node.tagName) && node.children.some((child) => isCode(child, depth + 1))
    );
  };
  const shown = root.children.filter((node) => node.type === 'element' && !dropped.has(node.tagName));
  return shown.length > 0 && shown.every((node) => isCode(node, 0));
}

function isHidden(node: Element, style: string): boolean {
  return (
    /display:\s*none|mso-hide:\s*all|visibility:\s*hidden/.test(style) ||
    node.properties.hidden === true ||
    // Note numbers and edit links, which are meaningless elsewhere.
    /\b(mw-editsection|reference|mw-cite-backlink|noprint)\b/.test(classOf(node))
  );
}

function hasStructure(nodes: ElementContent[]): boolean {
  return nodes.some(
    (node) => node.type === 'element' && (!/^(p|br)$/.test(node.tagName) || hasStructure(node.children)),
  );
}

function isBlock(node: ElementContent | undefined): boolean {
  return node?.type === 'element' && !inline.has(node.tagName);
}
