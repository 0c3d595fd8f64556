/** Words of “undo member”. */
import { message } from '../message.ts';

export const undoMemberWords = {
  'undoMember.changesOf': message('Changes of', 'Words'),
  'undoMember.changesUndone': message('Changes undone', 'Words'),
  'undoMember.chooseFromWhenOnChangesAre': message('Choose from when on changes are undone.', 'Refusal'),
  'undoMember.pageWithOlderChangesAreLeft': message(
    '{more, plural, one {# page} other {# pages}} with older changes are left. Undo again for these.',
    'Paragraph',
  ),
  'undoMember.pagesGetTheirEarlierText': message(
    'Pages get their earlier text again; later edits of others are kept. You see a preview first.',
    'Paragraph',
  ),
  'undoMember.previewTheChanges': message('Preview the changes', 'Button'),
  'undoMember.undoChanges': message('Undo changes', 'Words'),
  'undoMember.undoTheirChanges': message('Undo their changes', 'Title of a part that opens'),
  'undoMember.undo': message('Undo', 'Button'),
  'undoMember.cancel': message('Cancel', 'Link'),
  'undoMember.wouldChange': message(
    '{changing, plural, one {# page would change} other {# pages would change}}, of {count, plural, one {# page} other {# pages}} with changes since {time}.',
    'Paragraph',
  ),
  'undoMember.changed': message(
    '{changing, plural, one {# page changed} other {# pages changed}}, of {count, plural, one {# page} other {# pages}} with changes since {time}.',
    'Paragraph',
  ),
  'undoMember.goesBack': message('goes back', 'What will become of a page'),
  'undoMember.wentBack': message('went back', 'What became of a page'),
  'undoMember.isRestored': message('is restored, with later edits of others', 'What will become of a page'),
  'undoMember.hasBeenRestored': message(
    'has been restored, with later edits of others',
    'What became of a page',
  ),
  'undoMember.staysBecauseOfOthers': message(
    'stays, because others changed the same text since; see its history',
    'What becomes of a page',
  ),
  'undoMember.isMoved': message(
    'is moved to the trash, because nobody else edited it',
    'What will become of a page',
  ),
  'undoMember.hasBeenMoved': message(
    'has been moved to the trash, because nobody else edited it',
    'What became of a page',
  ),
  'undoMember.staysAsThereIsNothing': message(
    'stays, because there is nothing to undo, or others have edited it since',
    'What will become of a page',
  ),
  'undoMember.stays': message('stays as it is', 'What became of a page'),
  'undoMember.theLastHour': message('the last hour', 'A choice'),
  'undoMember.theLastHours': message('the last {count, plural, one {# hour} other {# hours}}', 'A choice'),
  'undoMember.theLastDays': message('the last {count, plural, one {# day} other {# days}}', 'A choice'),
};
