/** Search by text and all criteria, with facets by type and tag; and titles for completion. */
import type { FastifyInstance } from 'fastify';
import { hasCriteria } from '#core/model/criteria.ts';
import type { PageOutline, WholePage } from '#core/model/page.ts';
import { Problem } from '#core/model/problem.ts';
import type { Carry } from '#core/operations/carry-out.ts';
import type { Operation } from '#core/operations/operation.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import type { Reader } from '#core/ports/reader.ts';
import { excerptOf, markMatches, type Speech, speechOf } from '#core/search/excerpt.ts';
import type { Facets } from '#core/search/find-facets.ts';
import {
  facetCount,
  pageSearch,
  templateDescription,
  titleCompletion,
  wordCompletion,
} from '#core/search/operations.ts';
import { type FoundInFile, searchFiles } from '#core/search/search-files.ts';
import type { SearchInput } from '#core/search/search-pages.ts';
import { say } from '#words/say.ts';
import { highlighted, pageUrl, paging, readOffset, urlOfVisit } from '../components.ts';
import { choices, errorSummary, field, selectField } from '../form-fields.ts';
import { plainNumber, timeAgo } from '../format.ts';
import { type Html, html, type Words } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor, reads } from '../operation-pages.ts';
import type { Site } from '../site.ts';

const shown = 20;
const completions = 10;
const shownFiles = 5;

const orders: [value: string, words: Words][] = [
  ['relevance', say('search.bestMatch')],
  ['alphabetical', say('search.titleAToZ')],
  ['reverse alphabetical', say('search.titleZToA')],
  ['most recent update', say('search.changedLast')],
  ['oldest update', say('search.longestUnchanged')],
  ['last created', say('search.newest')],
  ['first created', say('search.oldest')],
];

const logics: [value: string, words: Words][] = [
  ['and', say('search.allOfThese')],
  ['or', say('search.anyOfThese')],
];

/** Criteria in single-line text fields. */
const criteria = [
  { name: 'title', label: say('search.inTheTitle'), example: 'rose' },
  { name: 'type', label: say('search.ofTheType'), example: say('common.place') },
  { name: 'ancestor', label: say('search.belowThePage'), example: '/garden' },
  { name: 'path', label: say('search.addressBeginsWith'), example: '/garden/r' },
] as const satisfies { name: keyof SearchInput; label: Words; example: Words }[];

export function searchRoutes(server: FastifyInstance, site: Site): void {
  const operations = [pageSearch, facetCount];
  server.get(
    '/search',
    { config: { operations, strangersMs: 20, showsProposals: true } },
    async (request, reply) => {
      const { visit } = request;
      const url = urlOfVisit(visit);
      const query = url.searchParams;
      const text = query.get('text') ?? '';
      const input = inputOf(query, readOffset(url));
      const carry = carryFor(site, request);
      let found: SearchResults = { pages: [], total: 0 };
      let facets: Facets = { types: [], tags: [], isWhole: true };
      let files: FoundInFile[] = [];
      let refused: string | undefined;
      try {
        [found, facets, files] = await Promise.all([
          findResults(carry, request.reader, input),
          carry(facetCount, { criteria: input }),
          isForWordsAlone(input) ? searchFiles(request.reader, text, shownFiles) : [],
        ]);
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'invalid')) throw error;
        refused = error.message;
      }
      const isAsked = hasCriteria(input);
      if (!refused && found.total === 0) site.service.tally.searchedInVain(text);
      const hasPlaces = found.pages.some(({ location }) => location !== null);
      const beside = facetLists(url, facets);
      const named = soleCriterion(input);
      const marked = [text, found.meant ?? ''].join(' ');
      const title = named
        ? say('search.kindAndValue', { kind: named.kind, value: named.value })
        : text.trim() === ''
          ? say('search.search')
          : say('search.searchTitle', { text });
      const main = html`<div class="search-page${!beside.isEmpty && ' has-facets'}">
<div class="search-main">
${named && html`<p class="above"><a href="/search">${say('search.search')}</a></p>`}
<h1>${
        named
          ? html`<span class="kind" dir="auto">${named.kind}</span> <span dir="auto">${named.value}</span>`
          : text.trim() === ''
            ? say('search.search')
            : html`${say('search.searchText', { text: html`<span dir="auto">${text}</span>` })}`
      }</h1>
${errorSummary(refused)}
${!named && form(query, input)}
${isAsked && !refused && html`<p class="result-count" role="status">${found.total === 0 ? say('search.nothingWasFound') : say('count.pages', { count: found.total })}</p>`}
${found.meant !== undefined && didYouMean(url, found.meant)}
${isAsked && found.total + files.length === 0 && !refused && nothing(text, visit.actor !== null)}
${hasPlaces && html`<div class="search-map" data-map="results"></div>`}
<ol class="results">${found.pages.map((page) => result(page, marked, speechOf(request.reader, page.language), visit.now))}</ol>
${paging(url, { limit: shown, offset: input.offset }, found.total)}
${files.length > 0 && inFiles(files)}
${named && form(query, input)}
</div>
${beside}
</div>`;
      return sendLayout(site, reply, {
        title,
        kind: 'search',
        main,
        scripts: hasPlaces ? ['page', 'map'] : ['page'],
      });
    },
  );

  /** For search boxes: `{pages: [{title, path, url, type}]}` for `?text=`, best first. */
  answer('/search/titles', titleCompletion, async (carry, query) => {
    const pages = await carry(titleCompletion, { text: query.get('text') ?? '', limit: completions });
    return {
      pages: pages.map(({ id, title, path, type }) => ({ id, title, path, url: pageUrl(path), type })),
    };
  });

  /** For the editor: `{words}` with the beginning `?text=`: tag names, `season:su` for values, or `type:pl` for types. */
  answer('/search/words', wordCompletion, async (carry, query) => ({
    words: await carry(wordCompletion, { text: query.get('text') ?? '', limit: completions }),
  }));

  /**
   * For the editor: `{parameters: [{name, isRequired, default}]}` of the template at `?path=`. With `values=on` and for members,
   * who write calls of it, also `values` in use: `[{value, count}]`.
   */
  answer('/search/parameters', templateDescription, async (carry, query) => ({
    parameters: await carry(templateDescription, {
      path: query.get('path') ?? '',
      values: query.get('values') === 'on',
    }),
  }));

  server.get('/search/description.xml', async (request, reply) =>
    reply
      .type('application/opensearchdescription+xml; charset=utf-8')
      .send(
        html`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>${site.settings.name.slice(0, 16)}</ShortName><Description>${say(
          'search.searchWiki',
          { wiki: site.settings.name },
        )}</Description><InputEncoding>UTF-8</InputEncoding><Url type="text/html" template="${request.visit.origin}/search?text={searchTerms}"/></OpenSearchDescription>`.in(
          request.visit.language,
        ),
      ),
  );

  function answer(
    address: string,
    operation: Operation,
    find: (carry: Carry, query: URLSearchParams) => Promise<object>,
  ): void {
    server.get(address, reads(operation), async (request, reply) => {
      const found = await find(carryFor(site, request), urlOfVisit(request.visit).searchParams);
      return reply.header('cache-control', 'private, no-cache').send(found);
    });
  }
}

