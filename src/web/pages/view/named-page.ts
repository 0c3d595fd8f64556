/** The imprint or the privacy policy, as the site shows it to people who may not read the page in the wiki. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { linkedMarkup } from '#core/content/linked-markup.ts';
import { Problem } from '#core/model/problem.ts';
import { type NamedPageView, namedPageReading } from '#core/pages/named-page-operations.ts';
import { namedPaths } from '#core/reading/named-pages.ts';
import { languageOfText, pageUrl } from '../../components.ts';
import { html, trusted } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { readable } from '../../markup.ts';
import { carryFor } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';
import { privateToStrangers } from '../../visitor.ts';

/**
 * Sends the page at a path that the settings name. False if the path is none of them, or not everybody is shown its page; then strangers
 * of a private wiki are refused `unauthenticated`, as everywhere.
 */
export async function sendNamedPage(site: Site, reply: FastifyReply, path: string): Promise<boolean> {
  const { request } = reply;
  const { visit } = request;
  const view = await readNamedPage(site, request, path);
  if (!view) {
    if (visit.isPrivate && visit.actor === null) throw privateToStrangers();
    return false;
  }
  const { page, markup, displayTitle, shown, wikiLanguage } = view;
  const addresses = new Map([...shown].map(([named, { path: present }]) => [present, pageUrl(named)]));
  const linked = linkedMarkup(markup, { page: (present) => addresses.get(present), origin: visit.origin });
  const inLanguage = languageOfText(page.language, wikiLanguage);
  const main = html`<article class="page"><header class="page-head"><h1${inLanguage}>${displayTitle === undefined ? page.title : trusted(displayTitle)}</h1></header>
<div class="markup"${inLanguage}>
${readable(linked, visit.now)}
</div></article>`;
  // It depends on what members can read.
  request.reader.trace.isUncacheable = true;
  await sendLayout(site, reply, { title: page.title, kind: 'page', main });
  return true;
}

async function readNamedPage(
  site: Site,
  request: FastifyRequest,
  path: string,
): Promise<NamedPageView | undefined> {
  const { actor } = request.visit;
  if (!namedPaths(site.look().settings).includes(path)) return undefined;
  try {
    return await carryFor(site, request, site.costs.rendererFor(request, actor))(namedPageReading, { path });
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') return undefined;
    throw error;
  }
}
