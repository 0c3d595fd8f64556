/** Counts of things, alone or within a line. */
import { message } from '../message.ts';

export const countWords = {
  'count.pages': message(
    '{count, plural, one {# page} other {# pages}}',
    'A number of things, alone or within a line',
  ),
  'count.times': message(
    '{count, plural, one {# time} other {# times}}',
    'A number of things, alone or within a line',
  ),
  'count.openThreads': message(
    '{count, plural, one {# open thread} other {# open threads}}',
    'A number of things, alone or within a line',
  ),
  'count.comments': message(
    '{count, plural, one {# comment} other {# comments}}',
    'A number of things, alone or within a line',
  ),
  'count.changes': message(
    '{count, plural, one {# change} other {# changes}}',
    'A number of things, alone or within a line',
  ),
  'count.reviews': message(
    '{count, plural, one {# review} other {# reviews}}',
    'A number of things, alone or within a line',
  ),
  'count.morePages': message(
    '{count, plural, one {# more page} other {# more pages}}',
    'A number of things, alone or within a line',
  ),
  'count.attempts': message(
    '{count, plural, one {# attempt} other {# attempts}}',
    'A number of things, alone or within a line',
  ),
  'count.templates': message(
    '{count, plural, one {# template} other {# templates}}',
    'A number of things, alone or within a line',
  ),
  'count.modules': message(
    '{count, plural, one {# module} other {# modules}}',
    'A number of things, alone or within a line',
  ),
  'count.unreadNotifications': message(
    '{count, plural, one {# unread notification} other {# unread notifications}}',
    'A number of things, alone or within a line',
  ),
  'count.files': message(
    '{count, plural, one {# file} other {# files}}',
    'A number of things, alone or within a line',
  ),
  'count.versions': message(
    '{count, plural, one {# version} other {# versions}}',
    'A number of things, alone or within a line',
  ),
  'count.links': message(
    '{count, plural, one {# link} other {# links}}',
    'A number of things, alone or within a line',
  ),
  'count.members': message(
    '{count, plural, one {# member} other {# members}}',
    'A number of things, alone or within a line',
  ),
  'count.revisions': message(
    '{count, plural, one {# revision} other {# revisions}}',
    'A number of things, alone or within a line',
  ),
  'count.redirects': message(
    '{count, plural, one {# redirect} other {# redirects}}',
    'A number of things, alone or within a line',
  ),
  'count.words': message('{count, plural, one {# word} other {# words}}', 'A number of words'),
};
