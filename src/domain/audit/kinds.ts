/** All that the audit log tells of, and how it is called on the site. A route names the kinds that it writes in its `config.audit`. */

export const auditKinds = {
  'signed-in': 'Signed in',
  'sign-in-failed': 'Failed to sign in',
  'signed-out': 'Signed out',
  'session-ended': 'Ended a session',
  'sessions-ended': 'Ended sessions',
  'member-added': 'Added a member',
  'member-joined': 'Became a member',
  'member-left': 'Left the wiki',
  'member-renamed': 'Changed a name',
  'member-deactivated': 'Deactivated a member',
  'member-activated': 'Activated a member',
  'role-changed': 'Changed a role',
  'passphrase-changed': 'Changed a passphrase',
  'address-changed': 'Changed an e-mail address',
  'invitation-made': 'Invited somebody',
  'invitation-revoked': 'Revoked an invitation',
  'reset-link-made': 'Made a reset link',
  'reset-link-revoked': 'Revoked a reset link',
  'link-handed-over': 'Took a link out of a mail',
  'token-made': 'Made an API token',
  'token-revoked': 'Revoked an API token',
  'webhook-made': 'Made a webhook',
  'webhook-changed': 'Changed a webhook',
  'webhook-deleted': 'Deleted a webhook',
  'feed-made': 'Made a private feed',
  'feed-ended': 'Ended a private feed',
  'second-factor-added': 'Added a second factor',
  'second-factor-ended': 'Ended a second factor',
  'recovery-codes-made': 'Made recovery codes',
  'provider-linked': 'Linked a provider',
  'provider-unlinked': 'Unlinked a provider',
  'group-made': 'Made a group',
  'group-renamed': 'Renamed a group',
  'group-deleted': 'Deleted a group',
  'group-joined': 'Put a member into a group',
  'group-left': 'Took a member out of a group',
  'permissions-changed': 'Changed permissions',
  'page-deleted': 'Deleted a page',
  'page-restored': 'Restored a page',
  'page-purged': 'Deleted a page for good',
  'changes-undone': 'Undid changes of a member',
  'content-erased': 'Erased content',
  'member-erased': 'Erased a member’s identity',
} as const satisfies Record<string, string>;

export type AuditKind = keyof typeof auditKinds;

export function isAuditKind(text: string): text is AuditKind {
  return Object.hasOwn(auditKinds, text);
}
