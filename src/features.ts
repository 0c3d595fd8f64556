/**
 * The one list of features. Each part of a feature is imported when it is needed: the rows with the store, the routes and pages with
 * the server, a command when it is called.
 */
import type { Run } from '#cli/command/context.ts';
import type { Tool } from '#http/mcp/tool.ts';
import type { HttpFace } from '#http/operation-routes.ts';
import type { FeatureStores } from '#store/store.ts';
import type { OperationFeed, OperationPage } from '#web/operation-pages.ts';

type WebFace = readonly (OperationPage | OperationFeed)[];

interface Feature {
  http?(): Promise<{ http: HttpFace }>;
  web?(): Promise<{ web: WebFace }>;
  mcp?(): Promise<{ mcp: readonly Tool[] }>;
  commands?: Readonly<Record<string, () => Promise<{ run: Run }>>>;
}

export const features: readonly Feature[] = [
  {
    http: () => import('./features/audit/http.ts'),
    web: () => import('./features/audit/web.ts'),
    commands: { audit: () => import('./features/audit/cli.ts') },
  },
  { http: () => import('./features/documents/http.ts') },
  {
    http: () => import('./features/settings/http.ts'),
    web: () => import('./features/settings/web.ts'),
    commands: {
      setting: () => import('./features/settings/cli.ts'),
      'read-only': async () => ({ run: (await import('./features/settings/cli.ts')).runReadOnly }),
    },
  },
  {
    http: () => import('./features/access/http.ts'),
    web: () => import('./features/access/web.ts'),
  },
  {
    http: () => import('./features/groups/http.ts'),
    web: () => import('./features/groups/web.ts'),
    commands: { group: () => import('./features/groups/cli.ts') },
  },
  {
    http: () => import('./features/secret-links/http.ts'),
    web: () => import('./features/secret-links/web.ts'),
  },
  { http: () => import('./features/order/http.ts'), web: () => import('./features/order/web.ts') },
  {
    http: () => import('./features/approval-rules/http.ts'),
    web: () => import('./features/approval-rules/web.ts'),
  },
  { http: () => import('./features/drafts/http.ts') },
  { http: () => import('./features/presence/http.ts') },
  {
    http: () => import('./features/erasure/http.ts'),
    web: () => import('./features/erasure/web.ts'),
    commands: { erase: () => import('./features/erasure/cli.ts') },
  },
  { http: () => import('./features/favourites/http.ts'), web: () => import('./features/favourites/web.ts') },
  { http: () => import('./features/file-texts/http.ts') },
  { http: () => import('./features/freshness/http.ts'), web: () => import('./features/freshness/web.ts') },
  { http: () => import('./features/reports/http.ts'), web: () => import('./features/reports/web.ts') },
  {
    http: () => import('./features/page-copies/http.ts'),
    web: () => import('./features/page-copies/web.ts'),
  },
  { mcp: () => import('./features/pages/mcp.ts') },
  {
    http: () => import('./features/comments/http.ts'),
    web: () => import('./features/comments/web.ts'),
    mcp: () => import('./features/comments/mcp.ts'),
  },
  {
    http: () => import('./features/proposals/http.ts'),
    web: () => import('./features/proposals/web.ts'),
    mcp: () => import('./features/proposals/mcp.ts'),
    commands: { proposal: () => import('./features/proposals/cli.ts') },
  },
  {
    http: () => import('./features/protection/http.ts'),
    web: () => import('./features/protection/web.ts'),
    commands: { protect: () => import('./features/protection/cli.ts') },
  },
  {
    http: () => import('./features/strangers/http.ts'),
    web: () => import('./features/strangers/web.ts'),
    commands: { submission: () => import('./features/strangers/cli.ts') },
  },
  {
    http: () => import('./features/tokens/http.ts'),
    web: () => import('./features/tokens/web.ts'),
    commands: { token: () => import('./features/tokens/cli.ts') },
  },
  {
    http: () => import('./features/translations/http.ts'),
    web: () => import('./features/translations/web.ts'),
  },
  {
    http: () => import('./features/trash/http.ts'),
    web: () => import('./features/trash/web.ts'),
    commands: { trash: () => import('./features/trash/cli.ts') },
  },
  {
    http: () => import('./features/watches/http.ts'),
    web: () => import('./features/watches/web.ts'),
    commands: { watch: () => import('./features/watches/cli.ts') },
  },
  {
    http: () => import('./features/webhooks/http.ts'),
    web: () => import('./features/webhooks/web.ts'),
    commands: { webhook: () => import('./features/webhooks/cli.ts') },
  },
];

/** Commands of all features, by name. */
export const featureCommands = Object.assign({}, ...features.map(({ commands }) => commands)) as NonNullable<
  Feature['commands']
>;

export async function loadFaces(): Promise<{ http: HttpFace[]; web: WebFace; mcp: Tool[] }> {
  const [http, web, mcp] = await Promise.all([
    Promise.all(features.map(async ({ http }) => (await http?.())?.http ?? [])),
    Promise.all(features.map(async ({ web }) => (await web?.())?.web ?? [])),
    Promise.all(features.map(async ({ mcp }) => (await mcp?.())?.mcp ?? [])),
  ]);
  return { http: http.flat(), web: web.flat(), mcp: mcp.flat() };
}

export async function loadStores(): Promise<FeatureStores> {
  const [
    { grantStore },
    { auditStore },
    { commentStore },
    { draftStore },
    { presenceStore },
    { favouriteStore },
    { fileTextStore },
    { groupStore },
    { secretLinkStore },
    { orderStore },
    { proposalStore },
    { reportStore },
    { submissionStore },
    { apiTokenStore },
    { watchStore },
    { webhookStore },
  ] = await Promise.all([
    import('./features/access/store.ts'),
    import('./features/audit/store.ts'),
    import('./features/comments/store.ts'),
    import('./features/drafts/store.ts'),
    import('./features/presence/store.ts'),
    import('./features/favourites/store.ts'),
    import('./features/file-texts/store.ts'),
    import('./features/groups/store.ts'),
    import('./features/secret-links/store.ts'),
    import('./features/order/store.ts'),
    import('./features/proposals/store.ts'),
    import('./features/reports/store.ts'),
    import('./features/strangers/store.ts'),
    import('./features/tokens/store.ts'),
    import('./features/watches/store.ts'),
    import('./features/webhooks/store.ts'),
  ]);
  return {
    audit: auditStore,
    comments: commentStore,
    drafts: draftStore,
    presence: presenceStore,
    grants: grantStore,
    favourites: favouriteStore,
    fileTexts: fileTextStore,
    groups: groupStore,
    order: orderStore,
    secretLinks: secretLinkStore,
    proposals: proposalStore,
    reports: reportStore,
    submissions: submissionStore,
    apiTokens: apiTokenStore,
    watches: watchStore,
    webhooks: webhookStore,
  };
}
