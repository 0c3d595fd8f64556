/**
 * The document of the visual editor in ProseMirror's terms: what the server makes of a page's source (`POST /v1/document`).
 * Everything that the editor does not know is an atom with its source. `origin` is the node's range in that source; nodes that
 * the user makes have none.
 */
import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';

const origin = { origin: { default: null } };

/** A block of text or of blocks that is one HTML element. */
function block(tag: string, content: string, rest: Partial<NodeSpec> = {}): NodeSpec {
  return {
    content,
    group: 'block',
    defining: true,
    attrs: origin,
    parseDOM: [{ tag }],
    toDOM: () => [tag, 0],
    ...rest,
  };
}

/** A node without editable content, drawn by a node view; the text is for copying. */
function atom(group: 'block' | 'inline', attrs: NodeSpec['attrs'], rest: Partial<NodeSpec> = {}): NodeSpec {
  return {
    group,
    inline: group === 'inline',
    atom: true,
    attrs: { ...origin, ...attrs },
    ...rest,
  };
}

/** How atoms and pictures are copied: `data-source` has their attributes. */
function copied(name: string, tag: string): Partial<NodeSpec> {
  return {
    parseDOM: [
      {
        tag: `[data-type="${name}"][data-source]`,
        priority: 70,
        getAttrs: (dom) => {
          try {
            // HTML from another page is never shown; the server makes it anew.
            return { ...JSON.parse(dom.dataset.source ?? ''), origin: null, html: '', src: null };
          } catch {
            return false;
          }
        },
      },
    ],
    toDOM: ({ attrs, isLeaf, isAtom }): DOMOutputSpec => {
      const value = {
        'data-type': name,
        'data-source': JSON.stringify({ ...attrs, origin: null, html: '' }),
      };
      return isLeaf || isAtom ? [tag, value] : [tag, value, 0];
    },
  };
}

const cellAttrs = {
  ...origin,
  colspan: { default: 1 },
  rowspan: { default: 1 },
  align: { default: null },
  // Used by prosemirror-tables; never set.
  colwidth: { default: null },
};

function cell(tag: 'td' | 'th'): NodeSpec {
  return {
    content: 'block+',
    attrs: cellAttrs,
    tableRole: tag === 'td' ? 'cell' : 'header_cell',
    isolating: true,
    parseDOM: [
      {
        tag,
        getAttrs: (dom) => ({
          colspan: Math.max(1, Number(dom.getAttribute('colspan')) || 1),
          rowspan: Math.max(1, Number(dom.getAttribute('rowspan')) || 1),
          align:
            /^(left|center|right)$/.exec(dom.style.textAlign || dom.getAttribute('align') || '')?.[0] ?? null,
        }),
      },
    ],
    toDOM: ({ attrs }): DOMOutputSpec => [
      tag,
      {
        ...(attrs.colspan > 1 ? { colspan: attrs.colspan } : {}),
        ...(attrs.rowspan > 1 ? { rowspan: attrs.rowspan } : {}),
        ...(attrs.align ? { style: `text-align: ${attrs.align}` } : {}),
      },
      0,
    ],
  };
}

const pictureAttrs = {
  file: { default: '' },
  alt: { default: null },
  width: { default: null },
  height: { default: null },
  side: { default: null },
  kind: { default: 'thumb' },
  link: { default: null },
  title: { default: null },
  src: { default: null },
};

const callAttrs = {
  name: { default: '' },
  params: { default: [] },
  html: { default: '' },
};

