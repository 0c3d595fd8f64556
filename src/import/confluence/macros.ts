/**
 * Macros of Confluence, by name, as Markdown. A macro that shows text keeps it; one that refers to something (an issue, a file,
 * a page, an address) becomes a reference to it; one that only lists what Confluence knows at the moment shows nothing here and
 * is named in the account of the import.
 */

import type { Element, ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';

export interface Macro {
  name: string;
  /** Parameter in words; empty if there is none. The name of the unnamed one is empty. */
  parameter(key: string): string;
  /** Converted content; undefined if the macro has no body of text. */
  inside: ElementContent[] | undefined;
  /** Body as it stands, of programs and the like. */
  plain: string;
  /** Names of files, targets of links to pages and addresses in its parameters. */
  files: string[];
  pages: string[];
  addresses: string[];
  /** Pictures attached to the page. */
  pictures: readonly string[];
}

type Written = ElementContent[];

interface Kind {
  write(macro: Macro): Written;
  /** Whether the reader of the account should know. */
  isApproximate?: boolean;
}

/** Returns undefined for an unknown macro. */
export function kindOf(name: string): Kind | undefined {
  return kinds.get(name);
}

const kinds = kindsByName();

function kindsByName(): ReadonlyMap<string, Kind> {
  const found = new Map<string, Kind>();
  const add = (names: string, write: Kind['write'], isApproximate = false) => {
    for (const name of names.trim().split(/\s+/)) found.set(name, { write, isApproximate });
  };

  const boxes = {
    info: 'info',
    note: 'warning',
    tip: 'tip',
    warning: 'danger',
    panel: 'note',
    success: 'tip',
  };
  for (const [name, box] of Object.entries({
    ...boxes,
    error: 'danger',
    'ui-infobox': 'info',
    decision: 'note',
  }))
    add(name, (macro) => {
      const title = macro.parameter('title').replace(/\s+/g, ' ');
      return [
        element('blockquote', [
          element('p', [raw(`[!${box}]${title ? ` ${escaped(title)}` : ''}`)]),
          ...(macro.inside ?? paragraphs(macro.plain)),
        ]),
      ];
    });

  /** Programs, with their titles above. */
  add('code noformat code-block codeblock newcode snippet paste-code-macro', programOf);
  for (const language of [
    'plantuml',
    'mermaid',
    'graphviz',
    'sql',
    'json',
    'xml',
    'yaml',
    'openapi',
    'swagger',
  ])
    add(language, (macro) => programOf(macro, language));
  add('mermaid-macro mermaid-cloud', (macro) => programOf(macro, 'mermaid'));
  add('plantumlrender flowchart sequence wireframe', (macro) => programOf(macro, 'plantuml'), true);

  add('markdown markdown-from-attachment markdown-macro', ({ plain }) => [
    element('div', [{ ...raw(plain.trim()), properties: { value: plain.trim() } }]),
  ]);
  add(
    'html html-wrap-macro',
    ({ plain }) => {
      const parsed = fromHtml(plain, { fragment: true });
      return parsed.children as ElementContent[];
    },
    true,
  );
  add(
    'latex latex-formatting mathblock math-block mathjax-block-macro easy-math-block',
    ({ plain, parameter }) => formulaOf(plain || parameter('body') || parameter('equation'), true),
  );
  add(
    `
      mathinline math-inline mathjax-inline-macro easy-math-inline latex-inline eazy-math-inline`,
    ({ plain, parameter }) => formulaOf(plain || parameter('body') || parameter('equation'), false),
  );

  /** Layout: the content stays. */
  add(
    `
      section column div span excerpt details html-wrap center align style bgcolor color highlight
      float composition-setup deck cards table-filter table-chart table-plus table-excerpt
      table-joiner table-transformer pivot-table tablesorter sortable-table toc-zone tabs-group
      ui-tabs ui-steps ui-text-box horizontal-nav-group local-tab-group multiexcerpt
      multiexcerpt-macro page-properties properties numberedheadings hideelements show-if hide-if
      fancy-bullets aura-panel aura-background auihorizontalnav auitabs cell row grid`,
    ({ inside, plain }) => inside ?? paragraphs(plain),
  );
  add('quote blockquote', ({ inside, plain }) => [element('blockquote', inside ?? paragraphs(plain))]);
  add('toc table-of-contents', () => [element('p', [raw('[TOC]')])]);
  add('children pagetree pagetree-children children-display subpages', () => [
    element('p', [raw('{{Children}}')]),
  ]);
  add(
    'contentbylabel content-by-label',
    (macro) => {
      const label = macro.parameter('labels') || macro.parameter('label') || labelIn(macro.parameter('cql'));
      return label === ''
        ? []
        : [element('p', [raw(`{{Tagged|${clean(label.split(/[,\s]/, 1)[0] ?? '')}}}`)])];
    },
    true,
  );
  add(
    'recently-updated recently-updated-dashboard activity-stream',
    () => [element('p', [raw('{{Recent}}')])],
    true,
  );

  /** Parts with a title that open, or stand behind one another. */
  add(
    `
      expand ui-expand details-summary-expand tab ui-tab local-tab horizontal-nav-item auitabspage
      aura-tab card ui-step accordion-item aura-accordion-item`,
    (macro) => {
      const title = ['title', 'name', 'label', ''].map(macro.parameter).find((value) => value !== '') ?? '';
      const shown = title || (macro.name === 'expand' ? 'More' : '');
      return [...(shown ? [strongLine(shown)] : []), ...(macro.inside ?? paragraphs(macro.plain))];
    },
  );

  add('anchor', (macro) => {
    const name = macro.parameter('').replace(/["<>&\s]/g, '-');
    return name === '' ? [] : [raw(`<span id="${name}"></span>`)];
  });
  add('status lozenge handy-status', (macro) => {
    const title = macro.parameter('title') || macro.parameter('text') || macro.parameter('Status');
    return title === '' ? [] : [element('strong', [text(title)])];
  });

  /** Issues of Jira: their keys or query, with the address if there is one. */
  add(
    'jira jiraissues jira-chart jirachart jira-issues',
    (macro) => {
      const [key, query] = [
        macro.parameter('key') || macro.parameter('issueKey') || keyIn(macro.addresses[0] ?? ''),
        macro.parameter('jqlQuery') || macro.parameter('jql'),
      ];
      const base = macro.parameter('baseurl') || macro.parameter('baseUrl') || macro.parameter('url');
      const address =
        macro.addresses[0] ??
        (key !== '' && /^https?:\/\//.test(base) ? `${base.replace(/\/$/, '')}/browse/${key}` : undefined);
      const label = key || (query ? `Jira: ${query}` : macro.parameter('server') || 'Jira');
      if (address !== undefined) return [link(address, label)];
      return [key !== '' ? text(label) : element('code', [text(label)])];
    },
    true,
  );

  /** Files shown by viewers become links to them. */
  add(
    `
      viewpdf viewdoc viewxls viewppt view-file viewfile office-viewer pdf multimedia video audio
      widget-file attachments-link csv excel spreadsheet table-from-csv balsamiq mockup lucidchart
      lucidchart-cloud gliffy-link pptx docx`,
    (macro) => {
      const files =
        macro.files.length > 0
          ? macro.files
          : [macro.parameter('name'), macro.parameter('file'), macro.parameter('attachment')]
              .filter((name) => name !== '')
              .slice(0, 1);
      if (files.length === 0) return linksOf(macro);
      return files.map((name) => element('p', [raw(`[[Media:${clean(name)}|${clean(name)}]]`)]));
    },
    true,
  );

  /** Drawings keep the picture that the program saved beside them. */
  add(
    'drawio inc-drawio drawio-sketch gliffy draw.io',
    (macro) => {
      const name =
        ['diagramName', 'name', 'diagramDisplayName', 'baseName']
          .map(macro.parameter)
          .find((value) => value !== '') ??
        macro.files[0] ??
        '';
      const picture = [`${name}.png`, `${name}.svg`, name].find((one) => macro.pictures.includes(one));
      if (picture) return [element('p', [raw(pictureOf(picture, name))])];
      return name === '' ? [] : [element('p', [raw(`[[Media:${clean(name)}|${clean(name)}]]`)])];
    },
    true,
  );

  add(
    'gallery slideshow carousel image-gallery',
    (macro) => {
      const names = (key: string) =>
        macro
          .parameter(key)
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '');
      const [wanted, left] = [names('include'), names('exclude')];
      const shown = macro.pictures.filter(
        (name) => (wanted.length === 0 || wanted.includes(name)) && !left.includes(name),
      );
      return shown.map((name) => element('p', [raw(pictureOf(name, ''))]));
    },
    true,
  );

  /** Addresses shown in the page become links. */
  add(
    `
      widget iframe html-include rss google-calendar google-drive google-drive-docs google-maps
      youtube vimeo twitter trello figma miro loom office365 sharepoint calendar team-calendar
      button ui-button button-hyperlink link-window url-shortener web-bookmark`,
    linksOf,
    true,
  );

  /** Other pages within this one. */
  add('include includeplus include-page multiexcerpt-include multiexcerpt-include-macro', (macro) =>
    macro.pages.map((title) => element('p', [raw(`![[${title}]]`)])),
  );
  add(
    'excerpt-include excerpt-includeplus excerptinclude',
    (macro) => macro.pages.map((title) => element('p', [raw(`[[${title}]]`)])),
    true,
  );
  add('redirect alias', (macro) => linksOf(macro), true);

  /** Lists that Confluence makes at the moment, of people, pages and forms. */
  add(
    `
      attachments space-attachments labels popular-labels related-labels labels-list
      recently-used-labels listlabels blog-posts blogs livesearch search search-results
      pagetreesearch page-tree-search contributors contributors-summary profile profile-picture
      userlister user-list network change-history roadmap chart tasks-report-macro task-report
      detailssummary page-properties-report content-report-table create-from-template
      create-space-button space-list spaces spaces-list space-details space-index index favpages
      favourite-pages global-reports im cheese loremipsum junitreport status-list page-index
      recent-posts page-views space-activity gadget metadata-list metadata metadata-report`,
    ({ inside }) => inside ?? [],
    true,
  );

  return found;
}

function programOf(macro: Macro, fixed = ''): Written {
  const language = (fixed || macro.parameter('language')).replace(/[^\w+#-]/g, '');
  const title = macro.parameter('title');
  const program = {
    ...element('code', [text(`${macro.plain}\n`)]),
    properties: language ? { className: [`language-${language}`] } : {},
  };
  return [...(title ? [strongLine(title)] : []), element('pre', [program])];
}

function formulaOf(tex: string, isDisplay: boolean): Written {
  const bare = tex.trim().replace(/^(\$\$?|\\[[(])([\s\S]*?)(\$\$?|\\[\])])$/, '$2');
  if (bare === '') return [];
  const node = element('x-formula', [text(bare)]);
  if (isDisplay) node.properties = { display: 'block' };
  return isDisplay ? [element('p', [node])] : [node];
}

function labelIn(cql: string): string {
  return /label\s*(?:=|in)\s*\(?\s*"?([^")\s,]+)/i.exec(cql)?.[1] ?? '';
}

function keyIn(address: string): string {
  return /\/browse\/([A-Z][A-Z0-9_]*-\d+)/.exec(address)?.[1] ?? '';
}

function linksOf(macro: Macro): Written {
  const label = macro.parameter('title') || macro.parameter('label') || macro.parameter('text');
  const written = ['url', 'src', 'link', 'href']
    .map(macro.parameter)
    .find((value) => /^https?:\/\//i.test(value));
  const addresses = macro.addresses.length > 0 ? macro.addresses : written ? [written] : [];
  const pages = macro.pages.map((title) => raw(`[[${title}${label ? `|${clean(label)}` : ''}]]`));
  return [...addresses.map((address) => link(address, label || address)), ...pages];
}

export function raw(value: string): Element {
  return element('x-raw', [text(value)]);
}

export function element(tagName: string, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: {}, children };
}

export function text(value: string): ElementContent {
  return { type: 'text', value };
}

/** A name within a link of the wiki. */
export function clean(name: string): string {
  return name.replace(/[[\]|\n]/g, ' ').trim();
}

/** Target of a link to a page. `space`: key, empty for the space of the page that links. */
export function targetOf(title: string, space = ''): string {
  const bare = clean(title.replaceAll('#', ' ')).replace(/\s+/g, ' ');
  return space === '' ? bare : `${clean(space)}:${bare}`;
}

const emoticons: Readonly<Record<string, string>> = {
  smile: '🙂',
  sad: '🙁',
  cheeky: '😛',
  laugh: '😀',
  wink: '😉',
  'thumbs-up': '👍',
  'thumbs-down': '👎',
  information: 'ℹ️',
  tick: '✅',
  cross: '❌',
  warning: '⚠️',
  plus: '➕',
  minus: '➖',
  question: '❓',
  'light-on': '💡',
  'light-off': '💡',
  'yellow-star': '⭐',
  'red-star': '⭐',
  'green-star': '⭐',
  'blue-star': '⭐',
  heart: '❤️',
  'broken-heart': '💔',
};

/** The sign of an emoticon that has no emoji of its own, or its name. */
export function emoticonOf(name: string): string {
  return emoticons[name] ?? `(${name})`;
}

export function pictureOf(name: string, alt: string, width = ''): string {
  const words = alt.replace(/[[\]|\n]/g, ' ').trim();
  return `![${words}${width ? `|${width}` : ''}](<${name.replace(/[<>\n]/g, '')}>)`;
}

function link(href: string, label: string): Element {
  return { ...element('a', [text(label)]), properties: { href } };
}

function strongLine(title: string): Element {
  return element('p', [element('strong', [text(title.replace(/\s+/g, ' '))])]);
}

/** A title in Markdown, with its marks escaped. */
function escaped(title: string): string {
  return title.replace(/[\\`*_[\]<{$]/g, '\\$&');
}

function paragraphs(plain: string): Written {
  return plain
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => element('p', [text(part.trim())]));
}
