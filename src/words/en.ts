/** All messages of the site, in English. */
import { accessWords } from './en/access.ts';
import { accountWords } from './en/account.ts';
import { assetsWords } from './en/assets.ts';
import { auditWords } from './en/audit.ts';
import { auditKindWords } from './en/audit-kinds.ts';
import { auditNoteWords } from './en/audit-notes.ts';
import { blocksWords } from './en/blocks.ts';
import { bylineWords } from './en/byline.ts';
import { commentsWords } from './en/comments.ts';
import { componentsWords } from './en/components.ts';
import { confirmAddressWords } from './en/confirm-address.ts';
import { constructWords } from './en/constructs.ts';
import { copiesWords } from './en/copies.ts';
import { countWords } from './en/count.ts';
import { deleteWords } from './en/delete.ts';
import { deviceNameWords } from './en/device-name.ts';
import { diffWords } from './en/diff.ts';
import { editWords } from './en/edit.ts';
import { editFieldsWords } from './en/edit-fields.ts';
import { editFormWords } from './en/edit-form.ts';
import { editorWords } from './en/editor.ts';
import { eraseWords } from './en/erase.ts';
import { everywhereWords } from './en/everywhere.ts';
import { exportWords } from './en/export.ts';
import { exportedWords } from './en/exported.ts';
import { favouritesWords } from './en/favourites.ts';
import { feedsWords } from './en/feeds.ts';
import { filesWords } from './en/files.ts';
import { forgotWords } from './en/forgot.ts';
import { formFieldsWords } from './en/form-fields.ts';
import { formRoutesWords } from './en/form-routes.ts';
import { formatWords } from './en/format.ts';
import { freshnessWords } from './en/freshness.ts';
import { goneWords } from './en/gone.ts';
import { groupsWords } from './en/groups.ts';
import { historyWords } from './en/history.ts';
import { homeWords } from './en/home.ts';
import { importWords } from './en/import.ts';
import { importAccountWords } from './en/import-account.ts';
import { importPreviewWords } from './en/import-preview.ts';
import { inLanguagesWords } from './en/in-languages.ts';
import { inviteWords } from './en/invite.ts';
import { layoutWords } from './en/layout.ts';
import { linksWords } from './en/links.ts';
import { loginWords } from './en/login.ts';
import { mailWords } from './en/mail.ts';
import { mailsWords } from './en/mails.ts';
import { mapWords } from './en/map.ts';
import { markupWords } from './en/markup.ts';
import { memberWords } from './en/member.ts';
import { membersWords } from './en/members.ts';
import { mergeWords } from './en/merge.ts';
import { moveWords } from './en/move.ts';
import { notFoundWords } from './en/not-found.ts';
import { oauthWords } from './en/oauth.ts';
import { oldAddressesWords } from './en/old-addresses.ts';
import { oldBannerWords } from './en/old-banner.ts';
import { orderWords } from './en/order.ts';
import { pageActionsWords } from './en/page-actions.ts';
import { passkeyButtonWords } from './en/passkey-button.ts';
import { passkeysWords } from './en/passkeys.ts';
import { permissionFieldsWords } from './en/permission-fields.ts';
import { problemWords } from './en/problem.ts';
import { problemPageWords } from './en/problem-page.ts';
import { problemsOfCore } from './en/problems-core.ts';
import { problemsOfFeaturesAToO } from './en/problems-features-a-o.ts';
import { problemsOfFeaturesPToZ } from './en/problems-features-p-z.ts';
import { problemsOfFields } from './en/problems-fields.ts';
import { problemsOfMembers } from './en/problems-members.ts';
import { problemsOfPages } from './en/problems-pages.ts';
import { problemsOfRequests } from './en/problems-requests.ts';
import { problemsOfServer } from './en/problems-server.ts';
import { proposalsWords } from './en/proposals.ts';
import { protectionWords } from './en/protection.ts';
import { protectionBannerWords } from './en/protection-banner.ts';
import { providersWords } from './en/providers.ts';
import { reauthenticateWords } from './en/reauthenticate.ts';
import { recentChangesWords } from './en/recent-changes.ts';
import { reportsWords } from './en/reports.ts';
import { resetWords } from './en/reset.ts';
import { reviewBannerWords } from './en/review-banner.ts';
import { rulesWords } from './en/rules.ts';
import { scriptWords } from './en/script.ts';
import { searchWords } from './en/search.ts';
import { secondFactorWords } from './en/second-factor.ts';
import { sessionListWords } from './en/session-list.ts';
import { settingsWords } from './en/settings.ts';
import { signUpWords } from './en/sign-up.ts';
import { siteLookWords } from './en/site-look.ts';
import { storedWords } from './en/stored.ts';
import { strangersWords } from './en/strangers.ts';
import { templateChoiceWords } from './en/template-choice.ts';
import { tokensWords } from './en/tokens.ts';
import { translationsWords } from './en/translations.ts';
import { trashWords } from './en/trash.ts';
import { treeWords } from './en/tree.ts';
import { treeBesideWords } from './en/tree-beside.ts';
import { undoMemberWords } from './en/undo-member.ts';
import { updatesWords } from './en/updates.ts';
import { viewWords } from './en/view.ts';
import { visitorWords } from './en/visitor.ts';
import { visualWords } from './en/visual.ts';
import { waitingWords } from './en/waiting.ts';
import { wantedWords } from './en/wanted.ts';
import { watchesWords } from './en/watches.ts';
import { webhooksWords } from './en/webhooks.ts';
import { wordsWords } from './en/words.ts';

