/** No page here, or none that this reader may see: the answer is the same, and helps on. */
import type { FastifyReply } from 'fastify';
import { completeTitles } from '#domain/complete-titles.ts';
import type { PageName } from '#domain/page.ts';
import { searchPages } from '#domain/search-pages.ts';
import { html } from '../html.ts';
import { sendFrame } from '../layout.ts';
import { pageLink } from '../parts.ts';
import type { Site, Visit } from '../site.ts';

const nearMatches = 6;

export async function sendMissing(
  site: Site,
  visit: Visit,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const title = titleOf(path);
  const found = await findNear(site, visit, title);
  const create = `/new?title=${encodeURIComponent(title)}&path=${encodeURIComponent(path)}`;
  const main = html`<div class="plain">
<h1>No page here yet</h1>
<p class="lede">There is no page at <code dir="auto">${path}</code> that you could read.</p>
${
  visit.actor
    ? html`<p><a class="button" href="${create}">Write “${title}”</a></p>`
    : html`<p>You can <a href="/login?next=${encodeURIComponent(create)}">sign in to write it</a>, or, if it is private, <a href="/login?next=${encodeURIComponent(visit.url)}">sign in to read it</a>.</p>`
}
${
  found.length > 0 &&
  html`<h2>Did you mean</h2><ul class="near-matches">${found.map((page) => html`<li>${pageLink(page)} <span class="quiet" dir="auto">${page.path}</span></li>`)}</ul>`
}
<form class="inline-search" action="/search" role="search" aria-label="Search for this page"><label for="missing-search">Search for it</label> <input id="missing-search" type="search" name="text" value="${title}"> <button type="submit">Search</button></form>
</div>`;
  return sendFrame(site, visit, reply, { title: 'No page here yet', kind: 'missing', main }, 404);
}

/** What the last part of a path would be called: `/garden/old-roses` → `Old roses`. */
export function titleOf(path: string): string {
  const words = (path.split('/').at(-1) ?? '').replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** By title, by text, and, for names misspelt, by how a title begins and how much of it is alike. */
async function findNear(site: Site, { actor }: Visit, title: string): Promise<PageName[]> {
  const { store } = site.service;
  const characters = [...title];
  const beginning =
    characters.length > 3 ? characters.slice(0, Math.floor(characters.length / 2)).join('') : '';
  const [byTitle, byText, byBeginning] = await Promise.all([
    completeTitles(store, actor, title, nearMatches),
    searchPages(store, actor, {
      ...{ text: title.slice(0, 200), order: 'relevance', limit: nearMatches, offset: 0, history: 'none' },
    }),
    completeTitles(store, actor, beginning, 50),
  ]);
  const alike = byBeginning
    .map((page) => ({ page, likeness: likeness(page.title, title) }))
    .filter((one) => one.likeness > 0.4)
    .sort((a, b) => b.likeness - a.likeness)
    .map(({ page }) => page);
  const found = new Map<number, PageName>();
  for (const page of [...byTitle, ...byText.pages, ...alike]) found.set(page.id, page);
  return [...found.values()].slice(0, nearMatches);
}

/** The share of pairs of letters that two titles have in common (L. R. Dice, 1945): 0 to 1. */
function likeness(a: string, b: string): number {
  const [pairsA, pairsB] = [pairsOf(a), pairsOf(b)];
  const common = [...pairsA].filter((pair) => pairsB.has(pair)).length;
  return (2 * common) / Math.max(1, pairsA.size + pairsB.size);
}

function pairsOf(title: string): Set<string> {
  const characters = [...title.toLowerCase()];
  return new Set(characters.slice(1).map((character, index) => characters[index] + character));
}
