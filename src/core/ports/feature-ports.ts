/** The part of the port to the database that features bring along. */
import type { AuditStore } from './audit-store.ts';
import type { CommentStore } from './comment-store.ts';
import type { DraftStore } from './draft-store.ts';
import type { FavouriteStore } from './favourite-store.ts';
import type { FileTextStore } from './file-text-store.ts';
import type { GrantStore } from './grant-store.ts';
import type { GroupStore } from './group-store.ts';
import type { ApiTokenStore } from './member-store.ts';
import type { OrderStore } from './order-store.ts';
import type { PresenceStore } from './presence-store.ts';
import type { ProposalStore } from './proposal-store.ts';
import type { ReportStore } from './report-store.ts';
import type { SecretLinkStore } from './secret-link-store.ts';
import type { SubmissionStore } from './submission-store.ts';
import type { WatchStore } from './watch-store.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Ports whose rows are in the folder of a feature: `features.ts` says in which. */
export interface FeaturePorts {
  audit: AuditStore;
  comments: CommentStore;
  grants: GrantStore;
  apiTokens: ApiTokenStore;
  drafts: DraftStore;
  presence: PresenceStore;
  favourites: FavouriteStore;
  fileTexts: FileTextStore;
  secretLinks: SecretLinkStore;
  groups: GroupStore;
  order: OrderStore;
  proposals: ProposalStore;
  reports: ReportStore;
  submissions: SubmissionStore;
  watches: WatchStore;
  webhooks: WebhookStore;
}