type Result = PageOutline & { content?: WholePage['content'] };
type SearchResults = { pages: Result[]; total: number; meant?: string };

/** Files are shown once, below the first pages. */
function isForWordsAlone({ text, offset, ...others }: SearchInput): boolean {
  const { order: _, limit: __, ...narrowing } = others;
  return text !== undefined && !offset && !hasCriteria(narrowing);
}

function inFiles(files: readonly FoundInFile[]): Html {
  return html`<section class="found-files"><h2>${say('search.inFiles')}</h2><ol class="results">${files.map(
    ({ file, page, number, excerpt }) =>
      html`<li class="result"><h3><a href="${fileUrl(file.name)}${file.mime === 'application/pdf' && `#page=${number}`}" dir="auto">${file.filename}</a></h3>
<p class="result-text" dir="auto">${highlighted(excerpt)}</p>
<p class="quiet">${say('search.pieceOfAFile', { number: String(number) })} · <a href="${pageUrl(page.path)}" dir="auto">${page.title}</a></p></li>`,
  )}</ol></section>`;
}

function didYouMean(url: URL, meant: string): Html {
  const query = new URLSearchParams(url.searchParams);
  query.delete('offset');
  query.set('text', meant);
  return html`<p class="did-you-mean">${say('search.didYouMeanMeant', { meant: html`<a href="/search?${query.toString()}" dir="auto">${meant}</a>` })}</p>`;
}

/** Loads the contents of matches if excerpts are shown and they are not too long. */
async function findResults(carry: Carry, reader: Reader, input: SearchInput): Promise<SearchResults> {
  const { ids, next: _, ...found } = await carry(pageSearch, { criteria: input });
  const outlined = async () => ({ pages: await reader.pages.outlines(ids), ...found });
  if (input.text === undefined) return outlined();
  try {
    return { pages: await reader.pages.load(ids, 'none'), ...found };
  } catch (error) {
    if (error instanceof Problem && error.code === 'too-long') return outlined();
    throw error;
  }
}

function inputOf(query: URLSearchParams, offset: number): SearchInput {
  const one = (name: string) => query.get(name)?.trim() || undefined;
  const text = one('text');
  const order = one('order') ?? (text === undefined ? 'alphabetical' : 'relevance');
  return {
    ...Object.fromEntries(criteria.map(({ name }) => [name, one(name)])),
    text,
    order,
    tags: query.getAll('tag').flatMap((tag) => tag.trim() || []),
    logic: one('logic'),
    limit: shown,
    offset,
  };
}

