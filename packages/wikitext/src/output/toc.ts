/** The table of contents: where `__TOC__` stands, or before the first heading once there are four. */
import type { Extension } from '../extensions/extension.ts';
import { escapeHtml, escapeText } from '../html.ts';
import type { Tree } from '../parsed-page.ts';
import type { Section } from '../tree.ts';

/** The contents that `__TOC__` asks for. */
export const toc: Extension = {
  name: 'toc',
  isBlock: true,
  render: ({ outline }) => (outline.length > 0 ? contentsHtml(outline) : ''),
};

/** Whether the page shows contents, and whether it says itself where. */
export function hasContents(tree: Tree): 'none' | 'placed' | 'before first heading' {
  const { switches, headings } = tree;
  if (headings.length === 0) return 'none';
  if (switches.includes('toc')) return 'placed';
  if (switches.includes('forcetoc')) return 'before first heading';
  return switches.includes('notoc') || headings.length < 4 ? 'none' : 'before first heading';
}

export function contentsHtml(sections: readonly Section[]): string {
  let html = '<nav class="toc" aria-label="Contents"><h2>Contents</h2>\n';
  const open: number[] = [];
  for (const section of sections) {
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
      // A level between two known ones takes the inner one's place.
      open[open.length - 1] = Math.min(open[open.length - 1] ?? 0, section.level);
    }
    html += `<li><a href="#${escapeHtml(section.id)}">${escapeText(section.title)}</a>`;
  }
  for (let level = open.length; level > 0; level--) html += '</li>\n</ul>\n';
  return `${html}</nav>`;
}
