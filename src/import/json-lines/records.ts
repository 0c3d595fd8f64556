/** Parses and validates lines of an export in JSON (`docs/export.md`), because the file may come from anybody. */
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { damageInContent } from '#core/model/damage.ts';
import { maxGrants } from '#core/model/grant.ts';
import { readGroupName } from '#core/model/group-name.ts';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { isReserved, readPath } from '#core/model/path.ts';
import { readPermissionCode } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import {
  maxChanges,
  maxFilesOfChange,
  proposalActions,
  proposalStates,
  verdicts,
} from '#core/ports/proposal-store.ts';
import { protectionOf } from '../access.ts';
import { decodedText } from '../mediawiki/decode.ts';

/** Larger IDs would leave no room for new ones. */
const id = Type.Integer({ minimum: 1, maximum: 2 ** 50 });
const idOrNone = Type.Union([id, Type.Null()]);
const text = Type.String();
const textOrNone = Type.Union([text, Type.Null()]);
const permissions = Type.Integer({ minimum: 0, maximum: 777 });
const count = Type.Integer({ minimum: 0 });
const person = Type.Object({ id, name: text });
const name = Type.String({ maxLength: 400, pattern: '^[A-Za-z0-9._-]+$' });

const isGiven = { may: Type.Union([Type.Literal('read'), Type.Literal('write')]), beneath: Type.Boolean() };
const grant = Type.Union([Type.Object({ group: text, ...isGiven }), Type.Object({ member: id, ...isGiven })]);

const shortText = Type.String({ minLength: 1, maxLength: 255 });
const longText = Type.String({ maxLength: 10_000 });
const oneOf = <T extends string>(values: readonly T[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));

const recordKinds = {
  export: Type.Object({ version: Type.Literal(1) }),
  page: Type.Object({
    id,
    path: text,
    title: text,
    slug: text,
    parent: idOrNone,
    permissions,
    owner: person,
    created: text,
    updated: text,
    change: id,
    likes: Type.Array(id),
    group: Type.Optional(text),
    historyFrom: Type.Optional(id),
    aliases: Type.Optional(Type.Array(text)),
    protection: Type.Optional(Type.Unknown()),
    translationOf: Type.Optional(id),
    renders: Type.Optional(id),
    renderedParagraphs: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 })),
    rule: Type.Optional(
      Type.Object({ approvals: Type.Integer({ minimum: 1, maximum: 10 }), group: Type.Optional(text) }),
    ),
  }),
  change: Type.Object({
    id,
    page: id,
    at: text,
    editor: person,
    msg: text,
    title: text,
    slug: text,
    path: text,
    parent: textOrNone,
    description: textOrNone,
    type: textOrNone,
    permissions,
    location: Type.Union([
      Type.Null(),
      Type.Literal(false),
      Type.Object({
        lat: Type.Number({ minimum: -90, maximum: 90 }),
        lon: Type.Number({ minimum: -180, maximum: 180 }),
      }),
    ]),
    format: Type.Union([Type.Literal('wikitext'), Type.Literal('markdown')]),
    data: Type.Record(text, Type.Unknown()),
    image: textOrNone,
    files: Type.Array(name),
    body: text,
    group: Type.Optional(text),
    erased: Type.Optional(text),
    erasedFiles: Type.Optional(count),
    language: Type.Optional(text),
    reviewBy: Type.Optional(text),
    verifiedOn: Type.Optional(text),
    responsible: Type.Optional(Type.Integer()),
    defaults: Type.Optional(
      Type.Object({
        permissions: Type.Optional(permissions),
        group: Type.Optional(text),
        template: Type.Optional(text),
      }),
    ),
    comments: Type.Optional(Type.Union([Type.Literal('off'), Type.Literal('writers')])),
    grants: Type.Optional(Type.Array(grant, { maxItems: maxGrants })),
  }),
  comment: Type.Object({
    page: id,
    number: id,
    author: person,
    at: text,
    body: text,
    edited: Type.Optional(text),
    stranger: Type.Optional(shortText),
    replyTo: Type.Optional(id),
    resolved: Type.Optional(text),
    resolvedBy: Type.Optional(person),
    quote: Type.Optional(Type.Object({ text, before: text, after: text })),
  }),
  proposal: Type.Object({
    title: shortText,
    text: longText,
    author: person,
    created: text,
    updated: text,
    revision: count,
    state: oneOf(proposalStates),
    stranger: Type.Optional(shortText),
    invited: Type.Optional(Type.Array(id, { maxItems: 50 })),
    merged: Type.Optional(text),
    mergedBy: Type.Optional(Type.Union([person, Type.Null()])),
    changes: Type.Array(
      Type.Object({
        action: oneOf(proposalActions),
        path: text,
        page: idOrNone,
        shownWith: idOrNone,
        base: idOrNone,
        fields: Type.Record(text, Type.Unknown()),
        files: Type.Optional(Type.Array(text, { maxItems: maxFilesOfChange })),
      }),
      { minItems: 1, maxItems: maxChanges },
    ),
    reviews: Type.Array(
      Type.Object({
        member: person,
        verdict: oneOf(verdicts),
        text: longText,
        at: text,
        revision: count,
        on: Type.Optional(
          Type.Object({
            path: text,
            shownWith: idOrNone,
            quote: Type.Union([Type.String({ maxLength: 2000 }), Type.Null()]),
          }),
        ),
      }),
      { maxItems: 10_000 },
    ),
  }),
  file: Type.Object({
    name,
    page: id,
    filename: text,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    uploaded: text,
    uploader: id,
    missing: Type.Optional(Type.Boolean()),
  }),
  'proposal-file': Type.Object({
    name,
    change: count,
    filename: text,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    uploaded: text,
    uploader: id,
    missing: Type.Optional(Type.Boolean()),
  }),
  settings: Type.Object({ settings: Type.Record(text, Type.Unknown()) }),
  bytes: Type.Object({ file: name, base64: text }),
  damaged: Type.Object({ page: id, change: id }),
  order: Type.Object({ of: idOrNone, pages: Type.Array(id) }),
  end: Type.Object({ pages: count, changes: count, files: count }),
} satisfies Record<string, TSchema>;

