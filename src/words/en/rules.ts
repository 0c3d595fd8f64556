/** Words of “rules”. */
import { message } from '../message.ts';

export const rulesWords = {
  'rules.ownRule': message(
    'This page and all pages beneath it: {rule}.',
    'A rule; {rule} is like “2 approvals by the group Board”',
  ),
  'rules.inheritedRule': message(
    'Because of {from}: {rule}.',
    'A rule of a page above; {rule} is like “2 approvals by the group Board”',
  ),
  'rules.hiddenRule': message(
    'Because of a page above: {rule}.',
    'A rule of a page that the reader cannot see; {rule} is like “2 approvals by the group Board”',
  ),
  'rules.approvalTitle': message('Approval: {title}', 'Title of the page'),
  'rules.nobody': message('nobody', 'Who can approve a change'),
  'rules.approvalsBy': message(
    '{count, plural, one {# approval} other {# approvals}} by {approvers}',
    'A rule',
  ),
  'rules.approvalOfChanges': message('Approval of changes', 'Heading'),
  'rules.proposalsForThisPage': message('Proposals for this page', 'Link'),
  'rules.changesOfThisPageNeedNo': message('Changes of this page need no approval.', 'Words'),
  'rules.youCanProposeChangesOfThis': message(
    'You can propose changes of this page. Others approve them before they are merged.',
    'Words',
  ),
  'rules.youCanChangeThisPageDirectly': message(
    'You can change this page directly, and approve what others propose.',
    'Words',
  ),
  'rules.thenOthersCannotSaveThisPage': message(
    'Then others cannot save this page, or a page beneath it, directly. They propose changes, which merge once enough members have approved them.',
    'Paragraph',
  ),
  'rules.save': message('Save', 'Button'),
  'rules.changeTheRule': message('Change the rule', 'Words'),
  'rules.askForApprovals': message('Ask for approvals', 'Words'),
  'rules.approvalsThatAChangeNeeds': message('Approvals that a change needs', 'Words'),
  'rules.groupThatCanApprove': message('Group that can approve', 'Words'),
  'rules.leaveEmptyForModerators': message(
    'Leave empty for moderators. Administrators always can. People who can approve still save directly.',
    'Hint beneath a field',
  ),
  'rules.liftTheRule': message('Lift the rule', 'Button'),
};
