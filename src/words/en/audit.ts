/** Words of “audit”. */
import { message } from '../message.ts';

export const auditWords = {
  'audit.numbered': message(
    '{kind, select, member {member {id}} group {group {id}} invitation {invitation {id}} sign_up {sign-up {id}} mail {mail {id}} webhook {webhook {id}} proposal {proposal {id}} submission {submission {id}} other {page {id}}}',
    'What an entry is about, after its kind: “Invitation made: invitation 7”',
  ),
  'audit.auditLog': message('Audit log', 'Title of the page'),
  'audit.byTokenTokenid': message('by token {tokenId}', 'Paragraph'),
  'audit.from': message('From', 'Column of the audit log: the address that the request came from'),
  'audit.noMatchingEntries': message('No matching entries.', 'Paragraph'),
  'audit.onlyActionsByNameinAndOn': message(
    'Only actions by {nameIn} and on their account. <link>Show all</link>',
    'Words',
  ),
  'audit.untilTime': message('until {time}', 'Paragraph'),
  'audit.when': message('When', 'Words'),
  'audit.who': message('Who', 'Words'),
  'audit.members': message('Members', 'Link'),
  'audit.show': message('Show', 'Button'),
  'audit.everything': message('everything', 'Choice'),
  'audit.actionsLatestFirst': message('Actions on accounts, rights and pages, latest first.', 'Paragraph'),
  'audit.theWikiItself': message('the wiki itself', 'Who did something'),
  'audit.theCommandLine': message('the command line', 'Who did something'),
  'audit.aStranger': message('a stranger', 'Who did something'),
};
