/** The table of contents, at `__TOC__` or before the first heading of a page with at least four headings. */
import type { Extension } from '../extensions/extension.ts';
import { escapeHtml, escapeText } from '../html.ts';
import type { Tree } from '../parsed-page.ts';
import type { Section } from '../tree.ts';

/** The table of contents at `__TOC__`. */
export const toc: Extension = {
  name: 'toc',
  isBlock: true,
  render: ({ outline }) => (outline.length > 0 ? contentsHtml(outline) : ''),
};

/** Whether the page shows a table of contents, and whether `__TOC__` places it. */
export function hasContents(tree: Tree): 'none' | 'placed' | 'before first heading' {
  const { switches, headings } = tree;
  if (headings.length === 0) return 'none';
  if (switches.includes('toc')) return 'placed';
  if (switches.includes('forcetoc')) return 'before first heading';
  return switches.includes('notoc') || headings.length < 4 ? 'none' : 'before first heading';
}

/** A longer list would be of no help, and as long as the page. */
const maxLength = 1_000_000;

/** Returns the table of contents as nested lists. Sections past a maximum length are left out. */
export function contentsHtml(sections: readonly Section[]): string {
  let html = '<nav class="toc" aria-label="Contents"><h2>Contents</h2>\n';
  const open: number[] = [];
  for (const section of sections) {
    if (html.length > maxLength) break;
    if (open.length === 0) {
      html += '<ul>\n';
      open.push(section.level);
    } else if (section.level > (open[open.length - 1] ?? 0)) {
      html += '\n<ul>\n';
      open.push(section.level);
    } else {
      html += '</li>\n';
      while (open.length > 1 && section.level <= (open[open.length - 2] ?? 0)) {
        html += '</ul>\n</li>\n';
        open.pop();
      }
      // A level between two open ones replaces the inner one.
      open[open.length - 1] = Math.min(open[open.length - 1] ?? 0, section.level);
    }
    html += `<li><a href="#${escapeHtml(section.id)}">${escapeText(section.title)}</a>`;
  }
  for (let level = open.length; level > 0; level--) html += '</li>\n</ul>\n';
  return `${html}</nav>`;
}
