/**
 * Replaces signatures when a page is saved: `~~~` by the author, `~~~~~` by the time, `~~~~` by both.
 *
 * Further tildes stay, as do those in `<nowiki>`, `<pre>`, code, comments and `<includeonly>`.
 */
import { extensionTags } from './constructs.ts';
import { timeAndDate } from './functions/time.ts';
import type { ExpandContext, Rules } from './options.ts';
import { coppiceRules } from './rules.ts';
import { scan } from './scan.ts';

/** If the context has no signature, only dates are inserted. */
export function sign(source: string, { rules = coppiceRules, signature, now }: ExpandContext): string {
  if (!source.includes('~~~')) return source;
  const date = timeAndDate(now, rules.language ?? 'en');
  const forms = ['', '', '', signature, signature && `${signature} ${date}`, date];
  return signed(source, rules, (plain) => plain.replace(/~{3,5}/g, (run) => forms[run.length] ?? run));
}

function signed(text: string, rules: Rules, write: (plain: string) => string): string {
  if (!text.includes('~~~')) return text;
  const { hasLooseNotes, tags } = rules;
  let out = '';
  let at = 0;
  for (const element of scan(text, {
    isIncluded: false,
    hasTemplates: false,
    hasLooseNotes,
    ...(tags ? { tags } : {}),
  })) {
    if (element.start < at) continue;
    const { name, start, end, bodyStart, bodyEnd } = element;
    out += write(text.slice(at, start));
    out +=
      bodyStart >= 0 && extensionTags.get(name)?.inside
        ? text.slice(start, bodyStart) +
          signed(text.slice(bodyStart, bodyEnd), rules, write) +
          text.slice(bodyEnd, end)
        : text.slice(start, end);
    at = end;
  }
  return out + write(text.slice(at));
}
