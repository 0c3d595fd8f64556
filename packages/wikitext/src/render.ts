/** Tree + what its references resolve to → HTML. First version. */
import { escapeHtml, newPageHref, pathHref } from './html.ts';
import { parse } from './parse.ts';
import type { Rendered, Resolved, Tree } from './tree.ts';

export function render(tree: Tree, resolved: Resolved): Rendered {
  let html = '';
  let text = '';
  for (const node of tree.children) {
    if (node.type === 'text') {
      html += escapeHtml(node.value);
      text += node.value;
    } else if (node.type === 'link') {
      const label = node.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
      const page = resolved.pages.get(node.target);
      const fragment = node.fragment ? `#${encodeURIComponent(node.fragment)}` : '';
      html += page
        ? `<a href="${escapeHtml(pathHref(page.path) + fragment)}">${escapeHtml(label)}</a>`
        : `<a class="new" href="${escapeHtml(newPageHref(node.target, node.isPath))}">${escapeHtml(label)}</a>`;
      text += label;
    }
  }
  return { html: `<p>${html}</p>`, text, outline: [], notices: [] };
}

/** The text of a page without its markup, templates left out. */
export function plainText(source: string): string {
  const nothing = new Map<string, never>();
  return render(parse(source), { pages: nothing, files: nothing, page: { path: '/', title: '' } }).text;
}
