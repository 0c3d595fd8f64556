/** Operations by face: every way into the wiki carries out declared operations, and every declared operation is reached. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '#core/operations/operation.ts';
import { mcp as ofComments } from '#src/features/comments/mcp.ts';
import { mcp as ofPages } from '#src/features/pages/mcp.ts';
import { startApp, type TestApp } from './support/http.ts';
import { undeclared } from './support/undeclared-routes.ts';

const mcp = [...ofPages, ...ofComments];

const root = join(import.meta.dirname, '..');
let wiki: TestApp;

beforeAll(async () => {
  wiki = await startApp();
});
afterAll(() => wiki.close());

const routes = () =>
  wiki.app.routes.routes.flatMap(({ method, url, config }) =>
    [method]
      .flat()
      // HEAD has the same handler as GET.
      .filter((one) => one !== 'HEAD')
      .map((one) => ({ name: `${one} ${url}`, operations: config?.operations ?? [] })),
  );

/** Operations that a command of a feature imports: it has no other way to the wiki (`architecture.test.ts`). */
function operationsOfCommands(): { name: string; operations: string[] }[] {
  return globSync('src/features/*/cli.ts', { cwd: root }).map((file) => {
    const code = readFileSync(join(root, file), 'utf8');
    const imports = [...code.matchAll(/import \{([^}]*)\} from '(?:\.|#core\/operations)\/[\w-]+\.ts'/g)];
    const name = /\bcommand(?:Of)?\('([a-z-]+)'/.exec(code)?.[1] ?? file;
    return {
      name: `coppice ${name}`,
      operations: imports
        .flatMap(([, names = '']) => names.split(',').map((one) => one.trim()))
        .filter(Boolean),
    };
  });
}

/** Every operation that a feature or the core declares, by the name of its constant. */
async function declared(): Promise<Map<string, Operation>> {
  const files = globSync(
    [
      'src/features/*/operations.ts',
      'src/core/{operations,pages}/*operation*.ts',
      'src/core/operations/*.ts',
    ],
    {
      cwd: root,
      exclude: ['**/*.test.ts'],
    },
  );
  const found = new Map<string, Operation>();
  for (const file of files)
    for (const [name, value] of Object.entries((await import(join(root, file))) as Record<string, unknown>))
      if (typeof value === 'object' && value !== null && 'run' in value) found.set(name, value as Operation);
  return found;
}

test('every route carries out declared operations, except those listed as older ones', () => {
  const without = routes().filter(({ operations }) => operations.length === 0);
  expect(without.map(({ name }) => name).sort()).toEqual([...undeclared].sort());
});