type Kinds = typeof recordKinds;
export type LineOf<K extends keyof Kinds> = Static<Kinds[K]> & { kind: K };
export type Line = { [K in keyof Kinds]: LineOf<K> }[keyof Kinds];

const checks = Object.fromEntries(
  Object.entries(recordKinds).map(([kind, schema]) => [kind, Compile(schema as TSchema)]),
);
/** Longest possible line: a text with every character escaped, and other data. */
const maxLineLength = maxBodyBytes * 6 + 10_000_000;

/** Refuses `invalid`, naming the line, if the file is no export, damaged or incomplete. Kinds of later versions are skipped. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  let number = 0;
  let isEnded = false;
  for await (const text of textsOf(path)) {
    number++;
    if (text === '') continue;
    const line = lineIn(text, number);
    if (number === 1 && line?.kind !== 'export')
      throw new Problem(
        'invalid',
        'This is not an export in JSON lines, because its first line does not say so.',
      );
    if (isEnded) throw refusal(number, 'it comes after the end');
    if (!line) continue;
    isEnded = line.kind === 'end';
    yield line;
  }
  if (!isEnded) throw new Problem('invalid', 'The file ends too early: its last line is missing.');
}

function lineIn(written: string, number: number): Line | undefined {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    throw refusal(number, 'it is not JSON');
  }
  const kind = (value as { kind?: unknown } | null)?.kind;
  if (typeof kind !== 'string') throw refusal(number, 'it has no “kind”');
  const check = Object.hasOwn(checks, kind) ? checks[kind] : undefined;
  if (!check) return undefined;
  if (!check.Check(value)) throw refusal(number, `it is not a “${kind}”`);
  const defect = defectIn(value as Line);
  if (defect) throw refusal(number, defect);
  return value as Line;
}

function defectIn(line: Line): string | undefined {
  if (line.kind === 'proposal') return defectInProposal(line);
  if (line.kind === 'file' || line.kind === 'proposal-file')
    return Number.isNaN(Date.parse(line.uploaded)) ? 'it has no time' : undefined;
  if (line.kind !== 'page' && line.kind !== 'change') return undefined;
  if (!JSON.stringify(line).isWellFormed()) return 'its text is not valid Unicode';
  const times =
    line.kind === 'page' ? [line.created, line.updated] : [line.at, ...[line.erased ?? []].flat()];
  if (times.some((time) => Number.isNaN(Date.parse(time)))) return 'it has no time';
  const codes =
    line.kind === 'change' && line.defaults
      ? [line.permissions, ...[line.defaults.permissions ?? []].flat()]
      : [line.permissions];
  if (codes.some((code) => readPermissionCode(code) === undefined)) return 'it has no permissions';
  const granted = line.kind === 'change' ? (line.grants ?? []) : [];
  const groups = [
    ...(line.kind === 'change' ? [line.group, line.defaults?.group] : [line.group]),
    ...granted.flatMap((grant) => ('group' in grant ? [grant.group] : [])),
  ];
  if (groups.some((group) => group !== undefined && 'problem' in readGroupName(group)))
    return 'it has no group';
  if (line.kind === 'page' && line.protection !== undefined && !protectionOf(line.protection))
    return 'its protection is not valid in this wiki';
  const paths = line.kind === 'page' ? [line.path, ...(line.aliases ?? [])] : [line.path];
  for (const path of paths) {
    const read = readPath(path);
    if (!('path' in read) || read.path !== path || isReserved(path))
      return `${path.slice(0, 200)} cannot be the path of a page`;
  }
  if (line.kind === 'page') return undefined;
  if (Buffer.byteLength(line.body) > maxBodyBytes) return 'its text is too long';
  if (line.body.includes('\0') || line.title.includes('\0')) return 'its text contains NUL characters';
  return damageInContent(JSON.stringify(line));
}

function defectInProposal(line: LineOf<'proposal'>): string | undefined {
  const { created, updated, merged = created, reviews } = line;
  if (
    [created, updated, merged, ...reviews.map(({ at }) => at)].some((time) => Number.isNaN(Date.parse(time)))
  )
    return 'it has no time';
  const text = JSON.stringify(line);
  return text.isWellFormed() && !text.includes('\\u0000') ? undefined : 'its text is not valid';
}

async function* textsOf(path: string): AsyncGenerator<string> {
  let held = '';
  for await (const chunk of decodedText(path)) {
    const lines = chunk.split('\n');
    lines[0] = held + (lines[0] ?? '');
    held = lines.pop() ?? '';
    yield* lines;
    if (held.length > maxLineLength)
      throw new Problem(
        'invalid',
        'This is not an export in JSON lines, because one of its lines is far too long.',
      );
  }
  if (held !== '') yield held;
}

function refusal(number: number, why: string): Problem {
  return new Problem('invalid', `Line ${number} of the file cannot be read: ${why}.`);
}

const optional = ['comments', 'language', 'reviewBy', 'verifiedOn', 'erasedFiles'] as const;

/** Fields of a change that its line may lack. */
export function optionalIn(line: LineOf<'change'>): object {
  return Object.fromEntries(
    optional.flatMap((name) => (line[name] === undefined ? [] : [[name, line[name]]])),
  );
}
