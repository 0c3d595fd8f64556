/** Markdown to HTML for tests, and HTML normalised to its meaning in a browser. */
import { type ResolvedFile, render } from '@coppice/wikitext';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { type Addresses, type MarkdownOptions, parseMarkdown } from '../src/index.ts';

type Child = DefaultTreeAdapterTypes.ChildNode;

export function htmlOf(markdown: string, options: MarkdownOptions = {}): string {
  const tree = parseMarkdown(markdown, { path: '/trees/oak', ...options });
  const files = new Map<string, ResolvedFile>([
    ['oak.png', { url: '/files/oak.png', mime: 'image/png', width: 800, height: 600 }],
    ['plan.svg', { url: '/files/plan.svg', mime: 'image/svg+xml' }],
    ['rows.csv', { url: '/files/rows.csv', mime: 'text/csv' }],
  ]);
  const pages = new Map([['Mill', { path: '/mill', title: 'Mill' }]]);
  return render(tree, { pages, files, page: { path: '/trees/oak', title: 'Oak' } }).html;
}

/** Links and pictures as CommonMark writes them, whatever their targets. */
export const asWritten: Addresses = {
  isPlain: true,
  link: ({ address, title }, _context, { start, end }) => ({
    type: 'element',
    name: 'a',
    attributes: { href: encoded(address), ...(title === undefined ? {} : { title }) },
    children: [],
    start,
    end,
  }),
  image: ({ address, alt, title }, _context, { start }) => ({
    type: 'element',
    name: 'img',
    attributes: { src: encoded(address), alt, ...(title === undefined ? {} : { title }) },
    children: [],
    start,
    end: start,
  }),
};

function encoded(address: string): string {
  return address.replace(/%(?![0-9a-f]{2})|[^\w%;/?:@&=+$,.!~*'()#-]/giu, (one) => encodeURIComponent(one));
}

const block =
  /\s*(<\/?(?:p|ul|ol|li|blockquote|h\d|hr|table|tr|td|th|div|br|dl|dt|dd|details|summary)\b[^>]*>)\s*/g;

/** Removes invisible white space, and the row groups that browsers add to tables. */
export function normalised(html: string): string {
  return parseFragment(html)
    .childNodes.map((node) => written(node, false))
    .join('')
    .replace(block, '$1')
    .trim();
}

function written(node: Child, isVerbatim: boolean): string {
  if (node.nodeName === '#text' && 'value' in node)
    return (isVerbatim ? node.value : node.value.replace(/\s+/g, ' ')).replace(
      /[&<>]/g,
      (one) => `&#${one.charCodeAt(0)};`,
    );
  if (!('tagName' in node)) return '';
  const { tagName, attrs } = node;
  const inside = node.childNodes.map((child) => written(child, isVerbatim || tagName === 'pre')).join('');
  if (/^(?:thead|tbody)$/.test(tagName)) return inside;
  const attributes = attrs
    .filter(
      ({ name }) => !(tagName === 'table' && name === 'class') && !(/^h\d$/.test(tagName) && name === 'id'),
    )
    .map(({ name, value }) => ` ${name}="${value}"`)
    .sort();
  return `<${tagName}${attributes.join('')}>${inside}</${tagName}>`;
}
