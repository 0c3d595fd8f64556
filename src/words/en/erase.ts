/** Words of “erase”. */
import { message } from '../message.ts';

export const eraseWords = {
  'erase.aMembersNameAddressAnd': message('A member’s name, address and credentials', 'Words'),
  'erase.confirmThatThisCannotBe': message('Confirm that this cannot be undone.', 'Refusal'),
  'erase.deleteThemAndMakeANewBackup': message('Delete them, and make a new backup.', 'Paragraph'),
  'erase.erasePermanently': message('Erase permanently', 'Button'),
  'erase.erased': message('Erased', 'Title of the page'),
  'erase.forContentThatMustNotBeKept': message(
    'For content that must not be kept, such as personal data or illegal content. The history still says who changed the page and when, and that it was erased. This cannot be undone.',
    'Paragraph',
  ),
  'erase.goOn': message('Go on', 'Link'),
  'erase.ifYouEraseTheCurrentVersion': message(
    'If you erase the current version, the page shows the latest remaining one. Files that only erased versions had are erased as well.',
    'Paragraph',
  ),
  'erase.lookAtVersionId': message('look<span> at version {id}</span>', 'Link'),
  'erase.nobodyCanSeeItAnyMoreButThe': message(
    'Nobody can see it any more, but the database still contains some of it. The wiki removes the rest by itself as soon as it can, and then writes “{value}” to the <link>audit log</link>.',
    'Paragraph',
  ),
  'erase.openFilename': message('open<span> {filename}</span>', 'Link'),
  'erase.placesThatMayStillContain': message('Places that may still contain some of it', 'Heading'),
  'erase.reasonForTheAuditLogWhich': message(
    'Reason <span>(for the audit log, which administrators can read)</span>',
    'Words',
  ),
  'erase.theseBackupsStillContainIt': message('These backups still contain it', 'Heading'),
  'erase.thisCannotBeUndoneAndIWantTo': message(
    'This cannot be undone, and I want to do it',
    'Label of a field',
  ),
  'erase.versions': message('Versions', 'Label of a group of fields'),
  'erase.files': message('Files', 'Label of a group of fields'),
  'erase.erasedVersion': message(
    '{time} by {name}: erased',
    'A version in a list; {time} is like “3 hours ago”',
  ),
  'erase.version': message('{time} by {name}', 'A version in a list; {time} is like “3 hours ago”'),
  'erase.eraseTitle': message('Erase: {title}', 'Title of the page'),
  'erase.aBackup': message('a backup', 'A backup whose place is not known'),
};