test('every operation can be reached by the faces listed here', async () => {
  const faces: Record<string, string[]> = {};
  const operations = await declared();
  for (const [name, operation] of operations) {
    const byRoute = routes().filter((route) => route.operations.includes(operation));
    const byCommand = operationsOfCommands().filter((command) => command.operations.includes(name));
    faces[name] = [...byRoute, ...byCommand].map((face) => face.name).sort();
  }
  expect(faces).toEqual({
    addToGroup: ['POST /members/groups', 'PUT /v1/groups/:id/members/:memberId', 'coppice group'],
    changeComment: ['PATCH /v1/comments/:id', 'POST /comments/*'],
    comment: ['POST /comments/*', 'POST /mcp', 'POST /v1/comments'],
    deleteComment: ['DELETE /v1/comments/:id', 'POST /comments/*'],
    listComments: ['GET /comments', 'GET /v1/comments', 'POST /mcp'],
    readThreads: ['GET /comments/*'],
    readComment: ['GET /v1/comments/:id'],
    changeSettings: ['PATCH /v1/settings', 'POST /settings', 'coppice setting'],
    propose: ['POST /mcp', 'POST /proposals', 'POST /v1/proposals'],
    listProposals: ['GET /proposals', 'GET /v1/proposals', 'POST /mcp', 'coppice proposal'],
    readProposal: ['GET /proposals/:id', 'GET /v1/proposals/:id', 'POST /mcp', 'coppice proposal'],
    showProposal: ['GET /proposals/:id'],
    linksOfProposal: ['GET /v1/proposals/:id/links', 'POST /mcp'],
    changeProposal: ['PATCH /v1/proposals/:id', 'POST /proposals/:id', 'coppice proposal'],
    reviewProposal: [
      ...['POST /mcp', 'POST /proposals/:id', 'POST /v1/proposals/:id/reviews', 'coppice proposal'],
    ],
    mergeTheProposal: ['POST /proposals/:id', 'POST /v1/proposals/:id/merge', 'coppice proposal'],
    readRule: ['GET /v1/rules/*'],
    submitComment: ['POST /login/comment/*', 'POST /v1/submissions/comments'],
    submitProposal: ['POST /login/propose/*', 'POST /v1/submissions/proposals'],
    offerToStrangers: ['GET /login/comment/*', 'GET /login/propose/*'],
    listSubmissions: ['GET /v1/submissions', 'coppice submission'],
    showSubmissions: ['GET /members/submissions'],
    approveSubmission: [
      ...['POST /members/submissions', 'POST /v1/submissions/:id/approve', 'coppice submission'],
    ],
    refuseSubmissions: ['POST /members/submissions', 'POST /v1/submissions/refuse', 'coppice submission'],
    eraseStranger: ['POST /members/submissions', 'POST /v1/submissions/erase', 'coppice submission'],
    showRule: ['GET /proposals/rules/*'],
    changeRule: ['POST /proposals/rules/*', 'PUT /v1/rules/*'],
    keepDraft: ['PUT /v1/drafts/:id'],
    noteEditing: ['POST /v1/editing/*'],
    listDrafts: ['GET /v1/drafts'],
    readDraft: ['GET /v1/drafts/:id'],
    discardDraft: ['DELETE /v1/drafts/:id'],
    addFavourite: ['POST /account/favourites', 'PUT /v1/favourites/*'],
    listFavourites: ['GET /account/favourites', 'GET /v1/favourites'],
    removeFavourite: ['DELETE /v1/favourites/*', 'POST /account/favourites'],
    readVerification: ['GET /v1/verifications/*', 'GET /verify/*'],
    verifyPage: ['POST /v1/verifications/*', 'POST /verify/*'],
    copyPage: ['POST /copy/*', 'POST /v1/copies/*'],
    changeAccess: ['POST /access/*', 'PUT /v1/access/*'],
    changePermissions: ['POST /access/*', 'POST /v1/permissions/*'],
    findGrantees: ['GET /access/*', 'GET /v1/access'],
    groupsToGive: ['GET /access/*'],
    createLink: ['POST /secret-links/*', 'POST /v1/links'],
    listLinks: ['GET /secret-links/*', 'GET /v1/links'],
    revokeLink: ['DELETE /v1/links/:id', 'POST /secret-links/*'],
    readLinked: ['GET /by-link/:secret', 'GET /by-link/:secret/:id'],
    createGroup: ['POST /members/groups', 'POST /v1/groups', 'coppice group'],
    createToken: ['POST /account/tokens', 'POST /v1/tokens', 'coppice token'],
    createWebhook: ['POST /members/webhooks', 'POST /v1/webhooks', 'coppice webhook'],
    deleteGroup: ['DELETE /v1/groups/:id', 'POST /members/groups', 'coppice group'],
    deleteWebhook: ['DELETE /v1/webhooks/:id', 'POST /members/webhooks/:id', 'coppice webhook'],
    emptyTheTrash: ['coppice trash'],
    editWebhook: ['PATCH /v1/webhooks/:id', 'POST /members/webhooks/:id', 'coppice webhook'],
    groupByName: ['coppice group'],
    listPublicPages: ['GET /settings', 'GET /v1/settings/public-pages'],
    readSettings: ['GET /settings', 'GET /v1/settings', 'coppice setting'],
    listDeliveries: ['GET /members/webhooks/:id', 'GET /v1/webhooks/:id/deliveries', 'coppice webhook'],
    listGroups: ['GET /members/groups', 'GET /v1/groups', 'coppice group'],
    listTokens: ['GET /account/tokens', 'GET /v1/tokens', 'coppice token'],
    listTrash: ['GET /trash', 'GET /v1/trash', 'coppice trash'],
    listWebhooks: ['GET /members/webhooks', 'GET /v1/webhooks', 'coppice webhook'],
    memberByNameOrEmail: ['coppice audit', 'coppice group', 'coppice token'],
    protectPage: ['POST /protect/*', 'PUT /v1/protection/*', 'coppice protect'],
    readProtection: ['GET /protect/*', 'GET /v1/protection/*'],
    planCopy: ['GET /copy/*', 'GET /v1/copies/*'],
    orderPages: ['POST /order/*', 'PUT /v1/order/*'],
    orderRoots: ['POST /order', 'PUT /v1/order'],
    readOrder: ['GET /order/*', 'GET /v1/order/*'],
    readReports: ['GET /settings/reports', 'GET /v1/reports'],
    readRootOrder: ['GET /order', 'GET /v1/order'],
    markTranslated: ['POST /translations/*', 'POST /v1/translations/*'],
    listTranslations: ['GET /translations/*', 'GET /v1/translations/*'],
    listTranslated: ['GET /translations', 'GET /v1/untranslated'],
    listUntranslated: ['GET /translations/*', 'GET /v1/untranslated/*'],
    listBehind: ['GET /translations', 'GET /v1/translations'],
    searchFileTexts: ['GET /v1/file-texts'],
    searchForPages: ['POST /mcp'],
    readPageText: ['POST /mcp'],
    listPagesBeneath: ['POST /mcp'],
    listLinksTo: ['POST /mcp'],
    listPlacesNear: ['POST /mcp'],
    listWantedTitles: ['POST /mcp'],
    listChanges: ['POST /mcp'],
    compareChanges: ['POST /mcp'],
    findPlaceBeneath: ['POST /mcp'],
    readForEdit: ['POST /mcp'],
    pageCreation: ['POST /mcp', 'POST /new', 'POST /v1/pages'],
    pageEdit: ['POST /edit/*', 'POST /files', 'POST /mcp', 'POST /move/*', 'POST /v1/pages/*'],
    pageDeletion: ['DELETE /v1/pages/*', 'POST /delete/*'],
    pageRollback: ['POST /history/*', 'POST /v1/rollback/*'],
    purgePage: ['DELETE /v1/trash/:id', 'POST /trash', 'coppice trash'],
    patchDocument: ['POST /v1/patch'],
    readAudit: ['GET /members/audit', 'GET /v1/audit', 'coppice audit'],
    readDocument: ['POST /v1/document'],
    readAccess: ['GET /access/*', 'GET /v1/access/*'],
    readGroup: ['GET /v1/groups/:id', 'coppice group'],
    readWebhook: ['GET /members/webhooks/:id', 'GET /v1/webhooks/:id'],
    removeFromGroup: ['DELETE /v1/groups/:id/members/:memberId', 'POST /members/groups', 'coppice group'],
    renameGroup: ['POST /members/groups', 'POST /v1/groups/:id', 'coppice group'],
    replayDelivery: [
      'POST /members/webhooks/:id',
      'POST /v1/webhooks/:id/deliveries/:delivery/replay',
      'coppice webhook',
    ],
    restoreDeletion: ['POST /trash', 'POST /v1/trash/:id/restore', 'coppice trash'],
    revokeToken: ['DELETE /v1/tokens/:id', 'POST /account/tokens', 'coppice token'],
    testWebhook: ['POST /members/webhooks/:id', 'POST /v1/webhooks/:id/test', 'coppice webhook'],
    chooseWatches: ['POST /watch/*'],
    endFeed: ['DELETE /v1/notifications/feed', 'POST /account/watches'],
    hasFeed: ['GET /account/watches'],
    listNotifications: ['GET /account/notifications', 'GET /v1/notifications', 'coppice watch'],
    listWatches: ['GET /account/watches', 'GET /v1/watches', 'coppice watch'],
    makeFeed: ['POST /account/watches', 'POST /v1/notifications/feed'],
    markRead: ['POST /account/notifications', 'POST /v1/notifications/read', 'coppice watch'],
    readFeed: ['GET /atom/watched/:token'],
    readSubscription: ['GET /account/unsubscribe/:key/:of'],
    readWatchesOfPage: ['GET /watch/*'],
    unsubscribe: ['POST /account/unsubscribe/:key/:of'],
    unwatch: ['DELETE /v1/watches/:id', 'POST /account/watches', 'coppice watch'],
    watch: ['POST /account/watches', 'POST /v1/watches', 'POST /watch/*', 'coppice watch'],
  });
});

