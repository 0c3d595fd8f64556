/** Search by text and every criterion, with counts by type and tag to narrow it; titles for completion. */
import type { FastifyInstance } from 'fastify';
import { templateParameters } from '#domain/content/template-parameters.ts';
import type { PageOutline, WholePage } from '#domain/pages/page.ts';
import { fileUrl } from '#domain/ports/file-store.ts';
import { Problem } from '#domain/problem.ts';
import type { Reader } from '#domain/reader.ts';
import { completeTitles } from '#domain/search/complete-titles.ts';
import { completeWords } from '#domain/search/complete-words.ts';
import { hasCriteria } from '#domain/search/criteria.ts';
import { excerptOf, markMatches } from '#domain/search/excerpt.ts';
import { type Facets, findFacets } from '#domain/search/find-facets.ts';
import { type SearchInput, searchOutlines, searchPages } from '#domain/search/search-pages.ts';
import { errorSummary, highlighted, pageUrl, paging, readOffset } from '../components.ts';
import { count, plainNumber, timeAgo } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const shown = 20;
const completions = 10;

const orders: [value: string, words: string][] = [
  ['relevance', 'Best match'],
  ['alphabetical', 'Title, A to Z'],
  ['reverse alphabetical', 'Title, Z to A'],
  ['most recent update', 'Changed last'],
  ['oldest update', 'Not changed for longest'],
  ['last created', 'Newest'],
  ['first created', 'Oldest'],
];

/** Criteria that are one line of text each. */
const criteria = [
  { name: 'title', label: 'In the title', example: 'rose' },
  { name: 'type', label: 'Of the type', example: 'Place' },
  { name: 'ancestor', label: 'Below the page', example: '/garden' },
  { name: 'path', label: 'Address begins with', example: '/garden/r' },
] as const satisfies { name: keyof SearchInput; label: string; example: string }[];

export function searchRoutes(server: FastifyInstance, site: Site): void {
  server.get('/search', { config: { strangersMs: 20 } }, async (request, reply) => {
    const { visit } = request;
    const url = new URL(request.url, visit.origin);
    const query = url.searchParams;
    const text = query.get('text') ?? '';
    const input = inputOf(query, readOffset(url));
    let found: SearchResults = { pages: [], total: 0 };
    let facets: Facets = { types: [], tags: [], isWhole: true };
    let refused: string | undefined;
    try {
      [found, facets] = await Promise.all([
        findResults(request.reader, input),
        findFacets(request.reader, input),
      ]);
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'invalid')) throw error;
      refused = error.message;
    }
    const isAsked = hasCriteria(input);
    const hasPlaces = found.pages.some(({ location }) => location !== null);
    const beside = facetLists(url, facets);
    const main = html`<div class="search-page${beside.text !== '' && ' has-facets'}">
<div class="search-main">
<h1>${text.trim() === '' ? 'Search' : html`Search: <span dir="auto">${text}</span>`}</h1>
${errorSummary(refused)}
${form(query, input)}
${isAsked && !refused && html`<p class="result-count" role="status">${found.total === 0 ? 'Nothing was found.' : count(found.total, 'page')}</p>`}
${isAsked && found.total === 0 && !refused && nothing(text, visit.actor !== null)}
${hasPlaces && html`<div class="search-map" data-map="results"></div>`}
<ol class="results">${found.pages.map((page) => result(page, text, visit.now))}</ol>
${paging(url, { limit: shown, offset: input.offset }, found.total)}
</div>
${beside}
</div>`;
    return sendLayout(site, reply, {
      title: text.trim() === '' ? 'Search' : `Search: ${text}`,
      kind: 'search',
      main,
      scripts: hasPlaces ? ['page', 'map'] : ['page'],
      searched: text,
    });
  });

  /** For search boxes: `{pages: [{title, path, url, type}]}` for `?text=`, best first. */
  server.get('/search/titles', async (request, reply) => {
    const { visit } = request;
    const text = new URL(request.url, visit.origin).searchParams.get('text') ?? '';
    const pages = await completeTitles(request.reader, text, completions);
    return reply.header('cache-control', 'private, no-cache').send({
      pages: pages.map(({ id, title, path, type }) => ({ id, title, path, url: pageUrl(path), type })),
    });
  });

  /** For the editor: `{words}` that begin as `?text=` does: names of tags, or `season:su` values, or `type:pl` types. */
  server.get('/search/words', async (request, reply) => {
    const { visit } = request;
    const text = new URL(request.url, visit.origin).searchParams.get('text') ?? '';
    const words = await completeWords(request.reader, text, completions);
    return reply.header('cache-control', 'private, no-cache').send({ words });
  });

  /** For the editor: `{parameters: [{name, isRequired, default}]}` of the template at `?path=`. */
  server.get('/search/parameters', async (request, reply) => {
    const { visit } = request;
    const path = new URL(request.url, visit.origin).searchParams.get('path') ?? '';
    const parameters = await templateParameters(request.reader, path);
    return reply.header('cache-control', 'private, no-cache').send({ parameters });
  });

  server.get('/search/description.xml', async (request, reply) =>
    reply
      .type('application/opensearchdescription+xml; charset=utf-8')
      .send(
        html`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>${site.settings.name.slice(0, 16)}</ShortName><Description>Search ${site.settings.name}</Description><InputEncoding>UTF-8</InputEncoding><Url type="text/html" template="${request.visit.origin}/search?text={searchTerms}"/></OpenSearchDescription>`
          .text,
      ),
  );
}

