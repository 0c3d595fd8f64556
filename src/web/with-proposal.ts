/** The site as it would be with a proposal: the bar that says so, and links that keep the parameter. */
import { isReserved, readPath } from '#core/model/path.ts';
import { type Html, html, trusted } from './html.ts';
import type { Visit } from './site.ts';

/** Lists that can be shown with a proposal, besides pages of the wiki. */
const lists = /^\/(?:search|tree|wanted)(?:\/|$)/;

/** Links to pages, and the search form, lead to the wiki with the proposal. */
export function keepingProposal({ proposal }: Visit, part: Html): Html {
  if (!proposal) return part;
  const { id } = proposal;
  // Attributes contain no “<” and no “>”, because they are escaped.
  const linked = part.text.replace(
    /(<a [^<>]*?href|<details [^<>]*?data-tree-src)="(\/(?!\/)[^"#]*)([^"]*)"/g,
    (all, start: string, address: string, fragment: string) =>
      isShown(address)
        ? `${start}="${address}${address.includes('?') ? '&amp;' : '?'}proposal=${id}${fragment}"`
        : all,
  );
  const searched = linked.replace(
    /<form [^<>]*?action="\/(?:search|tree)[^<>]*>/g,
    (form) => `${form}<input type="hidden" name="proposal" value="${id}">`,
  );
  return trusted(searched);
}

function isShown(address: string): boolean {
  const [path = ''] = address.split('?', 1);
  if (path === '/' || lists.test(path)) return !address.startsWith('/search/');
  // Older versions stay as they are.
  if (/[?&;]version=/.test(address)) return false;
  const read = readPath(path.slice(1));
  return 'path' in read && !isReserved(read.path);
}

export function proposalBar({ proposal, url }: Visit): Html | undefined {
  if (!proposal) return undefined;
  return html`<div class="banner proposal-bar" role="note"><p>This is the wiki as it would be with the proposal <a href="/proposals/${proposal.id}" dir="auto">${proposal.title}</a>. Nothing of it is merged yet. <a href="${url}">Show the wiki without it</a></p></div>`;
}