const nodes: Record<string, NodeSpec> = {
  doc: { content: 'block*' },
  paragraph: block('p', 'inline*', { defining: false }),
  heading: block('h2', 'inline*', {
    attrs: { ...origin, level: { default: 2 } },
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
  }),
  bulletList: block('ul', '(listItem | taskItem)+'),
  orderedList: block('ol', '(listItem | taskItem)+', {
    attrs: { ...origin, start: { default: 1 } },
    parseDOM: [{ tag: 'ol', getAttrs: (dom) => ({ start: Number(dom.getAttribute('start') ?? 1) || 1 }) }],
    toDOM: ({ attrs }) => ['ol', attrs.start === 1 ? {} : { start: attrs.start }, 0],
  }),
  listItem: block('li', 'paragraph block*', { group: '' }),
  taskItem: block('li', 'paragraph block*', {
    group: '',
    attrs: { ...origin, checked: { default: false } },
    parseDOM: [
      {
        tag: 'li',
        priority: 60,
        getAttrs: (dom) => {
          const box = dom.querySelector<HTMLInputElement>(
            ':scope > input[type=checkbox], :scope > p > input[type=checkbox]',
          );
          return box ? { checked: box.checked } : false;
        },
      },
    ],
  }),
  definitionList: block('dl', '(term | definition)+'),
  term: block('dt', 'inline*', { group: '' }),
  definition: block('dd', 'block+', { group: '' }),
  quote: block('blockquote', 'block+'),
  callout: block('div', 'block+', {
    attrs: { ...origin, kind: { default: 'note' }, title: { default: null } },
    parseDOM: [
      {
        tag: 'div.callout',
        getAttrs: (dom) => ({ kind: /callout-(\w+)/.exec(dom.className)?.[1] ?? 'note' }),
      },
    ],
    toDOM: ({ attrs }) => [
      'div',
      { class: `callout callout-${attrs.kind}` },
      ['p', { class: 'callout-title', contenteditable: 'false' }, attrs.title ?? capital(attrs.kind)],
      ['div', 0],
    ],
  }),
  codeBlock: block('pre', 'text*', {
    marks: '',
    code: true,
    attrs: { ...origin, language: { default: '' } },
    parseDOM: [
      {
        tag: 'pre',
        preserveWhitespace: 'full',
        getAttrs: (dom) => ({ language: languageOf(dom.firstElementChild ?? dom) ?? languageOf(dom) ?? '' }),
      },
    ],
    toDOM: () => ['pre', ['code', 0]],
  }),
  rule: block('hr', '', { toDOM: () => ['hr'] }),
  formula: atom(
    'block',
    { source: { default: '' }, display: { default: true }, html: { default: '' } },
    copied('formula', 'div'),
  ),
  captionedTable: {
    content: 'caption table',
    group: 'block',
    isolating: true,
    toDOM: () => ['div', { class: 'captioned-table' }, 0],
  },
  caption: block('p', 'inline*', {
    group: '',
    parseDOM: [],
    toDOM: () => ['p', { class: 'table-caption' }, 0],
  }),
  table: {
    content: 'row+',
    group: 'block',
    tableRole: 'table',
    isolating: true,
    attrs: origin,
    parseDOM: [{ tag: 'table' }],
    toDOM: () => ['table', { class: 'wikitable' }, ['tbody', 0]],
  },
  row: {
    content: '(cell | headerCell)*',
    tableRole: 'row',
    attrs: origin,
    parseDOM: [{ tag: 'tr' }],
    toDOM: () => ['tr', 0],
  },
  cell: cell('td'),
  headerCell: cell('th'),
  figure: {
    content: 'inline*',
    group: 'block',
    isolating: true,
    attrs: { ...origin, ...pictureAttrs },
    ...copied('figure', 'figure'),
  },
  call: atom('block', callAttrs, copied('call', 'div')),
  source: atom('block', { text: { default: '' }, html: { default: '' } }, copied('source', 'div')),
  text: { group: 'inline' },
  image: atom('inline', pictureAttrs, copied('image', 'span')),
  note: atom(
    'inline',
    { name: { default: null }, text: { default: null }, html: { default: '' } },
    copied('note', 'span'),
  ),
  inlineCall: atom('inline', callAttrs, copied('inlineCall', 'span')),
  inlineFormula: atom(
    'inline',
    { source: { default: '' }, html: { default: '' } },
    copied('inlineFormula', 'span'),
  ),
  inlineSource: atom(
    'inline',
    { text: { default: '' }, html: { default: '' } },
    copied('inlineSource', 'span'),
  ),
  comment: atom('inline', { text: { default: '' } }, copied('comment', 'span')),
  hardBreak: {
    group: 'inline',
    inline: true,
    selectable: false,
    attrs: origin,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
    leafText: () => '\n',
  },
};

function simpleMark(tag: string, ...also: string[]): MarkSpec {
  return { parseDOM: [tag, ...also].map((tag) => ({ tag })), toDOM: () => [tag, 0] };
}

const marks: Record<string, MarkSpec> = {
  link: {
    attrs: { to: { default: '' }, kind: { default: 'page' }, title: { default: null } },
    inclusive: false,
    parseDOM: [{ tag: 'a[href]', getAttrs: (dom) => linkAttrs(dom.getAttribute('href') ?? '') }],
    toDOM: ({ attrs }) => [
      'a',
      {
        href: attrs.kind === 'page' ? pageAddress(attrs.to) : attrs.to,
        ...(attrs.title ? { title: attrs.title } : {}),
      },
      0,
    ],
  },
  bold: {
    parseDOM: [
      { tag: 'strong' },
      // Google Docs wraps everything that is copied in a `<b>` of normal weight.
      { tag: 'b', getAttrs: (dom) => dom.style.fontWeight !== 'normal' && null },
      { style: 'font-weight', getAttrs: (value) => /^(bold(er)?|[6-9]\d{2})$/.test(value) && null },
    ],
    toDOM: () => ['b', 0],
  },
  italic: {
    parseDOM: [{ tag: 'i' }, { tag: 'em' }, { style: 'font-style=italic' }],
    toDOM: () => ['i', 0],
  },
  strike: simpleMark('s', 'del', 'strike'),
  underline: simpleMark('u', 'ins'),
  highlight: simpleMark('mark'),
  sub: { ...simpleMark('sub'), excludes: 'sub sup' },
  sup: { ...simpleMark('sup'), excludes: 'sub sup' },
  element: {
    attrs: { tag: { default: 'span' }, open: { default: '' } },
    excludes: '',
    toDOM: ({ attrs }) => [
      /^(small|big|span|abbr|cite|dfn|kbd|var|samp|q|bdi|bdo|em|strong|code|tt)$/.test(attrs.tag)
        ? attrs.tag
        : 'span',
      0,
    ],
  },
  code: { ...simpleMark('code'), code: true },
};

export const schema = new Schema({ nodes, marks });

/** Highlighters name the language in a class. */
function languageOf({ className }: Element): string | undefined {
  return /(?:^|\s)lang(?:uage)?-([\w+#-]{1,20})(?:\s|$)/.exec(className)?.[1];
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Attributes of the link mark for an address: of this site it is a page. */
export function linkAttrs(href: string): { to: string; kind: 'page' | 'address' } {
  const own = URL.canParse(href, location.origin) ? new URL(href, location.origin) : undefined;
  if (own?.origin === location.origin && !own.pathname.startsWith('/files/'))
    return { to: decodeURI(own.pathname) + decodeURIComponent(own.hash), kind: 'page' };
  return { to: own?.href ?? href, kind: 'address' };
}

/** Titles are no addresses, but a path is; shown only as the destination in the browser's status line. */
function pageAddress(to: string): string {
  return to.startsWith('/') || to.startsWith('#') ? to : `/search?text=${encodeURIComponent(to)}`;
}
