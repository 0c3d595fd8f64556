/**
 * The site as one plug-in, registered beside the API. All refusals of handlers are answered by `answerProblem` as a page.
 */

import { fileURLToPath } from 'node:url';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { Service } from '#http/service.ts';
import type { WebFace } from '#http/web-face.ts';
import { type Assets, openAssets } from './assets.ts';
import { buildIslands } from './build-islands.ts';
import { compressed } from './compress.ts';
import { registerForms } from './forms.ts';
import { type OperationFeed, type OperationPage, registerOperationPages } from './operation-pages.ts';
import { assetRoutes } from './pages/assets.ts';
import { deleteRoutes } from './pages/delete.ts';
import { diffRoutes } from './pages/diff.ts';
import { editRoutes } from './pages/edit/edit.ts';
import { exportRoutes } from './pages/export.ts';
import { feedRoutes } from './pages/feeds.ts';
import { fileLibraryRoutes } from './pages/files.ts';
import { historyRoutes } from './pages/history.ts';
import { homeRoutes } from './pages/home.ts';
import { importRoutes } from './pages/import/import.ts';
import { linkPreviewRoutes } from './pages/link-preview.ts';
import { llmsRoutes } from './pages/llms.ts';
import { mapRoutes } from './pages/map.ts';
import { accountRoutes } from './pages/members/account.ts';
import { blockRoutes } from './pages/members/blocks.ts';
import { mailRoutes } from './pages/members/mails.ts';
import { memberRoutes as memberPageRoutes } from './pages/members/member.ts';
import { memberRoutes } from './pages/members/members.ts';
import { undoMemberRoutes } from './pages/members/undo-member.ts';
import { waitingRoutes } from './pages/members/waiting.ts';
import { moveRoutes } from './pages/move.ts';
import { oldAddressRoutes } from './pages/old-addresses.ts';
import { prefetchRulesRoutes } from './pages/prefetch-rules.ts';
import { recentChangeRoutes } from './pages/recent-changes.ts';
import { searchRoutes } from './pages/search.ts';
import { confirmAddressRoutes } from './pages/sign-in/confirm-address.ts';
import { forgotRoutes } from './pages/sign-in/forgot.ts';
import { inviteRoutes } from './pages/sign-in/invite.ts';
import { loginRoutes } from './pages/sign-in/login.ts';
import { loginAgainRoutes } from './pages/sign-in/login-again.ts';
import { oauthRoutes } from './pages/sign-in/oauth.ts';
import { passkeyRoutes } from './pages/sign-in/passkeys.ts';
import { resetRoutes } from './pages/sign-in/reset.ts';
import { secondFactorRoutes } from './pages/sign-in/second-factor.ts';
import { signUpRoutes } from './pages/sign-in/sign-up.ts';
import { siteLookRoutes } from './pages/site-look.ts';
import { themeRoutes } from './pages/theme.ts';
import { treeRoutes } from './pages/tree.ts';
import { updateRoutes } from './pages/updates.ts';
import { likeRoutes } from './pages/view/like.ts';
import { viewRoutes } from './pages/view/view.ts';
import { wantedRoutes } from './pages/wanted.ts';
import { answerProblem } from './problem-page.ts';
import { scriptWords } from './script-words.ts';
import type { Site, WebSettings } from './site.ts';
import { siteLooks } from './site-look.ts';
import { chosenFonts, fonts, inModules, readStyleSheet } from './styles.ts';
import { lendSession, readVisit, refuseForeign, refuseStranger } from './visitor.ts';

/** Interface of the site to the server, including identification of the site's own scripts by session. */
export function webFace(
  service: Service,
  settings: WebSettings,
  pages: readonly (OperationPage | OperationFeed)[],
): WebFace {
  let site: Site | undefined;
  return {
    async lendSession(request, reply) {
      // A TLS-terminating proxy need not announce itself if the settings have an https address.
      request.isSecure = request.protocol === 'https' || settings.baseUrl.startsWith('https:');
      await lendSession(service, reply);
    },
    async answerProblem(error, request, reply) {
      // Before the site is registered, errors are thrown.
      if (!site) throw error;
      request.visit ??= await readVisit(site, reply);
      return answerProblem(site, error, request, reply);
    },
    async register(server, { limits, signIns, costs, views }) {
      server.decorateRequest('isSecure', false);
      opened ??= openSiteAssets();
      const assets = await opened;
      const look = siteLooks(service.store.settings, assets);
      const registered: Site = { service, settings, limits, signIns, costs, views, assets, look };
      site = registered;
      await server.register(async (scope) =>
        registerSite(scope as unknown as FastifyInstance, registered, pages),
      );
    },
  };
}

/** Assets depend on no setting and do not change while a process runs. */
let opened: Promise<Assets> | undefined;

async function openSiteAssets(): Promise<Assets> {
  return openAssets(
    readStyleSheet(),
    [...fonts, ...chosenFonts, diagrams],
    [staticFolder, await buildIslands()],
    scriptWords(),
  );
}

const staticFolder = fileURLToPath(new URL('./static', import.meta.url));
const diagrams = inModules('@mermaid-js/tiny');

async function registerSite(
  server: FastifyInstance,
  site: Site,
  pages: readonly (OperationPage | OperationFeed)[],
): Promise<void> {
  server.decorateRequest('visit');
  await server.register(fastifyCookie);
  await registerForms(server);
  server.setErrorHandler((error, request, reply) => answerProblem(site, error, request, reply));
  server.addHook('onRequest', async (request, reply) => {
    const view = site.views.current();
    request.visit = view
      ? { ...view.request.visit, url: request.url, proposal: { ...view.shown, url: view.request.url } }
      : await readVisit(site, reply);
    refuseForeign(request);
    refuseStranger(site.service.store, request);
    request.reader = site.service.store.readAs(request.visit.actor);
    site.costs.admit(request, request.visit.actor);
    if (request.routeOptions.config.showsProposals && !view) {
      // Whatever follows, a refusal included, is only for those who may read the proposal.
      if (/[?&]proposal=/.test(request.url)) reply.header('x-robots-tag', 'noindex');
      return site.views.answer(request, reply, request.visit.actor);
    }
  });
  server.addHook('onSend', async (request, reply, payload) => {
    // Writes, sign-ins and sign-outs invalidate prefetched pages in all tabs.
    if (request.method === 'POST') reply.header('clear-site-data', '"prefetchCache"');
    return compressed(request, reply, payload);
  });

  for (const register of [
    homeRoutes,
    searchRoutes,
    mapRoutes,
    updateRoutes,
    recentChangeRoutes,
    wantedRoutes,
    treeRoutes,
    historyRoutes,
    diffRoutes,
    editRoutes,
    moveRoutes,
    deleteRoutes,
    fileLibraryRoutes,
    importRoutes,
    exportRoutes,
    likeRoutes,
    linkPreviewRoutes,
    feedRoutes,
    llmsRoutes,
    oldAddressRoutes,
    assetRoutes,
    siteLookRoutes,
    prefetchRulesRoutes,
    themeRoutes,
    loginRoutes,
    loginAgainRoutes,
    oauthRoutes,
    inviteRoutes,
    signUpRoutes,
    waitingRoutes,
    resetRoutes,
    forgotRoutes,
    accountRoutes,
    secondFactorRoutes,
    passkeyRoutes,
    confirmAddressRoutes,
    memberRoutes,
    memberPageRoutes,
    undoMemberRoutes,
    blockRoutes,
    mailRoutes,
  ]) {
    register(server, site);
  }
  registerOperationPages(server, site, pages);
  // Last, because it handles all remaining URLs.
  viewRoutes(server, site);
}