test('names of operations are unique', async () => {
  const names = [...(await declared()).values()].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('every tool of agents carries out declared operations, which work within the subtree of a token', async () => {
  const known = new Set((await declared()).values());
  const shown = mcp.map(({ name, operations }) => [name, ...operations.map((operation) => operation.name)]);
  expect(shown).toEqual([
    ['search', 'searchForPages'],
    ['read_page', 'readPageText'],
    ['list_children', 'listPagesBeneath'],
    ['backlinks', 'listLinksTo'],
    ['near', 'listPlacesNear'],
    ['wanted', 'listWantedTitles'],
    ['history', 'listChanges'],
    ['diff', 'compareChanges'],
    ['create_page', 'findPlaceBeneath', 'createPage'],
    ['edit_page', 'readForEdit', 'editPage'],
    ['comments', 'listComments'],
    ['comment', 'comment'],
  ]);
  const all = mcp.flatMap(({ operations }) => operations);
  expect(all.filter((operation) => !known.has(operation) || operation.subtree !== 'within')).toEqual([]);
});

describe('every face carries out an operation alike', () => {
  let root: { id: number; token: string };
  const groups = async () => (await wiki.call('GET', '/v1/groups', { token: root.token })).json;

  beforeAll(async () => {
    root = await wiki.member('Root', { isAdmin: true });
  });

  test('a field of the body does not replace a path parameter', async () => {
    const made = [];
    for (const name of ['One', 'Two'])
      made.push((await wiki.call('POST', '/v1/groups', { token: root.token, json: { name } })).json);
    const [one, two] = made;
    const json = { id: two.id, memberId: 7, name: 'Three' };
    expect((await wiki.call('POST', `/v1/groups/${one.id}`, { token: root.token, json })).json.id).toBe(
      one.id,
    );
    expect((await groups()).map(({ name }: { name: string }) => name)).toEqual(['Three', 'Two']);
  });

  test('an idempotency key makes it run once, and a batch counts each operation', async () => {
    const before = (await groups()).length;
    const send = () =>
      wiki.call('POST', '/v1/groups', {
        token: root.token,
        json: { name: 'Keyed' },
        headers: { 'idempotency-key': 'a-key-of-ours' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([200, 200, 'true']);
    expect(second.json).toEqual(first.json);
    const operations = ['Batched', 'Batched', ''].map((name) => ({
      method: 'POST',
      path: '/v1/groups',
      body: { name },
    }));
    const { json } = await wiki.call('POST', '/v1/batch', { token: root.token, json: { operations } });
    expect(json.results.map(({ status }: { status: number }) => status)).toEqual([200, 400, 400]);
    expect((await groups()).length).toBe(before + 2);
  });

  test('refusals name the action', async () => {
    const ada = await wiki.member('Ada');
    const refused = await wiki.call('POST', '/v1/groups', { token: ada.token, json: { name: 'Mine' } });
    expect([refused.status, refused.json.detail]).toEqual([403, 'Only administrators may make a group.']);
  });
});