type Result = PageOutline & { content?: WholePage['content'] };
type SearchResults = { pages: Result[]; total: number };

/** Loads the contents of matches if excerpts are shown and they are not too long. */
async function findResults(reader: Reader, input: SearchInput): Promise<SearchResults> {
  if (input.text === undefined) return searchOutlines(reader, input);
  try {
    return await searchPages(reader, { ...input, history: 'none' });
  } catch (error) {
    if (error instanceof Problem && error.code === 'too-long') return searchOutlines(reader, input);
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
    tags: query
      .getAll('tag')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    logic: one('logic'),
    limit: shown,
    offset,
  };
}

function form(query: URLSearchParams, input: SearchInput): Html {
  const { text: _, logic, ...narrowing } = input;
  const isNarrowed = hasCriteria(narrowing) || logic !== undefined;
  return html`<form class="search-form" action="/search" role="search" aria-label="Search in detail">
<div class="search-line">
<label class="unseen" for="search-text">Words to look for</label>
<input id="search-text" type="search" name="text" value="${query.get('text') ?? ''}" placeholder="Words, or “a phrase”" dir="auto">
<button type="submit" class="button">Search</button>
</div>
<details class="criteria"${isNarrowed && html` open`}><summary>Narrow it down</summary>
<div class="fields">
${criteria.map(
  ({ name, label, example }) =>
    html`<div class="field"><label for="search-${name}">${label}</label><input id="search-${name}" name="${name}" value="${query.get(name) ?? ''}" placeholder="${example}" dir="auto"></div>`,
)}
${[...(input.tags ?? []), ''].map((tag, index) => html`<div class="field"><label for="search-tag-${index}">With the tag</label><input id="search-tag-${index}" name="tag" value="${tag}" placeholder="season:summer" dir="auto"></div>`)}
<div class="field"><label for="search-order">In the order</label><select id="search-order" name="order">${orders.map(
    ([value, words]) =>
      html`<option value="${value}"${input.order === value && html` selected`}>${words}</option>`,
  )}</select></div>
<div class="field"><label for="search-logic">Pages that match</label><select id="search-logic" name="logic"><option value="and">all of these</option><option value="or"${input.logic === 'or' && html` selected`}>any of these</option></select></div>
</div></details>
</form>`;
}

function result(page: Result, text: string, now: number): Html {
  const thumbnail = page.files.find((file) => file.thumbnail !== null)?.thumbnail;
  const excerpt = page.content && excerptOf(page.content.body, text);
  const place = page.location;
  return html`<li class="result"${place && html` data-place="${page.id}" data-lat="${place.lat}" data-lon="${place.lon}" data-title="${page.title}" data-type="${page.type ?? ''}" data-url="${pageUrl(page.path)}"`}>
${thumbnail && html`<img class="result-picture" src="${fileUrl(thumbnail)}" alt="" loading="lazy">`}
<h2><a href="${pageUrl(page.path)}" dir="auto">${highlighted(markMatches(page.title, text))}</a></h2>
<p class="result-text" dir="auto">${excerpt && excerpt.length > 0 ? highlighted(excerpt) : page.description}</p>
<p class="quiet"><span dir="auto">${whereItLies(page)}</span>${page.type && html` · ${page.type}`} · changed ${timeAgo(page.updatedAt, now)}</p>
</li>`;
}

/** The nearest ancestors only: a page may be thirty levels deep. */
function whereItLies({ lineage, title }: PageOutline): string {
  const names = [...lineage.map((ancestor) => ancestor.title), title];
  return names.length > 4 ? `… › ${names.slice(-4).join(' › ')}` : names.join(' › ');
}

function nothing(text: string, isMember: boolean): Html {
  return html`<div class="empty"><p>Try fewer or other words; each is looked for from its beginning, and “phrases in quotes” as they stand.</p>${
    isMember &&
    text.trim() !== '' &&
    html`<p><a class="button" href="/new?title=${encodeURIComponent(text.trim())}">Write “${text.trim()}”</a></p>`
  }</div>`;
}

/** Counts are shown only if all matches were counted. */
function facetLists(url: URL, { types, tags, isWhole }: Facets): Html {
  if (types.length === 0 && tags.length === 0) return html``;
  const withCriterion = (name: string, value: string) => {
    const query = new URLSearchParams(url.searchParams);
    query.delete('offset');
    if (name === 'type') query.set('type', value);
    else if (!query.getAll('tag').includes(value)) query.append('tag', value);
    return `/search?${query}`;
  };
  const without = (name: string, value: string) => {
    const query = new URLSearchParams(url.searchParams);
    query.delete('offset');
    query.delete(name, value);
    return `/search?${query}`;
  };
  const entry = (name: 'type' | 'tag', value: string, words: string, number: number) => {
    const isOn = url.searchParams.getAll(name).includes(value);
    return html`<li><a href="${isOn ? without(name, value) : withCriterion(name, value)}"${isOn && html` aria-current="true"`}><span dir="auto">${words}</span>${isWhole && html` <span class="count">${plainNumber(number)}</span>`}</a></li>`;
  };
  const byKey = Map.groupBy(tags, ({ key }) => key);
  return html`<aside class="facets" aria-label="Narrow the results">
${types.length > 0 && html`<section><h2>Type</h2><ul>${types.map(({ type, count }) => entry('type', type, type, count))}</ul></section>`}
${[...byKey].map(([key, values]) => html`<section><h2 dir="auto">${key}</h2><ul>${values.map(({ value, count }) => entry('tag', `${key}:${value}`, value, count))}</ul></section>`)}
</aside>`;
}
