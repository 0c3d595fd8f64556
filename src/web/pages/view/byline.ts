/** The line below the title of a page: its last change, who may read it, and its comments. */
import type { WholePage } from '#core/model/page.ts';
import type { PageView } from '#core/pages/page-view.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { joined } from '../../components.ts';
import { timeAgo } from '../../format.ts';
import { type Html, html, type Words } from '../../html.ts';
import type { Visit } from '../../site.ts';

interface Facts {
  isOld: boolean;
  isFront: boolean;
  access: Words | false;
  /** Number of open threads; undefined if comments are not shown here. */
  openComments: number | undefined;
}

export function byline(
  visit: Visit,
  { page }: PageView,
  { isOld, isFront, access, openComments }: Facts,
): Html | undefined {
  const changed = isOld
    ? say('byline.changed', { time: timeAgo(page.updatedAt, visit.now) })
    : say('byline.changedBy', {
        time: timeAgo(page.updatedAt, visit.now),
        name: html`<span dir="auto">${page.history.at(-1)?.editor.name ?? page.owner.name}</span>`,
      });
  const comments = openComments !== undefined && commentsLink(visit, page, openComments);
  const parts = [!isFront && changed, access, comments].filter((part) => part !== false);
  return parts.length === 0 ? undefined : html`<p class="byline">${joined(parts, ' · ')}</p>`;
}

/** Members see it also where nobody has commented yet. Scripts open the comments beside the text. */
function commentsLink({ actor, strangers }: Visit, { path, content }: WholePage, open: number): Html | false {
  const isOff =
    actor === null ? strangers === 'off' || content.comments !== undefined : content.comments === 'off';
  if (isOff && open === 0) return false;
  const mode = isOff ? 'read' : actor === null ? 'stranger' : 'write';
  return html`<a href="${urlOf('/comments', path)}" data-comments="${mode}">${open === 0 ? say('byline.comment') : say('count.comments', { count: open })}</a>`;
}