export const keys = {
  ...accessWords,
  ...accountWords,
  ...assetsWords,
  ...auditWords,
  ...auditKindWords,
  ...blocksWords,
  ...bylineWords,
  ...commentsWords,
  ...componentsWords,
  ...confirmAddressWords,
  ...copiesWords,
  ...countWords,
  ...deleteWords,
  ...deviceNameWords,
  ...diffWords,
  ...editWords,
  ...editFieldsWords,
  ...editFormWords,
  ...editorWords,
  ...eraseWords,
  ...everywhereWords,
  ...exportWords,
  ...exportedWords,
  ...favouritesWords,
  ...feedsWords,
  ...filesWords,
  ...forgotWords,
  ...formFieldsWords,
  ...formRoutesWords,
  ...formatWords,
  ...freshnessWords,
  ...reportsWords,
  ...goneWords,
  ...groupsWords,
  ...historyWords,
  ...homeWords,
  ...importWords,
  ...importAccountWords,
  ...importPreviewWords,
  ...inLanguagesWords,
  ...inviteWords,
  ...layoutWords,
  ...linksWords,
  ...loginWords,
  ...mailWords,
  ...mailsWords,
  ...mapWords,
  ...markupWords,
  ...memberWords,
  ...membersWords,
  ...mergeWords,
  ...moveWords,
  ...notFoundWords,
  ...oauthWords,
  ...oldAddressesWords,
  ...oldBannerWords,
  ...orderWords,
  ...pageActionsWords,
  ...passkeyButtonWords,
  ...passkeysWords,
  ...permissionFieldsWords,
  ...problemWords,
  ...problemPageWords,
  ...problemsOfMembers,
  ...problemsOfCore,
  ...problemsOfFields,
  ...problemsOfPages,
  ...problemsOfFeaturesAToO,
  ...problemsOfFeaturesPToZ,
  ...problemsOfServer,
  ...problemsOfRequests,
  ...proposalsWords,
  ...protectionWords,
  ...protectionBannerWords,
  ...providersWords,
  ...reauthenticateWords,
  ...recentChangesWords,
  ...resetWords,
  ...reviewBannerWords,
  ...rulesWords,
  ...scriptWords,
  ...searchWords,
  ...secondFactorWords,
  ...sessionListWords,
  ...settingsWords,
  ...signUpWords,
  ...siteLookWords,
  ...storedWords,
  ...strangersWords,
  ...constructWords,
  ...auditNoteWords,
  ...templateChoiceWords,
  ...tokensWords,
  ...translationsWords,
  ...trashWords,
  ...treeWords,
  ...treeBesideWords,
  ...undoMemberWords,
  ...updatesWords,
  ...viewWords,
  ...visitorWords,
  ...visualWords,
  ...waitingWords,
  ...wantedWords,
  ...watchesWords,
  ...webhooksWords,
  ...wordsWords,
};

export type Messages = typeof keys;
export type Key = keyof Messages;
