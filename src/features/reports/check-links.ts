/**
 * Checks the links of pages to other sites, slowly: one process at a time goes from page to page, asks one address after the other,
 * and passes through all pages once a week. An address that several pages have is asked once in that time.
 */
import { renderBody } from '#core/content/cached-rendering.ts';
import type { Renderer } from '#core/content/render.ts';
import { dayMs } from '#core/model/iso-time.ts';
import { renderInputOf } from '#core/pages/page-view.ts';
import { NotDelivered, NotPermitted, type Outgoing } from '#core/ports/outgoing.ts';
import type { Store } from '#core/ports/store.ts';

export interface Checking {
  store: Store;
  renderer: Renderer;
  outgoing: Pick<Outgoing, 'probe'>;
  /** Address of the wiki, whose own pages are not asked; empty if it has none. */
  ownUrl: string;
}

const roundMs = 7 * dayMs;
const pagesAtOnce = 20;
/** Pages of a batch with more addresses than these together wait for the next one. */
const addressesAtOnce = 20;
const maxAddressesOfPage = 20;
const maxAddressLength = 2000;
/** Longer than the addresses of a batch take, with 30 seconds for two requests each, and those of its last page beyond the limit. */
const leaseMs = 30 * 60_000;

/**
 * Checks the next pages if administrators want it. Returns the number of pages. `isStopped`: whether to end after the current request;
 * a page that is not finished is begun anew the next time.
 */
export async function checkSomeLinks(
  { store, renderer, outgoing, ownUrl }: Checking,
  now: number,
  isStopped: () => boolean = () => false,
): Promise<number> {
  if (!store.settings.current().checkLinks || store.writeTrouble()) return 0;
  const { reports } = store;
  const round = await reports.claimCheck(now, now + leaseMs);
  if (!round) return 0;
  const { begunAt } = round;
  let { afterPage } = round;
  let asked = 0;
  const ids = await reports.pagesAfter(afterPage, pagesAtOnce);
  for (const id of ids) {
    if (asked >= addressesAtOnce || isStopped()) break;
    const addresses = (await outsideLinks(store, renderer, id, now)).filter(
      (url) => ownUrl === '' || !url.startsWith(`${ownUrl}/`),
    );
    const known = await reports.knownSince(addresses, begunAt);
    const problems = new Map<string, string | null>();
    for (const url of addresses) {
      if (isStopped()) break;
      const problem = known.get(url);
      if (problem === undefined) asked++;
      problems.set(url, problem === undefined ? await problemOf(outgoing, url) : problem);
    }
    if (isStopped()) break;
    await reports.noteChecks(id, problems, now);
    afterPage = id;
  }
  const isOver = ids.length < pagesAtOnce && afterPage === (ids.at(-1) ?? afterPage);
  await reports.endCheck(
    isOver ? { afterPage: 0, begunAt, nextAt: begunAt + roundMs } : { afterPage, begunAt, nextAt: 0 },
  );
  return ids.length;
}

/** Addresses of other sites to which the page links, as its readers see it. */
async function outsideLinks(store: Store, renderer: Renderer, id: number, now: number): Promise<string[]> {
  const reader = store.readAsSystem();
  const [page] = await reader.pages.load([id], 'none');
  if (!page) return [];
  const { html } = await renderBody(reader, renderer, renderInputOf(page), now);
  const found = new Set<string>();
  for (const [, written = ''] of html.matchAll(/<a\b[^<>]{0,4000}?\shref="(https?:\/\/[^"]+)"/g)) {
    const url = written.replaceAll('&amp;', '&').replace(/#.*$/, '');
    if (url.length <= maxAddressLength && URL.canParse(url)) found.add(url);
    if (found.size === maxAddressesOfPage) break;
  }
  return [...found];
}

/** Why readers cannot follow a link; null if they can, or if the wiki may not ask. */
async function problemOf(outgoing: Pick<Outgoing, 'probe'>, url: string): Promise<string | null> {
  try {
    const status = await outgoing.probe(url);
    return status === 404 || status === 410 || status >= 500 ? `Status ${status}` : null;
  } catch (error) {
    if (error instanceof NotPermitted) return null;
    if (error instanceof NotDelivered) return error.message.slice(0, 200);
    throw error;
  }
}