/** The type or tag whose pages are listed, if it is the only criterion: links of pages lead here. */
function soleCriterion(input: SearchInput): { kind: Words; value: string } | undefined {
  const { type, tags = [], text, title, ancestor, path, logic } = input;
  if ([text, title, ancestor, path, logic].some((criterion) => criterion !== undefined)) return undefined;
  if (type !== undefined) return tags.length === 0 ? { kind: say('common.type'), value: type } : undefined;
  const [tag, another] = tags;
  if (tag === undefined || another !== undefined) return undefined;
  const [, key = '', value = ''] = /^([^:]+):(.+)$/s.exec(tag) ?? [];
  return key === '' ? { kind: say('search.tag'), value: tag } : { kind: key, value };
}

function form(query: URLSearchParams, input: SearchInput): Html {
  const { text: _, logic, ...narrowing } = input;
  const isNarrowed = (hasCriteria(narrowing) || logic !== undefined) && !soleCriterion(input);
  return html`<form class="search-form" action="/search" role="search" aria-label="${say('search.advancedSearch')}" data-complete="/search/titles">
<div class="search-line">
<label class="unseen" for="search-text">${say('search.searchWords')}</label>
<input id="search-text" type="search" name="text" value="${query.get('text') ?? ''}" placeholder="${say('search.wordsOrAPhrase')}" dir="auto" autocomplete="off">
<button type="submit" class="button">${say('search.search')}</button>
</div>
<details class="criteria"${isNarrowed && html` open`}><summary>${say('search.filter')}</summary>
<div class="fields">
${criteria.map(({ name, label, example }) =>
  field(name, label, html`value="${query.get(name) ?? ''}" placeholder="${example}" dir="auto"`, {
    id: `search-${name}`,
  }),
)}
${[...(input.tags ?? []), ''].map((tag, index) => field('tag', say('search.withTheTag'), html`value="${tag}" placeholder="season:summer" dir="auto"`, { id: `search-tag-${index}` }))}
${selectField('order', say('search.order'), choices(orders, input.order), { id: 'search-order' })}
${selectField('logic', say('search.pagesThatMatch'), choices(logics, input.logic), { id: 'search-logic' })}
</div></details>
</form>`;
}

function result(page: Result, text: string, speech: Speech, now: number): Html {
  const thumbnail = page.files.find((file) => file.thumbnail !== null)?.thumbnail;
  const excerpt = page.content && excerptOf(page.content.body, text, speech);
  const place = page.location;
  return html`<li class="result"${
    place &&
    html` data-place="${page.id}" data-lat="${place.lat}" data-lon="${place.lon}" data-title="${page.title}" data-type="${page.type ?? ''}" data-url="${pageUrl(page.path)}"`
  }>
${thumbnail && html`<img class="result-picture" src="${fileUrl(thumbnail)}" alt="" loading="lazy">`}
<h2><a href="${pageUrl(page.path)}" dir="auto">${highlighted(markMatches(page.title, text, speech))}</a></h2>
<p class="result-text" dir="auto">${excerpt && excerpt.length > 0 ? highlighted(excerpt) : page.description}</p>
<p class="quiet"><span dir="auto">${whereItLies(page)}</span>${page.type && html` · <bdi>${page.type}</bdi>`} · ${say('search.changed', { time: timeAgo(page.updatedAt, now) })}</p>
</li>`;
}

/** Only the nearest ancestors, because a page may be thirty levels deep. */
function whereItLies({ lineage, title }: PageOutline): string {
  const names = [...lineage.map((ancestor) => ancestor.title), title];
  return names.length > 4 ? `… › ${names.slice(-4).join(' › ')}` : names.join(' › ');
}

function nothing(text: string, isMember: boolean): Html {
  return html`<div class="empty"><p>${say('search.tryFewerOrOtherWordsEachWord')}</p>${
    isMember &&
    text.trim() !== '' &&
    html`<p><a class="button" href="/new?title=${encodeURIComponent(text.trim())}">${say('search.writeTrim', { trim: text.trim() })}</a></p>`
  }</div>`;
}

/** Counts are shown only if all matches were counted. */
function facetLists(url: URL, { types, tags, isWhole }: Facets): Html {
  if (types.length === 0 && tags.length === 0) return html``;
  const entry = (name: 'type' | 'tag', value: string, words: Words, number: number) => {
    const isOn = url.searchParams.getAll(name).includes(value);
    const query = new URLSearchParams(url.searchParams);
    query.delete('offset');
    if (isOn) query.delete(name, value);
    else if (name === 'type') query.set(name, value);
    else query.append(name, value);
    return html`<li><a href="/search?${query.toString()}"${isOn && html` aria-current="true"`}><span dir="auto">${words}</span>${
      isWhole && html` <span class="count">${plainNumber(number)}</span>`
    }</a></li>`;
  };
  const byKey = Map.groupBy(tags, ({ key }) => key);
  return html`<aside class="facets" aria-label="${say('search.filterTheResults')}">
${types.length > 0 && html`<section><h2>${say('common.type')}</h2><ul>${types.map(({ type, count }) => entry('type', type, type, count))}</ul></section>`}
${[...byKey].map(([key, values]) => html`<section><h2 dir="auto">${key}</h2><ul>${values.map(({ value, count }) => entry('tag', `${key}:${value}`, value, count))}</ul></section>`)}
</aside>`;
}
