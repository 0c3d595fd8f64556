/**
 * {{#time: Y-m-d | 15 January 2001}}      2001-01-15        {{#timel: …}} the same in the wiki's zone
 * {{#timef: 15 January 2001 | date}}      15 January 2001   {{#dateformat: 2001-01-15 | mdy}} January 15, 2001
 */
import type { ExpandContext } from '../options.ts';
import type { Call, Functions } from './call.ts';
import { orderDate } from './date-order.ts';
import { dateStyle, isDateStyle } from './date-styles.ts';
import { formatTime } from './time-format.ts';
import { readTime } from './time-reading.ts';

export const time: Functions = {
  '#time': (call) => timeText(call, 'UTC'),
  '#timel': (call) => timeText(call, localZone(call)),
  '#timef': (call) => styledText(call, 'UTC'),
  '#timefl': (call) => styledText(call, localZone(call)),
  '#formatdate': dateFormat,
  '#dateformat': dateFormat,
};

/** The same limit as in MediaWiki. */
const longestFormat = 6000;
const invalid = problem('Invalid time.');

function problem(message: string): string {
  return `<strong class="error">Error: ${message}</strong>`;
}

function timeText(call: Call, zone: string): string {
  const local = zone === 'UTC' && isTrue(call.text(3)) ? localZone(call) : zone;
  const at = readTime(call.text(1), nowOf(call), 'UTC');
  if (at === undefined) return invalid;
  const year = new Date(at).getUTCFullYear();
  if (year < 0) return problem('#time only supports years from 0.');
  // Invalid dates, beyond the range of `Date`, have NaN as year.
  if (!(year <= 9999)) return problem('#time only supports years up to 9999.');
  const format = call.text(0);
  if (format.length > longestFormat) return problem('Too many #time calls.');
  return formatTime(format, at, local, languageOf(call));
}

function styledText(call: Call, zone: string): string {
  const at = readTime(call.text(0), nowOf(call), 'UTC');
  if (at === undefined) return invalid;
  const style = call.text(1);
  const language = languageOf(call);
  return formatTime(dateStyle(isDateStyle(style) ? style : 'both', language), at, zone, language);
}

/** Returns the time and date of a signature: `12:30, 1 May 2026 (UTC)`. */
export function timeAndDate(at: number, language: string): string {
  return `${formatTime(dateStyle('both', language), at, 'UTC', language)} (UTC)`;
}

/** Returns the language in the third argument, or the wiki's; English once the page has used too many. */
function languageOf(call: Call): string {
  const language = call.text(2) || call.expander.rules.language || 'en';
  return language.startsWith('en') || call.expander.budget.maySpend() ? language : 'en';
}

function dateFormat(call: Call): string {
  return orderDate(call.text(0), call.text(1));
}

function localZone(call: Call): string {
  return contextOf(call).timeZone ?? 'UTC';
}

function nowOf(call: Call): number {
  return contextOf(call).now;
}

function contextOf(call: Call): ExpandContext {
  return call.expander.context;
}

function isTrue(text: string): boolean {
  return text !== '' && text !== '0';
}
