/**
 * Renders a diff as an HTML table: one row for each line, `<ins>` and `<del>` around changed words, and a sign beside each
 * line, so that nothing depends on colour alone. Line numbers are row headers for screen readers.
 */
import { escapeHtml } from '@coppice/wikitext';
import type { AttachedFile, FileChanges } from '../model/page.ts';
import type { Comparison, DiffLine, FieldChange, Hunk } from './diff.ts';

/** A comparison as HTML with everything escaped, in English. Says so if nothing differs. */
export function diffHtml(
  fields: FieldChange[],
  { hunks, linesLeftOut }: Comparison,
  files?: FileChanges,
): string {
  const inside = `${fieldsHtml(fields)}${files ? filesHtml(files) : ''}${bodyHtml(hunks)}${leftOutHtml(linesLeftOut)}`;
  return inside === '' ? '<p class="diff-none">No differences.</p>' : inside;
}

function fieldsHtml(fields: FieldChange[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ field, from, to }) =>
      `<tr><th scope="row">${escapeHtml(field)}</th><td><del>${shown(from)}</del></td><td><ins>${shown(to)}</ins></td></tr>`,
  );
  return `<table class="diff diff-fields"><thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function filesHtml({ attached, replaced, taken }: FileChanges): string {
  const names = (files: AttachedFile[], tag: 'ins' | 'del') =>
    files.map(({ filename }) => `<${tag}>${escapeHtml(filename)}</${tag}>`);
  const lines = [
    ['Files attached', names(attached, 'ins')],
    [
      'Files replaced',
      names(
        replaced.map(({ after }) => after),
        'ins',
      ),
    ],
    ['Removed files', names(taken, 'del')],
  ] as const;
  return lines
    .map(([words, names]) =>
      names.length > 0 ? `<p class="diff-files">${words}: ${names.join(', ')}</p>` : '',
    )
    .join('');
}

function bodyHtml(hunks: Hunk[]): string {
  if (hunks.length === 0) return '';
  const bodies = hunks.map(({ lines }) => `<tbody>${lines.map(lineHtml).join('')}</tbody>`);
  return `<table class="diff diff-body">${bodies.join('')}</table>`;
}

function leftOutHtml(lines: number): string {
  return lines === 0 ? '' : `<p class="diff-left-out">${leftOutWords(lines)}</p>`;
}

/** Sentence about lines of a comparison that are not shown. */
export function leftOutWords(lines: number): string {
  return `The versions differ so much that ${lines} more lines are not shown. Open the versions themselves to see everything.`;
}

const signs = { same: ' ', removed: '−', added: '+' } satisfies Record<DiffLine['kind'], string>;

function lineHtml(line: DiffLine): string {
  const parts = line.words ?? [{ kind: line.kind, text: line.text }];
  const text = parts.map(({ kind, text }) => {
    const escaped = escapeHtml(text);
    return kind === 'removed'
      ? `<del>${escaped}</del>`
      : kind === 'added'
        ? `<ins>${escaped}</ins>`
        : escaped;
  });
  const numbers = [line.fromLine, line.toLine]
    .map((one) => `<td class="diff-number">${one ?? ''}</td>`)
    .join('');
  return `<tr class="diff-${line.kind}">${numbers}<td class="diff-sign">${signs[line.kind]}</td><td class="diff-text">${text.join('')}</td></tr>`;
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '—';
  return escapeHtml(typeof value === 'string' ? value : JSON.stringify(value));
}
