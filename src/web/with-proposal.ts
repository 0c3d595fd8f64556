/** The site as it would be with a proposal: the bar that says so, and links that keep the parameter. */
import { isReserved, readPath } from '#core/model/path.ts';
import { say } from '#words/say.ts';
import { type Html, html, trustedIn } from './html.ts';
import type { Visit } from './site.ts';

/** Lists that can be shown with a proposal, besides pages of the wiki. */
const lists = /^\/(?:search|tree|wanted)(?:\/|$)/;

/** Links to pages, and the search form, lead to the wiki with the proposal. */
export function keepingProposal({ proposal }: Visit, part: Html): Html {
  if (!proposal) return part;
  const { id } = proposal;
  return trustedIn((language) => linkedWith(id, part.in(language)));
}

function linkedWith(id: number, markup: string): string {
  // Attributes contain no “<” and no “>”, because they are escaped.
  const linked = markup.replace(
    /(<a [^<>]*?href|<details [^<>]*?data-tree-src)="(\/(?!\/)[^"#]*)([^"]*)"/g,
    (all, start: string, address: string, fragment: string) =>
      isShown(address)
        ? `${start}="${address}${address.includes('?') ? '&amp;' : '?'}proposal=${id}${fragment}"`
        : all,
  );
  return linked.replace(
    /<form [^<>]*?action="\/(?:search|tree)[^<>]*>/g,
    (form) => `${form}<input type="hidden" name="proposal" value="${id}">`,
  );
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
  return html`<div class="banner proposal-bar" role="note"><p>${say('proposals.shownWith', {
    title: html`<a href="/proposals/${proposal.id}" dir="auto">${proposal.title}</a>`,
  })} <a href="${url}">${say('proposals.showWithoutIt')}</a></p></div>`;
}
