/** Reports for administrators on one page. */
import { pageLink } from '#web/components.ts';
import { plainNumber, timeAgo } from '#web/format.ts';
import { type Html, type HtmlValue, html, type Words } from '#web/html.ts';
import type { OperationPage } from '#web/operation-pages.ts';
import { say } from '#words/say.ts';
import { mostListed, readReports } from './operations.ts';

const url = '/settings/reports';

export const web: readonly OperationPage[] = [
  {
    url,
    reads: [readReports],
    async show({ carry, visit }) {
      const after = new URL(visit.url, 'http://here.invalid').searchParams.get('after') ?? '';
      const found = await carry(readReports, /^\d{1,15}$/.test(after) ? { after: Number(after) } : {});
      const { review, orphans, deadLinks, mostRead, searches } = found;
      const sections: [id: string, title: Words, body: HtmlValue, count?: HtmlValue][] = [
        [
          'review',
          say('reports.toBeReviewed'),
          review.length === 0
            ? html`<p class="empty">${say('reports.nothingIsDue')}</p>`
            : html`<p>${say('reports.pagesAreDue', { count: found.reviewTotal })}</p>${rows(review.map((page) => [pageLink(page)]))}`,
          counted(found.reviewTotal),
        ],
        [
          'orphans',
          say('reports.withoutLinks'),
          html`<p class="quiet">${say('reports.readersFindTheseOnly')}</p>
${orphans.length === 0 ? html`<p class="empty">${say('reports.allPagesAreLinked')}</p>` : rows(orphans.map((page) => [pageLink(page)]))}
${found.nextOrphans !== null && html`<p><a href="${url}?after=${found.nextOrphans}#orphans">${say('reports.goOn')}</a></p>`}`,
          // Only the first part of a list says how long it is.
          after === '' && counted(orphans.length, found.nextOrphans !== null),
        ],
        [
          'links',
          say('reports.deadLinks'),
          html`${!found.checksLinks && off(say('reports.linksAreNotChecked', { link: toSettings }))}
${
  deadLinks.length === 0
    ? found.checksLinks && html`<p class="empty">${say('reports.noDeadLinks')}</p>`
    : rows(
        deadLinks.map(({ page, url, problem, since }) => [
          html`<a href="${url}" rel="nofollow noreferrer" dir="ltr">${url}</a>`,
          html`${say('reports.onPage', { page: pageLink(page) })} · ${problemWords(problem)} · ${say('reports.since', { time: timeAgo(since, visit.now) })}`,
        ]),
      )
}`,
          counted(deadLinks.length, deadLinks.length >= mostListed),
        ],
        [
          'reads',
          say('reports.mostRead'),
          html`${!found.counts && off(say('reports.nothingIsCounted', { link: toSettings }))}
${
  mostRead.length === 0
    ? found.counts && html`<p class="empty">${say('reports.nothingCountedYet')}</p>`
    : rows(
        mostRead.map(({ page, reads }) => [pageLink(page), html`${say('reports.times', { count: reads })}`]),
      )
}`,
        ],
        [
          'searches',
          say('reports.searchesInVain'),
          html`${!found.counts && off(say('reports.nothingIsCounted', { link: toSettings }))}
${
  searches.length === 0
    ? found.counts && html`<p class="empty">${say('reports.noSearchesInVain')}</p>`
    : rows(
        searches.map(({ words, times, lastAt }) => [
          html`<a href="/search?text=${encodeURIComponent(words)}" dir="auto">${words}</a>`,
          html`${say('reports.times', { count: times })} · ${timeAgo(lastAt, visit.now)}`,
        ]),
      )
}`,
          counted(searches.length, searches.length >= mostListed),
        ],
      ];
      const main = html`<div class="plain">
<p class="above"><a href="/members">${say('layout.members')}</a> · <a href="/settings">${say('layout.settings')}</a></p>
<h1>${say('reports.reports')}</h1>
<nav class="sections" aria-label="${say('settings.sections')}">${sections.map(([id, title, , count]) => html`<a href="#${id}">${title} ${count}</a> `)}</nav>
${sections.map(([id, title, body, count]) => html`<section id="${id}"><h2>${title} ${count}</h2>${body}</section>`)}
</div>`;
      return { title: say('reports.reports'), kind: 'members', main };
    },
  },
];

const toSettings = (words: HtmlValue) => html`<a href="/settings#reports">${words}</a>`;

function off(words: HtmlValue): Html {
  return html`<p class="quiet">${words}</p>`;
}

/** `isMore`: whether there are more than those. */
function counted(count: number, isMore = false): HtmlValue {
  return count > 0 && html`<span class="count">${plainNumber(count)}${isMore && '+'}</span>`;
}

function rows(cells: HtmlValue[][]): Html {
  return html`<ul class="rows-list">${cells.map(([what, more]) => html`<li>${what}${more !== undefined && html` <span class="quiet">${more}</span>`}</li>`)}</ul>`;
}

/** The answer of the other server in words; other reasons as they were recorded. */
function problemWords(problem: string): Words {
  const status = /^Status (\d{3})$/.exec(problem)?.[1];
  return status === undefined ? problem : say('reports.status', { status });
}
